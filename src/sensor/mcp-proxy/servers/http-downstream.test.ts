import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { test } from 'node:test'
import { pino } from 'pino'
import { Agent } from 'undici'
import { eventually } from '../../../../test/support/eventually.ts'
import { HttpDownstream } from './http-downstream.ts'

/** A connection to a server on HTTP, and the lines that it passes on. */
async function connect(
  answer: RequestListener,
  onDrain: (downstream: HttpDownstream) => void = () => {}
): Promise<{ readonly downstream: HttpDownstream; readonly lines: string[] } & AsyncDisposable> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const dispatcher = new Agent()
  const lines: string[] = []
  const downstream: HttpDownstream = new HttpDownstream(
    {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
      headers: {},
      dispatcher,
      messageBytesMax: 65_536,
      requestTimeoutMs: 3_600_000,
      log: pino({ level: 'silent' })
    },
    { onMessage: (message) => void lines.push(Buffer.from(message).toString()), onDrain: () => onDrain(downstream) }
  )
  return {
    downstream,
    lines,
    async [Symbol.asyncDispose]() {
      await downstream.close(0)
      await dispatcher.destroy()
      server.closeAllConnections()
      server.close()
    }
  }
}

test('a server that answers too slowly is full, and says when it has room again', async () => {
  const waiting: ServerResponse[] = []
  let isSlow = true
  let roomSeen = 0
  const answer: RequestListener = (req, res) => {
    req.resume()
    if (isSlow) waiting.push(res)
    else res.writeHead(202).end()
  }
  await using connection = await connect(answer, ({ isFull }) => {
    if (!isFull) roomSeen++
  })
  const { downstream } = connection
  const notification = Buffer.from('{"jsonrpc":"2.0","method":"notifications/progress","params":{}}')
  let sent = 0
  while (!downstream.isFull && sent < 10_000) sent += (downstream.send(notification), 1)
  assert.ok(sent > 1 && downstream.isFull, `full after ${sent} messages`)
  await eventually('the first message', () => waiting.length > 0 || undefined)
  assert.equal(roomSeen, 0)
  isSlow = false
  for (const res of waiting) res.writeHead(202).end()
  await eventually('room', () => roomSeen > 0 || undefined)
})

test('a session that is over is begun again, and its messages that belong to no request arrive again', async () => {
  let session = 0
  let isOver = false
  const streams: ServerResponse[] = []
  const methods: string[] = []
  const answer: RequestListener = async (req, res) => {
    const given = Number(req.headers['mcp-session-id'] ?? 0)
    const { id, method } = (req.method === 'POST' ? await json(req) : { method: req.method }) as {
      id?: number
      method: string
    }
    methods.push(`${method} ${given}`)
    if (isOver && given === 1) return void res.writeHead(404).end()
    if (method === 'GET')
      return void streams.push(res.writeHead(200, { 'content-type': 'text/event-stream' }).on('error', () => {}))
    if (id === undefined) return void res.writeHead(202).end()
    if (method === 'initialize') res.setHeader('mcp-session-id', String(++session))
    res.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, result: {} }))
  }
  await using connection = await connect(answer)
  const { downstream, lines } = connection
  const send = (message: object) => downstream.send(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message })))
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } })
  send({ method: 'notifications/initialized' })
  await eventually('the stream', () => streams[0])
  isOver = true
  send({ id: 2, method: 'ping' })
  const again = await eventually('the stream of the new session', () => streams[1])
  await eventually('the answer', () => lines.find((line) => line.includes('"id":2')))
  // The stream and the repeated request come in either order.
  assert.deepEqual(methods.slice(3, 6), ['ping 1', 'initialize 0', 'notifications/initialized 2'])
  assert.deepEqual(methods.slice(6).toSorted(), ['GET 2', 'ping 2'])
  again.write('data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n')
  await eventually('the notification', () => lines.find((line) => line.includes('list_changed')))
  assert.deepEqual(lines.filter((line) => line.includes('"id"')).length, 2, 'the client sees one handshake')
})

test('a notification is not overtaken by what is sent after it', async () => {
  const methods: string[] = []
  const waiting: ServerResponse[] = []
  const answer: RequestListener = async (req, res) => {
    const { id, method } = (await json(req)) as { id?: number; method: string }
    methods.push(method)
    if (id === undefined) waiting.push(res)
    else res.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, result: {} }))
  }
  await using connection = await connect(answer)
  const { downstream, lines } = connection
  const send = (message: object) => downstream.send(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message })))
  send({ id: 1, method: 'ping' })
  send({ method: 'notifications/roots/list_changed' })
  send({ id: 2, method: 'tools/list' })
  const held = await eventually('the notification', () => waiting[0])
  await eventually('the first answer', () => lines[0])
  assert.ok(!methods.includes('tools/list'))
  held.writeHead(202).end()
  await eventually('the second answer', () => lines[1])
  assert.deepEqual(methods.at(-1), 'tools/list')
})

/** A server with sessions whose state a test sets, and what it was sent: the method and the session of each request. */
function sessionServer(isStreamed: boolean, lost = (res: ServerResponse): void => void res.writeHead(404).end()) {
  const state = { session: 1, isStarting: false, isDown: false, refused: 0 }
  const received: string[] = []
  const streams: ServerResponse[] = []
  let isSlowOver = false
  const answer: RequestListener = async (req, res) => {
    const given = req.headers['mcp-session-id']
    const { id, method } = (req.method === 'POST' ? await json(req) : { method: req.method }) as {
      id?: number
      method: string
    }
    if (state.isDown) {
      state.refused++
      return void res.destroy()
    }
    received.push(`${method} ${given ?? '-'}`)
    if (method !== 'initialize' && given === undefined) return void res.writeHead(400).end()
    if (method !== 'initialize' && given !== String(state.session)) return lost(res)
    if (method === 'GET')
      return void streams.push(res.writeHead(200, { 'content-type': 'text/event-stream' }).on('error', () => {}))
    if (id === undefined) return void res.writeHead(202).end()
    if (method === 'slow') return void res.on('close', () => void (isSlowOver = true))
    if (method === 'initialize') res.setHeader('mcp-session-id', String(state.session))
    const outcome = state.isStarting
      ? { error: { code: -32_603, message: 'starting' } }
      : { result: { protocolVersion: '2025-11-25' } }
    const message = JSON.stringify({ jsonrpc: '2.0', id, ...outcome })
    res.setHeader('content-type', isStreamed ? 'text/event-stream' : 'application/json')
    res.end(isStreamed ? `: \n\ndata: ${message}\n\n` : message)
  }
  return { state, received, streams, answer, isSlowOver: () => isSlowOver }
}

/** A client whose handshake with the server is done. */
async function begin(answer: RequestListener) {
  const connection = await connect(answer)
  const { downstream, lines } = connection
  const send = (message: object) => downstream.send(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message })))
  const answerTo = (id: number): Promise<string> =>
    eventually(`the answer to ${id}`, () => lines.find((line) => line.includes(`"id":${id},`)))
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } })
  send({ method: 'notifications/initialized' })
  await answerTo(1)
  return { send, answerTo, connection }
}

for (const isStreamed of [false, true])
  test(`a session that could not be begun again is begun with a later message, answers ${isStreamed ? 'as events' : 'as JSON'}`, async () => {
    const { state, received, streams, answer } = sessionServer(isStreamed)
    const { send, answerTo, connection } = await begin(answer)
    await using _ = connection
    await eventually('the stream', () => streams[0])
    Object.assign(state, { session: 2, isStarting: true })
    send({ id: 2, method: 'ping' })
    assert.match(await answerTo(2), /"error"/)
    state.isStarting = false
    received.length = 0
    send({ id: 3, method: 'ping' })
    assert.match(await answerTo(3), /"result"/)
    assert.deepEqual(received.slice(0, 3), ['ping 1', 'initialize -', 'notifications/initialized 2'])
    await eventually('the stream of the new session', () => streams[1])
  })

for (const [status, message, mayBegin] of [
  [400, 'Bad Request: No valid session ID provided', true],
  [400, 'Bad Request: Server not initialized', true],
  [400, 'Bad Request: Unsupported protocol version', false],
  [200, 'No browser session is open', false]
] as const)
  test(`a ${status} that says "${message}" ${mayBegin ? 'ends a session like a 404' : 'ends no session'}`, async () => {
    const error = JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null })
    const { state, received, answer } = sessionServer(false, (res) => {
      res.writeHead(status, { 'content-type': 'application/json' }).end(error)
    })
    const { send, answerTo, connection } = await begin(answer)
    await using _ = connection
    Object.assign(state, { session: 2 })
    send({ id: 2, method: 'ping' })
    assert.match(await answerTo(2), mayBegin ? /"result"/ : RegExp(message))
    assert.equal(received.filter((one) => one === 'initialize -').length, mayBegin ? 2 : 1)
  })

test('what is sent while a session is begun again waits for it', async () => {
  const { state, received, answer } = sessionServer(false)
  const held = Promise.withResolvers<void>()
  let isHeld = false
  const { send, answerTo, connection } = await begin(async (req, res) => {
    if (req.headers['mcp-session-id'] === undefined && state.session === 2) {
      isHeld = true
      await held.promise
    }
    answer(req, res)
  })
  await using _ = connection
  state.session = 2
  send({ id: 2, method: 'ping' })
  await eventually('the handshake', () => isHeld || undefined)
  send({ id: 3, method: 'ping' })
  await new Promise(setImmediate)
  held.resolve()
  for (const id of [2, 3]) assert.match(await answerTo(id), /"result"/)
  assert.deepEqual(
    received.filter((one) => one.endsWith(' -')),
    ['initialize -', 'initialize -']
  )
})

test('a server that was away for long is listened to again with the next message', async () => {
  const { state, streams, answer } = sessionServer(false)
  const { send, connection } = await begin(answer)
  await using _ = connection
  const first = await eventually('the stream', () => streams[0])
  Object.assign(state, { isDown: true, refused: 0 })
  first.end('retry: 100\n\n')
  await eventually('the last attempt', () => state.refused >= 5 || undefined)
  state.isDown = false
  await eventually('the end of the attempts', async () => {
    const { length } = streams
    send({ id: 100 + length + state.refused++, method: 'ping' })
    return length > 1 || undefined
  })
})

test('a cancelled call ends its own request', async () => {
  const { received, answer, isSlowOver } = sessionServer(false)
  const { send, connection } = await begin(answer)
  await using _ = connection
  send({ id: 2, method: 'slow' })
  await eventually('the call', () => received.includes('slow 1') || undefined)
  send({ method: 'notifications/cancelled', params: { requestId: 2 } })
  await eventually('the end of the request', () => isSlowOver() || undefined)
  assert.ok(received.includes('notifications/cancelled 1'))
  await eventually('nothing open', () => connection.downstream.openRequests === 0 || undefined)
  assert.ok(!connection.lines.some((line) => line.includes('"id":2,')), 'its client waits for no answer')
})

test('a stream that breaks off again and again is resumed for as long as it goes on', async () => {
  let events = 0
  const seen: string[] = []
  const { send, answerTo, connection } = await begin(async (req, res) => {
    const { id, method } = (req.method === 'POST' ? await json(req) : { method: 'GET' }) as {
      id?: number
      method: string
    }
    if (method === 'notifications/initialized') return void res.writeHead(202).end()
    if (method === 'initialize')
      return void res
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25' } }))
    const resumed = req.headers['last-event-id']
    // The stream for messages that belong to no request.
    if (method === 'GET' && resumed === undefined) return void res.writeHead(405).end()
    if (resumed !== undefined) seen.push(String(resumed))
    const isLast = ++events > 8
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    res.end(
      isLast ? 'data: {"jsonrpc":"2.0","id":2,"result":{"done":true}}\n\n' : `retry: 100\nid: ${events}\ndata:\n\n`
    )
  })
  await using _ = connection
  send({ id: 2, method: 'tools/call' })
  assert.match(await answerTo(2), /"done":true/)
  assert.deepEqual(seen, ['1', '2', '3', '4', '5', '6', '7', '8'])
})
