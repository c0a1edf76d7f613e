/** The metrics that Prometheus scrapes. */
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { eventOf } from '../../src/store/contract/samples.contract.ts'
import { metricTable, type Metric } from '../../src/telemetry/metric-table.ts'
import { eventually } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { publishProfile } from '../support/publish-profile.ts'
import { makeDataDir, startTestService, type TestService } from '../support/start-service.ts'
import { startStubUpstream, type StubUpstream } from '../support/stub-upstream.ts'
import { answers } from '../support/upstream-behaviours.ts'

let upstream: StubUpstream
let service: TestService
before(async () => {
  upstream = await startStubUpstream(answers())
  service = await startTestService({ upstream })
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await upstream[Symbol.asyncDispose]()
})

async function scrape(url = service.url): Promise<string> {
  const answer = await call(`${url}/metrics`, { method: 'GET' })
  assert.equal(answer.status, 200, answer.text)
  assert.match(answer.headers['content-type'] ?? '', /^text\/plain; version=0\.0\.4/)
  return answer.text
}

/** The sum of a metric over all series whose labels contain `part`. */
function valueOf(text: string, name: string, part = ''): number {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
  return lines.filter((line) => line.includes(part)).reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

const ask = (content: string) =>
  service.send('chat-completions', JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }), {
    headers: { 'x-service-client-surface': 'claude-code' }
  })

test('calls are counted by outcome, and masked values by tier', async () => {
  assert.equal((await ask('hello')).status, 200)
  assert.equal((await ask('write to ana.li@corp-mail.dev and bo.li@corp-mail.dev')).status, 200)
  const text = await eventually('both calls', async () => {
    const now = await scrape()
    return valueOf(now, 'sluice_ingress_calls_total') === 2 ? now : undefined
  })
  assert.match(
    text,
    /sluice_ingress_calls_total\{outcome="forwarded",action="mask",dialect="chat-completions",surface="claude-code",provider="\w+"\} 1/
  )
  assert.equal(valueOf(text, 'sluice_ingress_entities_masked_total', 'tier="medium"'), 2)
  assert.equal(valueOf(text, 'sluice_ingress_added_seconds_count'), 2)
  assert.equal(valueOf(text, 'sluice_ingress_upstream_seconds_count'), 2)
})

test('blocks of unknown types are counted by dialect, and no part of them is a label', async () => {
  const content = [{ type: 'hologram_of_ana', text: 'hello' }]
  const before = valueOf(await scrape(), 'sluice_ingress_unknown_blocks_total')
  const body = JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content }] })
  assert.equal((await service.send('messages', body)).status, 200)
  const text = await eventually('the block', async () => {
    const now = await scrape()
    return valueOf(now, 'sluice_ingress_unknown_blocks_total', 'dialect="messages"') === before + 1 ? now : undefined
  })
  assert.doesNotMatch(text, /hologram/)
})

test('events of sensors are counted by result', async () => {
  const post = (body: object) =>
    call(`${service.url}/api/events`, {
      headers: { 'x-service-workspace-token': service.token, 'content-type': 'application/json' },
      body: JSON.stringify(body)
    })
  const eventId = '0198f1d0-7000-7000-8000-000000000001'
  const event = { kind: 'tool_call_enforcement', action: 'allow', mcpToolName: 'search', eventId }
  assert.equal((await post(event)).status, 202)
  assert.equal((await post(event)).status, 202)
  assert.equal((await post({ ...event, eventId: 'none' })).status, 400)
  const text = await scrape()
  for (const outcome of ['accepted', 'duplicate', 'rejected']) {
    assert.equal(valueOf(text, 'sluice_events_total', `outcome="${outcome}"`), 1, outcome)
  }
})

test('store, audit and policies show their state', async () => {
  const text = await eventually('the first maintenance and the first root', async () => {
    const now = await scrape()
    return valueOf(now, 'sluice_store_bytes') > 0 && valueOf(now, 'sluice_audit_roots_total') > 0 ? now : undefined
  })
  const nowS = Date.now() / 1000
  assert.ok(nowS - valueOf(text, 'sluice_maintenance_last_success_timestamp_seconds') < 600)
  assert.ok(nowS - valueOf(text, 'sluice_audit_last_seal_timestamp_seconds') < 600)
  assert.equal(valueOf(text, 'sluice_store_full'), 0)
  assert.equal(valueOf(text, 'sluice_recording_failing'), 0)
  assert.equal(valueOf(text, 'sluice_workspaces'), 1)
  assert.equal(valueOf(text, 'sluice_policy_sequence', 'workspace="default"'), 1)
  assert.equal(valueOf(text, 'sluice_recording_queue_max_records'), 20_000)
  assert.ok(valueOf(text, 'process_resident_memory_bytes') > 0, 'numbers of the process are there')
})

test('what softens the policy is counted, and the block switch of the server with it', async () => {
  await using soft = await startTestService({ env: { SERVICE_INGRESS_BLOCK_HIGH_RISK: 'false' } })
  await publishProfile(soft, { mode: 'observe', allow: { emailDomains: ['gmail.com'] } })
  for (const [url, count] of [
    [service.url, 0],
    [soft.url, 3]
  ] as const) {
    const line = `sluice_policy_softenings{workspace="default"} ${count}\n`
    await eventually(line, async () => (await scrape(url)).includes(line) || undefined)
  }
})

test('every metric of the table is served with its type, and with no labels but those of the table', async () => {
  const text = await scrape()
  for (const { name, type, labels } of Object.values<Metric>(metricTable)) {
    assert.ok(text.includes(`# TYPE ${name} ${type}\n`), name)
    const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`))
    for (const line of lines) {
      const found = [...line.matchAll(/([a-z]+)="/g)].map(([, label]) => label as string)
      assert.deepEqual(
        found.filter((label) => ![...labels, 'le'].includes(label)),
        [],
        line
      )
    }
  }
})

test('no label takes text from a client', async () => {
  await service.send('chat-completions', '{"model":"odd-model-name","messages":[{"role":"user","content":"hi"}]}', {
    headers: { 'x-service-client-surface': 'odd-surface-name', 'x-service-model-provider': 'odd-provider-name' }
  })
  const text = await scrape()
  assert.doesNotMatch(text, /odd-/)
  assert.ok(!text.includes(service.token.slice(0, 12)), 'the id of a token is a label')
})

test('SERVICE_METRICS=false turns them off', async () => {
  for (const [value, status] of [
    ['false', 404],
    ['true', 200]
  ] as const) {
    await using other = await startTestService({ env: { SERVICE_METRICS: value } })
    assert.equal((await call(`${other.url}/metrics`, { method: 'GET' })).status, status, value)
  }
})

test('a store over its size limit refuses events with a message, and nothing else', async () => {
  const dataDir = await makeDataDir()
  try {
    {
      await using first = await startTestService({ dataDir })
      const at = Date.now()
      const big = { platform: 'x'.repeat(4000) }
      for (let batch = 0; batch < 5; batch++) {
        const events = Array.from({ length: 1000 }, () =>
          eventOf({ workspaceId: 'default', receivedAt: at, sensorMetadata: big })
        )
        await first.running.store.append({ events, audit: [] })
      }
    }
    await using full = await startTestService({ dataDir, upstream, env: { SERVICE_STORE_BYTES_MAX: '16777216' } })
    const headers = { 'x-service-workspace-token': full.token, 'content-type': 'application/json' }
    const refused = await eventually('the first maintenance', async () => {
      const answer = await call(`${full.url}/api/events`, { headers, body: '{"kind":"one"}' })
      return answer.status === 503 ? answer : undefined
    })
    assert.equal(refused.json()['code'], 'store_full')
    assert.ok(Number(refused.headers['retry-after']) >= 30)
    const counted = async (): Promise<number> => valueOf(await scrape(full.url), 'sluice_events_total')
    const before = await counted()
    const checked = await call(`${full.url}/api/events?validate=1`, { headers, body: '[{"kind":"one"},{"kind":5}]' })
    assert.equal(checked.status, 207, 'a check stores nothing')
    assert.equal(await counted(), before, 'and counts nothing')
    const model = await full.send('chat-completions', '{"model":"m","messages":[{"role":"user","content":"hi"}]}')
    assert.equal(model.status, 200)
    await full.audit.ingress(model.headers['x-request-id'] ?? '')
    const ready = await call(`${full.url}/readyz`, { method: 'GET' })
    assert.deepEqual([ready.status, ready.json()['status']], [200, 'degraded'])
    assert.partialDeepStrictEqual(ready.json(), { checks: { space: 'full' } })
    assert.equal(valueOf(await scrape(full.url), 'sluice_store_full'), 1)
  } finally {
    await rm(dataDir, { recursive: true })
  }
})
