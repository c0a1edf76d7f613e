/** A client that sends and receives raw lines on stdio of a proxy or server in a process of its own. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

/** A parsed JSON message. */
export interface Message {
  readonly id?: string | number
  readonly method?: string
  readonly result?: Record<string, unknown> & { readonly content?: readonly { readonly text?: string }[] }
  readonly error?: { readonly code: number; readonly message: string; readonly data?: { readonly code?: string } }
}

export interface LineClient {
  /** Lines received so far. */
  readonly lines: readonly string[]
  write(text: string | Uint8Array): void
  /** Sends a request and waits for its response. */
  ask(method: string, params?: object): Promise<Message>
  /** Calls a tool and returns the text of its result. */
  call(name: string, args?: object): Promise<string>
  /** The `initialize` handshake of 2025-11-25. */
  shakeHands(): Promise<Message>
  /** Waits for a matching line, among those received and those to come. Rejects if the other side ends. */
  line(fits: (message: Message) => boolean): Promise<Message>
}

/** A client that controls its process. */
interface LineProcess extends LineClient, AsyncDisposable {
  /** What was written to standard error so far. */
  errors(): string
  /** Closes its standard input and waits for the exit. */
  end(): Promise<number | null>
  readonly exited: Promise<number | null>
  kill(signal: NodeJS.Signals): void
}

export const fixture = (name: string): string => join(import.meta.dirname, `${name}.ts`)

/** A client over two streams. */
export function lineClientOf(input: Writable, output: Readable): LineClient {
  const lines: string[] = []
  const waiting = new Set<(line: string) => void>()
  const ended = Promise.withResolvers<never>()
  ended.promise.catch(() => undefined)
  let lastId = 0
  createInterface({ input: output, crlfDelay: Number.POSITIVE_INFINITY })
    .on('line', (line) => {
      lines.push(line)
      for (const tell of waiting) tell(line)
    })
    .on('close', () => ended.reject(new Error(`The other side ended after ${lines.length} lines.`)))
  const client: LineClient = {
    lines,
    write: (text) => void input.write(text),
    async ask(method, params = {}) {
      const id = `ask-${++lastId}`
      const answer = client.line((message) => message.id === id && message.method === undefined)
      client.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
      return answer
    },
    async call(name, args = {}) {
      const { result, error } = await client.ask('tools/call', { name, arguments: args })
      assert.ok(result, `${name}: ${JSON.stringify(error)}`)
      return result.content?.[0]?.text ?? ''
    },
    async shakeHands() {
      const clientInfo = { name: 'line-client', version: '1' }
      const answer = await client.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
      client.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
      return answer
    },
    line(fits) {
      const found = new Promise<Message>((resolve) => {
        const tell = (line: string): void => {
          const message = parse(line)
          if (message === undefined || !fits(message)) return
          waiting.delete(tell)
          resolve(message)
        }
        waiting.add(tell)
        for (const line of lines) tell(line)
      })
      return Promise.race([found, ended.promise])
    }
  }
  return client
}

/** @param words the command line of `relay-process.ts` */
export function startLineProcess(words: readonly string[], env: Readonly<Record<string, string>> = {}): LineProcess {
  const child = spawn(process.execPath, [fixture('relay-process'), ...words], {
    env: { ...process.env, SERVICE_LOG_LEVEL: 'warn', ...env },
    stdio: ['pipe', 'pipe', 'pipe']
  })
  let errors = ''
  child.stdin.on('error', () => undefined)
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (errors += text))
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const end = (): Promise<number | null> => {
    child.stdin.end()
    return exited
  }
  return {
    ...lineClientOf(child.stdin, child.stdout),
    errors: () => errors,
    exited,
    end,
    kill: (signal) => void child.kill(signal),
    async [Symbol.asyncDispose]() {
      const timer = setTimeout(() => child.kill('SIGKILL'), 5000)
      await end()
      clearTimeout(timer)
    }
  }
}

function parse(line: string): Message | undefined {
  try {
    return JSON.parse(line) as Message
  } catch {
    return undefined
  }
}

/** Whether a process is running. */
export function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
