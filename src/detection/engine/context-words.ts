/** Context words: which detectors' words stand shortly before a place. */
import { buildAnchorIndex, type AnchorIndex } from './anchor-index.ts'
import { codeAt, isAscii } from '../text/chars.ts'
import { isCounted, isWholeWord } from '../text/whole-word.ts'
import { closesField, isOfOther } from '../text/closed-field.ts'
import type { Detector } from '../detector.ts'
import { classBits, gramCount } from './gram-classes.ts'
import { LiteralList } from './literal-list.ts'
import { byteOf } from './text-block.ts'

/** How far before a value context counts at most, in code units. */
const contextWindowUnits = 64

/** Words in an index of their own, which searches only a short window, and only where a value may be. */
interface WordTable {
  readonly index: AnchorIndex
  /** For each word, the detectors that listen to it, as a bit set. */
  readonly listens: Int32Array
  readonly listensStride: number
}

/**
 * The words of all detectors. Those in other scripts have a table of their own, so that the table for most texts stays
 * small.
 */
interface ContextWords {
  readonly plain: WordTable
  /** Built on first use, which for most texts never happens. */
  readonly other: () => WordTable
}

export function compileContextWords(detectors: readonly Detector[]): ContextWords {
  const plain = new Map<string, number[]>()
  const other = new Map<string, number[]>()
  // Calls, since V8 would compile a loop of this length while it runs, and everything inlined into it.
  detectors.forEach(({ context }, index) =>
    context?.forEach((written) => {
      const word = joined(written)
      const known = plain.get(word) ?? other.get(word)
      if (known === undefined) (isAscii(word) ? plain : other).set(word, [index])
      else if (known.at(-1) !== index) known.push(index)
    })
  )
  let built: WordTable | undefined
  const listensStride = (detectors.length + 31) >> 5
  return {
    plain: wordTable(plain, listensStride),
    other: () => (built ??= wordTable(other, listensStride))
  }
}

function wordTable(listeners: ReadonlyMap<string, readonly number[]>, listensStride: number): WordTable {
  const words = new LiteralList()
  const listens = new Int32Array(listeners.size * listensStride)
  listeners.forEach((detectors, word) => {
    const from = words.add(word) * listensStride
    for (const detector of detectors) {
      const place = from + (detector >> 5)
      listens[place] = (listens[place] as number) | (1 << (detector & 31))
    }
  })
  const index = buildAnchorIndex(words)
  for (const joint of joints) index.classOf[joint] = index.classOf[32] as number
  return { index, listens, listensStride }
}

const joints = [45, 95]

/** A blank in a word also stands for `_` and `-`, as in keys and headings. */
function joined(word: string): string {
  return word.replaceAll('_', ' ').replaceAll('-', ' ')
}

/** V8 inlines constants of the same module, and loads those of others each time. */
const shift = classBits
const gramMask = gramCount - 1

/** How many of the latest words are kept: a power of two, and more than can end within the window and behind it. */
const wordsKept = 1024

/** The words of one table in one text, as far as it was searched. Each search continues where the last one ended. */
class WordSweep {
  /** The end of what was searched, and the start of the unbroken stretch before it. */
  #to = 0
  #from = 0
  #gram = 0
  /** The end of the last unit beyond ASCII. */
  #wideTo = 0
  /** The words that were found, in order of their ends. The oldest are overwritten. */
  readonly #ends = new Int32Array(wordsKept)
  readonly #ids = new Int16Array(wordsKept)
  #count = 0
  /** The place of the last query, and the place before which the listeners of all words are known. */
  #askedAt = -1
  #knownAt = -1
  /** These listeners, as a bit set. */
  #listeners: Int32Array | undefined

  /** Drops what was read. */
  begin(): void {
    this.#from = -1
    this.#to = -1
    this.#askedAt = -1
    this.#knownAt = -1
  }

  /** Searches the part of `[from, at)` that was not searched before. */
  advance(text: string, from: number, at: number, { index }: WordTable): void {
    if (from < this.#from || from > this.#to || this.#to - at > contextWindowUnits) {
      this.#from = from
      this.#to = from
      this.#count = 0
      this.#wideTo = -1
      this.#gram = 0
    }
    const { classOf, marks } = index
    let gram = this.#gram
    for (let i = this.#to; i < at; i++) {
      const code = text.charCodeAt(i)
      if (code > 127) this.#wideTo = i + 1
      gram = ((gram << shift) | (classOf[code < 128 ? code : byteOf(code)] as number)) & gramMask
      if ((((marks[gram >> 5] as number) >>> gram) & 1) === 1) this.#compare(text, i, gram, index)
    }
    if (at > this.#to) this.#to = at
    this.#gram = gram
  }

  /** Keeps the words whose gram ends at `last`. */
  #compare(text: string, last: number, gram: number, index: AnchorIndex): void {
    const { placeOf, idsFrom, ids, tails, codesFrom, lowers, uppers } = index
    const place = placeOf[gram] as number
    const code = text.charCodeAt(last)
    for (let k = idsFrom[place] as number; k < (idsFrom[place + 1] as number); k++) {
      const id = ids[k] as number
      const tail = tails[id] as number
      // Letters beyond ASCII share classes, so the last character of the gram rules out most words.
      const at = (codesFrom[id + 1] as number) - 1 - tail
      if (code !== lowers[at] && code !== uppers[at] && !(lowers[at] === 32 && isJoint(code))) continue
      const end = last + 1 + tail
      const start = end - wordUnits(index, id)
      if (start < this.#from || !spells(text, start, id, index) || !isWholeWord(text, start, end)) continue
      if (!isCounted(text, end)) this.#keep(end, id)
    }
  }

  /** Inserts a word among those that were found shortly before and end behind it. */
  #keep(end: number, id: number): void {
    let at = this.#count++
    while (at > 0 && at > this.#count - wordsKept && (this.#ends[(at - 1) % wordsKept] as number) > end) {
      this.#ends[at % wordsKept] = this.#ends[(at - 1) % wordsKept] as number
      this.#ids[at % wordsKept] = this.#ids[(at - 1) % wordsKept] as number
      at--
    }
    this.#ends[at % wordsKept] = end
    this.#ids[at % wordsKept] = id
  }

  /** Whether a unit beyond ASCII stands behind `from`, before or shortly after the place of the last query. */
  isWideSince(from: number): boolean {
    return this.#wideTo > from
  }

  /** Determines who listens to the words in `[from, at)`. */
  listen(from: number, at: number, { index, listens, listensStride }: WordTable): Int32Array {
    const listeners = (this.#listeners ??= new Int32Array(listensStride)).fill(0)
    const oldest = Math.max(0, this.#count - wordsKept)
    for (let i = this.#count - 1; i >= oldest; i--) {
      const end = this.#ends[i % wordsKept] as number
      if (end <= from) break
      const id = this.#ids[i % wordsKept] as number
      if (end > at || end - wordUnits(index, id) < from) continue
      for (let k = 0; k < listensStride; k++) {
        const bits = listens[id * listensStride + k] as number
        listeners[k] = (listeners[k] as number) | bits
      }
    }
    this.#knownAt = at
    return listeners
  }

  /** Whether it is known that a detector listens to none of the words before `at`. */
  isDeaf(at: number, detector: number): boolean {
    return (
      at === this.#knownAt &&
      (((this.#listeners as Int32Array)[detector >> 5] as number) & (1 << (detector & 31))) === 0
    )
  }

  /** The end of the last word of a detector (any detector for -1) in `[from, at)`, or -1. */
  last(from: number, at: number, table: WordTable, detector: number): number {
    const { index, listens, listensStride } = table
    if (detector >= 0 && at === this.#askedAt) {
      // Many kinds of numbers query the same place, nearly all of them in vain.
      if (at !== this.#knownAt) this.listen(from, at, table)
      if (this.isDeaf(at, detector)) return -1
    }
    this.#askedAt = at
    const oldest = Math.max(0, this.#count - wordsKept)
    for (let i = this.#count - 1; i >= oldest; i--) {
      const end = this.#ends[i % wordsKept] as number
      if (end <= from) return -1
      const id = this.#ids[i % wordsKept] as number
      if (end > at || end - wordUnits(index, id) < from) continue
      if (detector < 0 || ((listens[id * listensStride + (detector >> 5)] as number) & (1 << (detector & 31))) !== 0)
        return end
    }
    return -1
  }
}

function spells(text: string, start: number, id: number, { codesFrom, lowers, uppers }: AnchorIndex): boolean {
  const from = codesFrom[id] as number
  const units = (codesFrom[id + 1] as number) - from
  for (let i = 0; i < units; i++) {
    const code = codeAt(text, start + i)
    const lower = lowers[from + i]
    if (code !== lower && code !== uppers[from + i] && !(lower === 32 && isJoint(code))) return false
  }
  return true
}

function isJoint(code: number): boolean {
  return code === 45 || code === 95
}

function wordUnits({ codesFrom }: AnchorIndex, id: number): number {
  return (codesFrom[id + 1] as number) - (codesFrom[id] as number)
}

/**
 * Answers which words stand before a place. Places mostly come in order and close together, so each search continues
 * where the last one ended. It holds no text.
 */
export class ContextLookup {
  readonly #words: ContextWords
  readonly #plain = new WordSweep()
  readonly #other = new WordSweep()
  /** Searches a single stretch. */
  readonly #apart = new WordSweep()
  #lookedIn = 0

  constructor(words: ContextWords) {
    this.#words = words
  }

  /**
   * Whether a word of `detector` ends within `unitsMax` units before `at`.
   * @param textNumber identifies the text, so that an answer for one text is not taken for another
   */
  near(text: string, textNumber: number, at: number, detector: number, unitsMax: number): boolean {
    if (textNumber === this.#lookedIn && this.isDeaf(at, detector)) return false
    const end = this.#last(text, textNumber, at, detector)
    return end >= 0 && at - end <= unitsMax && !closesField(text, end, at) && !isOfOther(text, end, at)
  }

  /** Whether a word of any detector stands before `at`. If so, {@link isDeaf} can tell whose. */
  any(text: string, textNumber: number, at: number): boolean {
    if (this.#last(text, textNumber, at, -1) < 0) return false
    const from = Math.max(0, at - contextWindowUnits)
    this.#plain.listen(from, at, this.#words.plain)
    if (this.#plain.isWideSince(from)) this.#other.listen(from, at, this.#words.other())
    return true
  }

  /** Whether it is already known that no word before `at` belongs to a detector. `at` is in the text of the last query. */
  isDeaf(at: number, detector: number): boolean {
    if (!this.#plain.isDeaf(at, detector)) return false
    return !this.#plain.isWideSince(Math.max(0, at - contextWindowUnits)) || this.#other.isDeaf(at, detector)
  }

  /** The detectors that listen to the words in `[from, to)`, as a bit set; undefined if there are none. */
  listenersIn(text: string, from: number, to: number): Int32Array | undefined {
    const sweep = this.#apart
    const { plain, other } = this.#words
    sweep.begin()
    sweep.advance(text, from, to, plain)
    const found = Int32Array.from(sweep.listen(from, to, plain))
    if (sweep.isWideSince(from)) {
      const words = other()
      sweep.begin()
      sweep.advance(text, from, to, words)
      sweep.listen(from, to, words).forEach((bits, i) => (found[i] = (found[i] as number) | bits))
    }
    return found.some((bits) => bits !== 0) ? found : undefined
  }

  #last(text: string, textNumber: number, at: number, detector: number): number {
    if (textNumber !== this.#lookedIn) {
      this.#lookedIn = textNumber
      this.#plain.begin()
      this.#other.begin()
    }
    const { plain, other } = this.#words
    const from = Math.max(0, at - contextWindowUnits)
    this.#plain.advance(text, from, at, plain)
    const end = this.#plain.last(from, at, plain, detector)
    if (!this.#plain.isWideSince(from)) return end
    const words = other()
    this.#other.advance(text, from, at, words)
    return Math.max(end, this.#other.last(from, at, words, detector))
  }
}
