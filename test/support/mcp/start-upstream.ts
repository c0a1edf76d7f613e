/** An HTTP server with responses that a test chooses, and requests as an MCP client sends them. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { request } from 'undici'

export interface Upstream extends AsyncDisposable {
  readonly url: string
  readonly origin: string
  readonly seen: IncomingMessage[]
}

export async function startUpstream(answer: RequestListener): Promise<Upstream> {
  const seen: IncomingMessage[] = []
  const server = createServer((req, res) => {
    seen.push(req)
    answer(req, res)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `${origin}/some/mcp?tenant=1`,
    origin,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

export const json = { 'content-type': 'application/json' }
export const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}'

export const post = (url: string, body: string | Buffer = ping, headers: Record<string, string> = {}) =>
  request(url, {
    method: 'POST',
    body,
    headers: { ...json, accept: 'application/json, text/event-stream', ...headers }
  })
