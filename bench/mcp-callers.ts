/** Clients of the MCP benchmark: each sends one `tools/call` and waits for the response. */
import { spawn } from 'node:child_process'
import { Client } from 'undici'

export interface Caller extends AsyncDisposable {
  call(): Promise<void>
}

const initialize = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' }
}
const params = {
  name: 'search',
  arguments: { query: 'how do relays keep bytes as they are', path: 'docs/notes.md', limit: 20 }
}
const callOf = (id: number): string => JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })
const initialized = '{"jsonrpc":"2.0","method":"notifications/initialized"}'

/** Calls through stdin and stdout of a program. */
export async function pipeCaller(
  program: readonly string[],
  env: Readonly<Record<string, string>> = {}
): Promise<Caller> {
  const [command = '', ...args] = program
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting = new Map<number, () => void>()
  let held = ''
  let lastId = 0
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    const lines = (held + piece).split('\n')
    held = lines.pop() ?? ''
    for (const line of lines) {
      const { id, result } = JSON.parse(line) as { id: number; result?: { isError?: boolean } }
      if (result === undefined || result.isError === true) throw new Error(`The call was not answered: ${line}`)
      waiting.get(id)?.()
      waiting.delete(id)
    }
  })
  const send = (id: number, line: string): Promise<void> =>
    new Promise((resolve) => {
      waiting.set(id, resolve)
      child.stdin.write(`${line}\n`)
    })
  await send(0, JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: initialize }))
  child.stdin.write(`${initialized}\n`)
  return {
    call() {
      const id = ++lastId
      return send(id, callOf(id))
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end()
      await new Promise((resolve) => child.once('exit', resolve))
    }
  }
}

/** Calls over HTTP, with as many connections as concurrent calls. */
export async function httpCaller(url: string, connections: number): Promise<Caller> {
  const { origin, pathname: path } = new URL(url)
  const clients = Array.from({ length: connections }, () => new Client(origin))
  const base = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  let lastId = 0
  const send = async (client: Client, body: string, headers: Record<string, string>) => {
    const answer = await client.request({ method: 'POST', path, headers: { ...base, ...headers }, body })
    const text = await answer.body.text()
    if (answer.statusCode >= 300 || text.includes('"isError":true'))
      throw new Error(`The call was not answered: ${text}`)
    return answer
  }
  const [first = new Client(origin)] = clients
  const begun = await send(
    first,
    JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: initialize }),
    {}
  )
  const headers = { 'mcp-session-id': String(begun.headers['mcp-session-id']), 'mcp-protocol-version': '2025-11-25' }
  await send(first, initialized, headers)
  return {
    async call() {
      const id = ++lastId
      await send(clients[id % connections] ?? first, callOf(id), headers)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map((client) => client.destroy()))
    }
  }
}
