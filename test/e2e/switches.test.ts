/** The switch for blocking, and labels, which must never break a model call. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { dialectNames, userBody, vendorError } from '../support/dialects.ts'
import { placeholdersIn } from '../support/placeholder.ts'
import { blockedKinds, createPlanter } from '../support/planted.ts'
import { startTestService, type TestService } from '../support/start-service.ts'
import { startStubUpstream, type StubUpstream } from '../support/stub-upstream.ts'
import { answers } from '../support/upstream-behaviours.ts'

const planter = createPlanter(55)

for (const setting of [undefined, 'true', '0', 'False', '']) {
  test(`SERVICE_INGRESS_BLOCK_HIGH_RISK=${setting ?? '(unset)'} blocks`, async () => {
    await using stub = await startStubUpstream(answers())
    await using service = await startTestService({ upstream: stub, env: { SERVICE_INGRESS_BLOCK_HIGH_RISK: setting } })
    for (const dialect of dialectNames) {
      const secret = planter('aws_access_key_id')
      const reply = await service.send(dialect, userBody(dialect, secret.sentence))
      assert.equal(reply.status, 403, reply.text)
      const { code, message } = vendorError(dialect, reply)
      assert.equal(code, 'high_risk_content_blocked')
      assert.match(message, /messages\[0\]/, 'the message names the place')
      assert.ok(!message.includes(secret.needle))
      assert.deepEqual(stub.received, [])
    }
  })
}

test('SERVICE_INGRESS_BLOCK_HIGH_RISK=false masks and forwards', async () => {
  await using stub = await startStubUpstream(answers())
  await using service = await startTestService({ upstream: stub, env: { SERVICE_INGRESS_BLOCK_HIGH_RISK: 'false' } })
  for (const dialect of dialectNames) {
    for (const kind of blockedKinds) {
      const secret = planter(kind)
      const reply = await service.send(dialect, userBody(dialect, secret.sentence))
      assert.equal(reply.status, 200, `${kind}: ${reply.text}`)
      assert.ok(!stub.lastBody().includes(secret.needle), `${kind} went up`)
      assert.equal(placeholdersIn(stub.lastBody()).length, 1, `${kind}: ${stub.lastBody()}`)
      assert.equal(reply.headers['x-service-action'], 'mask')
      assert.equal(reply.headers['x-service-entities-masked'], '1')
      assert.equal(reply.headers['x-service-risk-tier'], 'high')
      const detail = await service.audit.ingress(reply.headers['x-request-id'] ?? '')
      assert.equal(detail.action, 'mask')
      assert.equal(detail.riskTier, 'high')
      assert.deepEqual(Object.values(detail.entityCounts), [1])
    }
  }
})

test('no header of a client disables the block', async () => {
  await using stub = await startStubUpstream(answers())
  await using service = await startTestService({ upstream: stub })
  const headers = {
    'x-service-ingress-block-high-risk': 'false',
    'x-service-action': 'allow',
    'x-service-policy-revision': '0'
  }
  for (const dialect of dialectNames) {
    const reply = await service.send(dialect, userBody(dialect, planter('jwt').sentence), { headers })
    assert.equal(reply.status, 403, reply.text)
  }
  assert.deepEqual(stub.received, [])
})

describe('labels', () => {
  const running = new AsyncDisposableStack()
  let stub: StubUpstream
  let service: TestService
  before(async () => {
    stub = running.use(await startStubUpstream(answers()))
    service = running.use(await startTestService({ upstream: stub }))
  })
  after(() => running.disposeAsync())

  for (const dialect of dialectNames) {
    test(`a model id of 80 characters passes and one of 81 does not (${dialect})`, async () => {
      const longest = 'm'.repeat(80)
      const taken = await service.send(dialect, userBody(dialect, 'Hello.'), {
        headers: { 'x-service-model-id': longest }
      })
      assert.equal(taken.status, 200, taken.text)
      assert.equal((await service.audit.ingress(taken.headers['x-request-id'] ?? '')).modelId, longest)
      stub.forget()
      const refused = await service.send(dialect, userBody(dialect, 'Hello.'), {
        headers: { 'x-service-model-id': `${longest}m` }
      })
      assert.equal(refused.status, 400)
      assert.equal(vendorError(dialect, refused).code, 'model_id_too_long')
      assert.deepEqual(stub.received, [])
      assert.equal((await service.audit.ingress(refused.headers['x-request-id'] ?? '')).outcome, 'refused')
    })

    test(`the characters of a model id are counted, whether it comes as UTF-8 or Latin-1 (${dialect})`, async () => {
      for (const [encoding, id] of [
        ['utf8', 'モ'.repeat(80)],
        ['latin1', 'modèle-é'.repeat(10)]
      ] as const) {
        const headers = { 'x-service-model-id': Buffer.from(id, encoding).toString('latin1') }
        const taken = await service.send(dialect, userBody(dialect, 'Hello.'), { headers })
        assert.equal(taken.status, 200, taken.text)
        assert.equal((await service.audit.ingress(taken.headers['x-request-id'] ?? '')).modelId, id)
      }
    })

    test(`a body's own model is never limited, only truncated in the record (${dialect})`, async () => {
      const model = `model-${'n'.repeat(120)}`
      const reply = await service.send(dialect, userBody(dialect, 'Hello.', { model }))
      assert.equal(reply.status, 200, reply.text)
      assert.ok(stub.lastBody().includes(model))
      const { modelId } = await service.audit.ingress(reply.headers['x-request-id'] ?? '')
      assert.equal(modelId, model.slice(0, 80))
    })

    test(`an unknown label warns, is recorded as unknown and lets the call through (${dialect})`, async () => {
      for (const [name, field] of [
        ['x-service-client-surface', 'clientSurface'],
        ['x-service-model-provider', 'modelProvider']
      ] as const) {
        const reply = await service.send(dialect, userBody(dialect, 'Hello.'), {
          headers: { [name]: 'nobody-knows-this' }
        })
        assert.equal(reply.status, 200, reply.text)
        const warning = reply.headers['x-service-warnings'] ?? ''
        assert.ok(warning.includes(name) || warning.includes(field), `no warning about ${name}: ${warning}`)
        assert.ok(!warning.includes('nobody-knows-this'), 'a warning repeats what the client sent')
        const detail = await service.audit.ingress(reply.headers['x-request-id'] ?? '')
        assert.equal(detail[field], 'unknown')
      }
    })

    test(`without a label the surface is inferred from the user agent (${dialect})`, async () => {
      const headers = { 'user-agent': 'claude-cli/2.1.329 (external, cli)' }
      const inferred = await service.send(dialect, userBody(dialect, 'Hello.'), { headers })
      assert.equal((await service.audit.ingress(inferred.headers['x-request-id'] ?? '')).clientSurface, 'claude-code')
      const named = await service.send(dialect, userBody(dialect, 'Hello.'), {
        headers: { ...headers, 'x-service-client-surface': 'extension' }
      })
      assert.equal((await service.audit.ingress(named.headers['x-request-id'] ?? '')).clientSurface, 'extension')
    })

    test(`a request ID of the client is kept, a malformed one replaced (${dialect})`, async () => {
      const requestId = randomUUID()
      const kept = await service.send(dialect, userBody(dialect, 'Hello.'), { headers: { 'x-request-id': requestId } })
      assert.equal(kept.headers['x-request-id'], requestId)
      assert.equal((await service.audit.ingress(requestId)).outcome, 'forwarded')
      for (const malformed of ['not-a-uuid', `${requestId}0`, `{${requestId}}`, requestId.replaceAll('-', '')]) {
        const reply = await service.send(dialect, userBody(dialect, 'Hello.'), {
          headers: { 'x-request-id': malformed }
        })
        assert.equal(reply.status, 200, reply.text)
        assert.match(reply.headers['x-request-id'] ?? '', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
        assert.ok(!malformed.includes(reply.headers['x-request-id'] ?? ''), 'a malformed id was kept')
      }
    })
  }
})
