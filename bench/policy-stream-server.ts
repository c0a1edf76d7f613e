/**
 * A server of the stream benchmark: `hub` is Sluice's hub behind Node's HTTP server; `bare` is the least that a fan-out
 * on this runtime can do, without limits, handling of slow readers, heartbeats or an orderly shutdown.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { encodeFrame } from '../src/policy-stream/frame.ts'
import { createPolicyHub } from '../src/policy-stream/hub.ts'
import { benchFrame } from './policy-stream-frame.ts'
import { serveParent } from './serve-parent.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

interface Lane {
  take(response: ServerResponse, lastRevision: string | undefined): void
  publish(sequence: number): void
  streams(): number
}

function bareLane(): Lane {
  const responses = new Set<ServerResponse>()
  let frame = encodeFrame(benchFrame(1))
  return {
    take(response) {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
      response.write(frame)
      responses.add(response)
      response.on('close', () => responses.delete(response))
    },
    publish(sequence) {
      frame = encodeFrame(benchFrame(sequence))
      for (const response of responses) response.write(frame)
    },
    streams: () => responses.size
  }
}

function hubLane(): Lane {
  let frame = benchFrame(1)
  const many = 1_000_000
  const hub = createPolicyHub({
    frames: { current: () => Promise.resolve(frame) },
    limits: { streamsMax: many, streamsPerTokenMax: many }
  })
  return {
    take(response) {
      void hub
        .open({ request: response.req, response, workspaceId: 'bench', tokenId: 'bench' })
        .then((refusal) => refusal && response.writeHead(503).end())
    },
    publish(sequence) {
      frame = benchFrame(sequence)
      hub.publish('bench', frame)
    },
    streams: () => hub.stats().streams
  }
}

const lane = process.argv[2] === 'hub' ? hubLane() : bareLane()
const server = createServer((request, response) => lane.take(response, String(request.headers['last-event-id'])))

// With the default backlog of 511, most connections of a storm would wait for the kernel to retry.
server.listen({ port: 0, host: '127.0.0.1', backlog: 16_384 }, () =>
  serveParent(
    { port: (server.address() as AddressInfo).port },
    {
      /** @returns the time just before publishing, on the clock that all processes of a machine share */
      publish(sequence: number) {
        const at = process.hrtime.bigint()
        lane.publish(sequence)
        return at
      },
      memory() {
        collect()
        collect()
        const { rss, heapUsed, external } = process.memoryUsage()
        return { rssBytes: rss, heapBytes: heapUsed + external, streams: lane.streams() }
      }
    },
    () => server.closeAllConnections()
  )
)
