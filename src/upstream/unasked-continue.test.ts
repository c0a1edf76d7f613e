import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { request, type DiagnosticsChannel, type Dispatcher } from 'undici'
import { loadConfig } from '../config/config.ts'
import { createUpstreamDispatcher } from './client.ts'

const unasked = 'HTTP/1.1 100 Continue\r\nx-wait: 1\r\n\r\n'
const answered = (body: string): string => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`

describe('100 Continue that nobody asked for', () => {
  let dispatcher: Dispatcher
  let origin = ''
  let connections = 0
  /** What the upstream writes for each request, one packet after the other. */
  let packets: readonly string[] = []
  const server = createServer((socket) => {
    connections++
    socket.setNoDelay().on('error', () => undefined)
    socket.on('data', (bytes) => {
      // Requests of these tests end with a brace.
      if (bytes.at(-1) === 0x7d) void write(socket, packets)
    })
  })

  async function write(socket: Socket, all: readonly string[]): Promise<void> {
    for (const packet of all) {
      await new Promise((resolve) => socket.write(packet, resolve))
      // The other side reads it before the next one is written.
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    }
  }

  before(async () => {
    const loaded = loadConfig({ UPSTREAM_HEADERS_TIMEOUT_MS: '5000' }, { cwd: process.cwd() })
    assert.ok(loaded.ok)
    dispatcher = createUpstreamDispatcher(loaded.config)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(async () => {
    await dispatcher.destroy()
    server.close()
  })

  async function bodyOf(...answer: readonly string[]): Promise<string> {
    packets = answer
    const { body } = await request(origin, { dispatcher, method: 'POST', body: '{}' })
    return await body.text()
  }

  test('is read past, however it is cut, and the connection serves further calls', async () => {
    const whole = unasked + answered('one')
    assert.equal(await bodyOf(whole), 'one')
    assert.equal(await bodyOf(unasked, answered('two')), 'two')
    assert.equal(await bodyOf(unasked, unasked + unasked + answered('three')), 'three')
    assert.equal(await bodyOf(...whole), 'one')
    for (let at = 1; at < whole.length; at++) assert.equal(await bodyOf(whole.slice(0, at), whole.slice(at)), 'one')
    assert.equal(await bodyOf('HTTP/1.1 103 Early Hints\r\n\r\n', answered('four')), 'four')
    // The first calls may have opened one each.
    assert.ok(connections <= 2, String(connections))
  })

  test('is looked for when bytes are taken, not when Node.js only asks for more of them', async () => {
    const name = 'undici:client:sendHeaders'
    const ask = (message: unknown): void => {
      const { socket } = message as DiagnosticsChannel.ClientSendHeadersMessage
      socket.prependOnceListener('readable', () => void socket.read(0))
    }
    subscribe(name, ask)
    try {
      assert.equal(await bodyOf(unasked + answered('five')), 'five')
    } finally {
      unsubscribe(name, ask)
    }
  })

  test('is looked for at the beginning of an answer only', async () => {
    const body = unasked + unasked
    const [head = ''] = answered(body).split(unasked)
    assert.equal(await bodyOf(head, unasked, unasked), body)
  })

  test('without end is refused', async () => {
    await assert.rejects(bodyOf(`HTTP/1.1 100 Continue\r\nx: ${'y'.repeat(20_000)}`), { code: /^UND_ERR/ })
  })
})
