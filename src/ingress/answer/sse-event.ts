/** Server-sent events as bytes (HTML, section 9.2): where an event ends, and where its data is. */

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Where the text of the line at `from` ends (`text`), and where its line end does (`line`). */
function endOfLine(bytes: Buffer, from: number): { readonly text: number; readonly line: number } {
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] === lineFeed) return { text: at, line: at + 1 }
    if (bytes[at] === carriageReturn) return { text: at, line: bytes[at + 1] === lineFeed ? at + 2 : at + 1 }
  }
  return { text: bytes.length, line: bytes.length }
}

/** The offset just after the first blank line at or after `from`, or the end of `bytes` if there is none. */
export function endOfEvent(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length;) {
    const { text, line } = endOfLine(bytes, at)
    const isBlank = text === at && line > at
    at = line
    if (isBlank) return at
  }
  return bytes.length
}

export interface EventData {
  /** The value: data lines joined by a line feed. */
  readonly bytes: Buffer
  /** Ranges of the data lines in the event, without their line ends. */
  readonly lines: readonly { readonly from: number; readonly to: number; readonly next: number }[]
}

const dataName = Buffer.from('data')
const colon = 0x3a
const space = 0x20

function isDataLine(event: Buffer, from: number, to: number): boolean {
  return to - from >= 5 && event[from + 4] === colon && event.compare(dataName, 0, 4, from, from + 4) === 0
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/** Length of the mark with which some frameworks begin a text, and which every client skips. */
export const markLength = (bytes: Buffer): number =>
  bytes[0] === byteOrderMark[0] && bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? 3 : 0

/** The data of an event, or undefined if it has none. */
export function eventData(event: Buffer): EventData | undefined {
  const lines: { from: number; to: number; next: number }[] = []
  const values: Buffer[] = []
  for (let at = markLength(event); at < event.length;) {
    const { text, line } = endOfLine(event, at)
    if (isDataLine(event, at, text)) {
      const value = event[at + 5] === space ? at + 6 : at + 5
      lines.push({ from: at, to: text, next: line })
      values.push(event.subarray(value, text))
    }
    at = line
  }
  if (lines.length === 0) return undefined
  return { bytes: values.length === 1 ? (values[0] as Buffer) : join(values), lines }
}

const join = (values: readonly Buffer[]): Buffer =>
  Buffer.concat(values.flatMap((value, i) => (i === 0 ? [value] : [Buffer.of(lineFeed), value])))

/** The same event with other data, written where the first data line was, in as many lines as the data has. */
export function withData(event: Buffer, { lines }: EventData, data: Uint8Array): Buffer {
  const [first] = lines as readonly [EventData['lines'][number]]
  const parts: Buffer[] = [event.subarray(0, first.from)]
  const lineEnd = event.subarray(first.to, first.next)
  for (let from = 0; from <= data.length;) {
    const feed = data.indexOf(lineFeed, from)
    const to = feed < 0 ? data.length : feed
    parts.push(Buffer.from('data: '), Buffer.from(data.subarray(from, to)), lineEnd)
    from = to + 1
  }
  lines.forEach(({ next }, i) => parts.push(event.subarray(next, lines[i + 1]?.from ?? event.length)))
  return Buffer.concat(parts)
}

const emptyComment = Buffer.of(colon)

/**
 * The same event with an empty comment in place of each line that is neither data nor plain ASCII. Some clients end
 * lines at characters that end none (U+2028, U+0085, a form feed) and would read what follows as a field of its own.
 * JSON data needs no such care: a string in it cannot contain the quotes of another message.
 */
export function withPlainLines(event: Buffer): Buffer {
  const parts: Buffer[] = []
  let copied = 0
  for (let at = 0; at < event.length;) {
    const { text, line } = endOfLine(event, at)
    if (!isDataLine(event, at, text) && !isPlain(event, at, text)) {
      parts.push(event.subarray(copied, at), emptyComment)
      copied = text
    }
    at = line
  }
  return parts.length === 0 ? event : Buffer.concat([...parts, event.subarray(copied)])
}

function isPlain(event: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const byte = event[at] as number
    if (byte < space || byte > 0x7e) return false
  }
  return true
}
