/**
 * Tables that are aligned with blanks, as pandas, kubectl and `column -t` print them and PDF files are copied: at least
 * two blanks stand between cells, and a cell begins or ends where its heading does.
 */
import { charSet, codeAt, inSet, letterSet, runStart } from './chars.ts'
import { headerUnitsMax } from './rows.ts'

/** The name of a column, in units from the start of its line. */
export interface AlignedName {
  readonly from: number
  readonly to: number
}

/** The most columns of such a table. */
const namesMax = 40
const namesMin = 2
/** Characters in names of columns, without the punctuation of sentences and code. */
const nameSet = charSet('A-Z', 'a-z', '0-9', '_-./()#\'"')
/** What pandas prints at the end of a line whose table goes on below, and for columns that it leaves out. */
const restSet = charSet('\\.')

/** Whether a cell may begin at a place: at the start of the line, or behind two blanks. */
export function beginsAlignedCell(text: string, at: number): boolean {
  const before = codeAt(text, at - 1)
  if (before !== 32) return at === 0 || before === 10
  const further = codeAt(text, at - 2)
  return further === 32 || further === 10 || at === 1
}

/** Where the cell around `at` begins; -1 if that is too far before. */
export function alignedCellStart(text: string, at: number): number {
  for (let i = at; i >= 0 && i > at - cellUnitsMax; i--) if (beginsAlignedCell(text, i)) return i
  return -1
}
const cellUnitsMax = 64

/** Where the cell around `at` ends: before two blanks, or with the line. */
export function alignedCellEnd(text: string, at: number): number {
  const limit = Math.min(text.length, at + headerUnitsMax)
  for (let i = at; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code <= 32 && endsAlignedCell(text, i)) return i
  }
  return limit
}

/** Whether two blanks or the end of the line stand at a place. */
export function endsAlignedCell(text: string, at: number): boolean {
  const code = codeAt(text, at)
  if (code !== 32) return code === 10 || code === 13 || code === 0
  const next = codeAt(text, at + 1)
  return next === 32 || next === 10 || next === 13 || next === 0
}

/** Whether more cells stand in the line around a cell `[from, to)`. */
export function hasOtherCell(text: string, from: number, to: number): boolean {
  let i = from
  while (i > 0 && text.charCodeAt(i - 1) === 32) i--
  if (i > 0 && text.charCodeAt(i - 1) !== 10) return true
  i = to
  while (text.charCodeAt(i) === 32) i++
  return codeAt(text, i) > 32
}

/** The names in a line that consists of at least two of them; undefined for any other line. */
export function alignedNames(text: string, from: number, to: number): readonly AlignedName[] | undefined {
  if (to - from > headerUnitsMax) return undefined
  const names: AlignedName[] = []
  for (let i = from; i < to;) {
    if (text.charCodeAt(i) <= 32) {
      i++
      continue
    }
    const isRest = inSet(restSet, text.charCodeAt(i))
    const end = headingEnd(text, i, to, isRest)
    if (end < 0) return undefined
    if (!isRest) {
      if (names.length === namesMax) return undefined
      names.push({ from: i - from, to: end - from })
    }
    i = end
  }
  return names.length < namesMin ? undefined : names
}

/** Where the name that begins at `from` ends, or what stands for columns that are left out; -1 if it is none. */
function headingEnd(text: string, from: number, to: number, isRest: boolean): number {
  const first = text.charCodeAt(from)
  if (!isRest && first < 128 && !inSet(letterSet, first)) return -1
  let i = from
  for (; i < to; i++) {
    const code = text.charCodeAt(i)
    if (code <= 32 && endsAlignedCell(text, i)) break
    if (isRest ? !inSet(restSet, code) : code < 128 && code !== 32 && !inSet(nameSet, code)) return -1
  }
  const isSentence = !isRest && codeAt(text, i - 1) === 46 && !endsShortened(text, i - 1)
  return isSentence ? -1 : i
}

/** Whether a short word stands before `to`, as in `Badge no.`. Two blanks may also separate sentences. */
const endsShortened = (text: string, to: number): boolean =>
  runStart(text, to, letterSet, shortUnits + 1) >= to - shortUnits
const shortUnits = 3

/** Which of the names a cell stands below, given in units from the start of its line; -1 if below none. */
export function nameAbove(names: readonly AlignedName[], from: number, to: number): number {
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as AlignedName
    if (name.from === from || name.to === to) return i
  }
  return -1
}

/** Whether only blanks stand in `[from, to)`. */
export function isEmptyLine(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (text.charCodeAt(i) > 32) return false
  return true
}
