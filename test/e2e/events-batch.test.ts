/** `POST /api/events` with many events at once: every body format, and every error that one of them can have. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { enforcement, post, receipt, storedAudit, storedEvents } from '../support/events.ts'
import { startTestService, type TestService } from '../support/start-service.ts'

const lines = { 'content-type': 'application/x-ndjson' }
const statuses = (results: readonly { readonly status: string }[]): string[] => results.map(({ status }) => status)

describe('many events in one request', () => {
  let service: TestService
  before(async () => {
    service = await startTestService({ env: { SERVICE_EVENTS_BATCH_MAX: '300' } })
  })
  after(() => service[Symbol.asyncDispose]())

  test('come as an array, under events, or one per line, also compressed', async () => {
    const make = () => {
      const requestId = randomUUID()
      return {
        requestId,
        events: Array.from({ length: 250 }, (_, n) => ({ ...enforcement, requestId, decisionMs: n }))
      }
    }
    const asLines = (events: readonly unknown[]): string => events.map((event) => JSON.stringify(event)).join('\n')
    for (const [form, send] of Object.entries({
      array: (events: readonly unknown[]) => post(service, events),
      envelope: (events: readonly unknown[]) => post(service, { events }),
      lines: (events: readonly unknown[]) => post(service, asLines(events), lines),
      jsonl: (events: readonly unknown[]) =>
        post(service, `${asLines(events)}\n`, { 'content-type': 'application/jsonl' }),
      'compressed lines': (events: readonly unknown[]) =>
        post(service, gzipSync(asLines(events)), { ...lines, 'content-encoding': 'gzip' })
    })) {
      const { requestId, events } = make()
      const { accepted, duplicates, rejected, results } = receipt(await send(events))
      assert.deepEqual([accepted, duplicates, rejected, results.length], [250, 0, 0, 250], form)
      assert.deepEqual(
        results.map(({ index }) => index),
        events.map((_, index) => index)
      )
      const stored = await storedEvents(service, { requestId, order: 'oldest' })
      assert.deepEqual(
        stored.map(({ eventId, sensorMetadata }) => [eventId, sensorMetadata['decisionMs']]),
        results.map(({ eventId }, n) => [eventId, n]),
        form
      )
      assert.equal((await storedAudit(service, { requestId })).length, 250)
    }
  })

  test('are validated one by one, and an invalid one does not affect the others', async () => {
    const requestId = randomUUID()
    const eventId = randomUUID()
    const good = { ...enforcement, requestId }
    const table: [body: unknown, status: string, path?: string][] = [
      [{ ...good, eventId }, 'accepted'],
      [{ ...good, prompt: 'words' }, 'rejected', '/prompt'],
      [{ ...good, extra: [{ deeper: { userPROMPT: 1 } }] }, 'rejected', '/extra/0/deeper/userPROMPT'],
      [{ ...good, ...Object.fromEntries(Array.from({ length: 1500 }, (_, n) => [`k${n}`, n])) }, 'accepted'],
      [JSON.parse(`{"kind":"k","requestId":"${requestId}","__proto__":{"action":"block"}}`), 'accepted'],
      [{ ...good, entitiesMasked: '2' }, 'rejected', '/entitiesMasked'],
      [{ ...good, entityCounts: { email: -1 } }, 'rejected', '/entityCounts'],
      [{ ...good, modelId: 'm'.repeat(81), eventId: randomUUID() }, 'rejected', '/modelId'],
      [{ ...good, occurredAt: '1970-01-01T00:00:00Z' }, 'accepted'],
      [{ ...good, occurredAt: '2099-01-01T00:00:00Z' }, 'accepted'],
      [{ ...good, eventId: eventId.toUpperCase() }, 'duplicate'],
      [{ ...good, action: 'shrug', riskTier: 'enormous' }, 'rejected', '/riskTier'],
      [null, 'rejected', ''],
      [[good], 'rejected', ''],
      ['text', 'rejected', ''],
      [good, 'accepted']
    ]
    const { accepted, duplicates, rejected, results } = receipt(
      await post(
        service,
        table.map(([body]) => body)
      ),
      207
    )
    assert.deepEqual(
      statuses(results),
      table.map(([, status]) => status)
    )
    for (const [index, [, , path]] of table.entries()) assert.equal(results[index]?.path, path, `event ${index}`)
    assert.deepEqual([accepted, duplicates, rejected], [6, 1, 9])
    assert.equal(results[7]?.code, 'model_id_too_long')
    assert.match(results[7]?.eventId ?? '', /^[0-9a-f-]{36}$/)
    assert.deepEqual(
      results[11]?.errors?.map(({ path }) => path),
      ['/riskTier', '/action']
    )
    assert.ok((results[3]?.warnings?.length ?? 0) < 20)
    const stored = await storedEvents(service, { requestId })
    assert.equal(stored.length, 6)
    assert.equal((await service.audit.rows(requestId)).length, 5)
  })

  test('are all accepted around a broken line in the middle', async () => {
    const requestId = randomUUID()
    const event = JSON.stringify({ ...enforcement, requestId })
    const reply = await post(service, [event, event.slice(0, -5), '', event, '}', event].join('\r\n'), lines)
    const { accepted, rejected, results } = receipt(reply, 207)
    assert.deepEqual([accepted, rejected], [3, 2])
    assert.deepEqual(statuses(results), ['accepted', 'rejected', 'accepted', 'rejected', 'accepted'])
    assert.deepEqual([results[1]?.code, results[1]?.message], ['invalid_json', 'Line 2 is not valid JSON.'])
    assert.equal((await storedEvents(service, { requestId })).length, 3)
  })

  test('with the same id inside one request are stored once', async () => {
    const [requestId, eventId] = [randomUUID(), randomUUID()]
    const { results } = receipt(
      await post(
        service,
        Array.from({ length: 5 }, () => ({ ...enforcement, requestId, eventId }))
      )
    )
    assert.deepEqual(statuses(results), ['accepted', 'duplicate', 'duplicate', 'duplicate', 'duplicate'])
    assert.equal((await storedEvents(service, { requestId })).length, 1)
    assert.equal((await service.audit.rows(requestId)).length, 1)
  })

  test('are answered with a problem and their receipt if none is valid', async () => {
    const reply = await post(service, { events: [{ kind: 'One' }, { kind: 'two', action: 'shrug' }] })
    const { accepted, rejected, results } = receipt(reply, 400)
    assert.match(reply.headers['content-type'] ?? '', /^application\/problem\+json/)
    assert.deepEqual([accepted, rejected, statuses(results)], [0, 2, ['rejected', 'rejected']])
    const { code, errors, retryable } = reply.json() as { code: string; errors: { path: string }[]; retryable: boolean }
    assert.deepEqual([code, retryable], ['invalid_body', false])
    assert.deepEqual(
      errors.map(({ path }) => path),
      ['/events/0/kind', '/events/1/action']
    )
  })

  test('have limits on their number and on their bytes', async () => {
    const tooMany = Array.from({ length: 301 }, () => ({ kind: 'k' }))
    for (const reply of [await post(service, tooMany), await post(service, '{"kind":"k"}\n'.repeat(301), lines)]) {
      assert.equal(reply.status, 413, reply.text)
      assert.equal(reply.json()['code'], 'too_many_events')
    }
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '))
    const bombed = await post(service, bomb, { 'content-encoding': 'gzip' })
    assert.deepEqual([bombed.status, bombed.json()['code']], [413, 'inflated_too_large'])
    const large = await post(service, `{"kind":"k","pad":"${'x'.repeat(1_100_000)}"}`)
    assert.deepEqual([large.status, large.json()['code']], [413, 'body_too_large'])
    for (const empty of ['[]', '{"events":[]}']) assert.equal((await post(service, empty)).status, 400)
    assert.equal((await post(service, '\n\n', lines)).status, 400)
    assert.equal((await post(service, '{}', { 'content-type': 'text/plain' })).status, 415)
  })

  test('can be validated without being stored', async () => {
    const [requestId, eventId] = [randomUUID(), randomUUID()]
    const good = { ...enforcement, requestId, eventId }
    const ask = async (body: unknown, query: string) => await post(service, body, {}, query)
    const all = await ask([good, good], '?validate=1')
    assert.equal(all.status, 200, all.text)
    assert.deepEqual(all.json()['valid'], 2)
    const mixed = await ask([good, { kind: 5 }], '?validate=true')
    assert.equal(mixed.status, 207)
    assert.deepEqual(statuses(receipt(mixed, 207).results), ['valid', 'rejected'])
    assert.equal((await ask({ kind: 5 }, '?validate=1')).status, 400)
    for (const query of ['?validate=yes', '?validate=1&validate=1', '?validat=1'])
      assert.equal((await ask(good, query)).status, 400, query)
    assert.deepEqual(await storedEvents(service, { requestId }), [])
    assert.deepEqual(statuses(receipt(await ask(good, '?validate=0')).results), ['accepted'])
  })

  test('are completed from the headers, each by itself', async () => {
    const requestId = randomUUID()
    const headers = { 'x-request-id': requestId, 'x-service-client-surface': 'codex', 'x-service-model-id': 'm' }
    receipt(await post(service, [{ kind: 'one' }, { kind: 'two', clientSurface: 'cursor' }], headers))
    const stored = await storedEvents(service, { requestId, order: 'oldest' })
    assert.deepEqual(
      stored.map(({ sensorMetadata: { clientSurface, modelId } }) => [clientSurface, modelId]),
      [
        ['codex', 'm'],
        ['cursor', 'm']
      ]
    )
  })
})

test('a token that sends too much is told when to retry, and no other token is', async () => {
  await using service = await startTestService({ env: { SERVICE_EVENTS_PER_SECOND_MAX: '1' } })
  const events = Array.from({ length: 40 }, () => ({ kind: 'k' }))
  receipt(await post(service, events))
  const reply = await post(service, events)
  assert.equal(reply.status, 429, reply.text)
  assert.equal(reply.json()['code'], 'rate_limited')
  assert.ok(Number(reply.headers['retry-after']) >= 30, String(reply.headers['retry-after']))
  const { token } = await service.createToken()
  receipt(await post({ url: service.url, token }, events))
})

test('a request that cannot be stored is refused as a whole, with a varying Retry-After', async () => {
  await using service = await startTestService()
  await service.running.store.close()
  const retryAfterS = new Set<number>()
  const replies = await Promise.all(Array.from({ length: 40 }, () => post(service, [enforcement, enforcement])))
  for (const reply of replies) {
    assert.equal(reply.status, 503, reply.text)
    const { code, retryable } = reply.json()
    assert.deepEqual([code, retryable], ['store_unavailable', true])
    retryAfterS.add(Number(reply.headers['retry-after']))
  }
  assert.ok(retryAfterS.size > 1 && [...retryAfterS].every((seconds) => seconds >= 2 && seconds <= 5))
})
