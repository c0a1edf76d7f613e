/** Export of events to an OTLP collector: each at least once, whatever happens to the collector and to the service. */
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { enforcement, post, receipt } from '../support/events.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { call } from '../support/http.ts'
import { startOtlpReceiver, type OtlpReceiver, type ReceivedRequest } from '../support/otlp-receiver.ts'
import { createPlanter } from '../support/planted.ts'
import { sharedPostgres } from '../support/postgres.ts'
import { occurring } from '../support/search.ts'
import { startServiceProcess } from '../support/start-service-process.ts'
import { makeDataDir, startTestService, type TestService } from '../support/start-service.ts'
import { startStubUpstream } from '../support/stub-upstream.ts'
import { answers } from '../support/upstream-behaviours.ts'

type Sending = Pick<TestService, 'url' | 'token'>

const toCollector = (receiver: Pick<OtlpReceiver, 'url'>, more: Record<string, string> = {}) => ({
  SERVICE_EVENTS_OTLP_ENDPOINT: receiver.url,
  ...more
})

/** Sends events as a sensor does. @returns their ids, which are on disk now */
async function report(service: Sending, count: number, fields: object = {}): Promise<string[]> {
  const events = Array.from({ length: count }, () => ({ ...enforcement, eventId: randomUUID(), ...fields }))
  receipt(await post(service, events))
  return events.map(({ eventId }) => eventId)
}

const idsOf = (logs: OtlpReceiver['logs']): string[] => logs.map((log) => String(log.attributes['service.event.id']))

/** Waits until the collector has accepted all of these. */
async function arrived(receiver: OtlpReceiver, ids: readonly string[]): Promise<void> {
  await eventually(`${ids.length} events at the collector`, () => {
    const there = new Set(idsOf(receiver.logs))
    return ids.every((id) => there.has(id)) ? true : undefined
  })
}

async function metric(service: Sending, name: string): Promise<number> {
  const { text } = await call(`${service.url}/metrics`, { method: 'GET' })
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  return Number(line?.split(' ').at(-1) ?? Number.NaN)
}

const answer = (res: ServerResponse, status: number, headers: Record<string, string> = {}): 'leave' => {
  res.writeHead(status, headers).end()
  return 'leave'
}

describe('a collector receives', () => {
  for (const [protocol, genAi] of [
    ['http/protobuf', true],
    ['http/json', false]
  ] as const) {
    test(`calls and events as log records, in ${protocol}, ${genAi ? 'with' : 'without'} GenAI attributes`, async () => {
      await using receiver = await startOtlpReceiver()
      await using stub = await startStubUpstream(answers('Read.'))
      const headers = { SERVICE_EVENTS_OTLP_HEADERS: 'x-scope=acme%20prod, authorization=Bearer%20abc' }
      const env = toCollector(receiver, {
        SERVICE_EVENTS_OTLP_PROTOCOL: protocol,
        SERVICE_OTEL_GENAI: String(genAi),
        ...headers
      })
      await using service = await startTestService({ upstream: stub, env })
      const { sentence, needle } = createPlanter(4318)('email')
      const [requestId, traceId] = [randomUUID(), randomBytes(16).toString('hex')]
      const occurredAt = Math.floor(Date.now() / 1000) * 1000 - 86_399_750
      const body = JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: sentence }] })
      await service.send('chat-completions', body, {
        headers: { 'x-request-id': requestId, traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
      })
      const [id = ''] = await report(service, 1, { requestId, traceId, occurredAt: new Date(occurredAt).toISOString() })
      await arrived(receiver, [id])
      const { detail } = await eventually('the call', async () => (await service.audit.rows(requestId))[0])
      const ofRequest = await eventually('both of the request', () => {
        const found = receiver.logs.filter(({ attributes }) => attributes['service.request.id'] === requestId)
        return found.length === 2 ? found : undefined
      })
      const proxied = ofRequest.find(({ eventName }) => eventName === 'ingress_proxy')
      const told = ofRequest.find(({ eventName }) => eventName === 'tool_call_enforcement')
      assert.deepEqual(
        ofRequest.map((log) => log.traceId),
        [traceId, traceId]
      )
      assert.equal(detail['traceId'], traceId)
      assert.partialDeepStrictEqual(proxied?.attributes, {
        'service.ingress.action': 'mask',
        'service.client.surface': 'unknown',
        'service.model.provider': 'openai',
        'service.entities.masked': 1,
        'service.request.id': requestId,
        'service.event.kind': 'ingress_proxy',
        'service.event.origin': 'service',
        'service.workspace.id': 'default'
      })
      const model = Object.entries(proxied?.attributes ?? {}).filter(([name]) => name.startsWith('gen_ai.'))
      const said = {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'gpt-5',
        'gen_ai.usage.input_tokens': 21,
        'gen_ai.usage.output_tokens': 9
      }
      assert.deepEqual(Object.fromEntries(model), genAi ? said : {})
      assert.partialDeepStrictEqual(proxied?.body, {
        outcome: 'forwarded',
        entityCounts: { email_address: 1 },
        traceId
      })
      assert.partialDeepStrictEqual(told, {
        severityNumber: 13,
        timeUnixNano: `${occurredAt}000000`,
        resource: { 'service.name': 'sluice' },
        attributes: { 'service.ingress.action': 'block', 'service.event.origin': 'sensor', 'service.event.id': id },
        body: { mcpToolName: 'read_file', downstreamServer: 'mock' }
      })
      const [first] = receiver.requests
      assert.partialDeepStrictEqual(first?.headers, {
        'content-encoding': 'gzip',
        'x-scope': 'acme prod',
        authorization: 'Bearer abc'
      })
      const everything = Buffer.concat(receiver.requests.map(({ bytes }) => bytes))
      assert.deepEqual([...occurring(everything, [needle])], [])
      assert.equal(await metric(service, 'sluice_events_otlp_active'), 1)
      assert.equal(await metric(service, 'sluice_events_otlp_sent_total'), receiver.logs.length)
    })
  }
})

describe('a collector in trouble', () => {
  /** A service whose collector handles each request in its own way until `mend` is called. */
  async function withTrouble(
    behave: (
      request: ReceivedRequest,
      res: ServerResponse,
      turn: number
    ) => 'take' | 'leave' | Promise<'take' | 'leave'>,
    check: (service: TestService, receiver: OtlpReceiver, mend: () => void) => Promise<void>,
    more: Record<string, string> = {}
  ): Promise<void> {
    await using receiver = await startOtlpReceiver()
    let turn = 0
    receiver.behave((request, res) => behave(request, res, turn++))
    await using service = await startTestService({ env: toCollector(receiver, more) })
    await check(service, receiver, () => receiver.behave(() => 'take'))
  }

  test('that is down gets all events when it is back', async () => {
    const port = await freePort()
    await using service = await startTestService({ env: toCollector({ url: `http://127.0.0.1:${port}` }) })
    const ids = await report(service, 40)
    await eventually('failures', async () =>
      (await metric(service, 'sluice_events_otlp_failures_total{kind="later"}')) >= 2 ? true : undefined
    )
    assert.ok((await metric(service, 'sluice_events_otlp_lag_seconds')) > 0)
    await using receiver = await startOtlpReceiver(port)
    await arrived(receiver, ids)
    await eventually('no lag', async () =>
      (await metric(service, 'sluice_events_otlp_lag_seconds')) === 0 ? true : undefined
    )
  })

  test('that answers too late, or with a retryable status, gets the same events again', async () => {
    await withTrouble(
      async (_request, res, turn) => {
        // Held until the service gives up: its timeout is short here.
        if (turn === 0) return await new Promise((resolve) => res.once('close', () => resolve('leave')))
        if (turn === 1) return answer(res, 429, { 'retry-after': '1' })
        return turn < 6 ? answer(res, [500, 502, 503, 504][turn - 2] ?? 503) : 'take'
      },
      async (service, receiver) => {
        const ids = await report(service, 30)
        await arrived(receiver, ids)
        assert.ok((await metric(service, 'sluice_events_otlp_failures_total{kind="later"}')) >= 6)
      },
      { SERVICE_EVENTS_OTLP_TIMEOUT_MS: '500' }
    )
  })

  test('that rejects the credential causes no loss until that is fixed', async () => {
    await withTrouble(
      (_request, res, turn) => answer(res, [401, 403, 404, 415][turn % 4] ?? 401),
      async (service, receiver, mend) => {
        const ids = await report(service, 10)
        const refused = 'sluice_events_otlp_failures_total{kind="refused"}'
        await eventually('refusals', async () => ((await metric(service, refused)) >= 4 ? true : undefined))
        mend()
        await arrived(receiver, ids)
      }
    )
  })

  test('that is down for longer than events are kept: the events that it never got are counted', async () => {
    await withTrouble(
      (_request, res) => answer(res, 503),
      async (service, receiver, mend) => {
        await report(service, 9)
        await eventually('failures', async () =>
          (await metric(service, 'sluice_events_otlp_failures_total{kind="later"}')) >= 1 ? true : undefined
        )
        const now = Date.now() + 40 * 86_400_000
        const plan = { now, eventDays: 30, auditDays: 400, minuteRollupDays: 8, bytesMax: 0 }
        // If the service's own retention run is in progress, that one answers.
        await eventually('retention', async () =>
          (await service.running.store.maintain(plan)).dropped.some(({ rows }) => rows > 0) ? true : undefined
        )
        const expired = 'sluice_events_otlp_dropped_total{reason="expired"}'
        await eventually('the loss', async () => ((await metric(service, expired)) === 9 ? true : undefined))
        mend()
        await arrived(receiver, await report(service, 3))
      }
    )
  })

  test('that rejects one event gets all others, and the loss is counted', async () => {
    let bad = ''
    await withTrouble(
      ({ logs }, res) => (idsOf(logs as OtlpReceiver['logs']).includes(bad) ? answer(res, 400) : 'take'),
      async (service, receiver) => {
        const events = Array.from({ length: 21 }, () => ({ ...enforcement, eventId: randomUUID() }))
        bad = events[13]?.eventId ?? ''
        receipt(await post(service, events))
        const others = events.map(({ eventId }) => eventId).filter((id) => id !== bad)
        await arrived(receiver, others)
        const after = await report(service, 1)
        await arrived(receiver, after)
        assert.ok(!idsOf(receiver.logs).includes(bad))
        assert.equal(await metric(service, 'sluice_events_otlp_dropped_total{reason="rejected"}'), 1)
      }
    )
  })

  test('that limits the batch size gets it in parts, and its partial success is honoured', async () => {
    await withTrouble(
      ({ logs }, res, turn) => {
        if (logs.length > 4) return answer(res, 413)
        if (turn > 12) return 'take'
        const body = JSON.stringify({ partialSuccess: { rejectedLogRecords: '1', errorMessage: 'one is odd' } })
        res.writeHead(200, { 'content-type': 'application/json' }).end(body)
        return 'take'
      },
      async (service, receiver) => {
        const ids = await report(service, 16)
        await arrived(receiver, ids)
        assert.equal(new Set(idsOf(receiver.logs)).size, 16)
        assert.ok((await metric(service, 'sluice_events_otlp_dropped_total{reason="rejected"}')) > 0)
      },
      { SERVICE_EVENTS_OTLP_PROTOCOL: 'http/json' }
    )
  })
})

describe('a service that stops', () => {
  test('in good order sends what is left; killed between batches, it loses nothing', async (t) => {
    await using receiver = await startOtlpReceiver()
    const dataDir = await makeDataDir()
    t.after(() => rm(dataDir, { recursive: true, force: true }))
    const env = toCollector(receiver, { SERVICE_EVENTS_OTLP_BATCH_MAX: '7' })
    const ids: string[] = []
    for (let turn = 0; turn < 2; turn++) {
      const service = await startServiceProcess({ dataDir, env })
      // Some batches are accepted, and the next one is on its way when the process dies.
      let left = 2 + turn
      receiver.behave((_request, res) =>
        left-- > 0 ? 'take' : new Promise((resolve) => res.once('close', () => resolve('leave')))
      )
      ids.push(...(await report(service, 50)))
      await eventually('a batch on its way', () => (left < 0 ? true : undefined))
      await service.kill()
    }
    receiver.behave(() => 'take')
    const last = await startServiceProcess({ dataDir, env })
    ids.push(...(await report(last, 5)))
    assert.equal(await last.stop(), 0)
    const missing = ids.filter((id) => !idsOf(receiver.logs).includes(id))
    // The lease of the killed process may have outlived its successor.
    if (missing.length > 0) {
      await using again = await startTestService({ dataDir, env })
      assert.ok(again.url)
      await arrived(receiver, ids)
    }
  })

  test('as one of two instances is succeeded by the other, and only one sends at a time', async (t) => {
    await using server = await sharedPostgres({ isDurable: false })
    await using receiver = await startOtlpReceiver()
    const env = toCollector(receiver, {
      DATABASE_URL: await server.newDatabase(),
      SERVICE_MASTER_KEY: randomBytes(32).toString('hex'),
      SERVICE_EVENTS_OTLP_BATCH_MAX: '7',
      // Longer than a busy machine may stall a process, or the other one would rightly take over.
      TEST_LEASE_MS: '4000'
    })
    const dataDir = await makeDataDir()
    t.after(() => rm(dataDir, { recursive: true, force: true }))
    const first = await startServiceProcess({ dataDir, env })
    await eventually('the first at work', async () =>
      (await metric(first, 'sluice_events_otlp_active')) === 1 ? true : undefined
    )
    const second = await startServiceProcess({ dataDir, env })
    t.after(() => second.stop())
    const ids = [...(await report(first, 40)), ...(await report(second, 40))]
    await arrived(receiver, ids)
    assert.equal(await metric(second, 'sluice_events_otlp_active'), 0)
    assert.deepEqual(idsOf(receiver.logs).toSorted(), ids.toSorted(), 'an event was sent by both')
    const more = await report(second, 40)
    await first.kill()
    await arrived(receiver, [...ids, ...more, ...(await report(second, 10))])
    assert.equal(await metric(second, 'sluice_events_otlp_active'), 1)
  })
})
