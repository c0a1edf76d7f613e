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
  /** Sees every chunk as it came. */
  onChunk(chunk: Buffer): void
  /** The frame that tells the client's SDK that the stream failed. */
  errorFrame(error: unknown): string
}

const eventEnds = ['\n\n', '\r\n\r\n', '\r\r']

/** The end of the last whole event in `bytes`, or 0. A comment line on its own counts as whole. */
export function endOfLastEvent(bytes: Buffer): number {
  let end = 0
  for (const mark of eventEnds) {
    const at = bytes.lastIndexOf(mark)
    if (at >= 0) end = Math.max(end, at + mark.length)
  }
  return bytes[end] === colon && bytes.at(-1) === lineFeed ? bytes.length : end
}

interface EventCutter {
  /** @returns the bytes that may go on, whole events only, or undefined when there are none yet */
  push(chunk: Buffer): Buffer | undefined
  /** What is left when the upstream ends in good order without a last blank line. */
  rest(): Buffer | undefined
}

function createEventCutter(): EventCutter {
  let held: Buffer | undefined
  return {
    push(chunk) {
      const bytes = held ? Buffer.concat([held, chunk]) : chunk
      const end = bytes.length > heldBytesMax ? bytes.length : endOfLastEvent(bytes)
      held = end < bytes.length ? bytes.subarray(end) : undefined
      return end > 0 ? bytes.subarray(0, end) : undefined
    },
    rest: () => held
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
    const settle = (complete: boolean): void => resolve({ bytes, complete })
    res.once('finish', () => settle(true))
    res.once('close', () => settle(false))
    res.on('drain', () => answer.resume())
    answer.receive({
      data(chunk) {
        bytes += chunk.length
        options.onChunk(chunk)
        const whole = cutter ? cutter.push(chunk) : chunk
        return whole === undefined || res.write(whole)
      },
      end() {
        res.end(cutter?.rest())
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
