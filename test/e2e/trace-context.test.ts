/** W3C trace context without OpenTelemetry: continued as it came, dropped if malformed, never an error. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { enforcement, post, receipt, storedEvents } from '../support/events.ts'
import { call } from '../support/http.ts'
import { createPlanter } from '../support/planted.ts'
import { startTestSidecar, type TestSidecar } from '../support/start-sidecar.ts'
import { startTestService, type TestService } from '../support/start-service.ts'
import { startStubUpstream, type StubUpstream } from '../support/stub-upstream.ts'
import { answers } from '../support/upstream-behaviours.ts'
import { startWireTap, type WireTap } from '../support/wire-tap.ts'

const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello.' }] })
const fresh = (): { traceId: string; traceparent: string } => {
  const traceId = randomBytes(16).toString('hex')
  return { traceId, traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
}

describe('trace context without OpenTelemetry', () => {
  const running = new AsyncDisposableStack()
  let stub: StubUpstream
  let service: TestService
  let tap: WireTap
  let sidecar: TestSidecar
  before(async () => {
    stub = running.use(await startStubUpstream(answers('Read.')))
    service = running.use(await startTestService({ upstream: stub }))
    tap = running.use(await startWireTap(service.url))
    sidecar = running.use(await startTestSidecar({ target: tap.url, token: service.token }))
    await sidecar.enforces(1)
  })
  after(() => running.disposeAsync())

  async function ask(headers: Readonly<Record<string, string>>) {
    stub.forget()
    tap.forget()
    const requestId = randomUUID()
    const reply = await call(`${sidecar.url}/v1/chat/completions`, {
      headers: { 'content-type': 'application/json', 'x-request-id': requestId, ...headers },
      body
    })
    assert.equal(reply.status, 200, reply.text)
    const sent = stub.received[0]?.headers ?? {}
    return { requestId, sent }
  }

  test('the client’s trace goes on to the upstream, the tracestate no further than the service', async () => {
    const { traceId, traceparent } = fresh()
    const { requestId, sent } = await ask({ traceparent, tracestate: 'corp=t61rcWkgMzE' })
    assert.ok(tap.said().includes(`traceparent: ${traceparent}`))
    assert.ok(tap.said().includes('tracestate: corp=t61rcWkgMzE'))
    assert.equal(sent['traceparent'], traceparent)
    assert.equal(sent['tracestate'], undefined)
    const { detail } = await service.audit.only(requestId)
    assert.equal(detail['traceId'], traceId)
    const [event] = await storedEvents(service, { requestId })
    assert.equal(event?.sensorMetadata['traceId'], traceId)
  })

  test('a malformed trace context is dropped, and the call proceeds', async () => {
    for (const traceparent of ['garbage', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, 'x'.repeat(4000)]) {
      const { requestId, sent } = await ask({ traceparent, tracestate: 'corp=1' })
      assert.equal(sent['traceparent'], undefined)
      assert.ok(!/tracestate|traceparent/.test(tap.said()))
      assert.equal((await service.audit.only(requestId)).detail['traceId'], undefined)
    }
    const { traceparent } = fresh()
    const { sent } = await ask({ traceparent, tracestate: 'not a list' })
    assert.equal(sent['traceparent'], traceparent)
    assert.ok(!tap.said().includes('tracestate'))
  })

  test('a tracestate that contains a secret is not forwarded, and the call is not refused for it', async () => {
    const { value, needle } = createPlanter(55)('github_token')
    const { traceparent } = fresh()
    const { sent } = await ask({ traceparent, tracestate: `corp=${value}` })
    assert.equal(sent['traceparent'], traceparent)
    assert.ok(!tap.said().includes(needle))
  })

  test('a sensor can name the trace that an event belongs to', async () => {
    const { traceId } = fresh()
    const requestId = randomUUID()
    receipt(await post(service, { ...enforcement, requestId, traceId: traceId.toUpperCase() }))
    assert.equal((await service.audit.only(requestId)).detail['traceId'], traceId)
    for (const wrong of ['', 'g'.repeat(32), '0'.repeat(32), `${traceId}0`, 7]) {
      const reply = await post(service, { ...enforcement, traceId: wrong })
      assert.equal(reply.status, 400)
      assert.ok(reply.text.includes('/traceId'))
    }
  })
})

test('an operator decides how much of the trace a vendor gets', async () => {
  await using stub = await startStubUpstream(answers('Read.'))
  const { traceparent } = fresh()
  const told: Record<string, (string | undefined)[]> = {}
  for (const passed of ['off', 'traceparent', 'full']) {
    const env = { SERVICE_UPSTREAM_TRACE_CONTEXT: passed }
    await using service = await startTestService({ upstream: stub, env })
    stub.forget()
    await service.send('chat-completions', body, { headers: { traceparent, tracestate: 'corp=1' } })
    const headers = stub.received[0]?.headers ?? {}
    told[passed] = [headers['traceparent'], headers['tracestate']]
  }
  assert.deepEqual(told, {
    off: [undefined, undefined],
    traceparent: [traceparent, undefined],
    full: [traceparent, 'corp=1']
  })
})

test('unless a variable enables it, nothing of OpenTelemetry is loaded but the API, which the metrics depend on', async () => {
  const src = join(import.meta.dirname, '../../src')
  const script = `
    import { registerHooks } from 'node:module'
    const urls = []
    registerHooks({ load: (url, context, next) => { urls.push(url); return next(url, context) } })
    await import(${JSON.stringify(join(src, 'service/start.ts'))})
    await import(${JSON.stringify(join(src, 'sensor/sidecar/start.ts'))})
    const { loadTelemetry } = await import(${JSON.stringify(join(src, 'telemetry/otel/load.ts'))})
    const log = { warn() {} }
    const off = await loadTelemetry({ OTEL_SERVICE_NAME: 'x' }, { log })
    const isSdk = (url) => /@opentelemetry\\/(?!api\\/)/.test(url)
    const before = urls.filter(isSdk).length
    await loadTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }, { serviceName: 'x', log })
    const loaded = urls.filter(isSdk).length
    console.log(JSON.stringify({ off: off === undefined, before, loaded: loaded > 0 }))
    process.exit()`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  assert.deepEqual(JSON.parse(stdout), { off: true, before: 0, loaded: true })
})
