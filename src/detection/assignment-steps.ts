/** The small steps of reading an assignment: over blanks, quotes, labels and signs, each of bounded length. */
import { base62Set, charSet, inSet } from './chars.ts'
import { nameStart } from './key-names.ts'

const blanksMax = 40
export const quoteSet = charSet('"\'`')

/** Whether a backslash before this code is the head of an escape, or goes on in the next line. */
export function isEscape(code: number): boolean {
  return code === 110 || code === 114 || code === 116 || code === 34 || code === 39 || code === 92 || !(code > 32)
}

export function skipBlanks(text: string, from: number): number {
  let i = from
  const limit = from + blanksMax
  while (i < limit) {
    const code = text.charCodeAt(i)
    if (code !== 32 && code !== 9) break
    i++
  }
  return i
}

/** Blanks and at most two line ends. */
export function skipSpace(text: string, from: number): number {
  let i = skipBlanks(text, from)
  for (let lines = 0; lines < 2; lines++) {
    const code = text.charCodeAt(i)
    if (code === 13) i++
    if (text.charCodeAt(i) !== 10) break
    i = skipBlanks(text, i + 1)
  }
  return i
}

/** Whether the line ends at `at`, or does so behind the sign of a block of YAML. */
export function endsLine(text: string, at: number): boolean {
  const code = text.charCodeAt(blockEnd(text, at))
  return code === 10 || code === 13 || at >= text.length
}

/** Whether a line, or the text in quotes that it is a part of, ends at `at`. */
export function endsText(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === 10 || code === 13 || at >= text.length || inSet(quoteSet, code)
}

/** Past `|`, `>`, `|-` and `>-`. */
export function blockEnd(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code !== 124 && code !== 62) return at
  return text.charCodeAt(at + 1) === 45 ? at + 2 : at + 1
}

/** Whether nothing but blanks stands between `at` and the end of a cell of a table. */
export function closesCell(text: string, at: number): boolean {
  return text.charCodeAt(skipBlanks(text, at)) === 124
}

/** Past the two asterisks that close a bold name: `**Password**: ...`, `**Password:** ...`. */
export function skipEmphasis(text: string, from: number): number {
  return text.charCodeAt(from) === 42 && text.charCodeAt(from + 1) === 42 ? from + 2 : from
}

export function skipSigns(text: string, from: number): number {
  let i = from
  while (i < from + 2 && (text.charCodeAt(i) === 61 || text.charCodeAt(i) === 62)) i++
  return i
}

export function closes(text: string, i: number, quote: number): boolean {
  let at = i
  while (text.charCodeAt(at) === 92 && at - i < 8) at++
  return text.charCodeAt(at) === quote
}

const valueLabels = ['value', 'Value', 'val', 'content', 'default', 'VALUE']

/** Past `"value":` or `value=` at `at`; `otherwise` where there is no such label. */
export function valueLabelEnd(text: string, at: number, otherwise: number): number {
  let i = at
  while ((text.charCodeAt(i) === 92 || quoteSet[text.charCodeAt(i)] === 1) && i - at < 4) i++
  const label = valueLabels.find((one) => text.startsWith(one, i))
  if (label === undefined) return otherwise
  i += label.length
  let closing = 0
  while ((text.charCodeAt(i) === 92 || quoteSet[text.charCodeAt(i)] === 1) && closing++ < 4) i++
  i = skipBlanks(text, i)
  const code = text.charCodeAt(i)
  return code === 58 || code === 61 ? skipSigns(text, i + 1) : otherwise
}

const copulas = new Set(['is', 'are', 'was', 'to', 'be', 'es', 'ist', 'est', 'lautet', 'jest', 'er', 'ar', 'being'])
const copulaUnitsMax = 8

export function isCopula(text: string, start: number, end: number): boolean {
  if (end - start < 2 || end - start > copulaUnitsMax || base62Set[text.charCodeAt(end)] === 1) return false
  return copulas.has(text.slice(start, end).toLowerCase())
}

/** Past the copula and a sign or a filler behind it: `is:`, `is now`, `is set to`. */
export function copulaEnd(text: string, end: number): number {
  let i = skipBlanks(text, end)
  for (const filler of ['now ', 'currently ', 'set to ', 'simply ', 'just ', 'still ', 'also '])
    if (text.startsWith(filler, i)) i += filler.length
  if (text.charCodeAt(i) === 58 || text.charCodeAt(i) === 61) i++
  return i
}

/** Whether the name at `at` is an option of a command, or the name in a line of `ENV` or `set`. */
export function isOption(text: string, at: number): boolean {
  const start = nameStart(text, at)
  const first = text.charCodeAt(start)
  if (first === 45) {
    const before = text.charCodeAt(start - 1)
    return start === 0 || before === 32 || before === 10 || before === 9 || quoteSet[before] === 1 || before === 91
  }
  return text.startsWith('ENV ', start - 4) || text.startsWith('ARG ', start - 4) || text.startsWith('set ', start - 4)
}
