/**
 * What a request has revealed so far. A value that was rated by its context is stored in canonical form (without
 * separators), so that `123-45-6789` is recognised again as `123 45 6789` and `123456789`.
 * - Lookup does not cost more per stored value. One pass over a text checks for each two successive characters whether
 *   a value begins with them. Only if one does, a word starts there, and a bit table has the hash of the first four
 *   characters (separators aside), is the value looked up in a map.
 * - Texts are searched only once something is stored, so a request without such values pays nothing.
 * - Nothing here depends on digits: passwords and keys of any form are stored the same way.
 */
import { base62Set, codeAt, inSet, letterSet, lowerSet, runEnd, upperSet, wordSet } from '../text/chars.ts'
import { tiers, type Finding, type ScanMemory } from '../findings.ts'
import { byteOf, type TextBlock } from './text-block.ts'
import { rarity } from '../values/rarity.ts'
import { machineOf } from '../wasm/machine.ts'

/** The most values stored per request. When it is full the oldest stay: a conversation repeats those. */
export const memoryValuesMax = 10_000
/** The shortest and the longest canonical value that is stored. Shorter ones would be found by chance. */
const valueUnitsMin = 6
const valueUnitsMax = 256
/** The most different lengths of values that begin alike, which bounds the work at one place. */
const lengthsMax = 16
/** The most separators in one value, which bounds the work on texts such as `1-1-1-1-`. */
const separatorsMax = 12

/** If values begin with at most this many different characters, these are searched for one by one. */
const firstsMax = 2
/** With more places of these characters in a block, reading the block is cheaper. */
const startsMax = 64

interface Kept {
  readonly like: Finding
  /** The number of the text, and the place in it behind which the value is known. */
  readonly text: number
  readonly after: number
  /** How it was rated before, which holds up to that place. */
  readonly before?: Kept | undefined
}

/** Values that begin alike: their lengths, shortest first, and their common beginning. */
interface Bucket {
  readonly lengths: readonly number[]
  readonly alike: string
}

export class ValueMemory implements ScanMemory {
  readonly #values = new Map<string, Kept>()
  readonly #buckets = new Map<number, Bucket>()
  /** A bit for the first two bytes of each value. Created with the first value, since most requests store none. */
  #begins: Uint8Array | undefined
  /** The first characters of the values, while they are few. */
  #firsts: string[] | undefined = []
  #texts = 0

  keeps = 0

  get size(): number {
    return this.#values.size
  }

  /** A number for the next text, in order of scanning. */
  nextText(): number {
    return ++this.#texts
  }

  /**
   * Stores the value of a finding, to be recognised behind it.
   * @param from where the value stands in `text`, if `text` is not that of the finding but what it reads as
   * @returns whether it is stored, now or before; a word such as `ubuntu` is not
   */
  keep(text: string, finding: Finding, textNumber: number, from = finding.start, to = finding.end): boolean {
    this.keeps++
    if (to - from > 2 * valueUnitsMax || isWordOfProgram(text, finding, from, to)) return false
    const value = canonical(text, from, to)
    const known = this.#values.get(value)
    if (known !== undefined) {
      // The rating of a value can only become riskier: a later place may reveal what an earlier one could not.
      if (isRiskier(finding, known.like))
        this.#values.set(value, { like: finding, text: textNumber, after: finding.end, before: known })
      return true
    }
    if (this.#values.size >= memoryValuesMax || value.length < valueUnitsMin || value.length > valueUnitsMax)
      return false
    const hash = hashOf(value)
    const bucket = this.#buckets.get(hash) ?? { lengths: [], alike: value }
    const isNew = !bucket.lengths.includes(value.length)
    if (isNew && bucket.lengths.length === lengthsMax) return false
    this.#buckets.set(hash, {
      lengths: isNew ? [...bucket.lengths, value.length].toSorted((a, b) => a - b) : bucket.lengths,
      alike: headInCommon(bucket.alike, value)
    })
    this.#markBegin(value)
    this.#values.set(value, { like: finding, text: textNumber, after: finding.end })
    return true
  }

  remember(text: string, finding: Finding): boolean {
    if (isWordOfProgram(text, finding, finding.start, finding.end)) return true
    return this.keep(text, finding, this.#texts) && isRecalled(text, finding.start, finding.end)
  }

  #markBegin(value: string): void {
    if (this.#firsts?.includes(value.charAt(0)) === false) this.#firsts.push(value.charAt(0))
    if ((this.#firsts?.length ?? 0) > firstsMax) this.#firsts = undefined
    const begins = (this.#begins ??= new Uint8Array(8192))
    const first = byteOf(value.charCodeAt(0)) << 8
    for (const second of [byteOf(value.charCodeAt(1)), ...separators]) {
      const pair = first | second
      begins[pair >> 3] = (begins[pair >> 3] as number) | (1 << (pair & 7))
    }
    machineOf()?.forgetPairs()
  }

  /**
   * Searches for stored values that begin in `[from, to)` or directly before it, if they begin with few different
   * characters that are rare there: the platform searches for one character many times as fast as a loop reads.
   * @returns false if they do not, and {@link recall} must be called
   */
  recallFew(text: string, from: number, to: number, textNumber: number, found: Finding[]): boolean {
    const firsts = this.#firsts
    if (firsts === undefined) return false
    const start = Math.max(0, from - 1)
    const part = text.slice(start, to)
    const starts: number[] = []
    for (const first of firsts)
      for (let at = part.indexOf(first); at >= 0; at = part.indexOf(first, at + 1)) {
        if (starts.length === startsMax) return false
        starts.push(start + at)
      }
    for (const at of starts) this.#compare(text, at, textNumber, found)
    return true
  }

  /** Searches for stored values whose second character stands in a block of the text. */
  recall(text: string, { bytes, machine, from, to }: TextBlock, textNumber: number, found: Finding[]): void {
    const begins = this.#begins
    if (begins === undefined) return
    const count = to - from
    let pair = byteOf(codeAt(text, from - 1))
    if (machine !== undefined) {
      const places = machine.begins(bytes, count, pair, begins)
      for (let i = 0; i < places; i++) this.#compare(text, from + (machine.places[i] as number) - 1, textNumber, found)
      return
    }
    for (let i = 0; i < count; i++) {
      pair = ((pair << 8) | (bytes[i] as number)) & 0xffff
      if ((((begins[pair >> 3] as number) >> (pair & 7)) & 1) === 1)
        this.#compare(text, from + i - 1, textNumber, found)
    }
  }

  #compare(text: string, start: number, textNumber: number, found: Finding[]): void {
    if (start < 0 || continuesWord(text, start)) return
    const bucket = this.#buckets.get(hashAt(text, start))
    if (bucket === undefined) return
    const { lengths, alike } = bucket
    const longest = lengths.at(-1) as number
    // What precedes the first separator is compared in place.
    let value = ''
    let best: Finding | undefined
    let passed = 0
    let length = 0
    let next = 0
    for (let i = start; i < text.length && length < longest; i++) {
      const code = text.charCodeAt(i)
      if (isSeparator(code)) {
        if (isSeparator(codeAt(text, i - 1)) || ++passed > separatorsMax) break
        if (passed === 1) value = text.slice(start, i)
        continue
      }
      if (length < alike.length && code !== alike.charCodeAt(length)) break
      length++
      if (passed > 0) value += String.fromCharCode(code)
      if (length !== lengths[next]) continue
      next++
      if (inSet(wordSet, codeAt(text, i + 1))) continue
      let kept = this.#values.get(passed > 0 ? value : text.slice(start, i + 1))
      while (kept !== undefined && kept.text === textNumber && start < kept.after) kept = kept.before
      if (kept !== undefined) best = { ...kept.like, start, end: i + 1 }
    }
    if (best !== undefined) found.push(best)
  }
}

function headInCommon(a: string, b: string): string {
  let units = 0
  while (units < a.length && a.charCodeAt(units) === b.charCodeAt(units)) units++
  return a.slice(0, units)
}

/** ` `, `-`, `.` and `/`. */
const separators = [32, 45, 46, 47]

function isSeparator(code: number): boolean {
  return code < 48 && (code === 32 || code > 44)
}

function isRiskier(a: Finding, b: Finding): boolean {
  if (a.confidence === 'weak' || b.confidence === 'weak') return a.confidence !== 'weak' && b.confidence === 'weak'
  return tiers.indexOf(a.tier) > tiers.indexOf(b.tier)
}

const wordUnitsMax = 16
/** Bits per character (rarity) that letters have if a password generator strung them together; words have less. */
const wordBits = 9.5
/** The same for values stated in sentences; see `isStatedSecret`. */
const statedBits = 6.8
/** Kinds found in sentences. Their value is remembered as a word if it hardly is an ordinary one. */
const statedKinds = new Set(['password_in_prose', 'message_password'])

/**
 * Whether an assigned secret is an ordinary word, such as `ubuntu`, `xlsxwriter` and `some_password`. Elsewhere it is
 * the name of something, and a mask there breaks an import (decision 121).
 */
function isWordOfProgram(text: string, { group, kind }: Finding, start: number, end: number): boolean {
  if (group !== 'secret' || end - start > wordUnitsMax) return false
  const bits = statedKinds.has(kind) ? statedBits : wordBits
  for (let from = start; inSet(letterSet, codeAt(text, from)); from++) {
    const small = runEnd(text, from + 1, lowerSet, wordUnitsMax)
    from = small > from + 1 ? small : Math.max(from + 1, runEnd(text, from, upperSet, wordUnitsMax))
    if (from >= end) return from === end && rarity(text, start, end) < bits
    if (codeAt(text, from) !== 95) return false
  }
  return false
}

/** Whether a value is written as {@link ValueMemory.recall} reads one: few separators, never two in a row. */
function isRecalled(text: string, start: number, end: number): boolean {
  let separators = 0
  for (let i = start; i < end; i++) {
    if (!isSeparator(text.charCodeAt(i))) continue
    if (i === start || isSeparator(text.charCodeAt(i - 1)) || ++separators > separatorsMax) return false
  }
  return true
}

function roll(hash: number, code: number): number {
  return ((hash << 4) ^ (code & 0x0f) ^ ((code & 0x70) << 9)) & 0xffff
}

/** A hash of the first four characters of a canonical value. */
function hashOf(value: string): number {
  let hash = 0
  for (let i = 0; i < 4; i++) hash = roll(hash, value.charCodeAt(i))
  return hash
}

/** The same for the text at `start`, where single separators may stand between the four; -1 if there are fewer. */
function hashAt(text: string, start: number): number {
  let hash = 0
  let at = start
  for (let left = 4; left > 0; left--) {
    if (left < 4 && isSeparator(codeAt(text, at))) at++
    const code = codeAt(text, at++)
    if (isSeparator(code)) return -1
    hash = roll(hash, code)
  }
  return hash
}

function canonical(text: string, start: number, end: number): string {
  let out = ''
  let from = start
  for (let i = start; i < end; i++) {
    if (!isSeparator(text.charCodeAt(i))) continue
    out += text.slice(from, i)
    from = i + 1
  }
  return from === start ? text.slice(start, end) : out + text.slice(from, end)
}

function continuesWord(text: string, start: number): boolean {
  return inSet(base62Set, codeAt(text, start - 1)) && codeAt(text, start - 2) !== 92
}
