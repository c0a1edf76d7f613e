/**
 * What the events of a stream have in common. From one event to the next little changes but the text, so an event that is
 * like an earlier one, but for strings and numbers that decide nothing, is not read again: its bytes are held against
 * those of the earlier one, and of its data only the text is looked at. An event comes when the processor has slept, and
 * then every line of code and memory that is touched costs more than what is done there.
 */
import { isUtf8 } from 'node:buffer'
import type { AnswerReader, AnswerText } from '../../dialects/answer/answer.ts'
import { endsWithBlankLine } from '../../dialects/answer/event-end.ts'
import { nodeKind, type JsonIndex } from '../../dialects/json/json-index.ts'

/** An event that was read the long way. */
export interface ReadEvent {
  /** The whole event. */
  readonly bytes: Buffer
  /** Where its data stands in it. */
  readonly dataStart: number
  readonly dataEnd: number
  /** The JSON of its data. */
  readonly index: JsonIndex
  /** The text in it that continues a channel. */
  readonly text: AnswerText | undefined
  /** What ended with it. */
  readonly ended: readonly string[]
  /** What the reader knew when it was read. */
  readonly revision: number
}

/** An event that is like an earlier one. */
export interface LikeEvent {
  readonly template: EventTemplate
  /** The byte after it. */
  readonly end: number
  /** What its text says; empty where such events have none. */
  readonly content: string
}

const quote = 0x22
const backslash = 0x5c
const space = 0x20
const zero = 0x30
const nine = 0x39
const deleteUnit = 0x7f

/** Numbers a hole in `holes`: where it begins, where it ends, what may stand there. */
const holeLength = 3
const hole = { number: 0, string: 1, text: 2 } as const

/** What {@link endOfString} tells beside the place, in the lowest bits. */
const flagBits = 2
const flagMask = 3
const escaped = 1
const nonAscii = 2

const isCloser = (byte: number | undefined): boolean => byte === 0x7d || byte === 0x5d
const isBlank = (byte: number | undefined): boolean => byte === space || byte === 0x09

class EventTemplate {
  readonly text: AnswerText | undefined
  readonly ended: readonly string[]
  readonly revision: number
  /** The bytes of an event of this kind. Those before `#tail` are held against an event, holes left out. */
  readonly #bytes: Uint8Array
  readonly #holes: Int32Array
  /** The end of the last token that closes nothing. */
  readonly #tail: number
  /** The brackets that follow, between which a vendor may pad its events with blanks. */
  readonly #closers: Uint8Array
  /** Where the data ends and the rest of the event begins. */
  readonly #rest: number

  constructor({ bytes, dataStart, dataEnd, index, text, ended, revision }: ReadEvent, reader: AnswerReader) {
    this.text = text
    this.ended = ended
    this.revision = revision
    this.#bytes = Uint8Array.prototype.slice.call(bytes)
    const holes: number[] = []
    for (let node = 0; node < index.count; node++) {
      const kind = index.kind(node)
      const isText = node === text?.node
      if (kind !== nodeKind.string && kind !== nodeKind.number) continue
      if (!isText && !reader.ignores(index, node)) continue
      const start = dataStart + index.starts[node]!
      const end = dataStart + index.ends[node]!
      if (kind === nodeKind.number) holes.push(start, end, hole.number)
      else holes.push(start + 1, end - 1, isText ? hole.text : hole.string)
    }
    this.#holes = Int32Array.from(holes)
    this.#rest = dataEnd
    let tail = dataEnd
    while (tail > dataStart && (isCloser(bytes[tail - 1]) || isBlank(bytes[tail - 1]))) tail--
    this.#tail = tail
    this.#closers = this.#bytes.slice(tail, dataEnd).filter(isCloser)
  }

  /** The event at `at`, if it is like this one and there as a whole. */
  match(events: Buffer, at: number): LikeEvent | undefined {
    const bytes = this.#bytes
    const holes = this.#holes
    const length = events.length
    let next = at
    let from = 0
    let text = ''
    for (let i = 0; i <= holes.length; i += holeLength) {
      const to = i < holes.length ? holes[i]! : this.#tail
      while (from < to) {
        if (next >= length || bytes[from] !== events[next]) return undefined
        from++
        next++
      }
      if (i === holes.length) break
      const start = next
      if (holes[i + 2] === hole.number) {
        next = endOfInteger(events, next)
        if (next < 0) return undefined
      } else {
        const found = endOfString(events, next)
        if (found < 0) return undefined
        next = found >> flagBits
        const isText = holes[i + 2] === hole.text
        const decoded = isText || (found & flagMask) !== 0 ? decodedString(events, start, next, found & flagMask) : ''
        if (decoded === undefined) return undefined
        if (isText) text = decoded
      }
      from = holes[i + 1]!
    }
    const end = this.#endOfTail(events, next)
    return end < 0 ? undefined : { template: this, end, content: text }
  }

  /** Holds what follows the last token against an event. */
  #endOfTail(events: Buffer, from: number): number {
    const bytes = this.#bytes
    let next = from
    for (const closer of this.#closers) {
      while (isBlank(events[next])) next++
      if (events[next++] !== closer) return -1
    }
    while (isBlank(events[next])) next++
    for (let at = this.#rest; at < bytes.length; at++) if (bytes[at] !== events[next++]) return -1
    return next
  }
}

/** The closing quote of the string whose inside begins at `from`, above the flags of what stands in it; or -1. */
function endOfString(bytes: Uint8Array, from: number): number {
  let flags = 0
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === quote) return (at << flagBits) | flags
    if (byte < space) return -1
    if (byte === backslash) {
      flags |= escaped
      at++
    } else if (byte > deleteUnit) flags |= nonAscii
  }
  return -1
}

/** The end of the digits of a JSON number that has no more than them, or -1. */
function endOfInteger(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && bytes[at]! >= zero && bytes[at]! <= nine) at++
  return at > from && (at === from + 1 || bytes[from] !== zero) ? at : -1
}

/** The text of a string whose inside is `from..to`, or undefined where that is no JSON. */
function decodedString(bytes: Buffer, from: number, to: number, flags: number): string | undefined {
  if ((flags & nonAscii) !== 0 && !isUtf8(bytes.subarray(from, to))) return undefined
  const text = bytes.toString((flags & nonAscii) === 0 ? 'latin1' : 'utf8', from, to)
  if ((flags & escaped) === 0) return text
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    return undefined
  }
}

/** How many kinds of events are remembered: a stream may bring the choices of an answer in turns. */
const templatesMax = 16
/** A longer event is rare, and no template. */
const templateBytesMax = 4096
/** A stream whose events are never like one another is tried now and then. */
const missesInRowMax = 8
const triedEvery = 16

/** The kinds of events of one stream. */
export class EventTemplates {
  /** Events that did not have to be read. */
  matched = 0
  readonly #reader: AnswerReader
  readonly #max: number
  #templates: EventTemplate[] = []
  /** Read, and not yet held against: there is time for that when what came with it is on its way. */
  #latest: ReadEvent[] = []
  #missesInRow = 0

  constructor(reader: AnswerReader, max = templatesMax) {
    this.#reader = reader
    this.#max = max
  }

  /** The event at `at`, where it is like an earlier one. */
  match(events: Buffer, at: number): LikeEvent | undefined {
    for (const template of this.#templates) {
      // The reader has learned something since: it would read the event in another way.
      if (template.revision !== this.#reader.revision) continue
      const like = template.match(events, at)
      if (like === undefined) continue
      this.#missesInRow = 0
      this.matched++
      return like
    }
    return undefined
  }

  /** Takes an event that was read for what others may be like. */
  learn(event: ReadEvent): void {
    this.#missesInRow++
    const isTried = this.#missesInRow <= missesInRowMax || this.#missesInRow % triedEvery === 0
    if (!isTried || this.#max === 0 || event.bytes.length > templateBytesMax) return
    // Of an event without its end nobody knows how it goes on.
    if (this.#latest.length < this.#max && endsWithBlankLine(event.bytes)) this.#latest.push(event)
  }

  /** Makes templates of what was learned. To be called when what came with it is on its way. */
  remember(): void {
    if (this.#latest.length === 0) return
    for (const event of this.#latest) {
      if (this.#templates.some((template) => template.match(event.bytes, 0) && template.revision === event.revision))
        continue
      this.#templates.unshift(new EventTemplate(event, this.#reader))
      if (this.#templates.length > this.#max) this.#templates.pop()
    }
    this.#latest = []
  }
}
