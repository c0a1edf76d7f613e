/** Reading recorded data: pages, series, the live tail and exports, as a dashboard or a script uses them. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { eventually } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { startTestService, type TestService } from '../support/start-service.ts'

interface Shown {
  readonly sequence: number
  readonly eventId: string
  readonly kind: string
  readonly sensorMetadata: Record<string, unknown>
}

describe('reading events', () => {
  const running = new AsyncDisposableStack()
  let service: TestService
  let reader: string
  before(async () => {
    service = running.use(await startTestService())
    reader = (await service.createToken({ scopes: ['audit:read'] })).token
  })
  after(() => running.disposeAsync())

  const get = (path: string, token = reader, headers: Record<string, string> = {}) =>
    call(`${service.url}${path}`, { method: 'GET', headers: { 'x-service-workspace-token': token, ...headers } })

  async function post(fields: Record<string, unknown>, token = service.token): Promise<string> {
    const eventId = randomUUID()
    const reply = await call(`${service.url}/api/events`, {
      headers: { 'content-type': 'application/json', 'x-service-workspace-token': token },
      body: JSON.stringify({ kind: 'tool_call_enforcement', action: 'allow', mcpToolName: 'read', eventId, ...fields })
    })
    assert.equal(reply.status, 202, reply.text)
    return eventId
  }

  async function postMany(count: number): Promise<void> {
    const event = { kind: 'heartbeat', ruleId: 'a rule '.repeat(18), sensorId: 'a sensor '.repeat(14) }
    const reply = await call(`${service.url}/api/events`, {
      headers: { 'content-type': 'application/x-ndjson', 'x-service-workspace-token': service.token },
      body: Array.from({ length: count }, () => JSON.stringify(event)).join('\n')
    })
    assert.equal(reply.status, 202, reply.text)
  }

  async function eventsOf(path: string, token = reader): Promise<readonly Shown[]> {
    const reply = await get(path, token)
    assert.equal(reply.status, 200, reply.text)
    return reply.json()['events'] as Shown[]
  }

  test('pages lose and repeat no event, in either order', async () => {
    const sent: string[] = []
    for (let at = 0; at < 7; at++) sent.push(await post({ mcpToolName: 'paged' }))
    for (const order of ['newest', 'oldest']) {
      const seen: string[] = []
      for (let cursor: unknown = ''; cursor !== null;) {
        const page = await get(
          `/api/events?mcpToolName=paged&limit=3&order=${order}${cursor === '' ? '' : `&cursor=${encodeURIComponent(String(cursor))}`}`
        )
        const body = page.json() as { events: Shown[]; next: unknown }
        seen.push(...body.events.map(({ eventId }) => eventId))
        cursor = body.next
      }
      assert.deepEqual(seen, order === 'oldest' ? sent : sent.toReversed())
    }
  })

  test('each filter applies to its field', async () => {
    const requestId = randomUUID()
    const wanted = await post({
      requestId,
      action: 'block',
      riskTier: 'high',
      clientSurface: 'codex',
      modelProvider: 'xai',
      modelId: 'filter-model',
      mcpToolName: 'filter-tool',
      downstreamServer: 'mock',
      sensorId: 'filter-sensor'
    })
    await post({ action: 'block', riskTier: 'high', clientSurface: 'codex', modelProvider: 'xai' })
    for (const filter of [
      `requestId=${requestId}`,
      `requestId=${requestId.toUpperCase()}`,
      'modelId=filter-model',
      'mcpToolName=filter-tool',
      'sensorId=filter-sensor',
      'downstreamServer=mock&clientSurface=codex',
      'action=block&modelId=filter-model&origin=sensor&kind=tool_call_enforcement'
    ]) {
      const events = await eventsOf(`/api/events?${filter}`)
      assert.deepEqual(
        events.map(({ eventId }) => eventId),
        [wanted],
        filter
      )
    }
    assert.equal((await eventsOf('/api/events?clientSurface=codex')).length, 2)
    assert.deepEqual(await eventsOf('/api/events?modelId=filter-model&to=1h'), [])
    assert.deepEqual(await eventsOf('/api/events?modelId=filter-model&origin=service'), [])
  })

  test('a token without audit:read sees only its own rows', async () => {
    const { token: other } = await service.createToken({ scopes: ['events:write'] })
    const own = await post({ mcpToolName: 'whose' }, other)
    await post({ mcpToolName: 'whose' })
    const seen = await eventsOf('/api/events?mcpToolName=whose', other)
    assert.deepEqual(
      seen.map(({ eventId }) => eventId),
      [own]
    )
    assert.equal((await eventsOf('/api/events?mcpToolName=whose')).length, 2)
    assert.equal((await get('/api/events/series', other)).status, 403)
    assert.equal((await get('/api/events', 'svw_wrong')).status, 401)
  })

  test('a series counts by step and value', async () => {
    for (const action of ['block', 'block', 'mask'])
      await post({ action, mcpToolName: 'series-tool', entitiesMasked: 2 })
    const reply = await get('/api/events/series?by=mcpToolName&step=hour&from=2h')
    assert.equal(reply.status, 200, reply.text)
    const points = reply.json()['points'] as { value: string; action: string; events: number; entitiesMasked: number }[]
    const counted = (wanted: string) =>
      points
        .filter(({ value, action }) => value === 'series-tool' && action === wanted)
        .reduce((sum, point) => ({ events: sum.events + point.events, masked: sum.masked + point.entitiesMasked }), {
          events: 0,
          masked: 0
        })
    assert.deepEqual(
      [counted('block'), counted('mask')],
      [
        { events: 2, masked: 4 },
        { events: 1, masked: 2 }
      ]
    )
  })

  test('invalid parameters are named with their rule, and their values are never repeated', async () => {
    const cases = [
      ['/api/events?limit=0', '/limit'],
      ['/api/events?limit=1001', '/limit'],
      ['/api/events?limit=x', '/limit'],
      ['/api/events?from=yesterday', '/from'],
      ['/api/events?requestId=12', '/requestId'],
      ['/api/events?kind=Bad-Kind', '/kind'],
      ['/api/events?origin=mine', '/origin'],
      ['/api/events?action=', '/action'],
      ['/api/events?action=planted', '/action'],
      ['/api/events?riskTier=HIGH', '/riskTier'],
      ['/api/events/tail?riskTier=planted', '/riskTier'],
      ['/api/events/export?action=planted', '/action'],
      ['/api/events?from=1h&to=2h', '/from'],
      ['/api/audit?from=1h&to=2h', '/from'],
      ['/api/events?limit=1&limit=2', '/limit'],
      ['/api/events?modelIdd=planted', ''],
      ['/api/events?cursor=planted', ''],
      ['/api/events/series?by=planted', '/by'],
      ['/api/events/series?step=minute&from=300d', '/step'],
      ['/api/events/series?from=1h&to=2h', '/from'],
      ['/api/events/export?format=planted', '/format'],
      ['/api/events/tail?modelIdd=planted', '']
    ] as const
    for (const [path, pointer] of cases) {
      const reply = await get(path)
      assert.equal(reply.status, 400, `${path}: ${reply.text}`)
      const [fault] = reply.json()['errors'] as { path: string; message: string }[]
      assert.equal(fault?.path, pointer, path)
      assert.ok(!/planted|yesterday|Bad-Kind/.test(reply.text), reply.text)
    }
    assert.match((await get('/api/events?modelIdd=1')).text, /Did you mean modelId/)
  })

  test('exports contain every event once, as JSON lines and as CSV without formulas', async () => {
    const ids: string[] = []
    for (let at = 0; at < 3; at++)
      ids.push(await post({ mcpToolName: '=cmd()', sensorId: 'export', reasonCode: 'a,"b"' }))
    const jsonl = await get('/api/events/export?sensorId=export')
    assert.match(jsonl.headers['content-type'] ?? '', /^application\/x-ndjson/)
    const lines = jsonl.text.trimEnd().split('\n')
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as Shown).eventId),
      ids
    )
    const csv = await get('/api/events/export?sensorId=export&format=csv')
    const [head = '', ...rows] = csv.text.trimEnd().split('\r\n')
    assert.ok(head.startsWith('sequence,eventId,kind,'))
    assert.equal(rows.length, 3)
    for (const row of rows) {
      assert.ok(row.includes("'=cmd()") && row.includes('"a,""b"""'), row)
    }
  })

  test('no name splits its record for readers that end lines at further characters', async () => {
    const name = 'read\u2028{"kind":"other"}\u2029file'
    const id = await post({ mcpToolName: name, sensorId: 'parted', action: 'allow' })
    const tail = await openTail('/api/events/tail?sensorId=parted', { 'last-event-id': '0' })
    const [seen] = await tail.wait(1)
    tail.close()
    const audit = await get('/api/audit/export?action=tool_call_enforcement')
    const exported = await get('/api/events/export?sensorId=parted')
    const row = audit.text.split('\n').find((line) => line.includes('"parted"')) ?? ''
    for (const [line, isEvent] of [
      [seen?.data ?? '', true] as const,
      [exported.text, true] as const,
      [row, false] as const
    ]) {
      assert.doesNotMatch(line, /[\u2028\u2029]/)
      const told = JSON.parse(line) as Shown & { readonly detail?: { readonly mcpToolName?: string } }
      if (isEvent) assert.equal(told.eventId, id)
      assert.ok(JSON.stringify(told).includes(JSON.stringify(name)), line)
    }
  })

  test('exports that nobody reads are limited, and release their slots', async () => {
    const { token } = await service.createToken({ scopes: ['audit:read'] })
    // The response must not fit into the socket buffers.
    for (let at = 0; at < 20; at++) await postMany(1000)
    const open = async () => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
      socket.write(`GET /api/events/export HTTP/1.1\r\nhost: x\r\nx-service-workspace-token: ${token}\r\n\r\n`)
      await once(socket, 'readable')
      return socket
    }
    const idle = await Promise.all(Array.from({ length: 4 }, open))
    const path = '/api/events/export?kind=nothing_of_it'
    assert.equal((await get(path, token)).status, 429)
    assert.equal((await get(path)).status, 200, 'another token has places of its own')
    for (const socket of idle) socket.destroy()
    await eventually('a free place', async () => ((await get(path, token)).status === 200 ? true : undefined))
  })

  test('HEAD starts no export and no stream, which would be read to their end for nothing', async () => {
    for (const path of ['/api/events/export', '/api/audit/export', '/api/events/tail']) {
      const reply = await call(`${service.url}${path}`, {
        method: 'HEAD',
        headers: { 'x-service-workspace-token': reader }
      })
      assert.deepEqual([reply.status, reply.headers['allow']], [405, 'GET'], path)
    }
  })

  test('the tail shows new events only, and resumes where it was', async () => {
    const first = await openTail('/api/events/tail?mcpToolName=tailed')
    const one = await post({ mcpToolName: 'tailed' })
    await post({ mcpToolName: 'not-tailed' })
    const [seen] = await first.wait(1)
    first.close()
    assert.equal(seen?.event, 'workspace_event')
    assert.equal((JSON.parse(seen?.data ?? '') as Shown).eventId, one)
    const missed = await post({ mcpToolName: 'tailed' })
    const second = await openTail('/api/events/tail?mcpToolName=tailed', { 'last-event-id': seen?.id ?? '' })
    const [next] = await second.wait(1)
    second.close()
    assert.equal((JSON.parse(next?.data ?? '') as Shown).eventId, missed)
  })

  test('the tail ends when its token is revoked, and the streams of a token are limited', async () => {
    const { token, id } = await service.createToken({ scopes: ['audit:read'] })
    const streams = await Promise.all(Array.from({ length: 10 }, () => openTail('/api/events/tail', {}, token)))
    const refused = await get('/api/events/tail', token)
    assert.equal(refused.status, 429)
    assert.equal(refused.json()['code'], 'too_many_streams')
    await service.revokeToken(id)
    await eventually('the end of every stream', () => streams.every(({ ended }) => ended()) || undefined)
  })

  test('the tail ends when its token expires, even if a rotation has set that later', async () => {
    const { token, id } = await service.createToken({ scopes: ['audit:read'] })
    const tail = await openTail('/api/events/tail', {}, token)
    await service.running.tokens.rotate({ workspaceId: 'default', id, overlapMs: 500 }, 'test')
    await eventually('the end of the stream', () => tail.ended() || undefined)
  })

  async function openTail(path: string, headers: Record<string, string> = {}, token = reader) {
    const stop = new AbortController()
    const response = await fetch(`${service.url}${path}`, {
      headers: { 'x-service-workspace-token': token, ...headers },
      signal: stop.signal
    })
    assert.equal(response.status, 200)
    assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/)
    const messages: EventSourceMessage[] = []
    let over = false
    const parser = createParser({ onEvent: (message) => messages.push(message) })
    const reading = (async () => {
      const decoder = new TextDecoder()
      for await (const chunk of response.body as AsyncIterable<Uint8Array>)
        parser.feed(decoder.decode(chunk, { stream: true }))
    })()
    reading.catch(() => {}).finally(() => (over = true))
    return {
      wait: async (count: number) => {
        await eventually(`${count} events of the tail`, () => messages.length >= count || undefined)
        return messages
      },
      ended: () => over,
      close: () => stop.abort()
    }
  }
})
