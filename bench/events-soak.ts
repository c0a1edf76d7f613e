/** Sends a steady load of events and model calls for minutes and prints the memory of the service as it runs. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Stage } from './events.ts'
import type { Sent } from './events-load.ts'
import { median, type Latency } from './measure.ts'

interface Memory {
  readonly rss: number
  readonly heapUsed: number
  readonly external: number
}

const everyMs = 15_000
/** Memory counts as flat if the last third uses at most this multiple of the second third. */
const growthMax = 1.1

const mib = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`

/** @returns the verdict, a sentence */
export async function runSoak(engine: string, { load, callers, service }: Stage, minutes: number): Promise<string> {
  const durationMs = minutes * 60_000
  const to = { ...service.ready, durationMs }
  const running = Promise.all([
    load.ask<Sent>('send', { ...to, senders: 16, size: 50, pauseMs: 20 }),
    callers.ask<Latency>('call', { ...to, senders: 8 })
  ])
  const samples: Memory[] = []
  const startedAt = performance.now()
  const done = new AbortController()
  const watch = (async () => {
    while (!done.signal.aborted) {
      const memory = await service.ask<Memory>('memory')
      samples.push(memory)
      const seconds = Math.round((performance.now() - startedAt) / 1000)
      console.log(
        `${engine} ${seconds} s: rss ${mib(memory.rss)}, heap ${mib(memory.heapUsed)}, external ${mib(memory.external)}`
      )
      await sleep(Math.min(everyMs, durationMs / 12), undefined, { signal: done.signal }).catch(() => {})
    }
  })()
  const [sent, calls] = await running.finally(() => done.abort())
  await watch
  const third = Math.floor(samples.length / 3)
  const rssOf = (part: readonly Memory[]): number => median(part.map(({ rss }) => rss))
  const [second, last] = [rssOf(samples.slice(third, 2 * third)), rssOf(samples.slice(2 * third))]
  const verdict = last <= second * growthMax ? 'flat' : 'GROWING'
  const did = `${sent.events} events (${sent.refused} requests were sent away with 503 and came again) and ${calls.count} calls in ${Math.round(sent.seconds)} s`
  return `${engine}: ${did}; rss ${mib(second)} in the second third, ${mib(last)} in the last: ${verdict}.`
}
