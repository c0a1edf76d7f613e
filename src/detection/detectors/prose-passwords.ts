/** Passwords that people tell in sentences and messages: "my password is ...", "Passwort: ...", "login x / y". */
import { Assignment, operators, type Operator } from '../assignments.ts'
import { base64UrlSet, charSet, countOf, digitSet, letterSet, lowerSet, runEnd, upperSet } from '../chars.ts'
import type { Detector, Match } from '../detector.ts'
import { characterClasses, isPublicBlob, isUuid } from '../friends.ts'
import { isInvented, isSecretValue } from '../generic-value.ts'
import {
  faintName,
  likelyName,
  nameEnd,
  nameStart,
  noName,
  plainName,
  rateName,
  type NameRating
} from '../key-names.ts'
import { rarity } from '../rarity.ts'
import { isPathLike, isReference } from '../references.ts'
import { filler } from '../sample-text.ts'

const assignment = new Assignment()

/**
 * Words for a password that no program text uses as a name, each with the anchor that calls for it. An anchor outside of
 * ASCII is one character, because each different character makes the table of the whole automaton wider.
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
const foreignAnchors = [...new Set(foreignWords.map(([anchor]) => anchor))]
const englishWords = [
  'password',
  'passwd',
  'passcode',
  'passphrase',
  'pwd',
  'passwort',
  'token',
  'secret',
  'key',
  'credential',
  'creds',
  'login',
  ' pw '
]

const isSentence = (operator: Operator) => operator === operators.is

/** What somebody tells is a password where it is no word: two classes of characters, or rare. */
function isTold(text: string, start: number, end: number): boolean {
  const length = end - start
  if (length < 5 || length > 128 || isReference(text, start, end) || isPathLike(text, start, end)) return false
  if (isInvented(text, start, end) || isPublicBlob(text, start, end) || isUuid(text, start, end)) return false
  const digits = countOf(text, start, end, digitSet)
  const letters = countOf(text, start, end, letterSet)
  if (digits === length) return length >= 6
  const classes = characterClasses(text, start, end)
  if (digits > 0 && letters >= 3 && classes >= 2) return rarity(text, start, end) >= (classes >= 3 ? 3.4 : 4.2)
  const signs = length - digits - letters
  if (signs > 0 && letters >= 4 && text.charCodeAt(end - 1) === 33 && signs === 1) return false
  return rarity(text, start, end) >= (signs > 0 || mixesCase(text, start, end) ? 6.8 : 7.2)
}

/** Capitals inside of a word, as nobody writes them. */
function mixesCase(text: string, start: number, end: number): boolean {
  return countOf(text, start + 1, end, upperSet) > 0 && countOf(text, start, end, lowerSet) > 0
}

/** What an English sentence tells behind the word at `at`. */
function told(text: string, at: number): Match | undefined {
  if (text.charCodeAt(at) === 32) return toldAs(text, at + 4, 'is ') ?? toldAs(text, at + 4, 'to ')
  const end = nameEnd(text, at)
  const next = text.charCodeAt(end)
  if (next !== 32 && next !== 58) return undefined
  if (isPairWord(text, at))
    return end - at <= 11 && !text.slice(at, end).includes('-') ? pairTold(text, end) : undefined
  if (next !== 32) return undefined
  if (assignment.read(text, at, 3, isSentence)) {
    const { start, end: valueEnd, quoted } = assignment
    return rarity(text, start, valueEnd) < bitsMin ? undefined : judged(text, ratingAt(text, at, end), quoted)
  }
  const from = phraseEnd(text, end)
  if (from === 0) return besideName(text, at, end)
  if (!assignment.readValue(text, from) || rarity(text, assignment.start, assignment.end) < bitsMin) return undefined
  const name = ratingAt(text, at, end)
  return name === faintName ? undefined : judged(text, name, assignment.quoted)
}

/** What is less rare is a word, whatever stands before it. */
const bitsMin = 3.4

function ratingAt(text: string, at: number, end: number): NameRating {
  const rating = rateName(text, nameStart(text, at), end, at)
  return rating === faintName && keyBefore(text, at) ? likelyName : rating
}

function judged(text: string, name: NameRating, quoted: boolean): Match | undefined {
  const { start, end } = assignment
  if (name === noName) return undefined
  const found =
    name === plainName
      ? isTold(text, start, end)
      : isSecretValue(text, start, end, name, { quoted, doubtful: name === faintName })
  return found ? { start, end, confidence: 'medium', byContext: true } : undefined
}

/** `pw is X`: the word is too short to be an anchor without the blanks around it. */
function toldAs(text: string, from: number, copula: string): Match | undefined {
  if (!text.startsWith(copula, from) || !assignment.readValue(text, from + copula.length)) return undefined
  return judged(text, plainName, true)
}

const phraseUnitsMax = 48
const phraseFirstSet = charSet('ftoiwFTOIW')
const phraseStarts = ['for ', 'to ', 'of ', 'on ', 'i ', "i'm ", 'we ', 'in ', 'from ']

/** Past `for the staging box is`, `I am using is`, `for db:`; 0 where no such phrase follows on the name. */
function phraseEnd(text: string, from: number): number {
  if (phraseFirstSet[text.charCodeAt(from + 1)] !== 1) return 0
  const lower = text.slice(from + 1, from + 1 + phraseUnitsMax).toLowerCase()
  if (!phraseStarts.some((one) => lower.startsWith(one))) return 0
  for (let i = 1; i < lower.length; i++) {
    const code = lower.charCodeAt(i)
    if (code === 10 || code === 46 || code === 44 || code === 59) return 0
    if (code === 58) return from + 2 + i
    if (lower.startsWith(' is ', i)) return from + 1 + i + 4
  }
  return 0
}

const besideUnitsMin = 16

/** `use token 8f4b2c...`: a long token right behind the name. */
function besideName(text: string, at: number, nameTo: number): Match | undefined {
  const start = nameTo + 1
  const end = runEnd(text, start, base64UrlSet, 256)
  if (end - start < besideUnitsMin || countOf(text, start, end, digitSet) < 4) return undefined
  if (ratingAt(text, at, nameTo) < likelyName) return undefined
  return isSecretValue(text, start, end, likelyName, { quoted: true, doubtful: true })
    ? { start, end, confidence: 'medium', byContext: true }
    : undefined
}

/** `login` and `credentials` announce a pair. */
function isPairWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at) | 32
  return code === 108 || (code === 99 && letterSet[text.charCodeAt(at - 1)] !== 1)
}

const userSet = charSet('A-Z', 'a-z', '0-9', '._@+-')
const pairSeparators = [' / ', '/', ' : ', ':', ' , ', ', ', ' and ', ' ']

/** `login: admin / X`, `credentials are admin:X`. */
function pairTold(text: string, from: number): Match | undefined {
  let i = from
  while (i < from + 3 && (text.charCodeAt(i) === 58 || text.charCodeAt(i) === 32)) i++
  for (const copula of ['is ', 'are ']) if (text.startsWith(copula, i)) i += copula.length
  const user = runEnd(text, i, userSet, 64)
  if (user - i < 2) return undefined
  const separator = pairSeparators.find((one) => text.startsWith(one, user))
  if (separator === undefined || !assignment.readValue(text, user + separator.length)) return undefined
  const { start, end } = assignment
  if (end - start < 8 || countOf(text, start, end, digitSet) === 0) return undefined
  return isTold(text, start, end) && rarity(text, start, end) >= 6
    ? { start, end, confidence: 'medium', byContext: true }
    : undefined
}

/** `api key is ...`: the word before makes the key one. */
function keyBefore(text: string, at: number): boolean {
  const before = text
    .slice(Math.max(0, at - 12), at)
    .toLowerCase()
    .trimEnd()
  return ['api', 'access', 'secret', 'private', 'signing', 'license', 'encryption'].some((one) => before.endsWith(one))
}

/** `Passwort: X`, `пароль - X`, `密码是X`, `password for the box: X`. */
function foreign(text: string, at: number, wordUnits: number): Match | undefined {
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
  return isTold(text, start, end) ? { start, end, confidence: 'medium', byContext: true } : undefined
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

export const prosePasswordDetectors: readonly Detector[] = [
  {
    id: 'password_in_prose',
    label: 'PASSWORD',
    title: 'password in a sentence',
    group: 'secret',
    tier: 'medium',
    lengthMin: 7,
    anchors: [
      ...englishWords.map((literal) => ({ literal, fold: true as const })),
      ...foreignAnchors.map((literal) => ({ literal, fold: true as const }))
    ],
    match(text, at) {
      const word = foreignAt(text, at)
      if (word > 0) return foreign(text, at, word)
      return text.charCodeAt(at) < 128 ? told(text, at) : undefined
    },
    hits: () => [
      'my password is ' + filler(9),
      `The password is now "${filler(10)}".`,
      'el usuario es ana y la contraseña es ' + filler(8),
      'Das Kennwort lautet ' + filler(10),
      'mot de passe : ' + filler(10),
      'пароль: ' + filler(9),
      '密码是' + filler(9),
      '비밀번호: ' + filler(9),
      'パスワードは' + filler(9),
      'my api key is ' + filler(32),
      'the password for the staging box is ' + filler(10),
      'login: admin / ' + filler(10),
      'please use token ' + filler(24)
    ],
    misses: () => [
      'the password is required',
      'Your password is too short.',
      'the token is invalid',
      'password is incorrect!',
      'mot de passe oublié ?',
      'пароль должен быть длиннее',
      '"Heslo znovu", "Parola Değiştir"',
      '请输入密码：必填',
      'the secret is out',
      'password for the admin is required',
      'login: admin / guest',
      'the key to success is patience'
    ],
    source: 'How people write it; the words for a password in the larger languages.'
  }
]

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
function foreignAt(text: string, at: number): number {
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
