/**
 * The clients of the stream benchmark, in a process of their own: they read streams and record when each event arrives.
 */
import { Agent, request } from 'node:http'
import { serveParent } from './serve-parent.ts'

export interface StreamsWanted {
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Concurrent streams. */
  readonly streams: number
  /** Events expected on each. */
  readonly events: number
}

export interface StreamsSeen {
  /** From the call to its first event, one per stream, in milliseconds. */
  readonly firstMs: readonly number[]
  /** From the time at which the upstream sent an event until its arrival, for all events but the first. */
  readonly delayMs: readonly number[]
  /** Events that did not arrive, or arrived out of order. */
  readonly lost: number
}

const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
const nowNs = (): bigint => process.hrtime.bigint()
const ms = (ns: bigint): number => Number(ns) / 1e6

interface Collected {
  readonly firstMs: number[]
  readonly delayMs: number[]
  lost: number
}

function readStream({ port, path, headers, body, events }: StreamsWanted, into: Collected): Promise<void> {
  return new Promise((resolve) => {
    const started = nowNs()
    let next = 0
    let unread = ''
    const settle = (): void => {
      into.lost += events - next
      resolve()
    }
    const req = request({ port, host: '127.0.0.1', path, method: 'POST', agent, headers }, (res) => {
      res.setEncoding('utf8')
      res.on('data', (text: string) => {
        const now = nowNs()
        unread += text
        const end = unread.lastIndexOf('\n\n')
        if (end < 0) return
        for (const [, number, sentAt] of unread.slice(0, end).matchAll(/w(\d+)@(\d+)/g)) {
          if (Number(number) !== next) continue
          if (next++ === 0) into.firstMs.push(ms(now - started))
          else into.delayMs.push(ms(now - BigInt(sentAt as string)))
        }
        unread = unread.slice(end)
      })
      res.once('close', settle)
    })
    req.once('error', settle)
    req.end(body)
  })
}

serveParent(
  {},
  {
    async read(wanted: StreamsWanted): Promise<StreamsSeen> {
      const into: Collected = { firstMs: [], delayMs: [], lost: 0 }
      await Promise.all(Array.from({ length: wanted.streams }, () => readStream(wanted, into)))
      return into
    }
  },
  () => agent.destroy()
)
