/**
 * Passes an answer on as it arrives. A stream of server-sent events is cut only between events: if the upstream dies in
 * the middle of one, the client holds whole events followed by an error that its SDK understands.
 */
import type { ServerResponse } from 'node:http'
import { endsWithBlankLine } from '../../dialects/answer/event-end.ts'
import type { UpstreamAnswer } from '../../upstream/exchange.ts'
import type { StreamRestorer } from '../restore/stream.ts'

/** An event larger than this is passed on in pieces. */
const heldBytesMax = 1_048_576
const colon = 0x3a
const lineFeed = 0x0a

export interface RelayedAnswer {
  readonly bytes: number
  /** False if the upstream broke off. The client has then been told in its dialect, or been cut off. */
  readonly complete: boolean
}

export interface RelayOptions {
  /** Set if the answer is a stream of server-sent events. */
  readonly events?: EventRelay | undefined
  /** How long the client may leave a full socket unread before its connection is cut. */
  readonly stallTimeoutMs: number
  /** Called with every chunk as it arrives. */
  onChunk(chunk: Buffer): void
}

/** What relaying server-sent events needs in addition. */
export interface EventRelay {
  /** The frame that tells the client's SDK that the stream failed. */
  errorFrame(error: unknown): string
  /** Sent after a silence, so that no proxy or client takes the stream for dead. */
  readonly keepAlive: { readonly frame: string; readonly afterMs: number }
  /** Restores masked values in the events. */
  readonly restorer?: Pick<StreamRestorer, 'push' | 'end'> | undefined
}

/** A blank line after each kind of line end. `\\n\\r\\n` also ends `\\r\\n\\r\\n`. */
const eventEnds = ['\n\n', '\n\r\n', '\r\r']
const eventEndBytesMax = 3
const empty = Buffer.alloc(0)

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

interface EventCutter {
  /** @returns the whole events that may be sent, or undefined if there are none yet */
  push(chunk: Buffer): Buffer | undefined
  /** Whether the last returned bytes ended an event or a comment line, so that a frame may be inserted. */
  readonly isBetweenEvents: boolean
  /** What is left when the upstream ends normally without a final blank line. */
  rest(): Buffer
}

/** Holds back incomplete events. Each byte is examined once, however many chunks an event arrives in. */
function createEventCutter(): EventCutter {
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
        isHeldOfComments = held.length === 0 || isOfComments
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

/**
 * Pumps an answer into `res` with backpressure. Never rejects: an upstream that breaks off is part of the result. The
 * caller notices a client that goes away, and ends the upstream call.
 */
export function relayAnswer(
  answer: Pick<UpstreamAnswer, 'receive' | 'resume'>,
  res: ServerResponse,
  options: RelayOptions
): Promise<RelayedAnswer> {
  const { events } = options
  const cutter = events && createEventCutter()
  let bytes = 0
  return new Promise((resolve) => {
    let stall: NodeJS.Timeout | undefined
    let isWhole = true
    let isBegun = false
    const silence = events && setTimeout(keepAlive, events.keepAlive.afterMs)
    const settle = (complete: boolean): void => {
      clearTimeout(stall)
      clearTimeout(silence)
      resolve({ bytes, complete })
    }
    // Its close event has already been emitted.
    if (res.destroyed) {
      settle(false)
      return
    }
    function keepAlive(): void {
      if (cutter?.isBetweenEvents && !res.writableNeedDrain && events) res.write(events.keepAlive.frame)
      silence?.refresh()
    }
    const watchStall = (): void => {
      stall ??= setTimeout(() => res.destroy(), options.stallTimeoutMs)
    }
    /** A client that has stopped reading would hold the last bytes forever, and nothing may be written after them. */
    const finish = (last: Buffer): void => {
      isBegun = true
      clearTimeout(silence)
      res.end(last)
      // If the system took everything at once, there is no one to wait for.
      if (res.writableLength > 0) watchStall()
    }
    const send = (chunk: Buffer): boolean => {
      isBegun = true
      silence?.refresh()
      if (res.write(chunk)) return true
      watchStall()
      return false
    }
    res.once('finish', () => settle(isWhole))
    res.once('close', () => settle(false))
    res.on('drain', () => {
      clearTimeout(stall)
      stall = undefined
      answer.resume()
    })
    answer.receive({
      data(chunk) {
        bytes += chunk.length
        options.onChunk(chunk)
        const whole = cutter ? cutter.push(chunk) : chunk
        if (whole === undefined) return true
        const ready = events?.restorer ? events.restorer.push(whole) : whole
        return ready.length === 0 || send(ready)
      },
      end() {
        const rest = cutter?.rest() ?? empty
        finish(events?.restorer ? Buffer.concat([events.restorer.push(rest), events.restorer.end()]) : rest)
      },
      fail(error) {
        isWhole = false
        if (res.destroyed) return settle(false)
        if (events) finish(Buffer.concat([events.restorer?.end() ?? empty, Buffer.from(events.errorFrame(error))]))
        else res.destroy()
      }
    })
    // Tell the client at once that a stream has begun, in one packet with the bytes that arrived with the head.
    if (events && !isBegun) res.flushHeaders()
  })
}
