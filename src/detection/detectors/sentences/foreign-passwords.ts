/**
 * Words for a password in other languages, and how sentences continue behind them: "Passwort: X", "пароль - X", "密码是X".
 */
import { Assignment } from '../../assignments/assignments.ts'
import {
  base62Set,
  charSet,
  codeAt,
  consistsOf,
  inSet,
  isAscii,
  letterSet,
  lowerSet,
  runEnd,
  runStart
} from '../../text/chars.ts'
import { NextOf } from '../../text/next-of.ts'
import { rarity } from '../../values/rarity.ts'
import { isDescriptiveWord } from '../../values/descriptive-words.ts'
import { contextMatch, type Match } from '../../detector.ts'
import { isConcatenated, isStatedSecret, isAdjacentSecret } from '../../values/stated-value.ts'
import { passwordBefore } from './value-before-name.ts'
import { foreignStatedWord } from './dictionary-words.ts'
import { secretNearName } from './value-near-name.ts'
import { wholeEnd } from '../../assignments/value-end.ts'

const assignment = new Assignment()

/**
 * Stems of words for a password that do not occur as names in program text, and the anchor within each. A non-ASCII
 * anchor has several characters: a single one would occur in every word of its language.
 */
const words: readonly (readonly [word: string, anchor: string])[] = [
  ['contraseña', 'contrase'],
  ['contrasenya', 'contrase'],
  ['contrasena', 'contrase'],
  ['mot de passe', 'mot de passe'],
  ['mdp', 'mdp'],
  ['kennwort', 'kennwort'],
  ['senha', 'senha'],
  ['wachtwoord', 'wachtwoord'],
  ['lösenord', 'senord'],
  ['passord', 'passord'],
  ['adgangskode', 'adgangskode'],
  ['salasana', 'salasana'],
  ['heslo', 'heslo'],
  ['geslo', 'geslo'],
  ['lozinka', 'lozinka'],
  ['parool', 'parool'],
  ['hasł', 'hasł'],
  ['jelszó', 'jelsz'],
  ['slaptažod', 'slapta'],
  ['şifre', 'şifre'],
  ['parola', 'parola'],
  ['kata sandi', 'kata sandi'],
  ['mật khẩu', 'ật khẩu'],
  ['парол', 'парол'],
  ['κωδικ', 'κωδικ'],
  ['סיסמ', 'סיסמ'],
  ['كلمة المرور', 'كلمة المرور'],
  ['كلمة السر', 'كلمة السر'],
  ['पासवर्ड', 'पासवर्ड'],
  ['รหัสผ่าน', 'รหัสผ่าน'],
  ['密码', '密码'],
  ['密碼', '密碼'],
  ['비밀번호', '비밀번호'],
  ['암호', '암호'],
  ['パスワード', 'パスワード'],
  ['clave', 'clave'],
  ['palavra-passe', 'palavra-passe'],
  ['palavra passe', 'palavra passe'],
  ['toegangscode', 'toegangscode'],
  ['zugangscode', 'zugangscode'],
  ['비번', '비번'],
  ['الرقم السري', 'الرقم السري'],
  ['mật mã', 'ật mã'],
  ['schlüssel lautet', 'ssel lautet'],
  ['كلمة مرور', 'كلمة مرور'],
  ['كلمة سر', 'كلمة سر'],
  ['wlan-schlüssel', 'wlan-schl'],
  ['code wifi', 'code wifi'],
  ['code du wifi', 'code du wifi'],
  ['clé wifi', 'é wifi'],
  ['clé du wifi', 'é du wifi']
]

/** The same for API keys, which are longer than passwords. */
const keyWords: readonly (readonly [word: string, anchor: string])[] = [
  ['api-schlüssel', 'api-schl'],
  ['api schlüssel', 'api schl'],
  ["clé d'api", "d'api"],
  ['clé api', 'é api'],
  ['clé secrète', 'crète'],
  ['chiave segreta', 'chiave'],
  ['chiave api', 'chiave'],
  ['chave secreta', 'chave'],
  ['chave de api', 'chave'],
  ['api-nyckel', 'api-nyckel'],
  ['klucz api', 'klucz'],
  ['ключ api', 'ключ'],
  ['api ключ', 'ключ'],
  ['api-ключ', 'ключ'],
  ['apiキー', 'キー'],
  ['密钥', '密钥'],
  ['密鑰', '密鑰'],
  ['api 키', 'api 키'],
  ['api키', 'api키'],
  ['מפתח ה-api', 'מפתח'],
  ['מפתח api', 'מפתח']
]
export const foreignAnchors = [...new Set([...words, ...keyWords].map(([, anchor]) => anchor))]
/** Those that begin in ASCII and continue beyond it. */
const mixedAnchors = foreignAnchors
  .filter((anchor) => anchor.charCodeAt(0) < 128 && !isAscii(anchor))
  .map((lower) => ({ lower, upper: lower.toUpperCase() }))
const mixedHeadSet = charSet(...mixedAnchors.flatMap(({ lower, upper }) => [lower.charAt(0), upper.charAt(0)]))

/** A stem in lower and upper case. */
interface ForeignWord {
  readonly lower: string
  readonly upper: string
  /** The offset of the anchor in the stem. */
  readonly offset: number
  readonly isKey: boolean
  /** What follows the first character of the anchor, in lower and upper case. Most candidates are rejected by it. */
  readonly next: readonly [number, number]
}

/** The stems of words for keys. */
const keys = new Set(keyWords.map(([word]) => word))
const byAnchor = new Map<number, ForeignWord[]>()
for (const [word, anchor] of [...words, ...keyWords]) {
  const upper = word.toUpperCase()
  const offset = word.indexOf(anchor)
  const next = [codeAt(word, offset + 1), codeAt(upper, offset + 1)] as const
  for (const code of new Set([word.charCodeAt(offset), upper.charCodeAt(offset)]))
    byAnchor.set(code, [...(byAnchor.get(code) ?? []), { lower: word, upper, offset, next, isKey: keys.has(word) }])
}

const ideographFrom = 0x2e80

/** The first characters of ASCII anchors. */
const firstSet = charSet(...[...byAnchor.keys()].filter((code) => code < 128).map((code) => String.fromCharCode(code)))

/** The word that was found last, and whether it names a key. */
const found = { start: 0, end: 0, isKey: false }

/**
 * What is stated behind the foreign word whose anchor stands at `at`; undefined if there is no such word, or nothing is
 * stated.
 */
export function foreignPasswordAt(text: string, at: number, textNumber: number): Match | undefined {
  if (!findWord(text, at)) return undefined
  const { start, end, isKey } = found
  const to = endingEnd(text, end)
  return (
    valueOfForeignName(text, end, textNumber) ??
    (inSet(tokenSet, codeAt(text, to))
      ? undefined
      : secretNearName(text, to, isKey ? 'key' : 'password', textNumber)) ??
    (isKey ? undefined : (passwordAsName(text, start) ?? foreignStatedWord(text, start, to)))
  )
}

const asWords = [' как ', ' como ', ' comme ', ' als ', ' come ', ' jako ', ' som ', ' sebagai ']

/** A value before the word: `ввожу X как пароль`. */
function passwordAsName(text: string, wordAt: number): Match | undefined {
  const before = text.slice(Math.max(0, wordAt - 10), wordAt)
  const word = asWords.find((one) => before.endsWith(one))
  return word === undefined ? undefined : passwordBefore(text, wordAt - word.length)
}

/** Characters around letters that form such a word by chance, as in base64. */
const tokenSet = charSet('A-Z', 'a-z', '0-9', '+/=_-')

/** Whether the anchor of a foreign word stands at `at`; the word is left in `found`. */
function findWord(text: string, at: number): boolean {
  found.end = 0
  const code = text.charCodeAt(at)
  if (code < 128 && firstSet[code] === 0) return false
  const candidates = byAnchor.get(text.charCodeAt(at))
  if (candidates === undefined) return false
  const behind = codeAt(text, at + 1)
  for (const word of candidates) {
    // The anchor may be the last character of the word.
    if (word.next[0] > 0 && behind !== word.next[0] && behind !== word.next[1]) continue
    const start = at - word.offset
    if (start < 0 || !standsAt(text, start, word)) continue
    // In scripts without blanks, a name in Latin letters may precede: `WiFi密码`.
    if (inSet(base62Set, codeAt(text, start - 1)) && codeAt(text, start) < ideographFrom) continue
    if (start + word.lower.length <= found.end) continue
    found.start = start
    found.end = start + word.lower.length
    found.isKey = word.isKey
  }
  return found.end > 0
}

/** Whether the anchor at `at` has letters beyond ASCII, so that it is not part of an English word. */
export function isBeyondAscii(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 128 || (mixedHeadSet[code] === 1 && mixedAnchors.some((anchor) => standsAt(text, at, anchor)))
}

/** Whether the stem stands at `at`, in any case. Many begin alike, and differ at their ends. */
function standsAt(text: string, at: number, { lower, upper }: Pick<ForeignWord, 'lower' | 'upper'>): boolean {
  for (let i = lower.length - 1; i >= 0; i--) {
    const code = text.charCodeAt(at + i)
    if (code !== lower.charCodeAt(i) && code !== upper.charCodeAt(i)) return false
  }
  return true
}

/**
 * Whether a code may belong to an ending: a letter of a script with declension (Latin, Greek, Cyrillic), or a Hebrew
 * vowel.
 */
function isEnding(code: number): boolean {
  return inSet(letterSet, code) || (code >= 0xdf && code < 0x5f0)
}

/** `Passwort: X`, `пароль - X`, `密码是X`, `password for the box: X`. */
function valueOfForeignName(text: string, wordEnd: number, textNumber: number): Match | undefined {
  let i = foreignPhraseEnd(text, endingEnd(text, wordEnd))
  const signsFrom = i
  while (i < signsFrom + 24 && isGap(text, i)) i++
  const copula = copulaAt(text, i)
  i += copula
  if (copula > 0) i += fillers.find((one) => text.startsWith(one, i))?.length ?? 0
  const isStated = copula > 0 || hasSign(text, signsFrom, i)
  while (i < signsFrom + 32 && isGap(text, i)) i++
  if (i === signsFrom || !assignment.readValue(text, i, textNumber)) return undefined
  const { start, quoted } = assignment
  const end = beyondAscii.at(text, start, assignment.end, textNumber)
  // A compound: `Passord-beskytt`.
  if (i === signsFrom + 1 && codeAt(text, signsFrom) === 45 && consistsOf(text, start, end, letterSet)) return undefined
  if ((quoted && end < assignment.end) || isConcatenated(text, start)) return undefined
  // A blank alone separates the words of a label: "Heslo znovu", "Parola Değiştir".
  if (!(isStated ? isStatedSecret(text, start, end) : isAdjacentSecret(text, start, end))) return undefined
  // The name of a language in a locale file: `"mdp": "Mbala"`, `"mdp": "mdp-Latn"`.
  if (quoted && isLabel(text, wordEnd, start, end)) return undefined
  // "Aby zresetować hasło - kliknij na link".
  if (!quoted && copula === 0 && codeAt(text, start - 2) === 45 && leadsOn(text, start, end)) return undefined
  if (!quoted && (isLocal(text, start, end) || (copula > 0 && isForeignWord(text, start, end)))) return undefined
  const whole = quoted || end < assignment.end ? end : wholeEnd(text, end)
  return contextMatch(start, whole)
}

/**
 * Whether the word has, or continues in, letters that only its language has, also as escapes: `zřejmě`, `gre\\u0219it`.
 */
function isLocal(text: string, start: number, end: number): boolean {
  const code = codeAt(text, end)
  return (code >= 0xc0 && code < 0x250) || text.slice(start, end + 3).includes('\\u0')
}

/** Whether a word, perhaps with a capital, is followed by one in lower case. */
function leadsOn(text: string, start: number, end: number): boolean {
  if (
    !inSet(letterSet, codeAt(text, start)) ||
    runEnd(text, start + 1, lowerSet, end - start) !== end ||
    codeAt(text, end) !== 32
  )
    return false
  return inSet(lowerSet, codeAt(text, end + 1))
}

/** Whether a value is a capitalised word, or begins with the name before it. */
function isLabel(text: string, wordEnd: number, start: number, end: number): boolean {
  const length = runStart(text, wordEnd, letterSet, 24)
  return isForeignWord(text, start, end) || text.startsWith(text.slice(length, wordEnd), start)
}

const wordBits = 10

/** Whether a word behind a copula describes the password: `Passwort ist abgelaufen`. */
export function isForeignWord(text: string, start: number, end: number): boolean {
  if (isDescriptiveWord(text.slice(start, end).toLowerCase())) return true
  return runEnd(text, start + 1, lowerSet, end - start) === end && rarity(text, start, end) < wordBits
}

const endingUnitsMax = 4

/** Past the ending of the word. */
function endingEnd(text: string, wordEnd: number): number {
  let i = wordEnd
  while (i < wordEnd + endingUnitsMax && isEnding(text.charCodeAt(i))) i++
  return i
}

/** Whether a colon, an equals sign or a dash stands in `[start, end)`. */
function hasSign(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i)
    if (code === 58 || code === 61 || code === 0xff1a || code === 45) return true
  }
  return false
}

/** Where the sentence continues in its own script: `密码是X，请`. */
const beyondAscii = new NextOf(charSet('\x7f'), 'inOrBeyond')

/** Past words up to a colon or copula: `do banco`, `от сервера`. */
function foreignPhraseEnd(text: string, from: number): number {
  if (text.charCodeAt(from) !== 32) return from
  for (let i = from + 1; i < from + 28; i++) {
    const code = text.charCodeAt(i)
    if (code === 58) return i
    if (code < 48 && code !== 32) return from
    if (code === 32 && copulaAt(text, i + 1, true) > 0) return i
  }
  return from
}

/** Words for "now" and "still" between a copula and the value. */
const fillers = [
  ...[
    'jetzt ',
    'nun ',
    'ab sofort ',
    'weiterhin ',
    'nyt ',
    'nu ',
    'nå ',
    'nou ',
    'teraz ',
    'adesso ',
    'ora ',
    'agora '
  ],
  ...['bisher ', 'immer ', 'siempre ', 'sempre ', 'altijd '],
  ...['ahora ', 'maintenant ', 'désormais ', 'dorénavant ', 'toujours ', 'теперь ', 'сейчас ', 'acum ', 'nyní ', 'teď ']
]

/** Words that stand where a copula does in other languages: `пароль теперь X`. */
const foreignCopulas = [
  'теперь ',
  'тепер ',
  'ist ',
  'war ',
  'era ',
  'était ',
  'lautet ',
  'est ',
  'es ',
  'é ',
  'è ',
  'is ',
  'jest ',
  'to ',
  'je ',
  'on ',
  'är ',
  'er ',
  'este ',
  'là ',
  'هي ',
  'היא ',
  'είναι ',
  'है ',
  'คือ',
  'это ',
  '是',
  '为',
  '為',
  '는 ',
  '은 ',
  'は',
  'は '
]

/** The copulas by their first character. */
const copulasByFirst = new Map<number, string[]>()
for (const copula of foreignCopulas) {
  const first = copula.charCodeAt(0)
  copulasByFirst.set(first, [...(copulasByFirst.get(first) ?? []), copula])
}

/**
 * The length of the copula at `at`; 0 if there is none.
 * @param isWord accepts only copulas that end in a blank
 */
function copulaAt(text: string, at: number, isWord = false): number {
  const candidates = copulasByFirst.get(text.charCodeAt(at))
  if (candidates === undefined) return 0
  return candidates.find((one) => text.startsWith(one, at) && (!isWord || one.endsWith(' ')))?.length ?? 0
}

function isGap(text: string, i: number): boolean {
  const code = text.charCodeAt(i)
  return code === 32 || code === 58 || code === 61 || code === 0xff1a || code === 34 || code === 0x300c || code === 45
}
