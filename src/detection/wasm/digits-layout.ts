/**
 * What the code that judges digits (`digits-code.ts`, `number-code.ts`) and those who fill its tables and call it agree on: the bits of its
 * answers and tables, and where they lie.
 */

/** What a run may be, as bits. */
export const asks = { run: 1, number: 2, word: 4, line: 8, any: 15 } as const

/** What a byte is, as bits. The end of the text is a zero byte and counts as a line break. */
export const byteBits = { base62: 1, word: 2, line: 4, digit: 8, separator: 16, lineBreak: 32, letter: 64, head: 128 }

/**
 * What a character is to runs of some length, as bits: a run triggers behind it, behind it and a certain other one, or
 * before it.
 */
export const besideBits = { before: 1, after: 2, beforeIf: 4, beforeThat: 8 }

/** The longest run that is distinguished from longer ones, as in `AnchorPass`, and the longest word, line and number. */
export const runUnits = 20
export const wordUnits = 40
export const lineUnits = 42
export const numberUnits = 19
export const groupsMost = 7
/** How many short groups before a run may be the beginning of its number, and how long they are. */
export const groupsBefore = 5
export const groupUnits = 2

/**
 * Offsets of the rules: classes of bytes, the characters of a line, bytes next to which runs of a length trigger, shapes,
 * words, forms.
 */
export const lineRowsAt = 256
/**
 * A set of ASCII characters as two tables of sixteen bytes: by the lower half of a code, and by the upper half. A
 * character belongs to it if both have a bit in common.
 */
export const rowsBytes = 32
export const besideAt = lineRowsAt + rowsBytes
export const shapesAt = besideAt + (runUnits + 1) * 256
export const shapeBits = 13
export const wordsAt = shapesAt + (1 << shapeBits) / 8
export const formsAt = wordsAt + 4 * (wordUnits + 2)

/** Where the caller says whether the text begins with the block, and whether it ends with it. */
export const edgesAt = 12
export const firstEdge = 1
export const lastEdge = 2
/** Digits before this address belong to a word that was already examined. */
export const wordToAt = 16
/** The same for a line. */
export const lineToAt = 20
/** A run closer to an edge of the block that is not an edge of the text is not judged. */
export const edgeBefore = 64
export const edgeBehind = 128

/** In place of a form: requires {@link mixedLeast} capitals, lower-case letters and digits each. */
export const mixedForm = -1
export const mixedLeast = 3

/** The bit of a shape in its table. */
export function shapeHash(key: number): number {
  return Math.imul(key, shapeFactor) >>> (32 - shapeBits)
}
export const shapeFactor = 0x9e3779b1 | 0
