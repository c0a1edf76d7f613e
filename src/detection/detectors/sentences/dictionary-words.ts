/**
 * Passwords that are an ordinary word: "my password is sunshine", "the wifi password is X and ...", "changed the
 * password to X". The words that describe a password in such a sentence are a closed list (`values/descriptive-words.ts`); any
 * other word that ends its clause is the password. It is not remembered, since elsewhere it is an ordinary word
 * (decision 144).
 */
import type { Match } from '../../detector.ts'
import { charSet, codeAt, inSet, letterSet, lowerSet, runEnd, runStart, wordSet } from '../../text/chars.ts'
import { isStatedOnLine } from '../../assignments/credential-records.ts'
import { isDictionaryPassword } from '../../values/dictionary-passwords.ts'
import { isInfinitive, isDescriptiveWord } from '../../values/descriptive-words.ts'
import { isWeakPassword } from '../../values/weak-passwords.ts'
import { hasChangeVerb } from './change-verbs.ts'
import { isWirelessProtection } from '../../values/stated-value.ts'
import { ideographsFrom, isComposed } from '../../values/language-words.ts'

const wordUnitsMax = 40
const wordSigns = charSet('A-Z', 'a-z', '0-9', '-_.!@#$*+&^?%')
const tailSet = charSet('.!?-')
const foreignFrom = 0xc0

/** Copulas and other words between a name and its value. */
const copulas = [
  ' is',
  ' was',
  ' will be',
  ' are',
  ' ist',
  ' lautet',
  ' est',
  ' es',
  ' é',
  ' è',
  ' is:',
  ' jest',
  ' to',
  ' это',
  ' has been reset to',
  ' has been set to',
  ' has been changed to',
  ' was reset to',
  ' was changed to'
]
/** Their first characters behind the blank. Most words are rejected here. */
const copulaHeadSet = charSet(copulas.map((copula) => copula.charAt(1)).join(''))

/** Words between a copula and the password. */
const fillers = [
  ' now',
  ' still',
  ' just',
  ' currently',
  ' simply',
  ' set to',
  ' actually',
  ' jetzt',
  ' ahora',
  ' nu',
  ' now set to'
]

/** Opening quotes, and the closing one of each. */
const quotes: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '„': '“',
  '«': '»',
  '‘': '’'
}

/** Words with which a sentence continues behind the password. */
const goingOn = new Set(
  (
    'and but for on so if can could please pls plz thanks thank help though although since because when while last yesterday today now ' +
    'by everywhere again at in it its u you i we but however und aber für bitte et mais pour y pero para e mas ma per en maar voor и но а'
  ).split(' ')
)

/** Past a copula and its fillers, a colon and a blank behind the name that ends at `from`; -1 if there is no copula. */
function behindCopula(text: string, from: number): number {
  const head = codeAt(text, from + 1)
  if (head < 128 && !inSet(copulaHeadSet, head)) return -1
  const copula = longest(copulas, text, from)
  if (copula === 0) return -1
  let i = from + copula
  i += longest(fillers, text, i)
  if (codeAt(text, i) === 58) i++
  return codeAt(text, i) === 32 ? i + 1 : -1
}

function longest(list: readonly string[], text: string, at: number): number {
  let length = 0
  for (const one of list) {
    if (one.length <= length || !text.startsWith(one, at)) continue
    if (!isLetterAt(text, at + one.length)) length = one.length
  }
  return length
}

function isLetterAt(text: string, at: number): boolean {
  const code = codeAt(text, at)
  return inSet(letterSet, code) || (code >= foreignFrom && code < ideographsFrom)
}

/** The ordinary word that a sentence states as the password behind its name in `[at, nameTo)`. */
export function statedWord(text: string, at: number, nameTo: number): Match | undefined {
  if (inSet(wordSet, codeAt(text, at - 1)) || inSet(beforeSet, codeAt(text, at - 1)) || text.startsWith('--', at - 2))
    return undefined
  if (codeAt(text, nameTo) === 58) return qualifiesName(text, at) ? wordAt(text, nameTo + 2) : undefined
  const from = behindCopula(text, nameTo)
  if (from < 0) {
    const handed = codeAt(text, nameTo) === 32 ? wordAt(text, nameTo + 1) : undefined
    return handed !== undefined && isHandedOver(text, at, nameTo + 1) ? handed : undefined
  }
  const isSure =
    isOwned(text, at) || qualifiesName(text, at) || text.slice(at, at + phraseName.length).toLowerCase() === phraseName
  const match = wordAt(text, from) ?? (isSure ? (wordsAt(text, from) ?? weakAt(text, from)) : quotedWords(text, from))
  if (
    match !== undefined &&
    text.startsWith(' to ', from - 4) &&
    isInfinitive(text.slice(match.start, match.end).toLowerCase())
  )
    return undefined
  if (match === undefined || !text.startsWith(' to ', nameTo)) return match
  return isGivenToSomebody(text, at) && !isInfinitive(text.slice(match.start, match.end).toLowerCase())
    ? match
    : undefined
}

const phraseName = 'passphrase'

/** Words before a name whose value follows without a copula. */
const handing = ['with the ', 'use the ', 'using the ', 'type the ', 'enter the ', 'with ', 'using ', 'use ']
/** Words about access, one of which must stand before `with password X`. */
const accessWords = [
  'ssh',
  'log in',
  'login',
  'logged in',
  'sign in',
  'connect',
  'zip',
  'open',
  'protected',
  'encrypted',
  'unlock',
  'join'
]
const usersBefore = new Set(['user', 'username', 'login', 'benutzer', 'usuario', 'utilisateur'])

/**
 * Whether the name's value follows without a copula: `log in with password X`, `user bob password X`,
 * `user bob, password X`.
 */
function isHandedOver(text: string, at: number, from: number): boolean {
  const before = text.slice(Math.max(0, at - accessUnitsMax), at).toLowerCase()
  const clause = before.slice(Math.max(before.lastIndexOf('\n'), before.lastIndexOf('. ')) + 1)
  if (handing.some((one) => clause.endsWith(one)) && quotes[text.charAt(from)] !== undefined) return true
  if (handing.some((one) => clause.endsWith(one))) return accessWords.some((one) => clause.includes(one))
  const [name = '', user = ''] = clause.trimEnd() === '' ? userAbove(before) : clause.trimEnd().split(' ').slice(-2)
  return usersBefore.has(name) && user.length > 1 && !isDescriptiveWord(withoutTail(user)) && user !== '&'
}
const accessUnitsMax = 80

/** Whether the line above names the user: `user is bob`, `username bob`. */
function userAbove(before: string): string[] {
  const words = before.trimEnd().split('\n').at(-1)?.replace(':', '').trim().split(' ') ?? []
  return words.length > 1 && words.length < 5
    ? [words.find((word) => usersBefore.has(word)) ?? '', words.at(-1) ?? '']
    : []
}

function withoutTail(word: string): string {
  return word.endsWith(',') || word.endsWith(';') ? word.slice(0, -1) : word
}
const beforeSet = charSet('.$/\\{[<')

/** A quoted word, or one that ends its clause, if it does not describe a password. */
export function wordAt(text: string, from: number): Match | undefined {
  return placeOfWord(text, from) ? plainAt(text, place.start, place.end) : undefined
}

/** The same for notorious passwords. */
export function weakAt(text: string, from: number): Match | undefined {
  if (!placeOfWord(text, from)) return undefined
  const { start } = place
  // These end in a symbol more often than a sentence does.
  const end = codeAt(text, place.end) === 33 ? place.end + 1 : place.end
  return isWeakPassword(text, start, end) ? { start, end, confidence: 'medium' } : undefined
}

/** Where the word that was read last is. */
const place = { start: 0, end: 0 }

function placeOfWord(text: string, from: number): boolean {
  const close = quotes[text.charAt(from)]
  if (close !== undefined) {
    const units = text.slice(from + 1, from + 1 + wordUnitsMax).indexOf(close)
    place.start = from + 1
    place.end = from + 1 + units
    return units > 0
  }
  let end = from
  while (end < from + wordUnitsMax && (inSet(wordSigns, codeAt(text, end)) || isLetterAt(text, end))) end++
  end = runStart(text, end, tailSet, end - from)
  place.start = from
  place.end = end
  return endsClause(text, end)
}

/** Two to six words that end a clause: `my passphrase is purple elephant`. */
function wordsAt(text: string, from: number): Match | undefined {
  if (quotes[text.charAt(from)] !== undefined) return quotedWords(text, from)
  let end = from
  for (let words = 0; words < phraseWordsMax; words++) {
    const stop = runEnd(text, end, lowerSet, wordUnitsMax)
    if (stop - end < phraseWordUnitsMin) return undefined
    end = stop
    if (words > 0 && endsClause(text, end)) return phraseIn(text, from, end)
    if (codeAt(text, end) !== 32) return undefined
    end++
  }
  return undefined
}

/** The same in quotes: `the password is "open sesame"`. */
function quotedWords(text: string, from: number): Match | undefined {
  const close = quotes[text.charAt(from)]
  if (close === undefined) return undefined
  const units = text.slice(from + 1, from + 1 + phraseUnitsMax).indexOf(close)
  const end = from + 1 + units
  return units > 0 && runEnd(text, from + 1, phraseSet, units) === end ? phraseIn(text, from + 1, end) : undefined
}
const phraseSet = charSet('a-z', ' ')
const phraseUnitsMax = 64
const phraseWordsMax = 6
const phraseWordUnitsMin = 3

/** The phrase in `[start, end)`: two to six words. Only in four or more may one of them describe a password. */
function phraseIn(text: string, start: number, end: number): Match | undefined {
  const words = text.slice(start, end).split(' ')
  if (words.length < 2 || words.length > phraseWordsMax) return undefined
  const last = words.at(-1) as string
  if (isDescriptiveWord(last) || goingOn.has(last) || last.length < 4) return undefined
  const descriptive = words.filter(
    (word) => isDescriptiveWord(word) || goingOn.has(word) || word.length < phraseWordUnitsMin
  ).length
  if (descriptive > 1 || (descriptive === 1 && words.length < 4 && words[0] !== 'open')) return undefined
  let at = start
  for (const word of words) {
    if (
      !isDescriptiveWord(word) &&
      word !== 'open' &&
      !isDictionaryPassword(text, at, at + word.length) &&
      word.length > 3
    )
      return undefined
    at += word.length + 1
  }
  return { start, end, confidence: 'medium' }
}

function plainAt(text: string, start: number, end: number): Match | undefined {
  const word = text.slice(start, end).toLowerCase()
  if (
    isDescriptiveWord(word) ||
    isDescriptiveWord(word.slice(0, word.indexOf(' ') >>> 0)) ||
    isWirelessProtection(text, start, end) ||
    !isDictionaryPassword(text, start, end)
  )
    return undefined
  return { start, end, confidence: 'medium' }
}

const signSet = charSet('.!?')
const stopSet = charSet(',;)\n\r"')

/**
 * Whether a clause ends at `end`: at the end of the text or line, at punctuation, or before a word that begins another
 * clause.
 */
function endsClause(text: string, end: number): boolean {
  if (end >= text.length) return true
  const code = text.charCodeAt(end)
  if (inSet(stopSet, code)) return true
  if (inSet(signSet, code)) {
    const next = codeAt(text, runEnd(text, end, signSet, signsMax))
    return next <= 32 || next === 41 || next === 34
  }
  if (code !== 32) return false
  if (remarks.some((remark) => text.startsWith(remark, end + 1))) return true
  const next = codeAt(text, end + 1)
  // A dash, a bracket, an emoji.
  if (next === 45 || next === 40 || next > 0x2000) return true
  let to = end + 1
  while (to < end + wordUnitsMax && isLetterAt(text, to)) to++
  return goingOn.has(text.slice(end + 1, to).toLowerCase())
}
const signsMax = 4
/** Remarks on the spelling that people add behind a password. */
const remarks = [
  'all lower',
  'all upper',
  'all small',
  'without quotes',
  'without the quotes',
  'with a capital',
  'no spaces',
  'one word',
  'in lower'
]

const setUnitsMax = 40

/** Whether a verb of setting or changing stands before the name in its clause. */
function isGivenToSomebody(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - setUnitsMax), at).toLowerCase()
  const clause = before.slice(Math.max(before.lastIndexOf('.'), before.lastIndexOf('\n')) + 1)
  return hasChangeVerb(clause)
}

const owners = [
  ...[
    'my',
    'our',
    'mein',
    'meine',
    'unser',
    'mon',
    'notre',
    'mi',
    'nuestra',
    'minha',
    'nossa',
    'la mia',
    'mia',
    'mijn',
    'ons',
    'tu',
    'su',
    'votre',
    'ton',
    'dein',
    'ihr',
    'sua',
    'tua'
  ],
  ...['moje', 'nasze', 'мой', 'наш', 'мій', 'moja', 'mitt', 'mit', 'min', 'benim']
]
const ownerUnitsMax = 24

/** The same behind a word of another language in `[at, nameTo)`, if it says whose password it is or can only state one. */
export function foreignStatedWord(text: string, at: number, nameTo: number): Match | undefined {
  const isLocal = codeAt(text, at) >= ideographsFrom
  if (isLocal) return unspacedStatedWord(text, nameTo)
  const from = behindCopula(text, nameTo)
  const colon = codeAt(text, nameTo) === 32 ? nameTo + 1 : nameTo
  const valueAt = from >= 0 ? from : text.startsWith(': ', colon) ? colon + 2 : -1
  const mayBeOnLine = from < 0 && valueAt >= 0 && !isComposed(codeAt(text, valueAt))
  const onLine = mayBeOnLine ? wordAt(text, valueAt) : undefined
  if (onLine !== undefined && isStatedOnLine(text, at, onLine.start, onLine.end)) return onLine
  if (valueAt < 0 || text.startsWith(' to ', nameTo) !== text.startsWith('has', at)) return undefined
  if (!text.startsWith(' lautet', nameTo) && !isOwned(text, at)) return undefined
  return wordAt(text, valueAt)
}

/** Whether a possessive stands before the name. */
function isOwned(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - ownerUnitsMax), at).toLowerCase()
  return owners.some((owner) => before.endsWith(`${owner} `) && !isLetterAt(before, before.length - owner.length - 2))
}

const localCopulas = ['是', '为', '為', '는 ', '은 ', 'は', 'は ', '：', ': ', '是：', '는: ']

/** An ASCII word behind a copula, in a language with a script of its own. */
function unspacedStatedWord(text: string, nameTo: number): Match | undefined {
  let copula = 0
  for (const one of localCopulas) if (text.startsWith(one, nameTo)) copula = Math.max(copula, one.length)
  const start = nameTo + copula
  if (copula === 0) return undefined
  const wordTo = runEnd(text, start, wordSigns, wordUnitsMax)
  const end = runStart(text, wordTo, tailSet, wordTo - start)
  const next = codeAt(text, end)
  return next > 127 || next < 33 || next === 34 ? plainAt(text, start, end) : undefined
}

/** Whether the thing that the password belongs to stands before the name: `wifi password: X`. */
function qualifiesName(text: string, at: number): boolean {
  const start = runStart(text, at - 1, letterSet, wordUnitsMax)
  return codeAt(text, at - 1) === 32 && nameQualifiers.has(text.slice(start, at - 1).toLowerCase())
}
const nameQualifiers = new Set(
  (
    'wifi wlan wi-fi zip rar archive router nas pdf laptop gmail netflix facebook instagram twitter bank root sudo ssh vpn mysql ' +
    'database db ftp excel backup guest staging prod'
  ).split(' ')
)
