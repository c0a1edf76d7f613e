/**
 * The MCP server that the benchmark calls, on stdio, or on HTTP with `--http`. It answers a call with a kilobyte of
 * text and does nothing else.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveParent } from './serve-parent.ts'

const text = 'The quick brown fox jumps over the lazy dog. '.repeat(23)
const initialized = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'bench', version: '1' }
}

function answer(line: string): string | undefined {
  const { id, method } = JSON.parse(line) as { id?: unknown; method?: string }
  if (id === undefined) return undefined
  const result = method === 'initialize' ? initialized : { content: [{ type: 'text', text }] }
  return JSON.stringify({ jsonrpc: '2.0', id, result })
}

if (process.argv.includes('--http')) {
  const server = createServer((req, res) => {
    let body = ''
    req.setEncoding('utf8').on('data', (piece: string) => void (body += piece))
    req.on('end', () => {
      const message = body === '' ? undefined : answer(body)
      if (message === undefined) res.writeHead(req.method === 'POST' ? 202 : 405).end()
      else res.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'bench' }).end(message)
    })
  })
  server.listen(0, '127.0.0.1', () => {
    serveParent({ port: (server.address() as AddressInfo).port }, {}, () => server.closeAllConnections())
  })
} else {
  let held = ''
  process.stdin.setEncoding('utf8').on('data', (piece: string) => {
    const lines = (held + piece).split('\n')
    held = lines.pop() ?? ''
    for (const line of lines) {
      const message = answer(line)
      if (message !== undefined) process.stdout.write(`${message}\n`)
    }
  })
}
