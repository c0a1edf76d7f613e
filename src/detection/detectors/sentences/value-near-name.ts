/**
 * Passwords some words behind their name: "the admin pw, it's X", "the pw you gave me (X)", or on the next line the
 * answer to a question for one. So far from its name, a value must show by itself that it is not a word.
 */
import type { Match } from '../../detector.ts'
import { NameIndex } from '../../arguments/name-index.ts'
import {
  blankSet,
  charSet,
  codeAt,
  countOf,
  digitSet,
  hexSet,
  inSet,
  letterSet,
  quoteSet,
  runEnd,
  runStart,
  upperSet,
  wordSet
} from '../../text/chars.ts'
import { NextOf } from '../../text/next-of.ts'
import { isChosenPassword } from '../../values/chosen-passwords.ts'
import { isDummyValue, isSecretValue } from '../../values/generic-value.ts'
import { rarity } from '../../values/rarity.ts'
import { likelyName, nameStart } from '../../values/key-names.ts'
import { isExpression, isTicket } from '../../values/program-identifiers.ts'
import { isOwnPlaceholder } from '../../values/placeholders.ts'
import { endsWithYear, isInterface, isOfPerson } from '../../values/unnamed-value.ts'
import { isGenerated, isStatedSecret, isAdjacentSecret, mixesCase } from '../../values/stated-value.ts'
import { hasChangeVerb } from './change-verbs.ts'
import { isCredited } from './unnamed-context.ts'

const reachUnits = 96
const tokenReachUnits = 64
const wordsMax = 18
const linesMax = 3

const valueSet = charSet('A-Z', 'a-z', '0-9', '_!@#$%^&*.+-')
/** Characters around a name in a message. */
const beforeNameSet = charSet(' \t\n\r("\'`*,')
const behindNameSet = charSet(' ,.:;?!)"\'`*\n')
const passwordNames = [
  ...[
    'password',
    "password's",
    'passwords',
    'passwort',
    'passwd',
    'passwrd',
    'passcode',
    'passphrase',
    'pwd',
    "pwd's",
    'pwds',
    'pw'
  ],
  ...['pass', 'cred', 'password-nya', 'creds', 'credentials', 'login', 'log in', 'sign in', 'passwordnya', 'sudo']
]
const tokenNames = ['token', 'secret']
/** What a name announces. For a token only a long value counts; for a key also hexadecimal digits. */
export type SecretSort = 'password' | 'token' | 'key'
const names = new NameIndex<SecretSort>([
  ...passwordNames.map((name) => [name, 'password'] as const),
  ...tokenNames.map((name) => [name, 'token'] as const)
])
/** Names of keys in two words, which make `key` a name of secrets. */
const spacedTokenNames = [
  'api key',
  'hmac key',
  'openai key',
  'access key',
  'secret key',
  'license key',
  'stripe key',
  'cert key'
]

/** The value behind the name at `at`, if that is a word of its own and not part of an identifier. */
export function secretNearNameAt(text: string, at: number, textNumber: number): Match | undefined {
  if (at > 0 && !inSet(beforeNameSet, codeAt(text, at - 1))) return undefined
  if ((codeAt(text, at) | 32) === 107)
    return isSpacedKey(text, at) ? secretNearName(text, at + 3, 'key', textNumber) : undefined
  const named = names.at(text, at)
  if (named === undefined) return undefined
  const [name, sort] = named
  const end = at + name.length
  if (end < text.length && !inSet(behindNameSet, codeAt(text, end))) return undefined
  // A server log: `Access denied for user ... (using password: YES)`.
  if (text.startsWith(': YES)', end) || text.startsWith(': NO)', end)) return undefined
  // What is said to be password protected follows no password.
  if (text.startsWith(' protected', end)) return undefined
  const match = secretNearName(text, end, sort, textNumber)
  if (match === undefined || (name === 'pass' && isVerb(text, at))) return undefined
  return goingNames.has(name) && leadsElsewhere(text, at, match.start) ? undefined : match
}

/** Words before `pass` as a verb: `values that do not pass: use ...`. */
const verbHeads = ['not ', 'will ', 'to ', 'must ', 'should ', 'would ', 'can ', 'could ', "n't ", 'they ', 'it ']

const objects = [' the ', ' a ', ' an ']

function isVerb(text: string, at: number): boolean {
  // `Pass the tensors to X`.
  if (objects.some((one) => text.startsWith(one, at + 4)) && !text.startsWith('the ', at - 4)) return true
  const before = text.slice(Math.max(0, at - 7), at).toLowerCase()
  return verbHeads.some((head) => before.endsWith(head))
}

/** Words that also are verbs: with `to` behind them, a destination follows. */
const goingNames = new Set(['login', 'log in', 'sign in', 'pass', 'sudo'])
/** `back to`, `defaults to`: a value follows, without a verb of changing. */
const returns = ['default', 'back']
const changeUnitsMax = 48

/**
 * Whether a destination follows (`log in to jenkins02`, `pass the ball to ...`) and not a new value
 * (`change the login to ...`).
 */
function leadsElsewhere(text: string, at: number, valueAt: number): boolean {
  if (!text.startsWith(' to ', valueAt - 4)) return false
  const around = text.slice(Math.max(0, at - changeUnitsMax), valueAt).toLowerCase()
  return !hasChangeVerb(around) && !returns.some((one) => around.includes(one))
}

/** Whether the words before `key` make it the name of a secret. */
function isSpacedKey(text: string, at: number): boolean {
  if (codeAt(text, at - 1) !== 32) return false
  const before = text.slice(Math.max(0, at - 8), at + 3).toLowerCase()
  return spacedTokenNames.some((name) => before.endsWith(name))
}

/** Characters between the words of a message. */
const gapSet = charSet(' \t,.:;?!()"\'`*>-=~')
/** Characters of program text, where other detectors read values. */
const programSet = charSet('{}[]<|\\$&;#')
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

/**
 * The value some words behind the name of a password, token or key that ends at `from`.
 * @param textNumber identifies the text for reuse of earlier reads; 0 for none
 */
export function secretNearName(text: string, from: number, sort: SecretSort, textNumber: number): Match | undefined {
  const limit = Math.min(text.length, from + (sort === 'password' ? reachUnits : tokenReachUnits))
  const stop = nextDigitOrStop.at(text, from, limit, textNumber)
  if (stop >= limit || !inSet(digitSet, text.charCodeAt(stop)))
    return codeAt(text, stop) === 91 && sort === 'password' ? answered(text, stop) : undefined
  let lines = 0
  let words = 0
  for (let i = from; i < limit;) {
    const code = text.charCodeAt(i)
    if (code === 10) {
      if (++lines > linesMax) return undefined
      i++
    } else if (isOption(text, i) || isProgramBracket(code) || isCall(text, i) || isTabbed(text, i)) return undefined
    else if (code === 13 || inSet(gapSet, code)) i++
    else if (inSet(programSet, code) || ++words > wordsMax) return undefined
    else {
      const start = code < foreignFrom ? i : foreignEnd(text, i, limit)
      const end = start > i && codeAt(text, start) < 33 ? start : wordEnd(text, start)
      if (end > stop && isValue(text, start, end, sort)) return matchOf(text, start, end, sort)
      // An earlier scan has masked the value, so what follows is not one.
      if (isOwnPlaceholder(text, start, runEnd(text, start, wordSet, end - start))) return undefined
      i = end
    }
  }
  return undefined
}

/** Whether a tab separates the columns of a row. */
function isTabbed(text: string, at: number): boolean {
  return codeAt(text, at) === 9 && codeAt(text, at - 1) > 32
}

/** First code unit of scripts that no password contains, even if glued to one: `ל-X`, `はX`. */
const foreignFrom = 0x370

/** Past letters of another script that are glued to the word behind them, and a dash between. */
function foreignEnd(text: string, from: number, limit: number): number {
  let i = from
  while (i < limit && codeAt(text, i) >= foreignFrom) i++
  return codeAt(text, i) === 45 ? i + 1 : i
}

/** Whether an option of a command begins, whose reading is left to other detectors: `--body`, `-v`. */
function isOption(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== 45 || codeAt(text, at - 1) !== 32) return false
  const next = codeAt(text, at + 1)
  return next === 45 || inSet(letterSet, next)
}

/** Whether a bracket stands directly behind a name. */
function isCall(text: string, at: number): boolean {
  return text.charCodeAt(at) === 40 && inSet(wordSet, codeAt(text, at - 1))
}

/** Whether a code is a box-drawing character. */
function isProgramBracket(code: number): boolean {
  return code >= 0x2500 && code < 0x2580
}

/** Finds the next digit, or a character that ends the message. Without a digit before that, no value can follow. */
const nextDigitOrStop = new NextOf(charSet('0-9', '{}[]<|\\$&;#'))

/** A single word as the next line of a conversation: `[09:42] <karim> X`. */
function answered(text: string, at: number): Match | undefined {
  if (codeAt(text, at - 1) !== 10) return undefined
  const stamp = runEnd(text, at + 1, stampSet, stampUnitsMax)
  const name = codeAt(text, stamp + 2) === 60 ? stamp + 3 : stamp + 2
  const nameTo = runEnd(text, name, speakerSet, stampUnitsMax)
  const close = codeAt(text, nameTo)
  if (stamp - at < 5 || codeAt(text, stamp) !== 93 || nameTo === name || (close !== 58 && close !== 62))
    return undefined
  const start = nameTo + 2
  const end = wordEnd(text, start)
  const isAlone = end >= text.length || codeAt(text, end) === 10 || codeAt(text, end) === 13
  return isAlone && isAdjacentSecret(text, start, end)
    ? { start, end, confidence: 'medium', byContext: true }
    : undefined
}
const stampSet = charSet('0-9', ':. /,APMapm-')
const speakerSet = charSet('A-Z', 'a-z', '0-9', '_.-')
const stampUnitsMax = 24

/** The end of the word, without quotes and brackets around it. */
function wordEnd(text: string, from: number): number {
  let end = from + 1
  while (end - from < reachUnits && end < text.length) {
    const code = text.charCodeAt(end)
    if (code <= 32 || code === 34 || code === 96 || code === 41 || code === 40 || code >= foreignFrom) break
    end++
  }
  return end
}

/** The end without the punctuation of the sentence. */
function valueEnd(text: string, start: number, end: number): number {
  let to = runEnd(text, start, valueSet, end - start)
  // A generated password may end in any character.
  if (codeAt(text, to - 1) === 45 && isGenerated(text, start, to)) return to
  while (to > start && (text.charCodeAt(to - 1) === 46 || text.charCodeAt(to - 1) === 45)) to--
  return to
}

/** What separates an old value from a new one. */
const nextJoints = [' to ', ' and also ', ' New: ', '\nNew: ', ', new: ', ' -> ', ' → ']

/** The match of a value, and of the new one if it was changed: `from X to Y`. */
function matchOf(text: string, start: number, wordTo: number, sort: SecretSort): Match {
  const end = valueEnd(text, start, wordTo)
  const match: Match = { start, end, confidence: 'medium', byContext: true }
  const joint = nextJoints.find((one) => text.startsWith(one, end))
  if (joint === undefined) return match
  const next = end + joint.length
  const nextTo = wordEnd(text, next)
  const nextEnd = valueEnd(text, next, nextTo)
  const isNext = isValue(text, next, nextTo, sort) || (sort === 'password' && isAdjacentSecret(text, next, nextEnd))
  return isNext ? { ...match, next: { ...match, start: next, end: nextEnd } } : match
}

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
    'image title region cluster namespace node service server instance module package build release ticket issue ' +
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

/** Whether the word is a label that ends its line. */
function isLabel(text: string, end: number): boolean {
  return codeAt(text, end) === 58 && (end + 1 === text.length || codeAt(text, end + 1) === 10)
}

function isValue(text: string, start: number, wordTo: number, sort: SecretSort): boolean {
  const end = valueEnd(text, start, wordTo)
  if (end - start < unitsMin || end - start > unitsMax) return false
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
  if (runEnd(text, start, hexSet, end - start) === end) return false
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
  if (end - start < tokenUnitsMin) return false
  if (countOf(text, start, end, digitSet) < 3 && !isGenerated(text, start, end)) return false
  if (!withHex && runEnd(text, start, hexSet, end - start) === end) return false
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
const dotSet = charSet('.')

/** Whether something that announces a value stands right before it. */
function isLed(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - leadUnitsMax), start).toLowerCase()
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
