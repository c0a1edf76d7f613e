/** What a stop does to the calls of HTTP clients, whose servers are in this process and answer when a test says so. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { pino } from 'pino'
import { eventually } from '../../../../test/support/eventually.ts'
import { call, type Reply } from '../../../../test/support/http.ts'
import { allowAll } from '../../../../test/support/mcp/allow-all.ts'
import type { OpenDownstream } from '../servers/downstream.ts'
import { HttpBridge } from './http-bridge.ts'

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {}
}

/** A bridge with its listener, and servers that answer everything but `tools/call` at once. */
async function startBridge() {
  const held: (() => void)[] = []
  const state = { closed: 0, mayClose: Promise.resolve() }
  const open: OpenDownstream = ({ onMessage }) => ({
    isFull: false,
    openRequests: 0,
    send(message) {
      const { id, method } = JSON.parse(Buffer.from(message).toString()) as { id?: unknown; method: string }
      const answer = (): void => void onMessage(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result: {} })))
      if (method === 'tools/call') held.push(answer)
      else if (id !== undefined) queueMicrotask(answer)
    },
    async close() {
      state.closed++
      await state.mayClose
    }
  })
  const log = pino({ enabled: false })
  const identity = { command: ['server'] }
  const bridge = new HttpBridge({ identity, gate: allowAll, open, sessionsMax: 10, sessionIdleMs: 60_000, log })
  const listener = createServer(async (req, res) => bridge.handle(req, res, await buffer(req))).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
  const ask = (message: object, session?: string): Promise<Reply> =>
    call(url, {
      headers: session === undefined ? {} : { 'mcp-session-id': session },
      body: JSON.stringify({ jsonrpc: '2.0', ...message })
    })
  return {
    bridge,
    held,
    state,
    /** Starts a call in a new session, or without one, that the server holds. */
    async begin(hasSession: boolean): Promise<{ readonly answer: Promise<Reply> }> {
      const begun = hasSession ? await ask({ id: 1, method: 'initialize', params: {} }) : undefined
      const session = begun && String(begun.headers['mcp-session-id'])
      const answer = ask({ id: 2, method: 'tools/call', params: hasSession ? {} : { _meta: meta } }, session)
      await eventually('the call', () => held.length > 0 || undefined)
      return { answer }
    },
    async [Symbol.asyncDispose]() {
      await bridge.close(0)
      listener.closeAllConnections()
      listener.close()
    }
  }
}

describe('a stop', () => {
  const wordsOf = (hasSession: boolean): string => (hasSession ? 'of a session' : 'without a session')

  for (const hasSession of [true, false]) {
    it(`lets a call ${wordsOf(hasSession)} go on, and ends its server afterwards`, async () => {
      await using running = await startBridge()
      const { bridge, held, state } = running
      const { answer } = await running.begin(hasSession)
      const closing = bridge.close(60_000)
      for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
      assert.equal(state.closed, 0)
      for (const release of held) release()
      assert.deepEqual((await answer).json()['result'], {})
      await closing
      assert.ok(state.closed > 0)
    })
  }

  for (const hasSession of [true, false])
    it(`answers a call ${wordsOf(hasSession)} that takes too long before it waits for the server to end`, async () => {
      await using running = await startBridge()
      const ended = Promise.withResolvers<void>()
      running.state.mayClose = ended.promise
      const { answer } = await running.begin(hasSession)
      const closing = running.bridge.close(0)
      assert.match((await answer).text, /"proxy_stopping"/)
      ended.resolve()
      await closing
    })
})
