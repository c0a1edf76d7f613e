/** Reads a number that stands alone in a text, with or without separators between its groups of digits. */
import { charSet, codeAt, digitSet, inSet, leftClear, wordSet } from '../text/chars.ts'

const digitsMax = 19
/** The most groups that a shape key can represent. */
export const groupsMax = 7

/** Appends a group to a shape key: seven bits per group, exact up to seven groups. */
function extendKey(key: number, separator: number, length: number): number {
  const mark = separator === 32 ? 1 : separator === 45 ? 2 : separator === 46 ? 3 : separator === 47 ? 4 : 0
  return key * 128 + mark * 20 + length
}

/**
 * A shape such as `3-2-4` (lengths of groups, and the separators between them) as a number that can be compared fast.
 */
export function shapeKey(shape: string): number {
  let key = 0
  let separator = 0
  let length = 0
  for (let i = 0; i <= shape.length; i++) {
    const code = shape.charCodeAt(i)
    if (digitSet[code] === 1) {
      length = length * 10 + code - 48
      continue
    }
    key = extendKey(key, separator, length)
    separator = code
    length = 0
  }
  return key
}

/** The number of digits and of groups in a shape. */
export function shapeSpread(shape: string): [count: number, groups: number] {
  let count = 0
  let groups = 0
  let length = 0
  for (let i = 0; i <= shape.length; i++) {
    const code = shape.charCodeAt(i)
    if (digitSet[code] === 1) length = length * 10 + code - 48
    else {
      count += length
      groups++
      length = 0
    }
  }
  return [count, groups]
}

/** The length of a number of this shape, in code units. */
export function shapeUnits(shape: string): number {
  const [count, groups] = shapeSpread(shape)
  return count + groups - 1
}

/** Whether a character may separate the groups of a number: blank, dash, dot or slash. */
export function isSeparator(code: number): boolean {
  return code === 32 || code === 45 || code === 46 || code === 47
}

/**
 * Reads numbers of up to 19 digits whose groups are separated by a blank, dash, dot or slash. {@link read} reads as
 * many groups as there are; {@link take} then selects the first few of them as the candidate. One object serves a whole
 * scan and is overwritten by each reading, because numbers are frequent and most of them are nothing.
 */
export class NumberRun {
  readonly digits = new Uint8Array(digitsMax + 1)
  start = 0
  /** Past the last digit of the candidate. */
  end = 0
  /** Digits of the candidate. */
  count = 0
  /** Groups of the candidate. */
  groups = 0
  /** The {@link shapeKey} of the candidate; -1 if it has more groups than a key can represent. */
  key = 0
  /** Groups that were read. */
  groupsRead = 0
  readonly #ends = new Int32Array(digitsMax + 1)
  readonly #counts = new Uint8Array(digitsMax + 1)
  readonly #separators = new Uint8Array(digitsMax + 1)
  /** The digits of the candidate as a string, once it was asked for. */
  #compact = ''

  /**
   * Reads the number that starts at `at`, the first of a run of digits.
   * @returns false if it is part of something longer: a word, a decimal, a path, a number of 20 digits or more
   */
  read(text: string, at: number): boolean {
    if (at > 0 && isPart(text, at, text.charCodeAt(at - 1))) return false
    this.start = at
    this.groupsRead = 0
    let count = 0
    let i = at
    for (;;) {
      const code = codeAt(text, i)
      if (code >= 48 && code <= 57) {
        if (count === digitsMax) break
        this.digits[count++] = code - 48
        i++
        continue
      }
      this.#close(i, count, code)
      if (!isSeparator(code) || !inSet(digitSet, codeAt(text, i + 1))) break
      i++
    }
    // A run longer than the limit leaves its last group open. The groups before it still count if a blank follows them.
    return this.groupsRead > 0
  }

  #close(end: number, count: number, separator: number): void {
    this.#ends[this.groupsRead] = end
    this.#counts[this.groupsRead] = count
    this.#separators[this.groupsRead++] = isSeparator(separator) ? separator : 0
  }

  #keyOf(groups: number): number {
    if (groups > groupsMax) return -1
    let key = 0
    for (let i = 0; i < groups; i++) {
      const length = (this.#counts[i] as number) - (i === 0 ? 0 : (this.#counts[i - 1] as number))
      key = extendKey(key, i === 0 ? 0 : (this.#separators[i - 1] as number), length)
    }
    return key
  }

  /** Where the first `groups` groups end. */
  endOf(groups: number): number {
    return this.#ends[groups - 1] as number
  }

  /** How many digits the first `groups` groups have. */
  countOf(groups: number): number {
    return this.#counts[groups - 1] as number
  }

  /**
   * Makes the first `groups` groups the candidate.
   * @returns false if a number cannot end there
   */
  take(text: string, groups: number): boolean {
    this.groups = groups
    this.end = this.#ends[groups - 1] as number
    this.count = this.#counts[groups - 1] as number
    this.key = this.#keyOf(groups)
    this.#compact = ''
    const after = codeAt(text, this.end)
    if (inSet(wordSet, after)) return false
    if (after === 32 || !isSeparator(after)) return true
    return !inSet(wordSet, codeAt(text, this.end + 1))
  }

  /** The digits of the candidate as a string. */
  compact(): string {
    if (this.#compact !== '') return this.#compact
    let value = ''
    for (let i = 0; i < this.count; i++) value += String.fromCharCode(48 + (this.digits[i] as number))
    return (this.#compact = value)
  }

  /** Whether all digits of the candidate are the same. */
  isFlat(): boolean {
    for (let i = 1; i < this.count; i++) if (this.digits[i] !== this.digits[0]) return false
    return true
  }

  /** Drops what was read, so that no digits of a client's text stay in memory. */
  clear(): void {
    if (this.groupsRead === 0) return
    this.groupsRead = 0
    this.#compact = ''
    this.digits.fill(0)
  }

  /** The digits `[from, to)` of the candidate as an integer; exact up to 15 digits. */
  value(from = 0, to = this.count): number {
    let value = 0
    for (let i = from; i < to; i++) value = value * 10 + (this.digits[i] as number)
    return value
  }
}

/** Whether the digits at `at` continue what stands before: `a123`, `0.123`, `a-123`, `v/123`, `+123`, ` -123`. */
function isPart(text: string, at: number, before: number): boolean {
  if (before === 32) return false
  if (before === 43) return true
  if (before === 45 && inSet(beforeSignSet, codeAt(text, at - 2))) return true
  if (before === 45 || before === 46 || before === 47) return inSet(wordSet, codeAt(text, at - 2))
  return !leftClear(text, at, wordSet)
}

/** Behind these, a dash is a minus sign. */
export const beforeSignSet = charSet(' \t(,=[{$<>*')
