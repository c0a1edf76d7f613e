/**
 * Writes new text into a body without rebuilding it: replaced ranges become new JSON string content, and every other
 * byte is copied.
 */
import { bytesPerStepDefault, escapedFlag, nodeKind, nonAsciiFlag, type JsonIndex } from './json-index.ts'

/** Replaces `start..end` (UTF-16 units of the decoded text, half-open) of the string or key at `node`. */
export interface RangeEdit {
  readonly node: number
  readonly start: number
  readonly end: number
  readonly replacement: string
}

/** Replaces a part of a string or key, or all of it. */
export type TextEdit = RangeEdit | { readonly node: number; readonly whole: string }

/** Copying this many bytes costs as much as examining one, the new body's memory pages included. */
const bytesCopiedAsOne = 4
/** The cost of an edit in addition to its bytes. */
const bytesOfAnEdit = 256
/** The cost of measuring one. */
const bytesOfACut = 4

/** Counts the work between two pauses. */
class Pace {
  readonly #bytesPerStep: number
  #left: number

  constructor(bytesPerStep: number) {
    this.#bytesPerStep = this.#left = bytesPerStep
  }

  /** Bytes that may be examined before the next pause. */
  get left(): number {
    return this.#left
  }

  spend(bytes: number): void {
    this.#left = Math.max(0, this.#left - bytes)
  }

  /** Whether it is time to yield; if so, starts the next step. */
  isDue(): boolean {
    if (this.#left > 0) return false
    this.#left = this.#bytesPerStep
    return true
  }
}

interface Cut {
  readonly from: number
  readonly to: number
  /** The replacement as JSON string content, ASCII only, in one piece unless it is long. */
  readonly content: readonly string[]
}

/** Code units that are escaped in one go. */
const unitsPerPiece = 4096
/** The cost of a unit that becomes an escape. */
const bytesOfAnEscape = 16

/**
 * Escapes text for the inside of a JSON string. Everything outside ASCII becomes `\uXXXX`: no encoder is needed, and a
 * lone surrogate survives.
 */
export function jsonContent(text: string): string {
  const quoted = JSON.stringify(text)
  const pieces: string[] = []
  let from = 1
  for (let i = 1; i < quoted.length - 1; i++) {
    const unit = quoted.charCodeAt(i)
    if (unit < 0x80) continue
    pieces.push(quoted.slice(from, i), '\\u', unit.toString(16).padStart(4, '0'))
    from = i + 1
  }
  pieces.push(quoted.slice(from, -1))
  return pieces.join('')
}

/** The same for a text of any length. A surrogate pair may be divided: each half has an escape of its own. */
function* contentInSteps(text: string, pace: Pace): Generator<void, string[], void> {
  if (text.length <= unitsPerPiece) return [jsonContent(text)]
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += unitsPerPiece) {
    const units = Math.min(unitsPerPiece, text.length - at)
    const piece = jsonContent(text.slice(at, at + units))
    pieces.push(piece)
    pace.spend(units + (piece.length - units) * (bytesOfAnEscape / escapeUnits))
    if (pace.isDue()) yield
  }
  return pieces
}
/** The length of an escape. */
const escapeUnits = 6

const backslash = 0x5c

function isHighSurrogateEscape(bytes: Uint8Array, at: number): boolean {
  return isSurrogateEscape(bytes, at, 0x38, 0x62)
}

function isLowSurrogateEscape(bytes: Uint8Array, at: number): boolean {
  return isSurrogateEscape(bytes, at, 0x63, 0x66)
}

/** `\ud` in either case, then a digit of the half: 8, 9, a, b for the high one, c to f for the low one. */
function isSurrogateEscape(bytes: Uint8Array, at: number, least: number, most: number): boolean {
  if (bytes[at] !== backslash || bytes[at + 1] !== 0x75 || (bytes[at + 2]! | 0x20) !== 0x64) return false
  const digit = bytes[at + 3]! | 0x20
  return digit >= least && digit <= most
}

/**
 * Walks once through a string token and converts rising UTF-16 offsets of the decoded text to byte offsets. An offset
 * inside a surrogate pair widens outward, so that no half of a character is left behind.
 */
class OffsetMap {
  readonly #bytes: Uint8Array
  readonly #end: number
  readonly #plain: boolean
  #at: number
  #unit = 0
  /** UTF-16 code units and bytes of the character at `#at`. */
  #units = 0
  #length = 0

  constructor(index: JsonIndex, node: number) {
    this.#bytes = index.bytes
    this.#at = index.starts[node]! + 1
    this.#end = index.ends[node]! - 1
    this.#plain = (index.kinds[node]! & (escapedFlag | nonAsciiFlag)) === 0
  }

  /**
   * Moves to the character that holds code unit `offset`, as far as the pace allows.
   * @returns false if it has not been reached yet
   * @throws RangeError if the text is shorter
   */
  seek(offset: number, pace: Pace): boolean {
    if (this.#plain) {
      this.#at += offset - this.#unit
      this.#unit = offset
      this.#length = this.#units = 1
      if (this.#at > this.#end) throw new RangeError('An edit reaches beyond its text.')
      return true
    }
    const from = this.#at
    const stop = Math.min(this.#end, from + pace.left)
    const isReached = this.#walk(offset, stop)
    pace.spend(this.#at - from)
    if (isReached) return true
    if (this.#at < this.#end) return false
    if (this.#unit !== offset) throw new RangeError('An edit reaches beyond its text.')
    return true
  }

  /** @returns whether the character that holds code unit `offset` is before `stop` */
  #walk(offset: number, stop: number): boolean {
    const bytes = this.#bytes
    while (this.#at < stop) {
      // Most characters are one byte and one code unit.
      let at = this.#at
      const runEnd = Math.min(stop, at + offset - this.#unit)
      while (at < runEnd && bytes[at]! < 0x80 && bytes[at] !== backslash) at++
      this.#unit += at - this.#at
      this.#at = at
      if (at >= stop) return false
      this.#measure()
      if (this.#unit + this.#units > offset) return true
      this.#at += this.#length
      this.#unit += this.#units
    }
    return false
  }

  /** The byte at which the character that holds code unit `offset` begins; call after {@link seek}. */
  before(): number {
    return this.#at
  }

  /** The byte at which the text before code unit `offset` ends: after a pair that `offset` would split. */
  after(offset: number): number {
    return offset === this.#unit ? this.#at : this.#at + this.#length
  }

  #measure(): void {
    const byte = this.#bytes[this.#at]!
    this.#units = 1
    if (byte === backslash) {
      this.#length = this.#bytes[this.#at + 1] === 0x75 ? 6 : 2
      if (isHighSurrogateEscape(this.#bytes, this.#at) && isLowSurrogateEscape(this.#bytes, this.#at + 6)) {
        this.#units = 2
        this.#length = 12
      }
    } else if (byte < 0x80) this.#length = 1
    else if (byte < 0xe0) this.#length = 2
    else if (byte < 0xf0) this.#length = 3
    else {
      this.#units = 2
      this.#length = 4
    }
  }
}

function inOrder(a: TextEdit, b: TextEdit): number {
  if (a.node !== b.node || 'whole' in a || 'whole' in b) return a.node - b.node
  return a.start - b.start || a.end - b.end
}

/** Whoever scans a body lists its edits in order, and millions of them are not sorted again. */
function* sortedEdits(edits: readonly TextEdit[], pace: Pace): Generator<void, readonly TextEdit[], void> {
  for (let i = 1; i < edits.length; i++) {
    if (inOrder(edits[i - 1]!, edits[i]!) > 0) return edits.toSorted(inOrder)
    pace.spend(1)
    if (pace.isDue()) yield
  }
  return edits
}

/** Byte ranges of the edits, in rising order. */
function* cutsOf(index: JsonIndex, edits: readonly TextEdit[], pace: Pace): Generator<void, Cut[], void> {
  const sorted = yield* sortedEdits(edits, pace)
  const cuts: Cut[] = []
  let node = -1
  let map: OffsetMap | undefined
  let reached = 0
  for (const edit of sorted) {
    if (edit.node !== node) {
      const kind = index.kind(edit.node)
      if (kind !== nodeKind.string && kind !== nodeKind.key)
        throw new TypeError('An edit names a node that is no string.')
      node = edit.node
      map = new OffsetMap(index, node)
      reached = 0
    }
    pace.spend(bytesOfAnEdit)
    if (pace.isDue()) yield
    if ('whole' in edit) {
      if (reached !== 0) throw new RangeError('Edits overlap.')
      const content = yield* contentInSteps(edit.whole, pace)
      cuts.push({ from: index.starts[node]! + 1, to: index.ends[node]! - 1, content })
      reached = Infinity
      continue
    }
    if (edit.start < reached || edit.end < edit.start) throw new RangeError('Edits overlap or are not in order.')
    while (!map!.seek(edit.start, pace)) if (pace.isDue()) yield
    const from = map!.before()
    while (!map!.seek(edit.end, pace)) if (pace.isDue()) yield
    const to = map!.after(edit.end)
    reached = edit.end
    // Two edits that meet inside one pair both widen over it; the second then only adds its replacement.
    const last = cuts.at(-1)
    const content = yield* contentInSteps(edit.replacement, pace)
    cuts.push({ from: last === undefined ? from : Math.max(from, last.to), to, content })
  }
  return cuts
}

/**
 * Applies edits. Yields about every `bytesPerStep` bytes of work.
 * @param edits in any order; they must not overlap. Offsets inside a surrogate pair widen over it
 * @returns the new body; the index's own bytes if there are no edits
 * @throws RangeError for edits that overlap or exceed their text, TypeError for a node that is not a string
 */
export function* spliceBody(
  index: JsonIndex,
  edits: readonly TextEdit[],
  bytesPerStep = bytesPerStepDefault
): Generator<void, Uint8Array, void> {
  if (edits.length === 0) return index.bytes
  const pace = new Pace(bytesPerStep)
  const cuts = yield* cutsOf(index, edits, pace)
  let length = index.bytes.length
  for (const { from, to, content } of cuts) {
    for (const piece of content) length += piece.length
    length -= to - from
    pace.spend(bytesOfACut)
    if (pace.isDue()) yield
  }
  const copy = new Copy(index.bytes, length, pace)
  for (const cut of cuts) {
    yield* copy.upTo(cut.from)
    yield* copy.inPlace(cut)
  }
  yield* copy.upTo(index.bytes.length)
  return copy.body
}

/**
 * The new body while it is being written. A class because V8 would create a nested generator function for each call,
 * with a map in old space that holds everything it closes over: both bodies would live until a full garbage collection.
 */
class Copy {
  readonly body: Uint8Array
  readonly #bytes: Uint8Array
  readonly #pace: Pace
  /** Where the old body is copied from, and the new one written to. */
  #from = 0
  #to = 0

  constructor(bytes: Uint8Array, length: number, pace: Pace) {
    this.#bytes = bytes
    this.body = new Uint8Array(length)
    this.#pace = pace
  }

  *upTo(until: number): Generator<void, void, void> {
    const pace = this.#pace
    while (this.#from < until) {
      const end = Math.min(until, this.#from + pace.left * bytesCopiedAsOne)
      this.body.set(this.#bytes.subarray(this.#from, end), this.#to)
      this.#to += end - this.#from
      pace.spend(Math.ceil((end - this.#from) / bytesCopiedAsOne))
      this.#from = end
      if (pace.isDue()) yield
    }
  }

  *inPlace({ to, content }: Cut): Generator<void, void, void> {
    const pace = this.#pace
    for (const piece of content) {
      for (let i = 0; i < piece.length; i++) this.body[this.#to++] = piece.charCodeAt(i)
      pace.spend(piece.length)
      if (pace.isDue()) yield
    }
    this.#from = to
  }
}
