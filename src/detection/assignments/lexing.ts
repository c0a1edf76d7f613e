/** Small steps in reading an assignment: over blanks, quotes, labels and operators, each of bounded length. */
import type { Guard } from '../anchor-guard.ts'
import {
  allBut,
  base62Set,
  beforeNext,
  blankSet,
  charSet,
  codeAt,
  dotSet,
  identifierSet,
  inSet,
  quoteSet,
  runEnd,
  runStart
} from '../text/chars.ts'
import { NextOf } from '../text/next-of.ts'
import { boxDrawingBar } from '../text/rows.ts'

/** How many blanks line up the signs of a map: as many as its longest name, such as that of a setting with its path, has. */
const blanksMax = 96

/**
 * The pairs of characters with which an assignment may continue behind a name, as a guard needs them: everything that
 * `Assignment.read` steps over or takes as an operator.
 */
export const behindAssigned: NonNullable<Guard['behindName']> = [
  [charSet('\r\n"\'`\\*]:=?|><{')],
  [blankSet, charSet('A-Z', 'a-z', '0-9', ' \t\r\n"\'`', ':=.+?!|-,)><{[#@_')],
  [charSet('+!'), charSet('=')],
  [dotSet, charSet('=.')],
  [charSet('('), quoteSet],
  [charSet('['), charSet(']', '0-9')],
  [charSet(')'), charSet(' =')],
  [charSet(','), charSet('"<')]
]

/**
 * The words in lower case, before a blank, with which an assignment may continue behind a name and a blank, as a guard
 * needs them: all that `Assignment.read` reads there, without copulas and unless it looks at what precedes the name.
 */
export const wordsBehindAssigned = ['or', 'pic', 'type']

/** Whether a quote stands at `at` as a markup entity. */
export function isWrittenQuote(text: string, at: number): boolean {
  return writtenQuotes.some((one) => text.startsWith(one, at))
}
const writtenQuotes = ['&quot;', '&#34;', '&#39;', '&#x27;', '&#x22;', '&apos;']

/** Whether a backslash before this code begins an escape, or continues the line. */
export function isEscape(code: number): boolean {
  return code === 110 || code === 114 || code === 116 || code === 34 || code === 39 || code === 92 || !(code > 32)
}

export function skipBlanks(text: string, from: number): number {
  let i = from
  const limit = Math.min(text.length, from + blanksMax)
  while (i < limit) {
    const code = text.charCodeAt(i)
    if (code !== 32 && code !== 9) break
    i++
  }
  return i
}

/** Past blanks and continued lines. */
export function skipContinued(text: string, from: number): number {
  const i = skipBlanks(text, from)
  if (codeAt(text, i) !== 92) return i
  const line = i + (codeAt(text, i + 1) === 13 ? 2 : 1)
  return codeAt(text, line) === 10 ? skipBlanks(text, line + 1) : i
}

/** Past blanks and at most two line breaks. */
export function skipSpace(text: string, from: number): number {
  let i = skipBlanks(text, from)
  for (let lines = 0; lines < 2; lines++) {
    if (codeAt(text, i) === 13) i++
    if (codeAt(text, i) !== 10) break
    i = skipBlanks(text, isChange(text, from, i + 1) ? i + 2 : i + 1)
  }
  return i
}

/** Whether a line and the one at `next` are both added, or both removed, in a diff. */
function isChange(text: string, from: number, next: number): boolean {
  const sign = codeAt(text, next)
  if (sign !== 43 && sign !== 45) return false
  // A dash and one blank begin a list item.
  if (sign === 45 && codeAt(text, next + 1) === 32 && codeAt(text, next + 2) !== 32) return false
  return codeAt(text, runStart(text, from, lineSet, changeUnitsMax)) === sign
}
const lineSet = allBut('\n')
const changeUnitsMax = 160

/** Whether only the plus of an added line in a diff precedes. */
export function isAddedLine(text: string, at: number): boolean {
  return codeAt(text, at - 1) === 43 && (at === 1 || codeAt(text, at - 2) === 10)
}

/** Whether the line ends at `at`, or behind the indicator of a YAML block there. */
export function endsLine(text: string, at: number): boolean {
  const code = codeAt(text, blockEnd(text, at))
  return code === 10 || code === 13 || at >= text.length
}

/** Whether a line, or the string literal around it, ends at `at`. */
export function endsText(text: string, at: number): boolean {
  const code = codeAt(text, at)
  return code === 10 || code === 13 || at >= text.length || inSet(quoteSet, code)
}

/** Past a YAML block indicator: `|`, `>`, `|-`, `>-`. */
export function blockEnd(text: string, at: number): number {
  const code = codeAt(text, at)
  if (code !== 124 && code !== 62) return at
  return codeAt(text, at + 1) === 45 ? at + 2 : at + 1
}

/** Past the line that opens a fenced block in Markdown; `at` if there is none. */
export function fenceEnd(text: string, at: number): number {
  if (!text.startsWith('```', at)) return at
  const end = runEnd(text, at + 3, base62Set, fenceWordUnitsMax)
  return codeAt(text, end) === 10 ? end + 1 : at
}

const fenceWordUnitsMax = 16

const contentUnitsMax = 256
const contentStopSet = charSet('<>\r\n')

/** Where the content between two tags ends on the same line; otherwise -1. */
export function contentEnd(text: string, at: number): number {
  const i = beforeNext(text, at, contentStopSet, contentUnitsMax)
  return i > at && codeAt(text, i) === 60 && codeAt(text, i + 1) === 47 ? i : -1
}

const wrapperSet = charSet('A-Z', 'a-z', '0-9', '_.[]*&:@$')
const wrapperUnitsMax = 48

const wrapperEnds = new NextOf(wrapperSet, 'notIn')

/**
 * Past the name of a type or function that a bracket or quote may follow, such as `String` or `new Buffer.from`.
 * @param textNumber identifies the text, so that a run of many names is read once; 0 for none
 */
export function wrapperEnd(text: string, at: number, textNumber = 0): number {
  const from = text.startsWith('new ', at) ? at + 4 : at
  const end = wrapperEnds.at(text, from, Math.min(text.length, from + wrapperUnitsMax), textNumber)
  // A macro in Rust: `concat!(`.
  return end > at && codeAt(text, end) === 33 && codeAt(text, end + 1) === 40 ? end + 1 : end
}

const castSet = charSet('A-Z', 'a-z', '0-9', '_ *&:<>')

/** The quote behind a cast, `(const uint8_t *)"..."`; -1 if there is none. */
export function castEnd(text: string, at: number): number {
  const end = runEnd(text, at + 1, castSet, wrapperUnitsMax)
  const quote = codeAt(text, end + 1) === 32 ? end + 2 : end + 1
  return codeAt(text, end) === 41 && end > at + 1 && codeAt(text, quote) === 34 ? quote : -1
}

const defaultLabels = ['default=', 'default = ', 'default: ', 'default_value=', 'value=', 'initial=']
const defaultHeadSet = charSet(...defaultLabels.map((label) => label.charAt(0)))

/** The quote behind a bracket at `at`, of a string, of bytes, or of a nested call: `createKey(Buffer.from("...`. */
export function wrappedAt(text: string, at: number): number {
  // The string may be on the next line, behind `Some(`.
  const line = codeAt(text, at + 1) === 10 ? skipSpace(text, at + 1) : at + 1
  // `Field(default="...")`.
  const named = inSet(defaultHeadSet, codeAt(text, line))
    ? defaultLabels.find((one) => text.startsWith(one, line))
    : undefined
  if (named !== undefined) return line + named.length
  const inner = line + (codeAt(text, line) === 98 ? 1 : 0)
  const second = wrapperEnd(text, inner)
  const from = second > inner && codeAt(text, second) === 40 ? second + 1 : inner
  // `base64:decode(<<"...">>)`.
  return codeAt(text, from) === 60 && codeAt(text, from + 1) === 60 ? from + 2 : from
}

/** Whether only blanks stand between `at` and the end of a table cell. */
export function closesCell(text: string, at: number): boolean {
  const code = codeAt(text, skipBlanks(text, at))
  return code === 124 || code === boxDrawingBar || code === 0x2551
}

/** Past the asterisks that close emphasis: `**Password**: ...`, `**Password:** ...`, `*Password*: ...`. */
export function skipEmphasis(text: string, from: number): number {
  if (codeAt(text, from) !== 42) return from
  const next = codeAt(text, from + 1)
  return next === 42 ? from + 2 : next === 58 ? from + 1 : from
}

/**
 * The end of a word that Markdown shows as bold, and whose marks begin at `at`: `Password: **X**.`.
 * @returns where the closing marks begin; -1 if there are none, or the word goes on behind them
 */
export function boldEnd(text: string, at: number): number {
  if (codeAt(text, at) !== 42 || codeAt(text, at + 1) !== 42) return -1
  const limit = Math.min(text.length, at + boldUnitsMax)
  for (let i = at + 2; i < limit && text.charCodeAt(i) > 32; i++)
    if (text.charCodeAt(i) === 42 && codeAt(text, i + 1) === 42) return endsWord(text, i + 2) ? i : -1
  return -1
}
const boldUnitsMax = 96

/** Whether a word ends before `at`, perhaps with the punctuation of its sentence. Beyond ASCII no blank need follow. */
function endsWord(text: string, at: number): boolean {
  const code = codeAt(text, runEnd(text, at, punctuationSet, punctuationMax))
  return code > 127 || inSet(behindWordSet, code)
}
const punctuationSet = charSet('.,:;!?)')
const punctuationMax = 3
const behindWordSet = charSet(' \t\r\n<|"\'`]}').fill(1, 0, 1)

export function skipSigns(text: string, from: number): number {
  let i = from
  while (i < from + 2 && isSign(codeAt(text, i))) i++
  return i
}

function isSign(code: number): boolean {
  return code === 61 || code === 62
}

const valueLabels = ['value', 'Value', 'ParameterValue', 'parameterValue', 'val', 'content', 'default', 'VALUE']
const labelHeadSet = charSet(...valueLabels.map((label) => label.charAt(0)))

/** Past `"value":` or `value=` at `at`; -1 if there is no such label. */
export function valueLabelEnd(text: string, at: number): number {
  let i = at
  while (i - at < 4 && isQuoting(codeAt(text, i))) i++
  const label = inSet(labelHeadSet, codeAt(text, i)) ? valueLabels.find((one) => text.startsWith(one, i)) : undefined
  i = label === undefined ? otherLabelEnd(text, i) : i + label.length
  if (i < 0) return -1
  const closing = i + 4
  while (i < closing && isQuoting(codeAt(text, i))) i++
  i = skipBlanks(text, i)
  const code = codeAt(text, i)
  return code === 58 || code === 61 ? skipSigns(text, i + 1) : -1
}

const labelUnitsMax = 20
const labelTail = 'value'

/** The end of a name that ends in a word for value: `i_value`, `headerValue`; -1 if there is none. */
function otherLabelEnd(text: string, at: number): number {
  const end = runEnd(text, at, identifierSet, labelUnitsMax)
  return end - at > labelTail.length && text.slice(end - labelTail.length, end).toLowerCase() === labelTail ? end : -1
}

function isQuoting(code: number): boolean {
  return code === 92 || inSet(quoteSet, code)
}

const copulas = 'is are was to be es ist war est lautet jest er ar being should will'.split(' ')
const copulaUnitsMax = 6
const copulaNumbers = new Set(copulas.map((word) => wordNumber(word, 0, word.length)))

/** A number for a word of up to six letters in any case: five bits per letter. */
function wordNumber(text: string, start: number, end: number): number {
  let number = 0
  for (let i = start; i < end; i++) number = (number << 5) | (text.charCodeAt(i) & 31)
  return number
}

/** Whether the letters in `[start, end)` are a copula. */
export function isCopula(text: string, start: number, end: number): boolean {
  if (end - start < 2 || end - start > copulaUnitsMax || inSet(base62Set, codeAt(text, end))) return false
  return copulaNumbers.has(wordNumber(text, start, end))
}

/** Whether a code is `è` or `é`, the copula in Italian and Portuguese. */
export function isAccentedCopula(code: number): boolean {
  return code === 0xe8 || code === 0xe9
}

/** Words between a copula and the value. */
const fillers = [
  ...['be ', 'now ', 'currently ', 'set to ', 'simply ', 'just ', 'still ', 'also ', 'bisher ', 'immer '],
  ...['jetzt ', 'nun ', 'ab sofort ', 'weiterhin ', 'immer noch ', 'aktuell ']
]

/** Past the punctuation or a filler behind the copula that ends at `end`: `is:`, `is now`, `is set to`. */
export function copulaEnd(text: string, end: number): number {
  let i = skipBlanks(text, end)
  for (const filler of fillers) if (text.startsWith(filler, i)) i += filler.length
  const code = codeAt(text, i)
  return code === 58 || code === 61 ? i + 1 : i
}

const optionHeads = ['ENV ', 'ARG ', 'set ', 'set -x ', 'set -gx ', 'setenv ']
/** Their last characters before the final blank. */
const optionTailSet = charSet(...optionHeads.map((head) => head.charAt(head.length - 2)))

/** Whether the name that begins at `start` is an option of a command, or the name in a line of `ENV` or `set`. */
export function isOption(text: string, start: number): boolean {
  const before = codeAt(text, start - 1)
  if (codeAt(text, start) === 45)
    return start === 0 || before === 32 || before === 10 || before === 9 || inSet(quoteSet, before) || before === 91
  if (before !== 32 || !inSet(optionTailSet, codeAt(text, start - 2))) return false
  return optionHeads.some((head) => text.startsWith(head, start - head.length))
}
