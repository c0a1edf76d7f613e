/**
 * Passes an answer on as it comes. A stream of server-sent events is cut only between events, so that when the upstream
 * dies in the middle of one, what the client holds is whole events followed by an error that its SDK understands.
 */
import type { ServerResponse } from 'node:http'
import type { UpstreamAnswer } from '../upstream/exchange.ts'

/** An event that grows beyond this is passed on in pieces. */
const heldBytesMax = 1_048_576
const colon = 0x3a
const lineFeed = 0x0a

export interface RelayedAnswer {
  readonly bytes: number
  /** False when the upstream broke off; the client has then been told in its dialect, or cut off. */
  readonly complete: boolean
}

export interface RelayOptions {
  /** Whether the answer is a stream of server-sent events. */
  readonly events: boolean
  /** How long the client may leave a full socket unread before its connection is cut. */
  readonly stallTimeoutMs: number
  /** Sees every chunk as it came. */
  onChunk(chunk: Buffer): void
  /** The frame that tells the client's SDK that the stream failed. */
  errorFrame(error: unknown): string
}

const eventEnds = ['\n\n', '\r\n\r\n', '\r\r']
const eventEndBytesMax = 4

/** The end of the last whole event in `bytes`, or 0. */
export function endOfLastEvent(bytes: Buffer): number {
  let end = 0
  for (const mark of eventEnds) {
    const at = bytes.lastIndexOf(mark)
    if (at >= 0) end = Math.max(end, at + mark.length)
  }
  return end
}

interface EventCutter {
  /** @returns the bytes that may go on, whole events only, or undefined when there are none yet */
  push(chunk: Buffer): Buffer | undefined
  /** What is left when the upstream ends in good order without a last blank line. */
  rest(): Buffer
}

/** Holds back what is not yet a whole event. Each byte is looked at once, however many chunks an event comes in. */
function createEventCutter(): EventCutter {
  let held: Buffer[] = []
  let heldBytes = 0
  let tail = Buffer.alloc(0)

  function take(chunk: Buffer, end: number): Buffer {
    const whole = held.length === 0 ? chunk.subarray(0, end) : Buffer.concat([...held, chunk.subarray(0, end)])
    const rest = chunk.subarray(end)
    held = rest.length > 0 ? [rest] : []
    heldBytes = rest.length
    tail = Buffer.from(rest.subarray(-eventEndBytesMax + 1))
    return whole
  }

  return {
    push(chunk) {
      const searched = tail.length > 0 ? Buffer.concat([tail, chunk]) : chunk
      const end = endOfLastEvent(searched) - tail.length
      const first = end > 0 ? chunk[end] : (held[0] ?? chunk)[0]
      // A comment line alone is a keep-alive, which must not wait for a blank line.
      const isComment = first === colon && chunk.at(-1) === lineFeed
      if (isComment || heldBytes + chunk.length > heldBytesMax) return take(chunk, chunk.length)
      if (end > 0) return take(chunk, end)
      held.push(chunk)
      heldBytes += chunk.length
      tail = Buffer.from(searched.subarray(-eventEndBytesMax + 1))
      return undefined
    },
    rest: () => Buffer.concat(held)
  }
}

/**
 * Pumps an answer into `res` with back-pressure. Never rejects: an upstream that breaks off is part of the result, and a
 * client that goes away is the caller's to notice, since it ends the upstream call.
 */
export function relayAnswer(
  answer: Pick<UpstreamAnswer, 'receive' | 'resume'>,
  res: ServerResponse,
  options: RelayOptions
): Promise<RelayedAnswer> {
  const cutter = options.events ? createEventCutter() : undefined
  let bytes = 0
  return new Promise((resolve) => {
    let stall: NodeJS.Timeout | undefined
    const settle = (complete: boolean): void => {
      clearTimeout(stall)
      resolve({ bytes, complete })
    }
    const send = (chunk: Buffer): boolean => {
      if (res.write(chunk)) return true
      stall ??= setTimeout(() => res.destroy(), options.stallTimeoutMs)
      return false
    }
    res.once('finish', () => settle(true))
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
        return whole === undefined || send(whole)
      },
      end() {
        res.end(cutter?.rest() ?? '')
      },
      fail(error) {
        settle(false)
        if (res.destroyed) return
        if (options.events) res.end(options.errorFrame(error))
        else res.destroy()
      }
    })
  })
}
