/**
 * Records that give a password together with its user or host: `host:`, `user:` and `password:` in a block of lines, in
 * markup, in a list of pairs, in rows of a table. In a record an ordinary word is a password; behind a label alone it
 * is not.
 */
import { blankSet, charSet, codeAt, countOf, inSet, quoteSet, runEnd, runStart, upperSet } from '../text/chars.ts'
import { isTitle } from '../values/dictionary-passwords.ts'
import { isWeakPassword } from '../values/weak-passwords.ts'
import type { Assignment } from './assignments.ts'
import { operators } from './operators.ts'
import { RecordNames, signSet, wrapSet } from './record-names.ts'

/** How far around a name its record is read, in code units. */
const recordUnits = 320

/**
 * Whether a value stands alone behind its name as in records: in quotes, in markup, or up to the end of its line or
 * pair.
 */
export function mayBeInRecord(
  text: string,
  { nameStart, nameEnd, start, end, operator, quoted, wrapped }: Assignment
): boolean {
  if (!recordOperators.has(operator)) return false
  const isMarked = operator === operators.element || operator === operators.cell || operator === operators.tagged
  if (!quoted && !isMarked && !endsBare(text, end)) return false
  // `user:pass:word`.
  if (operator === operators.colon && start === nameEnd + 1 && !quoted) return false
  if (operator === operators.cell && !isRow(text, nameStart, end)) return false
  // `passwd => [scheme => ...]`: the quoted text is a key itself.
  if (quoted && inSet(signSet, codeAt(text, runEnd(text, end + 1, blankSet, blanksMax)))) return false
  // The argument of a call; several words, as in labels and questions.
  if (wrapped || countOf(text, start, end, blankSet) > 0) return false
  // Form labels are capitalised, and so are their names.
  return !isTitle(text, start, end) || (!quoted && inSet(upperSet, codeAt(text, labelFrom(text, nameStart))))
}
/** Where the words begin of which the name is the last: `Temporary password`. */
function labelFrom(text: string, nameStart: number): number {
  const from = runStart(text, nameStart, labelLeadSet, blanksMax)
  return runEnd(text, from, wrapSet, blanksMax)
}
const recordOperators = new Set<number>([
  operators.colon,
  operators.equals,
  operators.element,
  operators.cell,
  operators.tagged
])

/** Whether name and value fill a row of a table. */
function isRow(text: string, nameStart: number, end: number): boolean {
  const bar = runStart(text, nameStart, wrapSet, wrapsMax)
  const close = runEnd(text, end, wrapSet, blanksMax)
  return (
    codeAt(text, bar - 1) === 124 &&
    leadsLine(text, bar - 1) &&
    codeAt(text, close) === 124 &&
    endsLine(text, close + 1)
  )
}

/**
 * Whether the same block of lines has a value for the user and the host as well. In markup, in a list of pairs on one
 * line, in lines of settings and in rows of a table one of them is enough.
 */
export function isInRecord(text: string, assigned: Assignment): boolean {
  const { nameStart, nameEnd, start, end, operator, quoted, textNumber } = assigned
  if (operator === operators.colon && isStatedAlone(text, nameStart, start, end)) return true
  const read = recordAround(text, nameStart, end, textNumber)
  if (operator === operators.element || operator === operators.tagged) return read.user
  const isProse = !quoted || codeAt(text, start - 1) === backtick
  if (!isProse) return (read.user && read.host) || (assigned.nameQuoted && (read.user || read.isAddressed))
  const isTight = operator === operators.equals && start === nameEnd + 1
  const isAlone = leadsLine(text, nameStart) && endsLine(text, quoted ? end + 1 : end)
  if (operator === operators.cell) return read.user || read.isAddressed
  if (!read.user) return read.isAddressed && isAlone
  return isTight || read.host || (operator === operators.colon && endsLine(text, end)) || isAlone
}
const backtick = 96

/**
 * Whether `Password: sunshine` or `Your new password: sunshine` is a paragraph of its own or stands among sentences, as
 * in mails. Lines of settings and of message catalogues have similar lines next to them.
 */
function isStatedAlone(text: string, nameStart: number, start: number, end: number): boolean {
  const isQuoted = inSet(quoteSet, codeAt(text, start - 1))
  const close = isQuoted ? end + 1 : end
  if (isQuoted && codeAt(text, start - 1) !== backtick) return false
  const from = runStart(text, nameStart, labelLeadSet, blanksMax)
  const before = codeAt(text, from - 1)
  if (from > 0 && before !== 10 && !(inSet(sentenceEndSet, before) && codeAt(text, from) === 32)) return false
  const to = runEnd(text, close, tailSet, blanksMax)
  if (to < text.length && codeAt(text, to) !== 10 && codeAt(text, to) !== 13 && codeAt(text, to) !== 40) return false
  return (before !== 10 || isSentence(text, lineBefore(text, from), from - 1)) && isSentenceBelow(text, to)
}
const sentenceEndSet = charSet('.!?,')
const lineUnitsMax = 240

function lineBefore(text: string, from: number): number {
  return text.lastIndexOf('\n', from - 2) + 1
}

function isSentenceBelow(text: string, at: number): boolean {
  const from = text.slice(at, at + lineUnitsMax).indexOf('\n')
  if (from < 0) return true
  const line = text.slice(at + from + 1, at + from + 1 + lineUnitsMax)
  const to = line.indexOf('\n')
  return isSentence(text, at + from + 1, at + from + 1 + (to < 0 ? line.length : to))
}

/** Whether a line is empty, or consists of words without the punctuation of settings and program text. */
function isSentence(text: string, from: number, to: number): boolean {
  const line = text.slice(Math.max(from, to - lineUnitsMax), to).trim()
  if (line === '') return true
  const words = line.split(' ')
  return words.length >= sentenceWordsMin && !programSigns.some((sign) => line.slice(0, -1).includes(sign))
}
const sentenceWordsMin = 3
const programSigns = ['=', ':', '#', '{', '<', '|', '"', '//', '`', '*', '(', ';']
const labelLeadSet = charSet('A-Z', 'a-z', " *>'-")

/** The names in the same block of lines, except the one in `[from, to)` and its value. */
function recordAround(text: string, from: number, to: number, textNumber: number): RecordNames {
  names.clear()
  names.read(text, blockStart(text, from), from, textNumber)
  if (!(names.user && names.host)) names.read(text, to, blockEnd(text, to), textNumber)
  return names
}
const names = new RecordNames()

/** Whether a notorious password is stated to somebody: `pw: hunter2` and nothing else, `user: admin / pass: admin123`. */
export function isStatedWeakPassword(text: string, assigned: Assignment): boolean {
  const { nameStart, start, end, operator, quoted, textNumber } = assigned
  if (operator !== operators.colon || quoted) return false
  // The place first: beside most names it is seen at once, and the password costs more.
  const mayBeMessage = text.length - end < weakUnitsMax && start < weakUnitsMax
  const mayBeListed = isBehindOthers(text, nameStart) && endsLine(text, end)
  if (!(mayBeMessage || mayBeListed) || !isWeakPassword(text, start, end)) return false
  if (mayBeMessage && isStatedAlone(text, nameStart, start, end)) return true
  return mayBeListed && recordAround(text, nameStart, end, textNumber).user
}

/** Whether a slash, comma or bar separates a name from what stands before it on its line. */
function isBehindOthers(text: string, nameStart: number): boolean {
  return inSet(betweenSet, codeAt(text, runStart(text, nameStart, blankSet, blanksMax) - 1))
}
const betweenSet = charSet('/,|')
/** Whether it is a message rather than a document. */
const weakUnitsMax = 240

/**
 * Whether a line states the password in `[start, end)` behind its name and a colon, on a line of its own among
 * sentences, or in a block of lines with its user or host.
 * @param nameStart where the name begins
 */
export function isStatedOnLine(text: string, nameStart: number, start: number, end: number): boolean {
  if (isStatedAlone(text, nameStart, start, end)) return true
  if (!leadsLine(text, nameStart) || !endsLine(text, end)) return false
  const read = recordAround(text, nameStart, end, 0)
  return read.user || read.isAddressed
}

const blanksMax = 40
const wrapsMax = 4

/** Whether only blanks and the mark of a list item precede a name on its line. */
function leadsLine(text: string, nameStart: number): boolean {
  const from = runStart(text, nameStart, leadSet, blanksMax)
  return from === 0 || codeAt(text, from - 1) === 10 || inSet(quoteSet, codeAt(text, from - 1))
}
const leadSet = charSet(' \t*>#', '-', 'A-Z', 'a-z')

function endsLine(text: string, at: number): boolean {
  const code = codeAt(text, runEnd(text, at, tailSet, blanksMax))
  return code === 0 || code === 10 || code === 13 || code === 35 || inSet(quoteSet, code)
}
const tailSet = charSet(' \t*')

/** Whether an unquoted value fills its line, or a comma or bracket follows it. */
function endsBare(text: string, end: number): boolean {
  return inSet(bareEndSet, codeAt(text, end)) || endsLine(text, end)
}
const bareEndSet = charSet(',};& "\'`')

/** The start of the lines before `to` that no empty line separates from it. */
function blockStart(text: string, to: number): number {
  const limit = Math.max(0, to - recordUnits)
  const empty = text.slice(limit, to).lastIndexOf('\n\n')
  return empty < 0 ? limit : limit + empty + 2
}

function blockEnd(text: string, from: number): number {
  const limit = Math.min(text.length, from + recordUnits)
  const empty = text.slice(from, limit).indexOf('\n\n')
  return empty < 0 ? limit : from + empty
}
