/** What triggers a look at an assignment: parts of names that promise a secret. */
import { behindAssigned, wordsBehindAssigned } from '../../assignments/lexing.ts'
import type { Anchor } from '../../detector.ts'
import type { Guard } from '../../anchor-guard.ts'
import { isNamePart } from '../../values/key-names.ts'

/**
 * Parts of names that promise a secret, in any case. Each is short, so the guard checks what follows the name before
 * anything else is read.
 */
const words = [
  'pass',
  'pwd',
  'pswd',
  'psw',
  'psswd',
  'psk',
  'pasword',
  'secret',
  'token',
  'jwt',
  'key',
  'auth',
  'credential',
  'salt',
  'pepper',
  'senha',
  'contrase',
  'sifre',
  'haslo',
  'jelszo',
  'lozinka',
  'losenord',
  'zaporka',
  'slaptazod',
  'khau',
  'sandi',
  'erlang_cookie',
  'erlangcookie',
  'release_cookie',
  '_pw',
  'pw=',
  'pw =',
  'pw:',
  'pw"',
  "pw']",
  "pw':",
  '_pat=',
  '_pat =',
  '_pat ',
  '_pat:',
  '_pat"',
  '-pat"',
  "-pat'",
  'x-amz-sig',
  'x-goog-sig'
]
const guard: Guard = { behindName: behindAssigned, wordsBehind: wordsBehindAssigned }
/** The anchors in names of secrets, for assignments and fields. */
export const anchors: readonly Anchor[] = words.map((literal) => ({
  literal,
  fold: true,
  // Some of the words include the operator behind the name, so the guard cannot apply.
  guard: isNamePart(literal) ? guard : undefined
}))
