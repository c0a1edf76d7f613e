/** Words for a password in other languages, and how sentences go on behind them: "Passwort: X", "пароль - X", "密码是X". */
import { Assignment } from '../assignments/assignments.ts'
import { letterSet } from '../text/chars.ts'
import type { Match } from '../detector.ts'
import { isConcatenated, isTold } from '../values/told-value.ts'
import { wholeEnd } from '../assignments/value-end.ts'

const assignment = new Assignment()

/**
 * Words for a password that no program text uses as a name, each with the anchor that calls for it. An anchor outside of
 * ASCII is one character: that is enough to call for a look, and rare in other texts.
 */
const foreignWords: readonly (readonly [anchor: string, word: string])[] = [
  ['contrase', 'contraseña'],
  ['contrase', 'contrasenya'],
  ['contrase', 'contrasena'],
  ['mot de passe', 'mot de passe'],
  ['kennwort', 'kennwort'],
  ['senha', 'senha'],
  ['wachtwoord', 'wachtwoord'],
  ['senord', 'senord'],
  ['passord', 'passord'],
  ['adgangskode', 'adgangskode'],
  ['salasana', 'salasana'],
  ['heslo', 'heslo'],
  ['jelsz', 'jelszó'],
  ['parola', 'parola'],
  ['kata sandi', 'kata sandi'],
  ['п', 'пароль'],
  ['п', 'паролем'],
  ['п', 'пароля'],
  ['密', '密码'],
  ['密', '密碼'],
  ['비', '비밀번호'],
  ['パ', 'パスワード']
]
export const foreignAnchors = [...new Set(foreignWords.map(([anchor]) => anchor))]

/** A foreign word in small and in capital letters. */
interface ForeignWord {
  readonly lower: string
  readonly upper: string
}

/**
 * The foreign words by their third character, since their first ones call, and English words begin as they do; those of
 * two characters by their second.
 */
const foreignByThird = new Map<number, ForeignWord[]>()
for (const [, word] of foreignWords) {
  const upper = word.toUpperCase()
  const place = Math.min(2, word.length - 1)
  for (const third of new Set([word.charCodeAt(place), upper.charCodeAt(place)]))
    foreignByThird.set(third, [...(foreignByThird.get(third) ?? []), { lower: word, upper }])
}

/** How long the foreign word at `at` is; 0 where there is none. */
export function foreignAt(text: string, at: number): number {
  const words =
    foreignByThird.get(text.charCodeAt(at + 2)) ??
    (text.charCodeAt(at) > 127 ? foreignByThird.get(text.charCodeAt(at + 1)) : undefined)
  if (words === undefined) return 0
  let longest = 0
  for (const word of words) if (word.lower.length > longest && standsAt(text, at, word)) longest = word.lower.length
  return longest
}

/** Whether a word stands at `at`, in any case. */
function standsAt(text: string, at: number, { lower, upper }: ForeignWord): boolean {
  for (let i = 0; i < lower.length; i++) {
    const code = text.charCodeAt(at + i)
    if (code !== lower.charCodeAt(i) && code !== upper.charCodeAt(i)) return false
  }
  return true
}

/** `Passwort: X`, `пароль - X`, `密码是X`, `password for the box: X`. */
export function foreignTold(text: string, at: number, wordUnits: number): Match | undefined {
  // `lösenord` is anchored behind its first letters.
  if (letterSet[text.charCodeAt(at - 1)] === 1) return undefined
  let i = at + wordUnits
  // Endings of declension and the like.
  while (i < at + wordUnits + 3 && letterSet[text.charCodeAt(i)] === 1) i++
  i = foreignPhraseEnd(text, i)
  const signsFrom = i
  while (i < signsFrom + 24 && isGap(text, i)) i++
  const copula = foreignCopulas.find((one) => text.startsWith(one, i))
  if (copula !== undefined) i += copula.length
  // A blank alone stands between the words of a label: "Heslo znovu", "Parola Değiştir".
  else if (!hasSign(text, signsFrom, i)) return undefined
  while (i < signsFrom + 32 && isGap(text, i)) i++
  if (!assignment.readValue(text, i) || !isAscii(text, assignment.start, assignment.end)) return undefined
  const { start, end } = assignment
  if (isConcatenated(text, start)) return undefined
  return isTold(text, start, end)
    ? { start, end: assignment.quoted ? end : wholeEnd(text, end), confidence: 'medium', byContext: true }
    : undefined
}

/** A colon, a sign of equality or a dash. */
function hasSign(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i)
    if (code === 58 || code === 61 || code === 0xff1a || code === 45) return true
  }
  return false
}

function isAscii(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (text.charCodeAt(i) > 126) return false
  return true
}

/** `do banco`, `от сервера`: words up to a colon or a copula. */
function foreignPhraseEnd(text: string, from: number): number {
  if (text.charCodeAt(from) !== 32) return from
  for (let i = from + 1; i < from + 28; i++) {
    const code = text.charCodeAt(i)
    if (code === 58) return i
    if (code < 48 && code !== 32) return from
    if (code === 32 && foreignCopulas.some((one) => one.endsWith(' ') && text.startsWith(one, i + 1))) return i
  }
  return from
}

const foreignCopulas = [
  'ist ',
  'lautet ',
  'est ',
  'es ',
  'é ',
  'è ',
  'is ',
  'jest ',
  'это ',
  '是',
  '为',
  '為',
  '는 ',
  '은 ',
  'は',
  'は ',
  'to '
]

function isGap(text: string, i: number): boolean {
  const code = text.charCodeAt(i)
  return code === 32 || code === 58 || code === 61 || code === 0xff1a || code === 34 || code === 0x300c || code === 45
}
