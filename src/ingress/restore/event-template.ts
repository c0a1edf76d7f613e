/**
 * What the events of a stream have in common. Little but the text changes from one event to the next. An event that
 * equals an earlier one, except for strings and numbers that decide nothing, is therefore not parsed: its bytes are
 * compared with a template, and only its text is examined. Events arrive when the processor has been idle, and then
 * every line of code and memory that is touched costs more than the work done there.
 */
import { isUtf8 } from 'node:buffer'
import type { AnswerReader, AnswerText } from '../../dialects/answer/answer.ts'
import { endsWithBlankLine } from '../../dialects/answer/event-end.ts'
import { nodeKind, type JsonIndex } from '../../dialects/json/json-index.ts'

/** An event that was parsed in full. */
export interface ReadEvent {
  /** The whole event. */
  readonly bytes: Buffer
  /** Where its data begins. */
  readonly dataStart: number
  readonly dataEnd: number
  /** The JSON of its data. */
  readonly index: JsonIndex
  /** Its text that continues a channel. */
  readonly text: AnswerText | undefined
  /** Channels that ended with it. */
  readonly ended: readonly string[]
  /** The reader's revision when it was parsed. */
  readonly revision: number
}

/** An event that matches a template. */
export interface LikeEvent {
  readonly template: EventTemplate
  /** The offset just after it. */
  readonly end: number
  /** Its decoded text; empty if such events have none. */
  readonly content: string
}

const quote = 0x22
const backslash = 0x5c
const space = 0x20
const zero = 0x30
const nine = 0x39
const deleteUnit = 0x7f

/** Numbers per hole in `holes`: its start, its end, and what may be there. */
const holeLength = 3
const hole = { number: 0, string: 1, text: 2 } as const

/** Low bits in the result of {@link endOfString}, below the position. */
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
  /** The bytes of one such event. Those before `#tail` are compared with a new event, except in holes. */
  readonly #bytes: Uint8Array
  readonly #holes: Int32Array
  /** The end of the last token that is not a closing bracket. */
  readonly #tail: number
  /** The closing brackets after it. A vendor may pad its events with blanks between them. */
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

  /** The event at `at`, if it matches and is complete. */
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

  /** Compares what follows the last token. @returns the end of the event, or -1 */
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

/** The position of the closing quote of the string whose content begins at `from`, shifted above its flags, or -1. */
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

/** The end of a JSON number that consists of digits only, or -1. */
function endOfInteger(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && bytes[at]! >= zero && bytes[at]! <= nine) at++
  return at > from && (at === from + 1 || bytes[from] !== zero) ? at : -1
}

/** The text of the string with content `from..to`, or undefined if it is not valid JSON. */
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

/** How many templates are kept: the choices of an answer may alternate in a stream. */
const templatesMax = 16
/** Longer events are rare, and get no template. */
const templateBytesMax = 4096
/** After so many misses in a row, a template is tried only now and then. */
const missesInRowMax = 8
const triedEvery = 16

/** The templates of one stream. */
export class EventTemplates {
  /** Events that did not have to be parsed. */
  matched = 0
  readonly #reader: AnswerReader
  readonly #max: number
  #templates: EventTemplate[] = []
  /** Parsed events that are not templates yet: there is time to make them once what arrived has been passed on. */
  #latest: ReadEvent[] = []
  #missesInRow = 0

  constructor(reader: AnswerReader, max = templatesMax) {
    this.#reader = reader
    this.#max = max
  }

  /** The event at `at`, if it matches a template. */
  match(events: Buffer, at: number): LikeEvent | undefined {
    for (const template of this.#templates) {
      // The reader has learned something since, and would read the event differently.
      if (template.revision !== this.#reader.revision) continue
      const like = template.match(events, at)
      if (like === undefined) continue
      this.#missesInRow = 0
      this.matched++
      return like
    }
    return undefined
  }

  /** Notes a parsed event as a possible template. */
  learn(event: ReadEvent): void {
    this.#missesInRow++
    const isTried = this.#missesInRow <= missesInRowMax || this.#missesInRow % triedEvery === 0
    if (!isTried || this.#max === 0 || event.bytes.length > templateBytesMax) return
    // An incomplete event cannot be a template.
    if (this.#latest.length < this.#max && endsWithBlankLine(event.bytes)) this.#latest.push(event)
  }

  /** Makes templates of the noted events. Call it once what arrived with them has been passed on. */
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
