/** The baseline of the stream benchmark: a proxy that pipes responses through and does nothing else. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { Pool } from 'undici'
import { serveParent } from './serve-parent.ts'

const pool = new Pool(`http://127.0.0.1:${process.argv[2]}`, { connections: 1024, pipelining: 1 })

async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const headers = { 'content-type': 'application/json' }
  const body = Buffer.concat(chunks)
  const upstream = await pool.request({ path: request.url ?? '/', method: 'POST', headers, body })
  response.writeHead(upstream.statusCode, { 'content-type': String(upstream.headers['content-type']) })
  await pipeline(upstream.body, response)
}

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  forward(request, response).catch(() => response.destroy())
})
server.listen(0, '127.0.0.1', 4096, () => serveParent({ port: (server.address() as AddressInfo).port }, {}, () => {}))
