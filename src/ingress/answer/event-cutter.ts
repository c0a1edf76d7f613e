/** Cuts a stream of server-sent events between events, however the upstream's chunks divide it. */
import { endsWithBlankLine } from '../../dialects/answer/event-end.ts'

/** An event larger than this is passed on in pieces. */
const heldBytesMax = 1_048_576
const colon = 0x3a
const lineFeed = 0x0a

/** A blank line after each kind of line end. `\\n\\r\\n` also ends `\\r\\n\\r\\n`. */
const eventEnds = ['\n\n', '\n\r\n', '\r\r']
const eventEndBytesMax = 3

/** The offset just after the last whole event in `bytes`, or 0. */
export function endOfLastEvent(bytes: Buffer): number {
  let end = 0
  for (const mark of eventEnds) {
    const at = bytes.lastIndexOf(mark)
    if (at >= 0) end = Math.max(end, at + mark.length)
  }
  return end
}

/**
 * Whether no line after the first begins a field. Fields that follow a comment belong to an event, up to its blank
 * line.
 */
const hasNoField = (lines: Buffer): boolean => !/[\r\n](?![:\r\n]|$)/.test(lines.toString('latin1'))

export interface EventCutter {
  /** @returns the whole events that may be sent, or undefined if there are none yet */
  push(chunk: Buffer): Buffer | undefined
  /** Whether the last returned bytes ended an event or a comment line, so that a frame may be inserted. */
  readonly isBetweenEvents: boolean
  /** What is left when the upstream ends normally without a final blank line. */
  rest(): Buffer
}

/** Holds back incomplete events. Each byte is examined once, however many chunks an event arrives in. */
export function createEventCutter(): EventCutter {
  let held: Buffer[] = []
  let heldBytes = 0
  let tail = Buffer.alloc(0)
  let isBetweenEvents = true
  let isHeldOfComments = true

  function take(chunk: Buffer, end: number): Buffer {
    const whole = held.length === 0 ? chunk.subarray(0, end) : Buffer.concat([...held, chunk.subarray(0, end)])
    const rest = chunk.subarray(end)
    held = rest.length > 0 ? [rest] : []
    heldBytes = rest.length
    tail = Buffer.from(rest.subarray(-eventEndBytesMax + 1))
    return whole
  }

  return {
    get isBetweenEvents() {
      return isBetweenEvents
    },
    push(chunk) {
      if (held.length === 0 && endsWithBlankLine(chunk)) {
        isBetweenEvents = true
        isHeldOfComments = true
        return chunk
      }
      const searched = tail.length > 0 ? Buffer.concat([tail, chunk]) : chunk
      const end = Math.max(0, endOfLastEvent(searched) - tail.length)
      const first = end > 0 ? chunk[end] : (held[0] ?? chunk)[0]
      const isOfComments = first === colon && (end > 0 || isHeldOfComments) && hasNoField(chunk.subarray(end))
      // A comment line on its own is a keep-alive, and must not wait for a blank line.
      const isComment = isOfComments && chunk.at(-1) === lineFeed
      const isTooLong = !isComment && heldBytes + chunk.length > heldBytesMax
      if (isComment || isTooLong || end > 0) {
        isBetweenEvents = !isTooLong || end === chunk.length
        const whole = take(chunk, isComment || isTooLong ? chunk.length : end)
        isHeldOfComments = isBetweenEvents && (held.length === 0 || isOfComments)
        return whole
      }
      isHeldOfComments = isOfComments
      held.push(chunk)
      heldBytes += chunk.length
      tail = Buffer.from(searched.subarray(-eventEndBytesMax + 1))
      return undefined
    },
    rest: () => Buffer.concat(held)
  }
}
