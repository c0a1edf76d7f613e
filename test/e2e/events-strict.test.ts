/** `SERVICE_AUDIT_MODE`: what the audit contains when a call reaches its upstream. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { auditActions } from '../../src/store/store.ts'
import { reservedKinds } from '../../src/protocol/events/event-schema.ts'
import { ingressEvents } from '../support/count-events.ts'
import { dialectNames, userBody, vendorError } from '../support/dialects.ts'
import { eventually } from '../support/eventually.ts'
import { storedAudit } from '../support/events.ts'
import { startTestService } from '../support/start-service.ts'
import { startStubUpstream } from '../support/stub-upstream.ts'
import { answers } from '../support/upstream-behaviours.ts'

for (const mode of ['strict', 'standard'] as const) {
  test(`${mode}: what the audit contains when a call reaches its upstream, and afterwards`, async () => {
    await using stub = await startStubUpstream(answers())
    await using service = await startTestService({ upstream: stub, env: { SERVICE_AUDIT_MODE: mode } })
    const requestId = randomUUID()
    const actionsNow = async (): Promise<string[]> =>
      (await storedAudit(service, { requestId })).map(({ action }) => action).toSorted()
    const atUpstream: string[][] = []
    const answer = answers()
    stub.behave(async (...call) => {
      atUpstream.push(await actionsNow())
      return await answer(...call)
    })
    const reply = await service.send('chat-completions', userBody('chat-completions', 'Hello.'), {
      headers: { 'x-request-id': requestId }
    })
    assert.equal(reply.status, 200, reply.text)
    assert.deepEqual(atUpstream, [mode === 'strict' ? ['ingress_decision'] : []])
    const actions = await eventually('the row of the call', async () => {
      const now = await actionsNow()
      return now.includes('ingress_proxy') ? now : undefined
    })
    assert.deepEqual(actions, mode === 'strict' ? ['ingress_decision', 'ingress_proxy'] : ['ingress_proxy'])
    assert.equal((await ingressEvents(service.running.store)).length, 1)
  })
}

test('strict: a call whose decision cannot be written is answered with 503 and not forwarded', async () => {
  await using stub = await startStubUpstream(answers())
  await using service = await startTestService({ upstream: stub, env: { SERVICE_AUDIT_MODE: 'strict' } })
  for (const dialect of dialectNames) await service.send(dialect, userBody(dialect, 'Hello.'))
  stub.forget()
  await service.running.store.close()
  for (const dialect of dialectNames) {
    const reply = await service.send(dialect, userBody(dialect, 'Hello.'))
    assert.equal(reply.status, 503, reply.text)
    assert.equal(vendorError(dialect, reply).code, 'audit_unavailable')
    assert.ok(Number(reply.headers['retry-after']) > 0)
  }
  assert.deepEqual(stub.received, [])
})

test('no sensor can write an event under the name of an action of the service', () => {
  for (const action of Object.values(auditActions)) assert.ok(reservedKinds.has(action), action)
})
