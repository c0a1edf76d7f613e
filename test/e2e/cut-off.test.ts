/** A shutdown that no longer waits for calls: each call that it ends gets an answer and is recorded. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { test } from 'node:test'
import { dialectNames, pathOf, userBody, vendorError, type TestedDialect } from '../support/dialects.ts'
import { storedAudit } from '../support/events.ts'
import { call, type Reply } from '../support/http.ts'
import { startTestSidecar } from '../support/start-sidecar.ts'
import { makeDataDir, startTestService } from '../support/start-service.ts'
import { startStubUpstream } from '../support/stub-upstream.ts'
import * as upstream from '../support/upstream-behaviours.ts'

const env = { SERVICE_DRAIN_TIMEOUT_MS: '50' }
const when = [
  ['before their answer', upstream.hangs, false],
  ['in the middle of a stream', upstream.stallsMidStream, true]
] as const

/** Whole events, and then an error that the SDKs of the dialect understand; or a 503. */
function assertTold(dialect: TestedDialect, reply: Reply, stream: boolean, requestId: string): void {
  if (!stream) {
    assert.deepEqual([reply.status, reply.headers['retry-after']], [503, '2'])
    assert.equal(vendorError(dialect, reply).code, 'draining')
    return
  }
  const frames = reply.text.split('\n\n').filter((frame) => frame !== '')
  const last = frames.pop() ?? ''
  assert.match(last, dialect === 'messages' ? /^event: error\ndata: \{"type":"error"/ : /^data: \{"error":\{/)
  for (const words of ['"draining"', 'The answer was cut off, because the service is stopping.', requestId])
    assert.ok(last.includes(words), reply.text)
  assert.ok(frames.length > 0 && frames.every((frame) => !frame.includes('error')), reply.text)
}

for (const [what, behaviour, stream] of when)
  test(`calls that the shutdown ends ${what} are answered and recorded`, async () => {
    await using stub = await startStubUpstream(behaviour)
    const dataDir = await makeDataDir()
    const ids = Array.from({ length: 5 }, () => randomUUID())
    try {
      for (const dialect of dialectNames) {
        const expected = stub.received.length + ids.length
        await using service = await startTestService({ upstream: stub, dataDir, env })
        const body = userBody(dialect, 'Hello.', { stream })
        const calls = ids.map((id) => service.send(dialect, body, { headers: { 'x-request-id': id } }))
        await stub.arrived(expected)
        await service.running.close()
        for (const [i, reply] of (await Promise.all(calls)).entries()) assertTold(dialect, reply, stream, ids[i] ?? '')
      }
      await using again = await startTestService({ dataDir })
      for (const requestId of ids) {
        const rows = await storedAudit(again, { requestId })
        assert.deepEqual(
          rows.map(({ action, detail }) => [action, detail['outcome'], detail['errorCode']]),
          dialectNames.map(() => ['ingress_proxy', 'refused', 'draining'])
        )
      }
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })

for (const [what, behaviour, stream] of when)
  test(`calls that the shutdown of a sidecar ends ${what} are answered`, async () => {
    await using stub = await startStubUpstream(behaviour)
    await using service = await startTestService({ upstream: stub })
    const { token } = service
    await using sidecar = await startTestSidecar({ target: service.url, token, env })
    await sidecar.enforces(1)
    const requestId = randomUUID()
    const reply = call(`${sidecar.url}/v1${pathOf.messages}`, {
      headers: { 'content-type': 'application/json', 'x-request-id': requestId },
      body: userBody('messages', 'Hello.', { stream })
    })
    await stub.arrived(1)
    await sidecar.running.close()
    assertTold('messages', await reply, stream, requestId)
    const rows = await storedAudit(service, { requestId })
    assert.deepEqual(
      rows.map(({ detail }) => detail['outcome']),
      ['abandoned']
    )
  })
