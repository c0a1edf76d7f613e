/**
 * Passwords, tokens and keys that only the name they are assigned to reveals: `DB_PASSWORD=...`, `"apiKey": "..."`.
 * `field-secrets.ts` uses the same matcher with other operators.
 */
import { LiteralList } from '../../arguments/literals.ts'
import {
  isOfSession,
  isServiceKey,
  isSignInCookie,
  isVariable,
  namesToken,
  signsIn
} from '../../assignments/assigned-names.ts'
import { type ByteList, isEscapedBytes, readByteList, saysBytes } from '../../assignments/byte-list.ts'
import { fallbackAt } from '../../assignments/fallback.ts'
import { operators, type Operator } from '../../assignments/operators.ts'
import { endsText } from '../../assignments/lexing.ts'
import { type Assignment, changesTo, sharedAssignment as assignment } from '../../assignments/assignments.ts'
import { isListed, isFalsePositive, isWordList } from '../../assignments/false-positives.ts'
import { isNameNearby, isPasswordSetting } from '../../assignments/password-settings.ts'
import { charSet, codeAt, consistsOf, countOf, lowerDigitSet, lowerSet, runStart, upperSet } from '../../text/chars.ts'
import { WordList } from '../../text/word-list.ts'
import { chained, contextMatch, type Detector, type Match, type MatchContext, withNext } from '../../detector.ts'
import {
  isDummyValue,
  isOrdinary,
  isSecretValue,
  isUncommonSecret,
  type ValueForm
} from '../../values/generic-value.ts'
import { isOtherField } from '../../values/access-names.ts'
import {
  weakName,
  likelyName,
  nameStart,
  noName,
  passwordName,
  rateName,
  type NameRating
} from '../../values/key-names.ts'
import { anchors } from './assigned-anchors.ts'
import { assignedHits } from './assigned-hits.ts'
import { assignedMisses } from './assigned-misses.ts'
import { looksLikeDummy } from '../../values/placeholders.ts'
import { isDictionaryPassword } from '../../values/dictionary-passwords.ts'
import { wholeEnd } from '../../assignments/value-end.ts'
import { passwordOfPair } from './written-pairs.ts'

/** Length of the shortest of the words; the rest of the name is read from there. */
const wordUnits = 2

/**
 * The value that was judged last, by the number of its text, its place and its operator. Several anchors in one name
 * lead to the same value, which is judged once.
 */
const seen = {
  textNumber: 0,
  start: 0,
  end: 0,
  operator: operators.none as Operator,
  /** Where the value ends if the character at which reading stopped belongs to it. */
  whole: 0,
  /** Whether the value is ordinary under any name; see `isOrdinary`. */
  isOrdinary: false,
  /** Whether nothing remains to be decided: the value was reported, or no name makes it a secret. */
  isDone: false
}

function look(text: string, textNumber: number): void {
  const { operator, start, end, quoted } = assignment
  if (textNumber === seen.textNumber && start === seen.start && end === seen.end && operator === seen.operator) return
  const whole = quoted ? end : wholeEnd(text, end)
  seen.textNumber = textNumber
  seen.start = start
  seen.end = end
  seen.operator = operator
  seen.whole = whole
  seen.isOrdinary = isOrdinary(text, start, end)
  seen.isDone = seen.isOrdinary && (whole === end || isOrdinary(text, start, whole))
}

export function find(
  text: string,
  at: number,
  { textNumber }: MatchContext,
  wanted: (operator: Operator) => boolean
): Match | undefined {
  if (!assignment.read(text, at, wordUnits, wanted, textNumber))
    return assignment.valueFrom >= 0 && wanted(assignment.operator)
      ? (fallbackValue(text, at, textNumber) ?? bytesOf(text, at, textNumber))
      : undefined
  look(text, textNumber)
  if (seen.isDone)
    return (
      plainSetting(text, at) ??
      wordsOfSecret(text, at) ??
      wordsOfSession(text) ??
      fallbackValue(text, at, textNumber) ??
      (assignment.quoted ? escapedBytesOf(text, at) : bytesOf(text, at, textNumber))
    )
  const { start, end } = assignment
  const { whole } = seen
  const rated = rateName(text, assignment.nameStart, assignment.nameEnd, at + headUnits(text, at))
  const name =
    assignment.returned && rated === noName
      ? rateAsked(text, at)
      : rated === likelyName && (signsIn(text, assignment) || isOfSession(text, assignment))
        ? passwordName
        : rated
  if (name === noName) return undefined
  const form = formOf(text, assignment, name)
  // What remains before a character that cut a password off may be too short to be recognised.
  const isFound =
    (name === weakName && (isServiceKey(text, assignment) || isSignInCookie(text, assignment))) ||
    (!seen.isOrdinary && isUncommonSecret(text, start, end, name, form)) ||
    (whole > end && name === passwordName && isSecretValue(text, start, whole, name, form))
  if (!isFound) {
    const other =
      (name === passwordName ? plainSetting(text, at) : (pairAssigned(text, at) ?? wordsOfSecret(text, at))) ??
      fallbackValue(text, at, textNumber) ??
      (assignment.quoted ? (insideValue(text, name) ?? escapedBytesOf(text, at)) : bytesOf(text, at, textNumber))
    // A fallback was read in place of the value.
    return other && assignment.read(text, at, wordUnits, wanted, textNumber) && isAssigned(text) ? other : undefined
  }
  if (!isAssigned(text)) return undefined
  seen.isDone = true
  const match: Match = contextMatch(start, whole)
  const isFirst = assignment.listed || (assignment.quoted && changesTo(text, end + 2))
  const next = isFirst ? restOfList(text, name, form) : undefined
  return withNext(match, next)
}

/** Whether the assignment that was read last is one. It costs more to tell than that nearly all values are no secrets. */
const isAssigned = (text: string): boolean => !isFalsePositive(text, assignment) && !isListed(text, assignment)

/** Last words of functions that are asked for what the rest of their name says. */
const askingTails = new Set('request requested provider callback supplier prompt handler getter factory'.split(' '))

/** The name without its last word decides: `onPasswordRequest: () => "..."`. */
function rateAsked(text: string, at: number): NameRating {
  const tail = runStart(text, assignment.nameEnd, lowerSet, 12) - 1
  if (tail <= at || !askingTails.has(text.slice(tail, assignment.nameEnd).toLowerCase())) return noName
  return rateName(text, assignment.nameStart, tail, at) === passwordName ? passwordName : noName
}

/** The fallback of an expression: `password = settings.find("PW").orElse("...")`. */
function fallbackValue(text: string, at: number, textNumber: number): Match | undefined {
  const { operator, quoted, wrapped, nameQuoted, nameEnd } = assignment
  if ((quoted && !wrapped) || nameQuoted || !(operator === operators.equals || operator === operators.colon))
    return undefined
  const quote = fallbackAt(text, nameEnd, textNumber)
  if (quote < 0) return undefined
  const name = rateName(text, nameStart(text, at), nameEnd, at + headUnits(text, at))
  if (name === noName || !assignment.readValue(text, quote, textNumber)) return undefined
  const { start, end } = assignment
  if (isSecretValue(text, start, end, name, { quoted: true, doubtful: true })) return contextMatch(start, end)
  const isAsked = name === passwordName && asksPerson(text.slice(nameEnd, quote))
  return isAsked && isDictionaryPassword(text, start, end) && !isNameNearby(text, quote, start, end, textNumber)
    ? { start, end, confidence: 'medium' }
    : undefined
}

/** Whether an expression asks the environment, or a person. A word that stands in for the answer is a password. */
function asksPerson(expression: string): boolean {
  return askers.some((one) => expression.includes(one))
}
const askers = ['getenv', 'Getenv', 'environ', 'ENV[', 'ENV{', '.env.', 'getpass', 'input(']

const bytes: ByteList = { start: 0, end: 0, count: 0 }

/** The bytes of a key, listed as numbers: `key = bytes([18, 170, ...])`. */
function bytesOf(text: string, at: number, textNumber: number): Match | undefined {
  const { nameEnd } = assignment
  const from = nameStart(text, at)
  // A salt may be known.
  if ((codeAt(text, at) | 32) === 115 && (codeAt(text, at + 1) | 32) === 97) return undefined
  // Tokens of a language model are numbers as well.
  const mayBeKey = (codeAt(text, at) | 32) !== 116
  if (!readByteList(text, from, assignment.valueFrom, bytes, mayBeKey, textNumber)) return undefined
  const name = rateName(text, from, nameEnd, at + headUnits(text, at))
  if (name === noName || (name === weakName && !saysBytes(text, from, bytes.start))) return undefined
  return contextMatch(bytes.start, bytes.end)
}

/** Bytes of a key, written as escapes in a string: `key = b"\\x9a\\x12..."`. */
function escapedBytesOf(text: string, at: number): Match | undefined {
  const { quoted, nameEnd, start, end } = assignment
  if (!quoted || codeAt(text, start) !== 92 || !isEscapedBytes(text, start, end)) return undefined
  return rateName(text, nameStart(text, at), nameEnd, at + headUnits(text, at)) === noName
    ? undefined
    : contextMatch(start, end)
}

const members = new LiteralList()

/** The secret in a value that is an object written as text: `"ApiToken": "{\"value\": \"...\"}"`. */
function insideValue(text: string, name: NameRating): Match | undefined {
  const { start, end } = assignment
  if (name < likelyName || codeAt(text, start) !== 123) return undefined
  members.read(text, start + 1)
  for (let i = 0; i < members.count && members.endOf(i) <= end; i++) {
    if (members.depth(i) !== 1 || members.signBefore(i) !== 58) continue
    const keyTo = runStart(text, members.signAt(i), keyGapSet, 12)
    if (isOtherField(text, nameStart(text, keyTo), keyTo)) continue
    const from = members.start(i)
    const to = members.endOf(i)
    if (isSecretValue(text, from, to, name, { quoted: true, doubtful: true })) return contextMatch(from, to)
  }
  return undefined
}
const keyGapSet = charSet(' "\'\\')

/** Words with which a program signs its sessions: `session({ secret: "..." })`. They are remembered for no other place. */
function wordsOfSession(text: string): Match | undefined {
  const { start, end } = assignment
  if (!isOfSession(text, assignment) || end - start < sessionUnitsMin) return undefined
  if (!consistsOf(text, start, end, phraseSet) || isDummyValue(text, start, end)) return undefined
  return madeUp.standsIn(text, start, end) ? undefined : { start, end, confidence: 'medium' }
}
const sessionUnitsMin = 5
const phraseSet = charSet('A-Z', 'a-z', '0-9', ' _!.-')

/** An ordinary word at the place of a password. It is a password there and nowhere else, so it is not remembered. */
function plainSetting(text: string, at: number): Match | undefined {
  if (!mayTellPlain(text, at)) return undefined
  const { nameStart, nameEnd, start, end } = assignment
  if (!isPasswordSetting(text, assignment)) return undefined
  if (rateName(text, nameStart, nameEnd, at) !== passwordName || isFalsePositive(text, assignment)) return undefined
  return { start, end, confidence: 'medium' }
}

/** User and password in one value: `BASIC_AUTH=preview:X`. */
function pairAssigned(text: string, at: number): Match | undefined {
  if ((codeAt(text, at) | 32) !== 97) return undefined
  const { nameStart, nameEnd, start, end } = assignment
  if (nameEnd - nameStart > pairNameUnitsMax || nameEnd - nameStart < pairNameUnitsMin) return undefined
  const name = text.slice(nameStart, nameEnd).toLowerCase().replaceAll('_', '').replaceAll('-', '')
  return pairNames.has(name) ? passwordOfPair(text, start, end) : undefined
}
const pairNameUnitsMin = 7
const pairNameUnitsMax = 24
const pairNames = new Set(
  'basicauth httpauth httpbasicauth proxyauth webauth nginxauth traefikauth basicauthcredentials'.split(' ')
)

/**
 * Words run together, as people fill in a signing secret, and as no sentence has them:
 * `JWT_SECRET=thisismysupersecretjwtkey`.
 */
function wordsOfSecret(text: string, at: number): Match | undefined {
  if (codeAt(text, at) !== 83 || assignment.operator !== operators.equals) return undefined
  const { nameStart, nameEnd, start, end } = assignment
  if (end - start < runUnitsMin || !consistsOf(text, start, end, lowerDigitSet)) return undefined
  if (!isVariable(text, assignment) || !text.slice(nameStart, nameEnd).includes('SECRET')) return undefined
  return madeUp.standsIn(text, start, end) || looksLikeDummy(text, start, end)
    ? undefined
    : { start, end, confidence: 'medium' }
}
const runUnitsMin = 18
const madeUp = new WordList([
  'your',
  'change',
  'replace',
  'insert',
  'example',
  'placeholder',
  'generate',
  'random',
  'here',
  'sample',
  'test',
  'dummy'
])

/** Whether the anchor at `at` is a name of passwords and a word follows. Nearly all program text is rejected here. */
function mayTellPlain(text: string, at: number): boolean {
  return (codeAt(text, at) | 32) === 112 && assignment.end - assignment.start >= 4
}

/** The length of the part of an anchor that precedes its keyword: `x-amz-` in `x-amz-sig`. */
function headUnits(text: string, at: number): number {
  if (codeAt(text, at + 1) !== 45) return 0
  return text.indexOf('-', at + 2) + 1 - at
}

/** How the value is written, and what its name promises beyond its rating. */
function formOf(text: string, assigned: Assignment, name: NameRating): ValueForm {
  const { operator, quoted, wrapped, below } = assigned
  const isOfList = isWordList(text, assigned)
  const doubtful =
    operator === operators.call ||
    operator === operators.beside ||
    operator === operators.cell ||
    wrapped ||
    below ||
    isOfList
  if (name === weakName) return { quoted, doubtful }
  const uuids = !isOfList && namesToken(text, assigned)
  const literal = !quoted && isVariable(text, assigned)
  const digits =
    uuids && (literal || operator === operators.colon || operator === operators.option || isTight(text, assigned))
  return { quoted, doubtful, uuids, literal, digits }
}

const elementsMax = 8

/** The other elements of a list whose first one is a secret. */
function restOfList(text: string, name: NameRating, form: ValueForm): Match | undefined {
  const found: Match[] = []
  while (found.length < elementsMax && assignment.readNext(text)) {
    const { start, end } = assignment
    if (!isSecretValue(text, start, end, name, form)) break
    found.push(contextMatch(start, end))
  }
  return chained(found)
}

/** Whether it is `password=84736251`, or `password = 84736251` on a line of its own in a settings file. */
function isTight(text: string, { nameStart, nameEnd, start, end }: Assignment): boolean {
  const isJoined = start === nameEnd + 1 && text.charCodeAt(nameEnd) === 61
  return isJoined || (countOf(text, nameStart, nameEnd, upperSet) === 0 && endsText(text, end))
}

const fields = new Set<Operator>([operators.colon, operators.element, operators.cell, operators.tagged])
export const isField = (operator: Operator) => fields.has(operator)
const isAssignment = (operator: Operator) => !isField(operator) && operator !== operators.is

export const assignedSecretDetectors: readonly Detector[] = [
  {
    id: 'env_assignment_secret',
    label: 'SECRET',
    title: 'assigned secret',
    group: 'secret',
    tier: 'medium',
    lengthMin: 9,
    anchors,
    match: (text, at, context) => find(text, at, context, isAssignment),
    hits: assignedHits,
    misses: assignedMisses,
    source: 'Conventions of environment files, shells and program text; the name is the evidence.'
  }
]
