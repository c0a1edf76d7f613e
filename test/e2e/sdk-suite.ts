/** What every SDK must see through the service. Each SDK's file adapts the suite to its SDK. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { DialectName } from '../../src/dialects/dialect.ts'
import { mockAnswer, mockUsage, startVendorMock, type VendorMock } from '../support/aimock.ts'
import { placeholdersIn } from '../support/placeholder.ts'
import { blockedKinds, createPlanter, maskedKinds } from '../support/planted.ts'
import { createRecordingFetch, type Attempt } from '../support/recording-fetch.ts'
import { startTestService, type TestService } from '../support/start-service.ts'
import { startStubUpstream, type Behaviour } from '../support/stub-upstream.ts'
import * as upstream from '../support/upstream-behaviours.ts'

export interface SdkSetup {
  readonly baseUrl: string
  /** The workspace token, given as the SDK's API key. */
  readonly apiKey: string
  /** Default headers. */
  readonly headers: Record<string, string>
  readonly fetch: typeof globalThis.fetch
  /** Absent: the SDK's default. */
  readonly retriesMax?: number
}

export interface Prompt {
  readonly system: string
  readonly user: string
}

/** One client of the SDK; both functions return the text of the response and throw what the SDK throws. */
export interface SdkClient {
  ask(prompt: Prompt): Promise<string>
  stream(prompt: Prompt): Promise<string>
}

/** The content of the SDK's own error. */
export interface SdkFault {
  readonly status: number | undefined
  readonly message: string
  readonly code: string | null | undefined
}

interface SdkUnderTest {
  readonly name: string
  readonly dialect: DialectName
  /** The canonical path of its calls. */
  readonly route: string
  /** Relative to the service's address; the one of the specification is `/api/ingress/v1`. */
  readonly basePaths: readonly string[]
  connect(setup: SdkSetup): SdkClient
  /** Reads an error, and asserts that it has the SDK's class for its status. */
  fault(error: unknown): SdkFault
}

const planter = createPlanter(20_260_101)
const modes = ['ask', 'stream'] as const
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

interface Wiring {
  readonly client: SdkClient
  readonly attempts: readonly Attempt[]
  last(): Attempt
}

interface WiringOptions {
  readonly basePath?: string
  readonly apiKey?: string
  readonly keyAlone?: boolean
  readonly headers?: Record<string, string>
  readonly retriesMax?: number
}

function wire(sdk: SdkUnderTest, service: TestService, options: WiringOptions = {}): Wiring {
  const { fetch, attempts } = createRecordingFetch()
  const { basePath = '/api/ingress/v1', apiKey = service.token, keyAlone = false, retriesMax } = options
  const defaults = { 'x-service-workspace-token': apiKey, 'x-service-client-surface': 'sdk' }
  const headers = { ...(keyAlone ? {} : defaults), ...options.headers }
  const baseUrl = service.url + basePath
  const client = sdk.connect({ baseUrl, apiKey, headers, fetch, ...(retriesMax === undefined ? {} : { retriesMax }) })
  const last = (): Attempt => {
    const attempt = attempts.at(-1)
    assert.ok(attempt, 'nothing was sent')
    return attempt
  }
  return { client, attempts, last }
}

/** The error that a call throws, read with the SDK's own API. */
async function faultOf(sdk: SdkUnderTest, calling: Promise<unknown>): Promise<SdkFault> {
  const thrown = await calling.then(
    (answer) => assert.fail(`no error, but ${JSON.stringify(answer)}`),
    (error: unknown) => error
  )
  return sdk.fault(thrown)
}

/** Runs the suite for one SDK. */
export function describeSdk(sdk: SdkUnderTest): void {
  describe(sdk.name, () => {
    const running = new AsyncDisposableStack()
    let mock: VendorMock
    let service: TestService
    before(async () => {
      mock = running.use(await startVendorMock())
      service = running.use(await startTestService({ upstream: mock }))
    })
    after(() => running.disposeAsync())
    const context = (): { mock: VendorMock; service: TestService } => ({ mock, service })
    for (const basePath of sdk.basePaths) {
      for (const keyAlone of [false, true]) {
        for (const mode of modes) {
          const how = `${basePath}, ${keyAlone ? 'key alone' : 'key and headers'}, ${mode === 'ask' ? 'whole' : 'streamed'}`
          test(`masks: ${how}`, () => masks(sdk, context(), mode, { basePath, keyAlone }))
          test(`blocks: ${how}`, () => blocks(sdk, context(), mode, { basePath, keyAlone }))
        }
      }
    }
    for (const mode of modes) {
      test(`a clean prompt arrives unchanged, and the call is recorded (${mode})`, () =>
        passesClean(sdk, context(), mode))
      test(`an unknown token raises the SDK's error for 401, once (${mode})`, () => refusesToken(sdk, context(), mode))
    }
    describeUpstreamFaults(sdk)
  })
}

interface Context {
  readonly mock: VendorMock
  readonly service: TestService
}

async function masks(
  sdk: SdkUnderTest,
  { mock, service }: Context,
  mode: (typeof modes)[number],
  options: WiringOptions
): Promise<void> {
  const { client, last } = wire(sdk, service, options)
  const [email, phone, key] = maskedKinds.map(planter)
  assert.ok(email && phone && key)
  mock.forget()
  const prompt = { system: `You work for ${email.value}. ${phone.sentence}`, user: `${email.sentence} ${key.sentence}` }
  assert.equal(await client[mode](prompt), mockAnswer)
  const [body, ...others] = mock.bodies()
  assert.deepEqual(others, [])
  assert.ok(body)
  for (const { needle } of [email, phone, key]) assert.ok(!body.includes(needle), body)
  const [inSystem, ofPhone, inUser, ofKey] = placeholdersIn(body)
  assert.equal(inSystem, inUser, 'one value, one placeholder')
  assert.equal(new Set([inSystem, ofPhone, ofKey]).size, 3, body)
  const { headers } = last()
  assert.equal(headers.get('x-service-action'), 'mask')
  assert.ok(Number(headers.get('x-service-entities-masked')) >= 3)
  assert.equal(headers.get('x-service-risk-tier'), 'medium')
  const { clientSurface, modelId } = await service.audit.ingress(headers.get('x-request-id') ?? '')
  assert.deepEqual(
    { clientSurface, modelId },
    { clientSurface: 'sdk', modelId: 'model-one' },
    'with headers or by a guess'
  )
  mock.forget()
  await client[mode]({ system: 'Next turn.', user: email.sentence })
  assert.deepEqual(placeholdersIn(mock.bodies()[0] ?? ''), [inSystem], 'the next call has the same placeholder')
}

async function blocks(
  sdk: SdkUnderTest,
  { mock, service }: Context,
  mode: (typeof modes)[number],
  options: WiringOptions
): Promise<void> {
  for (const kind of blockedKinds) {
    const { client, attempts, last } = wire(sdk, service, options)
    const secret = planter(kind)
    mock.forget()
    const fault = await faultOf(sdk, client[mode]({ system: 'You deploy things.', user: secret.sentence }))
    assert.equal(fault.status, 403, kind)
    assert.equal(fault.code, 'high_risk_content_blocked')
    assert.match(fault.message, /not forwarded/)
    assert.ok(!fault.message.includes(secret.needle))
    assert.equal(attempts.length, 1, 'the SDK must not try a refusal again')
    const { headers } = last()
    assert.ok(fault.message.includes(headers.get('x-request-id') as string), 'the sentence names the request')
    assert.equal(headers.get('x-should-retry'), 'false')
    assert.equal(headers.get('x-service-action'), 'block')
    assert.equal(headers.get('x-service-risk-tier'), 'high')
    assert.deepEqual(mock.bodies(), [], 'nothing reached the upstream')
    const detail = await service.audit.ingress(headers.get('x-request-id') as string)
    assert.equal(detail.outcome, 'blocked')
    assert.equal(detail.action, 'block')
    assert.equal(detail.riskTier, 'high')
    assert.equal(detail.upstreamStatus, undefined)
  }
}

async function passesClean(sdk: SdkUnderTest, { mock, service }: Context, mode: (typeof modes)[number]): Promise<void> {
  const provider = sdk.dialect === 'messages' ? 'anthropic' : 'openai'
  const { client, last } = wire(sdk, service, {
    headers: { 'x-service-model-provider': provider, 'x-service-model-id': 'named-by-header' }
  })
  mock.forget()
  assert.equal(await client[mode]({ system: 'Be kind.', user: 'What is 12345 times 3?' }), mockAnswer)
  assert.ok(mock.bodies()[0]?.includes('What is 12345 times 3?'))
  const { headers } = last()
  assert.equal(headers.get('x-service-action'), 'allow')
  assert.equal(headers.get('x-service-entities-masked'), '0')
  assert.equal(headers.get('x-service-warnings'), null)
  assert.match(headers.get('x-service-policy-revision') ?? '', /^\d+-[0-9a-f]{16}$/)
  const requestId = headers.get('x-request-id') ?? ''
  assert.match(requestId, uuid)
  const detail = await service.audit.ingress(requestId)
  assert.partialDeepStrictEqual(detail, {
    route: sdk.route,
    dialect: sdk.dialect,
    action: 'allow',
    riskTier: 'none',
    entitiesMasked: 0,
    clientSurface: 'sdk',
    modelProvider: provider,
    modelId: 'named-by-header',
    stream: mode === 'stream',
    upstreamStatus: 200,
    outcome: 'forwarded'
  })
  assert.equal(detail.inputTokens, mockUsage.inputTokens)
  assert.equal(detail.outputTokens, mockUsage.outputTokens)
  assert.ok(detail.requestBytes > 0 && detail.responseBytes > 0)
}

async function refusesToken(
  sdk: SdkUnderTest,
  { mock, service }: Context,
  mode: (typeof modes)[number]
): Promise<void> {
  mock.forget()
  const { client, attempts, last } = wire(sdk, service, { apiKey: planter('workspace_token').value })
  const fault = await faultOf(sdk, client[mode]({ system: 'Be kind.', user: 'Hello.' }))
  assert.equal(fault.status, 401)
  assert.equal(fault.code, 'invalid_token')
  assert.equal(attempts.length, 1)
  assert.equal(last().headers.get('x-should-retry'), 'false')
  assert.deepEqual(mock.bodies(), [])
}

/** An upstream's own error reaches the SDK as it would without Sluice. */
function describeUpstreamFaults(sdk: SdkUnderTest): void {
  async function against(
    behaviour: Behaviour,
    use: (wiring: Wiring, service: TestService) => Promise<void>
  ): Promise<void> {
    await using stub = await startStubUpstream(behaviour)
    await using service = await startTestService({ upstream: stub })
    await use(wire(sdk, service, { retriesMax: 0 }), service)
  }
  const prompt = { system: 'Be kind.', user: 'Hello.' }

  test('a 429 of the upstream passes with its headers', () =>
    against(upstream.limitsRate, async ({ client, last }, service) => {
      for (const mode of modes) {
        const fault = await faultOf(sdk, client[mode](prompt))
        assert.equal(fault.status, 429)
        assert.match(fault.message, /Slow down please/)
        for (const [name, value] of Object.entries(upstream.rateLimitHeaders))
          assert.equal(last().headers.get(name), value, name)
        const detail = await service.audit.ingress(last().headers.get('x-request-id') as string)
        assert.equal(detail.upstreamStatus, 429)
      }
    }))

  test('a 500 of the upstream passes with its body', () =>
    against(upstream.fails, async ({ client, last }, service) => {
      for (const mode of modes) {
        const fault = await faultOf(sdk, client[mode](prompt))
        assert.equal(fault.status, 500)
        assert.match(fault.message, /The vendor stumbled/)
        const detail = await service.audit.ingress(last().headers.get('x-request-id') as string)
        assert.equal(detail.upstreamStatus, 500)
      }
    }))

  test('an upstream that fails during a stream makes the SDK raise', () =>
    against(upstream.diesMidStream, async ({ client, last }, service) => {
      await assert.rejects(client.stream(prompt))
      const detail = await service.audit.ingress(last().headers.get('x-request-id') as string)
      assert.equal(detail.outcome, 'upstream_failed')
      assert.equal(detail.upstreamStatus, 200)
    }))
}
