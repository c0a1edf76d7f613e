/** Calls that fail on either side: what each party is told, and that each call leaves exactly one event. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { ingressEvents } from '../support/count-events.ts'
import { dialectNames, pathOf, userBody, vendorError } from '../support/dialects.ts'
import { createPlanter } from '../support/planted.ts'
import { startTestService, upstreamKeys, type TestService } from '../support/start-service.ts'
import { startStubUpstream, type StubUpstream } from '../support/stub-upstream.ts'
import * as upstream from '../support/upstream-behaviours.ts'

const planter = createPlanter(17)

describe('calls that fail', () => {
  const running = new AsyncDisposableStack()
  let stub: StubUpstream
  let service: TestService
  before(async () => {
    stub = running.use(await startStubUpstream(upstream.hangs))
    service = running.use(await startTestService({ upstream: stub }))
  })
  after(() => running.disposeAsync())

  /** A call on a separate connection, so that it can be dropped at any moment. */
  function open(
    dialect: (typeof dialectNames)[number],
    requestId: string,
    body: string,
    contentLength = Buffer.byteLength(body)
  ) {
    const headers = {
      'content-type': 'application/json',
      'content-length': contentLength,
      'x-service-workspace-token': service.token,
      'x-request-id': requestId,
      ...(contentLength === Buffer.byteLength(body) ? {} : { expect: '100-continue' })
    }
    const client = httpRequest(service.sdkBaseUrl + pathOf[dialect], { method: 'POST', agent: false, headers })
    client.on('error', () => undefined)
    if (contentLength === Buffer.byteLength(body)) client.end(body)
    else client.write(body)
    return client
  }

  for (const dialect of dialectNames) {
    test(`${dialect}: a client that disconnects before the response begins ends the upstream call`, async () => {
      stub.behave(upstream.hangs)
      const [arrived, lost] = [stub.received.length + 1, stub.abandoned + 1]
      const requestId = randomUUID()
      const client = open(dialect, requestId, userBody(dialect, 'Hello.'))
      await stub.arrived(arrived)
      client.destroy()
      await stub.lost(lost)
      const detail = await service.audit.ingress(requestId)
      assert.equal(detail.outcome, 'abandoned')
      assert.equal(detail.upstreamStatus, undefined)
    })

    test(`${dialect}: a client that disconnects during a stream ends the upstream call`, async () => {
      stub.behave(upstream.stallsMidStream)
      const lost = stub.abandoned + 1
      const requestId = randomUUID()
      const client = open(dialect, requestId, userBody(dialect, 'Hello.', { stream: true }))
      const [answer] = (await once(client, 'response')) as [IncomingMessage]
      await once(answer, 'data')
      client.destroy()
      await stub.lost(lost)
      const detail = await service.audit.ingress(requestId)
      assert.equal(detail.outcome, 'abandoned')
      assert.equal(detail.upstreamStatus, 200)
    })

    test(`${dialect}: a client that disconnects during its upload is recorded, and nothing goes upstream`, async () => {
      const received = stub.received.length
      const requestId = randomUUID()
      const body = userBody(dialect, 'Hello.')
      const client = open(dialect, requestId, body, body.length + 1000)
      // The service sends `100 Continue` once it has read the head; the client disconnects with the rest unsent.
      await once(client, 'continue')
      client.destroy()
      assert.equal((await service.audit.ingress(requestId)).outcome, 'abandoned')
      assert.equal(stub.received.length, received)
    })

    test(`${dialect}: an upstream that closes the connection before its response is a 502`, async () => {
      stub.behave(upstream.hangsUp)
      const reply = await service.send(dialect, userBody(dialect, 'Hello.'))
      assert.equal(reply.status, 502, reply.text)
      assert.equal(vendorError(dialect, reply).code, 'upstream_failed')
      assert.equal((await service.audit.ingress(reply.headers['x-request-id'] ?? '')).outcome, 'upstream_failed')
    })

    test(`${dialect}: the upstream's 401 becomes a 502 without its message`, async () => {
      stub.behave(upstream.refusesKey)
      const reply = await service.send(dialect, userBody(dialect, 'Hello.'))
      assert.equal(reply.status, 502, reply.text)
      assert.equal(vendorError(dialect, reply).code, 'upstream_credentials')
      for (const words of [upstreamKeys.chat, upstreamKeys.messages, 'Incorrect', 'Bearer'])
        assert.ok(!reply.text.includes(words), reply.text)
      const detail = await service.audit.ingress(reply.headers['x-request-id'] ?? '')
      assert.equal(detail.outcome, 'upstream_failed')
      assert.equal(detail.upstreamStatus, 401)
    })

    test(`${dialect}: any other error that repeats the key, however it writes it, keeps its status without it`, async () => {
      const { url } = stub
      const key = ['gw', 'Zq83kfLw', 'x9Vt'].join('/')
      const env = { UPSTREAM_CHAT_API_KEY: key, UPSTREAM_MESSAGES_API_KEY: key }
      await using other = await startTestService({ upstream: { url }, env })
      stub.behave((_call, res) => {
        res.writeHead(429, { 'content-type': 'application/json' })
        res.end(JSON.stringify({ error: { message: `No quota for ${key}` } }).replaceAll('/', '\\/'))
      })
      const reply = await other.send(dialect, userBody(dialect, 'Hello.'))
      assert.equal(reply.status, 429)
      assert.equal(vendorError(dialect, reply).code, 'upstream_failed')
      assert.ok(!reply.text.includes('Zq83kfLw'), reply.text)
    })

    test(`${dialect}: a stream that breaks off ends with an error in the dialect, after complete events only`, async () => {
      stub.behave(upstream.diesMidStream)
      const reply = await service.send(dialect, userBody(dialect, 'Hello.', { stream: true }))
      assert.equal(reply.status, 200)
      const frames = reply.text.split('\n\n').filter((frame) => frame !== '')
      for (const frame of frames) {
        const data = /^data: (.*)$/m.exec(frame)?.[1] ?? ''
        assert.doesNotThrow(() => JSON.parse(data) as unknown, `not a whole event: ${frame}`)
      }
      assert.equal(frames.length, 4, reply.text)
      assert.match(
        frames.at(-1) ?? '',
        dialect === 'messages' ? /^event: error\ndata: \{"type":"error"/ : /^data: \{"error":\{/
      )
      assert.ok(!reply.text.includes('[DONE]'))
    })

    test(`${dialect}: an answer that breaks off is cut, and is a failure of the upstream, not of the client`, async () => {
      stub.behave((_received, res) => {
        res.writeHead(200, { 'content-type': 'application/json' }).write('{"id":')
        setTimeout(() => res.destroy(), 20)
      })
      const requestId = randomUUID()
      await assert.rejects(
        service.send(dialect, userBody(dialect, 'Hello.'), { headers: { 'x-request-id': requestId } })
      )
      const detail = await service.audit.ingress(requestId)
      assert.deepEqual([detail.outcome, detail.errorCode], ['upstream_failed', 'upstream_failed'])
    })
  }

  test('connections to the upstream are reused', async () => {
    stub.behave(upstream.answers())
    await service.send('messages', userBody('messages', 'Hello.'))
    const connections = stub.connections
    for (let i = 0; i < 10; i++) await service.send('messages', userBody('messages', 'Hello.'))
    assert.ok(stub.connections <= connections + 1, `${stub.connections - connections} new connections for 10 calls`)
  })
})

test('an upstream that does not begin to respond is a 504', async () => {
  await using stub = await startStubUpstream(upstream.hangs)
  await using service = await startTestService({ upstream: stub, env: { UPSTREAM_HEADERS_TIMEOUT_MS: '200' } })
  for (const dialect of dialectNames) {
    const reply = await service.send(dialect, userBody(dialect, 'Hello.'))
    assert.equal(reply.status, 504, reply.text)
    assert.equal(vendorError(dialect, reply).code, 'upstream_timeout')
    assert.equal((await service.audit.ingress(reply.headers['x-request-id'] ?? '')).outcome, 'upstream_failed')
  }
  await stub.lost(2)
})

test('an upstream that stalls during a stream ends the stream with an error', async () => {
  await using stub = await startStubUpstream(upstream.stallsMidStream)
  await using service = await startTestService({ upstream: stub, env: { UPSTREAM_IDLE_TIMEOUT_MS: '200' } })
  for (const dialect of dialectNames) {
    const reply = await service.send(dialect, userBody(dialect, 'Hello.', { stream: true }))
    assert.equal(reply.status, 200)
    assert.match(reply.text, /"error"/)
    assert.equal((await service.audit.ingress(reply.headers['x-request-id'] ?? '')).outcome, 'upstream_failed')
  }
})

test('an upstream that refuses the connection is a 502', async () => {
  const closed = await startStubUpstream(upstream.hangs)
  await closed.close()
  await using service = await startTestService({ upstream: closed })
  for (const dialect of dialectNames) {
    const reply = await service.send(dialect, userBody(dialect, 'Hello.'))
    assert.equal(reply.status, 502, reply.text)
    const { code, message } = vendorError(dialect, reply)
    assert.equal(code, 'upstream_unreachable')
    assert.ok(!message.includes('127.0.0.1'), message)
  }
})

test('200 concurrent calls that end in every way leave exactly one event each', async () => {
  const calls = 200
  await using stub = await startStubUpstream(upstream.answers())
  await using service = await startTestService({ upstream: stub })
  const behaviours = [
    upstream.answers(),
    upstream.fails,
    upstream.refusesKey,
    upstream.hangsUp,
    upstream.diesMidStream,
    upstream.limitsRate
  ]
  let turn = 0
  stub.behave((received, res) => behaviours[turn++ % behaviours.length]?.(received, res))
  const ids = Array.from({ length: calls }, () => randomUUID())
  const statuses = await Promise.all(
    ids.map(async (requestId, i) => {
      const dialect = dialectNames[i % 2] ?? 'messages'
      const bodies = [
        userBody(dialect, 'Hello.'),
        userBody(dialect, planter('email').sentence, { stream: true }),
        userBody(dialect, planter('github_token').sentence),
        '{"messages":'
      ]
      const signal = i % 10 === 9 ? { signal: AbortSignal.timeout(5 + (i % 7)) } : {}
      const sending = service.send(dialect, bodies[i % bodies.length] ?? '', {
        headers: { 'x-request-id': requestId },
        ...signal
      })
      return sending.then(
        ({ status }) => status,
        () => 'broken'
      )
    })
  )
  const sent = ids.filter((_, i) => i % 10 !== 9 || statuses[i] !== 'broken')
  for (const requestId of sent) await service.audit.ingress(requestId)
  const events = await ingressEvents(service.running.store)
  const counts = Map.groupBy(events, ({ requestId }) => requestId)
  assert.ok(
    [...counts.values()].every((same) => same.length === 1),
    'a call left several events'
  )
  for (const requestId of sent) assert.ok(counts.has(requestId), 'a call left no event')
  assert.ok(
    statuses.includes(200) && statuses.includes(403) && statuses.includes(400) && statuses.includes(502),
    String(new Set(statuses))
  )
})
