/**
 * Requests that are invalid in every way that a body can be. Each gets an error that its SDK understands, or is
 * forwarded with every planted value masked; none is forwarded unscanned, and none harms the service.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { TestedDialect } from '../support/dialects.ts'
import { dialectNames, pathOf, userBody, vendorError } from '../support/dialects.ts'
import { call } from '../support/http.ts'
import { placeholdersIn } from '../support/placeholder.ts'
import { createPlanter } from '../support/planted.ts'
import { startTestService, type TestService } from '../support/start-service.ts'
import { startStubUpstream, type StubUpstream } from '../support/stub-upstream.ts'
import { answers } from '../support/upstream-behaviours.ts'
import { badBodies, bodyBytesMax, conversation, inflatedBytesMax, message, oddBodies } from './bad-bodies.ts'

const planter = createPlanter(99)

describe('bad input', () => {
  const running = new AsyncDisposableStack()
  let stub: StubUpstream
  let service: TestService
  before(async () => {
    stub = running.use(await startStubUpstream(answers()))
    const env = {
      SERVICE_INGRESS_BODY_BYTES_MAX: String(bodyBytesMax),
      SERVICE_INGRESS_INFLATED_BYTES_MAX: String(inflatedBytesMax),
      SERVICE_INGRESS_VALUES_MAX: '50000'
    }
    service = running.use(await startTestService({ upstream: stub, env }))
  })
  after(() => running.disposeAsync())

  async function stillWorks(): Promise<void> {
    const reply = await service.send('messages', userBody('messages', 'Still there?'))
    assert.equal(reply.status, 200, reply.text)
  }

  for (const dialect of dialectNames) {
    for (const { name, body, headers, status, codes } of badBodies) {
      test(`${dialect}: ${name} is refused`, async () => {
        stub.forget()
        const { value, needle } = planter('email')
        const requestId = randomUUID()
        const reply = await service.send(dialect, body(value), { headers: { ...headers, 'x-request-id': requestId } })
        assert.equal(reply.status, status, reply.text)
        const error = vendorError(dialect, reply)
        assert.ok(codes.includes(error.code ?? ''), `${error.code}: ${error.message}`)
        assert.ok(!reply.text.includes(needle), 'the error repeats the client')
        assert.equal(reply.headers['x-request-id'], requestId)
        assert.equal(reply.headers['x-should-retry'], status === 413 ? 'false' : reply.headers['x-should-retry'])
        assert.deepEqual(stub.received, [], 'it was forwarded')
        assert.equal((await service.audit.ingress(requestId)).outcome, 'refused')
        await stillWorks()
      })
    }
  }
})

describe('odd input', () => {
  const running = new AsyncDisposableStack()
  let stub: StubUpstream
  let service: TestService
  before(async () => {
    stub = running.use(await startStubUpstream(answers()))
    service = running.use(await startTestService({ upstream: stub }))
  })
  after(() => running.disposeAsync())

  for (const dialect of dialectNames) {
    for (const { name, body, headers = {} } of oddBodies) {
      test(`${dialect}: ${name} is masked and forwarded`, async () => {
        stub.forget()
        const { value, needle } = planter('email')
        const reply = await service.send(dialect, body(value), { headers })
        assert.equal(reply.status, 200, reply.text)
        assert.equal(stub.received.length, 1)
        const received = stub.lastBody()
        assert.ok(!received.includes(needle), 'the value went up')
        assert.equal(placeholdersIn(received).length, 1, received.slice(0, 500))
        assert.equal(stub.received[0]?.headers['content-encoding'], undefined)
        assert.doesNotThrow(() => JSON.parse(received))
      })
    }

    test(`${dialect}: the message of a refusal contains the request ID`, async () => {
      const refusals = [
        await service.send(dialect, '{'),
        await service.send(dialect, '{}'),
        await service.send(dialect, '{}', { token: null }),
        await service.send(dialect, '{}', { headers: { 'content-encoding': 'compress' } }),
        await service.send(dialect, userBody(dialect, planter('github_token').sentence)),
        await call(`${service.sdkBaseUrl}${pathOf[dialect]}`, { method: 'GET' }),
        await call(`${service.sdkBaseUrl}${pathOf[dialect]}/other`, { body: '{}' })
      ]
      for (const reply of refusals) {
        assert.ok(reply.status >= 400)
        const { message: sentence } = vendorError(dialect, reply)
        assert.ok(sentence.includes(reply.headers['x-request-id'] ?? '?'), `${reply.status}: ${sentence}`)
      }
    })

    test(`${dialect}: a body of 33 MiB is refused before it has arrived completely`, async () => {
      stub.forget()
      const reply = await service.send(dialect, conversation(message(`"${' '.repeat(33 * 1_048_576)}"`)))
      assert.equal(reply.status, 413, reply.text)
      assert.equal(vendorError(dialect, reply).code, 'body_too_large')
      assert.equal(reply.headers['x-should-retry'], 'false')
      assert.deepEqual(stub.received, [])
      assert.equal((await service.audit.ingress(reply.headers['x-request-id'] ?? '')).outcome, 'refused')
    })

    test(`${dialect}: a small body that inflates to 100 MB is refused`, async () => {
      stub.forget()
      const bomb = gzipSync(Buffer.alloc(100_000_000, 0x20), { level: 1 })
      const reply = await service.send(dialect, bomb, { headers: { 'content-encoding': 'gzip' } })
      assert.equal(reply.status, 413, reply.text)
      assert.equal(vendorError(dialect, reply).code, 'inflated_too_large')
      assert.deepEqual(stub.received, [])
    })
  }

  test("an unknown path is a 404 in the vendor's shape that names the correct base URL", async () => {
    for (const [dialect, path, headers] of [
      ['messages', '/api/ingress/v1/message', { 'anthropic-version': '2023-06-01' }],
      ['messages', '/api/ingress/v1/messages/batches', {}],
      ['chat-completions', '/api/ingress/v1/completions', {}],
      ['chat-completions', '/api/ingress/v1/v1/v1/chat/completions', {}],
      ['chat-completions', '/api/ingress/v1/../../admin/chat/completions', {}]
    ] as [TestedDialect, string, Record<string, string>][]) {
      const reply = await call(service.url + path, {
        headers: { ...headers, authorization: `Bearer ${service.token}` },
        body: userBody(dialect, 'Hi.')
      })
      assert.equal(reply.status, 404, `${path}: ${reply.text}`)
      if (!path.includes('..')) assert.match(vendorError(dialect, reply).message, /\/api\/ingress\/v1/)
    }
  })

  test("a method other than POST is a 405 in the vendor's shape", async () => {
    for (const dialect of dialectNames) {
      for (const method of ['GET', 'PUT', 'DELETE', 'PATCH'] as const) {
        const reply = await call(service.sdkBaseUrl + pathOf[dialect], {
          method,
          headers: { 'x-service-workspace-token': service.token }
        })
        assert.equal(reply.status, 405, `${method}: ${reply.text}`)
        assert.equal(vendorError(dialect, reply).code, 'method_not_allowed')
        assert.equal(reply.headers['allow'], 'POST')
      }
    }
  })
})
