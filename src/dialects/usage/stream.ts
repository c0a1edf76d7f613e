/** Token counts of a streamed answer. */
import type { UsageReader } from '../dialect.ts'
import { endsWithBlankLine } from '../answer/event-end.ts'
import { UsageTally, Window, type UsageFields } from './usage.ts'

const lineFeed = 0x0a
const carriageReturn = 0x0d
const tab = 0x09
const space = 0x20
const colon = 0x3a
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const quotedUsage = Uint8Array.from('"usage"', (letter) => letter.charCodeAt(0))
const nothing = new Uint8Array(0)
const dataField = Uint8Array.from('data:', (letter) => letter.charCodeAt(0))

function startsWith(bytes: Uint8Array, start: number, wanted: Uint8Array): boolean {
  for (let i = 0; i < wanted.length; i++) if (bytes[start + i] !== wanted[i]) return false
  return true
}

/** The character to search for, because it is rare, and its position in {@link quotedUsage}. */
const rareLetter = 0x67
const rareAt = quotedUsage.indexOf(rareLetter)

/**
 * Whether there may be an object under a key `usage`. Many streams have `"usage":null` in each event. If the value is
 * cut off at the end of the line, it counts as an object.
 */
function mayHoldUsage(bytes: Uint8Array): boolean {
  for (let at = rareAt; at < bytes.length; at++) {
    if (bytes[at] !== rareLetter || !startsWith(bytes, at - rareAt, quotedUsage)) continue
    let value = skipBlanks(bytes, at - rareAt + quotedUsage.length)
    if (bytes[value] === colon) value = skipBlanks(bytes, value + 1)
    if (value >= bytes.length || [openBrace, lineFeed, carriageReturn].includes(bytes[value]!)) return true
  }
  return false
}

function skipBlanks(bytes: Uint8Array, from: number): number {
  let at = from
  while (bytes[at] === space || bytes[at] === tab) at++
  return at
}

/**
 * The last object under a key `usage`. Inside a string, the quotes of such a key would be escaped.
 * @param end the end of a JSON text
 */
function lastUsage(end: Uint8Array): Uint8Array | undefined {
  for (let at = end.lastIndexOf(quotedUsage[0]!); at > 0; at = end.lastIndexOf(quotedUsage[0]!, at - 1)) {
    if (end[at - 1] === backslash || !startsWith(end, at, quotedUsage)) continue
    const from = end.indexOf(openBrace, at)
    const to = from < 0 ? -1 : endOfObject(end, from)
    if (to > 0) return end.subarray(from, to)
  }
  return undefined
}

/** The end of the object that begins at `from`, or -1. Usage objects hold no braces inside strings. */
function endOfObject(bytes: Uint8Array, from: number): number {
  for (let at = from, depth = 0; at < bytes.length; at++) {
    if (bytes[at] === openBrace) depth++
    else if (bytes[at] === closeBrace && --depth === 0) return at + 1
  }
  return -1
}

/**
 * Reads usage from a stream of server-sent events. An event's `data` lines are joined by a line feed, as the standard
 * says (HTML, section 9.2), and lines end with LF, CRLF or CR.
 */
export function streamUsageReader(fields: UsageFields): UsageReader {
  const tally = new UsageTally(fields)
  const line = new Window()
  const data = new Window()
  /** The last chunk ended with a CR: a LF at the start of the next one belongs to the same line end. */
  let afterReturn = false

  /** Reads an event of which only the end was kept: its last usage object counts. */
  function readEnd(end: Uint8Array): void {
    const usage = lastUsage(end)
    if (usage !== undefined) tally.read(usage, [[]])
  }

  function endEvent(): void {
    if (data.overflown) readEnd(data.end())
    else if (data.length > 0 && mayHoldUsage(data.view())) tally.read(data.view(), fields.places)
    data.clear()
  }

  function endLine(bytes: Uint8Array, start: number, end: number): void {
    if (start === end) endEvent()
    else if (startsWith(bytes, start, dataField)) {
      if (data.length > 0) data.append(Uint8Array.of(lineFeed), 0, 1)
      data.append(bytes, start + dataField.length, end)
    }
  }

  /** Ends the current line with its part in `chunk`. */
  function endLineIn(chunk: Uint8Array, start: number, end: number): void {
    if (line.isEmpty) return endLine(chunk, start, end)
    line.append(chunk, start, end)
    if (line.overflown) data.overflow(line.end())
    else endLine(line.view(), 0, line.length)
    line.clear()
  }

  function push(chunk: Uint8Array): void {
    if (chunk.length === 0) return
    const isBetweenEvents = line.isEmpty && data.isEmpty && !afterReturn
    if (isBetweenEvents && endsWithBlankLine(chunk) && !mayHoldUsage(chunk)) return
    let start = afterReturn && chunk[0] === lineFeed ? 1 : 0
    afterReturn = chunk[chunk.length - 1] === carriageReturn
    let feed = chunk.indexOf(lineFeed, start)
    let carriage = chunk.indexOf(carriageReturn, start)
    while (feed >= 0 || carriage >= 0) {
      const isReturn = carriage >= 0 && (feed < 0 || carriage < feed)
      const end = isReturn ? carriage : feed
      endLineIn(chunk, start, end)
      start = isReturn && chunk[end + 1] === lineFeed ? end + 2 : end + 1
      if (feed >= 0 && feed < start) feed = chunk.indexOf(lineFeed, start)
      if (isReturn) carriage = chunk.indexOf(carriageReturn, start)
    }
    line.append(chunk, start, chunk.length)
  }

  return {
    push,
    result() {
      // The last event also counts if the stream ends without a blank line.
      if (!line.isEmpty) endLineIn(nothing, 0, 0)
      endEvent()
      return tally.result()
    }
  }
}
