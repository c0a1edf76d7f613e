import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPlanter } from '../../../../test/support/planted.ts'
import { TestGate, valueOf } from './gate.fixture.ts'

const email = createPlanter(9)('email')
const content = [{ type: 'text', text: `Write to ${email.value}.` }]
const notice = (method: string) => ({
  jsonrpc: '2.0',
  method,
  params: { taskId: 'a', status: 'completed', result: { content } }
})

describe('notices of tasks', () => {
  for (const method of ['notifications/tasks', 'notifications/tasks/status'])
    it(`hold the result masked like in an answer: ${method}`, async () => {
      const gate = new TestGate()
      const seen = valueOf((await gate.session().server(notice(method))).forward)
      assert.match(JSON.stringify(seen), /"taskId":"a","status":"completed",.*"Write to EMAIL_[A-Z2-7]{10}\."/)
      assert.equal(gate.events[0]?.entitiesMasked, 1)
    })

  it('pass unchanged if nothing is scanned, and are dropped without a policy', async () => {
    const gate = new TestGate({ scan: { results: false } })
    assert.deepEqual(
      valueOf((await gate.session().server(notice('notifications/tasks'))).forward),
      notice('notifications/tasks')
    )
    gate.policy = undefined
    assert.deepEqual(await gate.session().server(notice('notifications/tasks')), {})
  })
})

describe('results of tasks', () => {
  it('have the same limit as other results', async () => {
    const gate = new TestGate({ limits: { resultBytesMax: 100 } })
    const session = gate.session()
    await session.client({ jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { taskId: 'a' } })
    const result = { taskId: 'a', status: 'completed', result: { content: [{ type: 'text', text: 'x'.repeat(200) }] } }
    const { error } = valueOf((await session.server({ jsonrpc: '2.0', id: 1, result })).forward)
    assert.match((error as { message: string }).message, /more than 100 bytes/)
    assert.deepEqual(await session.server({ jsonrpc: '2.0', method: 'notifications/tasks', params: result }), {})
  })
})
