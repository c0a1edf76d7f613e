/** Passwords, tokens and keys that nothing but their name gives away: `DB_PASSWORD=...`, `"apiKey": "..."`. */
import type { Guard } from '../engine/anchor-guard.ts'
import { isServiceKey, isVariable, namesToken, signsIn } from '../assignments/assigned-names.ts'
import { fallbackAt } from '../assignments/fallback.ts'
import { operators, type Operator } from '../assignments/operators.ts'
import { behindAssigned, endsText } from '../assignments/steps.ts'
import { Assignment, changesTo } from '../assignments/assignments.ts'
import { isListed, isOther, isWordList } from '../assignments/misread.ts'
import { isPlainSetting } from '../assignments/settings.ts'
import { charSet, codeAt, countOf, lowerSet, runEnd, runStart, upperSet } from '../text/chars.ts'
import { WordList } from '../text/word-list.ts'
import type { Anchor, Detector, Match, MatchContext } from '../detector.ts'
import { isOrdinary, isSecretValue, isUncommonSecret, type ValueForm } from '../values/generic-value.ts'
import { faintName, isNamePart, likelyName, noName, plainName, rateName, type NameRating } from '../values/key-names.ts'
import { assignedHits, assignedMisses } from './assigned-samples.ts'
import { looksInvented } from '../values/placeholders.ts'
import { wholeEnd } from '../assignments/value-end.ts'
import { passwordOfPair } from './written-pairs.ts'

/** The telling words, without regard to case. Each is short, so what stands beside it is read before anything else. */
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
  'senha',
  'contrase',
  'sifre',
  'haslo',
  'jelszo',
  'lozinka',
  '_pw',
  'pw=',
  'pw =',
  'pw:',
  'pw"',
  "pw']",
  "pw':",
  '_pat=',
  '_pat =',
  '_pat:',
  '_pat"',
  '-pat"',
  "-pat'",
  'x-amz-sig',
  'x-goog-sig'
]
const guard: Guard = { behindName: behindAssigned }
/** Where names of secrets may stand, in assignments and in fields. */
export const anchors: readonly Anchor[] = words.map((literal) => ({
  literal,
  fold: true,
  // Some of the words hold what stands behind the name as well.
  guard: isNamePart(literal) ? guard : undefined
}))

const assignment = new Assignment()

/** The shortest of the words; the name is read to its end from there. */
const wordUnits = 2

/**
 * The value that was read last, by the number of its text, its place and its operator. Several words of one name lead to one
 * value, which is read once for all of them.
 */
const seen = {
  textNumber: 0,
  start: 0,
  end: 0,
  operator: operators.none as Operator,
  /** Where it ends if a sign that cut it off is a part of it. */
  whole: 0,
  /** Whether it is nobody's secret, whatever its name is. */
  isOrdinary: false,
  /** Whether there is nothing more to say of it: it was found, or no name makes a secret of it. */
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
  if (!assignment.read(text, at, wordUnits, wanted, textNumber)) return undefined
  look(text, textNumber)
  if (seen.isDone) return plainSetting(text, at) ?? wordsOfSecret(text, at) ?? fallenBack(text, at)
  const { start, end } = assignment
  const { whole } = seen
  const rated = rateName(text, assignment.nameStart, assignment.nameEnd, at + headUnits(text, at))
  const name =
    assignment.given && rated === noName
      ? rateAsked(text, at)
      : rated === likelyName && signsIn(text, assignment)
        ? plainName
        : rated
  if (name === noName || isOther(text, assignment) || isListed(text, assignment)) return undefined
  const form = formOf(text, assignment, name)
  // What a sign cuts off a password may be too little to tell it by.
  const isFound =
    (name === faintName && isServiceKey(text, assignment)) ||
    (!seen.isOrdinary && isUncommonSecret(text, start, end, name, form)) ||
    (whole > end && name === plainName && isSecretValue(text, start, whole, name, form))
  if (!isFound)
    return (
      (name === plainName ? plainSetting(text, at) : (pairAssigned(text, at) ?? wordsOfSecret(text, at))) ??
      fallenBack(text, at)
    )
  seen.isDone = true
  const match: Match = { start, end: whole, confidence: 'medium', byContext: true }
  const isFirst = assignment.listed || (assignment.quoted && changesTo(text, end + 2))
  const next = isFirst ? restOfList(text, name, form) : undefined
  return next === undefined ? match : { ...match, next }
}

/** What a function is called that is asked for what the rest of its name says. */
const askingTails = new Set('request requested provider callback supplier prompt handler getter factory'.split(' '))

/** `onPasswordRequest: () => "..."`: what the name promises without its last word. */
function rateAsked(text: string, at: number): NameRating {
  const tail = runStart(text, assignment.nameEnd, lowerSet, 12) - 1
  if (tail <= at || !askingTails.has(text.slice(tail, assignment.nameEnd).toLowerCase())) return noName
  return rateName(text, assignment.nameStart, tail, at) === plainName ? plainName : noName
}

/** `password = settings.find("PW").orElse("...")`: what stands in where an expression gives nothing. */
function fallenBack(text: string, at: number): Match | undefined {
  const { operator, quoted, wrapped, nameQuoted, nameStart, nameEnd } = assignment
  if ((quoted && !wrapped) || nameQuoted || operator !== operators.equals) return undefined
  const quote = fallbackAt(text, nameEnd)
  if (quote < 0) return undefined
  const name = rateName(text, nameStart, nameEnd, at + headUnits(text, at))
  if (name === noName || !assignment.readValue(text, quote)) return undefined
  const { start, end } = assignment
  return isSecretValue(text, start, end, name, { quoted: true, doubtful: true })
    ? { start, end, confidence: 'medium', byContext: true }
    : undefined
}

/** What stands at the place of a password and is a plain word; it is one there and nowhere else, so it is not known again. */
function plainSetting(text: string, at: number): Match | undefined {
  if (!mayTellPlain(text, at)) return undefined
  const { nameStart, nameEnd, start, end } = assignment
  if (!isPlainSetting(text, assignment)) return undefined
  if (rateName(text, nameStart, nameEnd, at) !== plainName || isOther(text, assignment)) return undefined
  return { start, end, confidence: 'medium' }
}

/** `BASIC_AUTH=preview:X`: who signs in and the password, in one value. */
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

/** `JWT_SECRET=thisismysupersecretjwtkey`: words run together, as people fill in a variable that signs; no sentence of a manual does. */
function wordsOfSecret(text: string, at: number): Match | undefined {
  if (codeAt(text, at) !== 83 || assignment.operator !== operators.equals) return undefined
  const { nameStart, nameEnd, start, end } = assignment
  if (end - start < runUnitsMin || runEnd(text, start, runSet, end - start) !== end) return undefined
  if (!isVariable(text, assignment) || !text.slice(nameStart, nameEnd).includes('SECRET')) return undefined
  return madeUp.standsIn(text, start, end) || looksInvented(text, start, end)
    ? undefined
    : { start, end, confidence: 'medium' }
}
const runUnitsMin = 18
const runSet = charSet('a-z', '0-9')
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

/** Whether the word at `at` names a password, and what follows begins like a word; nearly all of program text ends here. */
function mayTellPlain(text: string, at: number): boolean {
  return (codeAt(text, at) | 32) === 112 && assignment.end - assignment.start >= 4
}

/** How much of a word that calls stands before the one that tells: `x-amz-` of `x-amz-sig`. */
function headUnits(text: string, at: number): number {
  if (codeAt(text, at + 1) !== 45) return 0
  return text.indexOf('-', at + 2) + 1 - at
}

/** What tells of a value beside its name; of a name that promises next to nothing the half. */
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
  if (name === faintName) return { quoted, doubtful }
  const uuids = !isOfList && namesToken(text, assigned)
  const literal = !quoted && isVariable(text, assigned)
  const digits =
    uuids && (literal || operator === operators.colon || operator === operators.option || isTight(text, assigned))
  return { quoted, doubtful, uuids, literal, digits }
}

const elementsMax = 8

/** The further elements of a list whose first one is a secret. */
function restOfList(text: string, name: NameRating, form: ValueForm): Match | undefined {
  const found: { start: number; end: number }[] = []
  while (found.length < elementsMax && assignment.readNext(text)) {
    const { start, end } = assignment
    if (!isSecretValue(text, start, end, name, form)) break
    found.push({ start, end })
  }
  return found.reduceRight<Match | undefined>(
    (next, place) => ({ ...place, confidence: 'medium', byContext: true, ...(next && { next }) }),
    undefined
  )
}

/** `password=84736251`, `password = 84736251` on a line of its own in a file of settings. */
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
