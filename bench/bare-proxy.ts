/**
 * The baseline for Sluice: the least that a proxy on this runtime can do. It reads the body, as anything that inspects
 * bodies must, forwards it with undici and relays the response. It has no tokens, scan, event records or limits.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { Pool } from 'undici'
import { serveParent } from './serve-parent.ts'

const pool = new Pool(`http://127.0.0.1:${process.argv[2]}`, { connections: 128, pipelining: 1 })

async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
  const headers = { 'content-type': 'application/json' }
  const upstream = await pool.request({ path: request.url ?? '/', method: 'POST', headers, body })
  const { 'content-type': type, 'content-length': length } = upstream.headers
  response.writeHead(upstream.statusCode, { 'content-type': String(type), 'content-length': String(length) })
  await pipeline(upstream.body, response)
}

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  forward(request, response).catch(() => response.destroy())
})
server.listen(0, '127.0.0.1', () => serveParent({ port: (server.address() as AddressInfo).port }, {}, () => {}))
