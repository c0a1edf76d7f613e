/**
 * Passwords that are an ordinary word: "my password is sunshine", "the wifi password is X and ...", "changed the
 * password to X". The words that describe a password in such a sentence are a closed list (`values/descriptive-words.ts`); any
 * other word that ends its clause is the password. It is not remembered, since elsewhere it is an ordinary word
 * (decision 144).
 */
import type { Match } from '../../detector.ts'
import { charSet, codeAt, inSet, letterSet, runStart, wordSet } from '../../text/chars.ts'
import { isStatedOnLine } from '../../assignments/credential-records.ts'
import { isInfinitive, isDescriptiveWord } from '../../values/descriptive-words.ts'
import { ideographsFrom, isComposed } from '../../values/language-words.ts'
import { hasChangeVerb } from './change-verbs.ts'
import { asciiWordAt, isLetterAt, isQuoteAt, quotedWords, weakAt, wordAt, wordsAt } from './clause-words.ts'

/** Copulas and other words between a name and its value. */
const copulas = [
  ' is',
  ' was',
  ' will be',
  ' ist',
  ' lautet',
  ' est',
  ' er',
  ' är',
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
  if (handing.some((one) => clause.endsWith(one)))
    return isQuoteAt(text, from) || accessWords.some((one) => clause.includes(one))
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
  return copula === 0 ? undefined : asciiWordAt(text, nameTo + copula)
}

/** Whether the thing that the password belongs to stands before the name: `wifi password: X`. */
function qualifiesName(text: string, at: number): boolean {
  const start = runStart(text, at - 1, letterSet, qualifierUnitsMax)
  return codeAt(text, at - 1) === 32 && nameQualifiers.has(text.slice(start, at - 1).toLowerCase())
}
const qualifierUnitsMax = 40
const nameQualifiers = new Set(
  (
    'wifi wlan wi-fi zip rar archive router nas pdf laptop gmail netflix facebook instagram twitter bank root sudo ssh vpn mysql ' +
    'database db ftp excel backup guest staging prod'
  ).split(' ')
)
