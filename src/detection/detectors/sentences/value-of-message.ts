/**
 * Whether a word of a message is the password, token or key that is named some words before it. So far from its name,
 * a value must show by itself that it is not a word.
 */
import {
  blankSet,
  charSet,
  codeAt,
  consistsOf,
  countOf,
  digitSet,
  dotSet,
  hexSet,
  inSet,
  letterSet,
  lowerSet,
  quoteSet,
  runEnd,
  runStart,
  upperSet
} from '../../text/chars.ts'
import { Verdicts } from '../../text/verdicts.ts'
import { isChosenPassword } from '../../values/chosen-passwords.ts'
import { isDummyValue, isSecretValue } from '../../values/generic-value.ts'
import { rarity } from '../../values/rarity.ts'
import { likelyName, nameStart } from '../../values/key-names.ts'
import { isExpression, isTicket } from '../../values/program-identifiers.ts'
import { endsWithYear, isInterface, isOfPerson } from '../../values/unnamed-value.ts'
import { isGenerated, isStatedSecret, isAdjacentSecret, mixesCase, statedSet } from '../../values/stated-value.ts'
import { isCredited } from './unnamed-context.ts'

/** What a name announces. For a token only a long value counts; for a key also hexadecimal digits. */
export type SecretSort = 'password' | 'token' | 'key'
/** How far behind its name a value may end, in code units. */
export const reachUnits = 96

/** Characters that may follow a value that is not part of something longer. */
const behindSet = charSet(' \t\r\n,.;:?!)"\'`*')

/** What announces a value. Behind it, a word with a number is a password as well. */
const leads = [
  ...["it's ", 'its ', 'is ', 'is now ', 'now ', 'was ', 'be ', 'gave it ', "c'est ", "'s ", 'è ', 'é ', '= ', ': '],
  ...['(', '"', '`', '「', '→ ', '👉 ', '— ', '– ', '« ']
]
/** The same for what also precedes names of things: behind these, the words of a value may not be joined. */
const looseLeads = ['to ', 'tried ', 'with ', 'and ', 'uses ', 'auf ', 'mit ', 'pra ', 'para ', 'pass ', 'password ']
const leadUnitsMax = Math.max(...[...leads, ...looseLeads].map((lead) => lead.length))

/** First code unit of scripts that no password contains, even if glued to one: `ל-X`, `はX`. */
export const foreignFrom = 0x370

/** The end of the word, without quotes and brackets around it. */
export function wordEnd(text: string, from: number): number {
  let end = from + 1
  while (end - from < reachUnits && end < text.length) {
    const code = text.charCodeAt(end)
    if (code <= 32 || code === 34 || code === 96 || code === 41 || code === 40 || code >= foreignFrom) break
    end++
  }
  return end
}

/** The end without the punctuation of the sentence. */
export function valueEnd(text: string, start: number, end: number): number {
  let to = runEnd(text, start, statedSet, end - start)
  // A generated password may end in any character.
  if (codeAt(text, to - 1) === 45 && isGenerated(text, start, to)) return to
  while (to > start && (text.charCodeAt(to - 1) === 46 || text.charCodeAt(to - 1) === 45)) to--
  return text.startsWith(bold, start - bold.length) && text.startsWith(bold, to - bold.length) ? to - bold.length : to
}
/** The marks around bold text in Markdown. */
const bold = '**'

/**
 * Whether the word is defined or qualified in program text: `handler500 = views.handler500`, `Cipher256::encrypt`,
 * `guesses_log10: float`.
 */
export function isDefined(text: string, start: number, end: number): boolean {
  return (
    text.startsWith(' = ', end) || text.startsWith('::', end) || (text.startsWith(': ', end) && startsLine(text, start))
  )
}

/** A line break as office documents and PowerShell write it in XML. */
const escapedBreak = '_x000'

/** Labels whose values are not passwords. */
const otherLabels = new Set(
  (
    'register name names id user host hostname domain project scheme version email author owner assignee maintainer branch tag ' +
    'image title region cluster namespace node service server instance module package build release ticket issue org ' +
    'hash digest checksum fingerprint sha256 sha1 md5 ciphertext'
  ).split(' ')
)
/** Words right before the id of something: `user with ID X`, `for app 'X'`. */
const idWords = new Set(['id', 'ids', 'app', 'apps', 'tenant', 'eq', 'ne', 'fl'])

/**
 * Whether a label, preposition or timestamp says that the value is something else: `Account Name:  WS-4821`,
 * `required for shop4471`, `user with ID X`.
 */
function isOfOther(text: string, start: number): boolean {
  if (text.startsWith(' for ', start - 5) || text.startsWith('commit ', start - 7)) return true
  const from = inSet(quoteSet, codeAt(text, start - 1)) ? start - 1 : start
  const sign = runStart(text, from, blankSet, 4) - 1
  const code = codeAt(text, sign)
  // The host in a line of a log: `2017-08-24T04:58:58.724Z edge-03`.
  if (code === 90 && inSet(digitSet, codeAt(text, sign - 1))) return true
  if (code !== 58 && code !== 61)
    return idWords.has(text.slice(runStart(text, sign + 1, letterSet, 8), sign + 1).toLowerCase())
  // `"errorId": "X"`, `device-id = X`.
  const to = runStart(text, inSet(quoteSet, codeAt(text, sign - 1)) ? sign - 1 : sign, blankSet, 4)
  const label = text.slice(nameStart(text, to), to)
  return otherLabels.has(label.toLowerCase()) || idTails.some((tail) => label.endsWith(tail))
}
/** Ends of the names of ids. */
const idTails = ['Id', 'ID', '_id', '-id']

/** Whether the word is a label that ends its line, or user and host in the prompt of a shell: `ana@build-07:~$`. */
function isLabel(text: string, end: number): boolean {
  if (codeAt(text, end) !== 58) return false
  const next = codeAt(text, end + 1)
  return end + 1 === text.length || next === 10 || next === 126
}

const verdictsOn = (sort: SecretSort): Verdicts => new Verdicts((text, start, end) => isValue(text, start, end, sort))
const verdicts = { password: verdictsOn('password'), token: verdictsOn('token'), key: verdictsOn('key') }

/**
 * The same as {@link isValue}.
 * @param textNumber identifies the text, so that a word that several names lead to is judged once; 0 for none
 */
export function isValueOnce(text: string, start: number, end: number, sort: SecretSort, textNumber: number): boolean {
  return verdicts[sort].of(text, start, end, textNumber)
}

/**
 * Whether the word in `[start, wordTo)`, which may end in punctuation, is the value of a name of this sort.
 */
export function isValue(text: string, start: number, wordTo: number, sort: SecretSort): boolean {
  const end = valueEnd(text, start, wordTo)
  if (end - start < (sort === 'password' ? unitsMin : tokenUnitsMin) || end - start > unitsMax) return false
  if (countOf(text, start, end, digitSet) === 0 || countOf(text, start, end, letterSet) < 3) return false
  // Part of a URL, a path, a call or a list of words.
  const behind = codeAt(text, end)
  if (end < text.length && !inSet(behindSet, behind) && behind !== 45 && behind < foreignFrom) return false
  // A name (`pgsql_14:`), or the address of a contract, which is public.
  if (text.startsWith('...', end) || isLabel(text, end) || text.startsWith('0x', start) || isOfOther(text, start))
    return false
  if (isDefined(text, start, end) || isExpression(text, start, end)) return false
  const isNamed = isCredited(text, start, end) || isOfPerson(text, start, end)
  if (isNamed || isTicket(text, start, end) || isInterface(text, start, end)) return false
  if (text.slice(start, end).includes(escapedBreak)) return false
  if (sort !== 'password') return isTokenValue(text, start, end, sort === 'key')
  const isDotted = countOf(text, start, end, dotSet) > 0 && countOf(text, start, end, markSet) === 0
  if (isDotted && !isGenerated(text, start, end)) return false
  if (isChosenPassword(text, start, end) && (isLed(text, start, end) || isNoName(text, start, end)))
    return !isDummyValue(text, start, end)
  if (countOf(text, start, end, digitSet) < 2 && !isGenerated(text, start, end)) return false
  if (consistsOf(text, start, end, hexSet)) return false
  const isMixed = mixesCase(text, start, end) || countOf(text, start, end, markSet) > 0
  const score = rarity(text, start, end)
  return isMixed && score >= (end - start < longUnits ? shortLooseBits : looseBits) && isStatedSecret(text, start, end)
}

const unitsMin = 8
const unitsMax = 96
/** Bits per character in the rarity model for a value that nothing announces: it must look generated. */
const looseBits = 7
const shortLooseBits = 8
const longUnits = 11
const markSet = charSet('!@#$%^&*+')

const tokenUnitsMin = 20

function isTokenValue(text: string, start: number, end: number, withHex: boolean): boolean {
  if (countOf(text, start, end, digitSet) < 3 && !isGenerated(text, start, end)) return false
  if (!withHex && consistsOf(text, start, end, hexSet)) return false
  return isSecretValue(text, start, end, likelyName, { quoted: true, doubtful: true })
}

/** Whether it is not the name of a host, ticket or product: `batch-prod-03`, `JIRA-1234`. */
function isNoName(text: string, start: number, end: number): boolean {
  if (countOf(text, start, end, markSet) > 0) return true
  return (
    countOf(text, start, end, joinSet) === 0 &&
    countOf(text, start, end, digitSet) > 2 &&
    !inSet(upperSet, codeAt(text, start + 1)) &&
    !endsWithYear(text, end)
  )
}

const joinSet = charSet('-_.')

/** Whether something that announces a value stands right before it. */
function isLed(text: string, start: number, end: number): boolean {
  const from = text.startsWith(bold, start - bold.length) ? start - bold.length : start
  // Quotes alone announce no word of capitals, which codes of errors are: "returns `AADSTS50126`".
  const isCode = countOf(text, start, end, lowerSet) === 0 && inSet(quoteSet, codeAt(text, start - 1))
  const to = isCode ? start - 1 : from
  const before = text.slice(Math.max(0, to - leadUnitsMax), to).toLowerCase()
  if (leads.some((lead) => before.endsWith(lead)) || startsLine(text, start)) return true
  if (before.endsWith(' from ') && isChangedTo(text, end)) return true
  if (countOf(text, start, end, joinSet) > 0) return false
  return looseLeads.some((lead) => before.endsWith(lead)) || codeAt(text, start - 1) >= foreignFrom
}

/** Whether another password follows: `from amber-falcon-41 to ...`. */
function isChangedTo(text: string, end: number): boolean {
  if (!text.startsWith(' to ', end)) return false
  const next = end + 4
  return isAdjacentSecret(text, next, valueEnd(text, next, wordEnd(text, next)))
}

/** Whether a line begins at `start`, behind blanks and quotation marks. */
function startsLine(text: string, start: number): boolean {
  let i = start
  while (i > 0 && start - i < 8 && inSet(lineStartSet, text.charCodeAt(i - 1))) i--
  return codeAt(text, i - 1) === 10
}
const lineStartSet = charSet(' \t>*`"-')
