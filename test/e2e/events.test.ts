/** `POST /api/events` as a third-party sensor sees it. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { enforcement, post, receipt, storedEvents } from '../support/events.ts'
import type { Reply } from '../support/http.ts'
import { createPlanter } from '../support/planted.ts'
import { makeDataDir, startTestService, type TestService } from '../support/start-service.ts'

const planter = createPlanter(41)

function problem(reply: Reply, status: number, code: string): string {
  assert.equal(reply.status, status, reply.text)
  assert.match(reply.headers['content-type'] ?? '', /^application\/problem\+json/)
  const body = reply.json() as {
    code: string
    requestId: string
    retryable: boolean
    errors?: { path: string; code: string; message: string }[]
  }
  assert.equal(body.code, code, reply.text)
  assert.equal(body.requestId, reply.headers['x-request-id'])
  assert.equal(body.retryable, false)
  return body.errors?.[0]?.path ?? ''
}

describe('sensor events', () => {
  let service: TestService
  before(async () => {
    service = await startTestService({ env: { SERVICE_EVENTS_BODY_BYTES_MAX: '65536' } })
  })
  after(() => service[Symbol.asyncDispose]())

  test('the example event of the specification is accepted and found by its request ID', async () => {
    const requestId = randomUUID()
    const { accepted, duplicates, rejected, results } = receipt(
      await post(service, enforcement, { 'x-request-id': requestId })
    )
    assert.deepEqual(
      { accepted, duplicates, rejected, results: results.length },
      { accepted: 1, duplicates: 0, rejected: 0, results: 1 }
    )
    assert.equal(results[0]?.warnings, undefined)
    const row = await service.audit.only(requestId)
    assert.equal(row.action, 'tool_call_enforcement')
    const { kind: _kind, ...fields } = enforcement
    for (const [name, value] of Object.entries(fields)) assert.deepEqual(row.detail[name], value, name)
  })

  test('every field of the specification is returned under sensorMetadata with its name and type', async () => {
    const requestId = randomUUID()
    const [result] = receipt(await post(service, { ...enforcement, requestId })).results
    const [event, ...more] = await storedEvents(service, { requestId })
    assert.deepEqual(more, [])
    assert.ok(event)
    assert.deepEqual(event.sensorMetadata, { ...enforcement, requestId })
    const { origin, kind, eventId, tokenId, lineageId } = event
    assert.deepEqual(
      { origin, kind, eventId, tokenId, lineageId },
      {
        origin: 'sensor',
        kind: 'tool_call_enforcement',
        eventId: result?.eventId,
        tokenId: service.token.slice(4, 12),
        lineageId: service.token.slice(4, 12)
      }
    )
  })

  test('a request ID in the body overrides the header, and the headers complete what the body lacks', async () => {
    const requestId = randomUUID()
    const headers = {
      'x-request-id': randomUUID(),
      'x-service-client-surface': 'claude-code',
      'x-service-model-provider': 'anthropic',
      'x-service-model-id': 'model-of-the-header'
    }
    receipt(
      await post(
        service,
        { kind: 'tool_call_enforcement', action: 'allow', mcpToolName: 'one', requestId, modelProvider: 'xai' },
        headers
      )
    )
    const { detail } = await service.audit.only(requestId)
    assert.equal(detail['clientSurface'], 'claude-code')
    assert.equal(detail['modelProvider'], 'xai')
    assert.equal(detail['modelId'], 'model-of-the-header')
  })

  test('labels outside the vocabulary cause a warning and are recorded as unknown', async () => {
    const requestId = randomUUID()
    const odd = {
      ...enforcement,
      clientSurface: 'toaster',
      modelProvider: 'nobody',
      downstreamServer: 'elsewhere',
      requestId
    }
    const warnings = receipt(await post(service, odd)).results[0]?.warnings ?? []
    assert.equal(warnings.length, 3, warnings.join(' '))
    assert.ok(!/toaster|nobody|elsewhere/.test(warnings.join(' ')), 'a warning repeats the sender')
    const { detail } = await service.audit.only(requestId)
    for (const field of ['clientSurface', 'modelProvider', 'downstreamServer'])
      assert.equal(detail[field], 'unknown', field)
  })

  test('an unknown field is dropped with a warning', async () => {
    const requestId = randomUUID()
    const [result] = receipt(await post(service, { ...enforcement, requestId, weather: 'fine' })).results
    assert.match(result?.warnings?.join(' ') ?? '', /weather/)
    const { detail } = await service.audit.only(requestId)
    assert.equal(detail['weather'], undefined)
  })

  test('an event that contains message text is refused', async () => {
    const keys = 'prompt messages content text input output completion arguments result system'.split(' ')
    for (const key of keys) {
      for (const event of [
        { ...enforcement, [key]: 'words' },
        { ...enforcement, extra: { deep: [{ [key]: 'words' }] } }
      ]) {
        const requestId = randomUUID()
        const path = problem(await post(service, event, { 'x-request-id': requestId }), 400, 'content_not_accepted')
        assert.ok(path.endsWith(`/${key}`), path)
        assert.deepEqual(await service.audit.rows(requestId), [])
      }
    }
  })

  test('a broken rule is reported with its field', async () => {
    const table: [object, string, string][] = [
      [{}, 'missing_field', '/kind'],
      [{ kind: 'Bad Kind' }, 'invalid_value', '/kind'],
      [{ kind: 5 }, 'invalid_value', '/kind'],
      [{ ...enforcement, action: 'shrug' }, 'invalid_value', '/action'],
      [{ ...enforcement, riskTier: 'enormous' }, 'invalid_value', '/riskTier'],
      [{ ...enforcement, entitiesMasked: 1.5 }, 'invalid_value', '/entitiesMasked'],
      [{ ...enforcement, entitiesMasked: -1 }, 'invalid_value', '/entitiesMasked'],
      [{ ...enforcement, requestId: 'one' }, 'invalid_value', '/requestId'],
      [{ ...enforcement, modelId: 'm'.repeat(81) }, 'model_id_too_long', '/modelId'],
      [{ ...enforcement, entitiesMasked: '1' }, 'invalid_value', '/entitiesMasked'],
      [{ ...enforcement, sensorId: 'a\u0000b' }, 'invalid_value', '/sensorId'],
      ...['ingress_proxy', 'ingress_decision', 'recording_gap', 'token_created'].map(
        (kind): [object, string, string] => [{ ...enforcement, kind }, 'reserved_kind', '/kind']
      )
    ]
    for (const [event, code, path] of table)
      assert.equal(problem(await post(service, event), 400, code), path, JSON.stringify(event))
    problem(await post(service, enforcement, { 'x-service-model-id': 'm'.repeat(81) }), 400, 'model_id_too_long')
    receipt(await post(service, { ...enforcement, modelId: 'm'.repeat(80) }))
  })

  test('a body that is not JSON, is too large or has another content type is refused', async () => {
    problem(await post(service, '{"kind":'), 400, 'invalid_json')
    problem(await post(service, '"kind"'), 400, 'invalid_body')
    problem(await post(service, { kind: 'one', sensorId: 'x'.repeat(70_000) }), 413, 'body_too_large')
    problem(
      await post(service, gzipSync(JSON.stringify({ kind: 'one', pad: 'x'.repeat(70_000) })), {
        'content-encoding': 'gzip'
      }),
      413,
      'inflated_too_large'
    )
    problem(
      await post(service, JSON.stringify(enforcement), { 'content-type': 'text/html' }),
      415,
      'unsupported_media_type'
    )
    problem(
      await post(service, JSON.stringify(enforcement), { 'content-type': 'application/json; charset=latin1' }),
      415,
      'unsupported_media_type'
    )
    receipt(await post(service, JSON.stringify(enforcement), { 'content-type': 'application/json; charset=UTF-8' }))
    problem(
      await post(service, JSON.stringify(enforcement), { 'content-encoding': 'compress' }),
      415,
      'unsupported_encoding'
    )
    receipt(await post(service, gzipSync(JSON.stringify(enforcement)), { 'content-encoding': 'gzip' }))
  })

  test('an impossible time is replaced by the time of arrival, with a warning', async () => {
    const before = Date.now()
    for (const [at, isKept] of [
      [new Date(before - 6 * 86_400_000), true],
      [new Date(before + 60_000), true],
      [new Date(before - 8 * 86_400_000), false],
      [new Date(before + 3_600_000), false],
      [new Date('1970-01-01T00:00:00Z'), false],
      [new Date('2099-01-01T00:00:00Z'), false]
    ] as const) {
      const requestId = randomUUID()
      const sent = { kind: 'reported', requestId, occurredAt: at.toISOString(), clockSkewMs: 1 }
      const [result] = receipt(await post(service, sent)).results
      const [event] = await storedEvents(service, { requestId })
      assert.ok(event)
      assert.equal(result?.warnings?.length, isKept ? 1 : 2, String(result?.warnings))
      if (isKept) {
        assert.deepEqual([event.occurredAt, event.sensorMetadata['clockSkewMs']], [at.getTime(), undefined])
        continue
      }
      assert.equal(event.occurredAt, event.receivedAt)
      assert.equal(event.receivedAt + Number(event.sensorMetadata['clockSkewMs']), at.getTime())
    }
  })

  test('an event id is unique within the lineage of a token, and not beyond', async () => {
    const [eventId, requestId] = [randomUUID(), randomUUID()]
    const first = await service.createToken()
    const workspaceId = 'default'
    const rotated = await service.running.tokens.rotate({ workspaceId, id: first.id, overlapMs: 60_000 }, 'test')
    assert.ok(rotated !== 'not_found')
    const stranger = await service.createToken()
    const accepted = []
    for (const token of [first.token, rotated.token, stranger.token]) {
      const headers = { 'x-service-workspace-token': token }
      accepted.push(receipt(await post(service, { ...enforcement, eventId, requestId }, headers)).accepted)
    }
    assert.deepEqual(accepted, [1, 0, 1])
  })

  test('an event id is accepted once', async () => {
    const [eventId, requestId] = [randomUUID(), randomUUID()]
    const first = receipt(await post(service, { ...enforcement, eventId, requestId }))
    assert.equal(first.results[0]?.eventId, eventId)
    const again = await Promise.all(
      Array.from({ length: 10 }, () => post(service, { ...enforcement, eventId, requestId }))
    )
    for (const reply of again) assert.deepEqual([receipt(reply).accepted, receipt(reply).duplicates], [0, 1])
    assert.equal((await service.audit.rows(requestId)).length, 1)
    assert.equal((await storedEvents(service, { requestId })).length, 1)
  })

  test('a value in a free-text field is recorded as its kind', async () => {
    for (const kind of ['email', 'github_token'] as const) {
      const requestId = randomUUID()
      const { value, needle } = planter(kind)
      receipt(await post(service, { ...enforcement, requestId, mcpToolName: `tool ${value}`, sensorId: value }))
      const row = await service.audit.only(requestId)
      assert.ok(!JSON.stringify(row).includes(needle))
      assert.match(String(row.detail['mcpToolName']), /^tool \S+$/)
    }
  })

  test('a token without the scope cannot write events', async () => {
    const { token } = await service.createToken({ scopes: ['policy:read'] })
    problem(await post(service, enforcement, { 'x-service-workspace-token': token }), 403, 'missing_scope')
  })
})

test('an acknowledged event exists after a restart, and its id is still taken', async () => {
  const dataDir = await makeDataDir()
  try {
    const [eventId, requestId] = [randomUUID(), randomUUID()]
    let token: string
    {
      await using service = await startTestService({ dataDir })
      token = service.token
      receipt(await post(service, { ...enforcement, eventId, requestId }))
    }
    await using service = await startTestService({ dataDir })
    assert.equal((await service.audit.only(requestId)).detail['mcpToolName'], 'read_file')
    const again = receipt(
      await post(service, { ...enforcement, eventId, requestId }, { 'x-service-workspace-token': token })
    )
    assert.deepEqual([again.accepted, again.duplicates], [0, 1])
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})
