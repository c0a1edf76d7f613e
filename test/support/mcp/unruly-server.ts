/** An MCP server on stdio that misbehaves on request: the name of the called tool says how. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

interface Request {
  readonly id?: number | string
  readonly method?: string
  readonly params?: {
    readonly name?: string
    readonly arguments?: { readonly count?: number; readonly bytes?: number }
    readonly clientInfo?: { readonly name: string }
  }
}

const say = (message: object): void => void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const answer = (id: Request['id'], text: string): void => say({ id, result: { content: [{ type: 'text', text }] } })
const log = { method: 'notifications/message', params: { level: 'info', data: 'a line of a flood' } }

const ways: Readonly<Record<string, (id: Request['id'], given: { count?: number; bytes?: number }) => void>> = {
  crash: () => process.exit(3),
  kill: () => process.kill(process.pid, 'SIGKILL'),
  hang: () => undefined,
  pid: (id) => answer(id, String(process.pid)),
  flood(id, { count = 100_000 }) {
    for (let i = 0; i < count; i++) say(log)
    answer(id, 'flooded')
  },
  garbage(id) {
    process.stdout.write('Listening on port 3000...\n\n\r\n\u0000\u0001\u00ff\n')
    process.stdout.write(`{"not":"json-rpc"}\n{"jsonrpc":"2.0","id":999,"result":{}}\n`)
    answer(id, 'tidy again')
  },
  huge: (id, { bytes = 0 }) => answer(id, 'x'.repeat(bytes)),
  split(id) {
    const text = JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'grüße' }] } })
    const bytes = Buffer.from(`${text}\r\n`)
    for (const byte of bytes) process.stdout.write(Buffer.of(byte))
  },
  /** Starts a process of its own that never ends. */
  offspring(id) {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
    answer(id, String(child.pid))
  },
  /** Can only be ended by SIGKILL. */
  stubborn(id) {
    process.on('SIGTERM', () => undefined)
    setInterval(() => undefined, 1000)
    answer(id, String(process.pid))
  },
  environment: (id) => answer(id, JSON.stringify(Object.keys(process.env)))
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line) as Request
  if (id === undefined) return
  if (method === 'initialize' && params?.clientInfo?.name === 'unwelcome')
    say({ id, error: { code: -32_000, message: 'You are not welcome.' } })
  else if (method === 'initialize')
    say({
      id,
      result: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'unruly', version: '1' }
      }
    })
  else if (method === 'tools/call') ways[params?.name ?? '']?.(id, params?.arguments ?? {})
  else if (method === 'tools/list') {
    const tools = Array.from({ length: 10_000 }, (_, index) => ({
      name: `tool_${index}`,
      inputSchema: { type: 'object' }
    }))
    say({ id, result: { tools } })
  } else say({ id, error: { code: -32_601, message: 'Method not found' } })
})
