/** Client, sidecar, service, upstream: what is visible between sidecar and service, and what is stored. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { storedAudit, storedEvents } from '../support/events.ts'
import { placeholdersIn } from '../support/placeholder.ts'
import { blockedKinds, createPlanter, maskedKinds } from '../support/planted.ts'
import { publishProfile } from '../support/publish-profile.ts'
import { createRecordingFetch } from '../support/recording-fetch.ts'
import { startTestSidecar, type TestSidecar } from '../support/start-sidecar.ts'
import { startTestService, type TestService } from '../support/start-service.ts'
import { startStubUpstream, type StubUpstream } from '../support/stub-upstream.ts'
import { repeatsPlaceholders } from '../support/upstream-behaviours.ts'
import { startWireTap, type WireTap } from '../support/wire-tap.ts'

const planter = createPlanter(8787)

const repeats = repeatsPlaceholders((placeholders) => `I read ${placeholders.join(' and ')}.`)

describe('a sidecar before the service', () => {
  const running = new AsyncDisposableStack()
  const { fetch, attempts } = createRecordingFetch()
  let stub: StubUpstream
  let service: TestService
  let tap: WireTap
  let sidecar: TestSidecar
  let own: { readonly id: string; readonly token: string }
  let openai: OpenAI
  let anthropic: Anthropic
  before(async () => {
    stub = running.use(await startStubUpstream(repeats))
    service = running.use(await startTestService({ upstream: stub }))
    await publishProfile(service, { preset: 'standard', restore: { enabled: true } })
    tap = running.use(await startWireTap(service.url))
    own = await service.createToken()
    sidecar = running.use(await startTestSidecar({ target: `${tap.url}/api/ingress/v1`, token: own.token }))
    await sidecar.enforces(2)
    const defaultHeaders = { 'x-service-client-surface': 'codex' }
    const client = { apiKey: service.token, maxRetries: 0, fetch, defaultHeaders }
    openai = new OpenAI({ ...client, baseURL: `${sidecar.url}/v1` })
    anthropic = new Anthropic({ ...client, baseURL: `${sidecar.url}/v1` })
  })
  after(() => running.disposeAsync())

  const asked: Record<string, (text: string) => Promise<string>> = {
    chat: async (content) => {
      const answer = await openai.chat.completions.create({ model: 'm', messages: [{ role: 'user', content }] })
      return answer.choices[0]?.message.content ?? ''
    },
    'chat, streamed': async (content) => {
      const messages = [{ role: 'user' as const, content }]
      let out = ''
      for await (const chunk of await openai.chat.completions.create({ model: 'm', messages, stream: true }))
        out += chunk.choices[0]?.delta.content ?? ''
      return out
    },
    responses: async (input) => (await openai.responses.create({ model: 'm', input })).output_text,
    messages: async (content) => {
      const messages = [{ role: 'user' as const, content }]
      const answer = await anthropic.messages.create({ model: 'm', max_tokens: 9, messages })
      return answer.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
    },
    'messages, streamed': async (content) => {
      const messages = [{ role: 'user' as const, content }]
      return await anthropic.messages.stream({ model: 'm', max_tokens: 9, messages }).finalText()
    }
  }

  /** Request ID of the newest call, from its response. */
  const lastRequestId = (): string => attempts.at(-1)?.headers.get('x-request-id') ?? ''

  for (const [how, ask] of Object.entries(asked)) {
    test(`${how}: masked here, restored here, one id, one event, one row`, async () => {
      tap.forget()
      stub.forget()
      const planted = maskedKinds.map((kind) => planter(kind))
      const text = await ask(planted.map(({ sentence }) => sentence).join(' '))
      for (const { needle } of planted) {
        assert.ok(!tap.said().includes(needle), 'raw text was on the wire')
        assert.ok(!tap.told().includes(needle), 'the service restored what it never knew')
      }
      assert.equal(text, `I read ${planted.map(({ value }) => value).join(' and ')}.`)

      const requestId = lastRequestId()
      assert.ok(tap.said().includes(`x-request-id: ${requestId}`), 'the service was told another request ID')
      assert.equal(stub.received.length, 1)
      const detail = await service.audit.ingress(requestId)
      assert.partialDeepStrictEqual(detail, {
        action: 'allow',
        entitiesMasked: 0,
        clientSurface: 'codex',
        outcome: 'forwarded',
        sidecar: { action: 'mask', riskTier: 'medium', entitiesMasked: planted.length }
      })
      const events = await storedEvents(service, { requestId })
      assert.deepEqual(
        events.map(({ kind, origin }) => [kind, origin]),
        [['ingress_proxy', 'service']]
      )
    })

    test(`${how}: a blocked request is not forwarded, and the service gets one event`, async () => {
      for (const kind of blockedKinds) {
        tap.forget()
        stub.forget()
        const { sentence, needle } = planter(kind)
        await assert.rejects(ask(sentence), (error: { status?: number; message: string }) => {
          assert.equal(error.status, 403)
          assert.ok(!error.message.includes(needle))
          return true
        })
        const requestId = lastRequestId()
        const row = await service.audit.only(requestId)
        assert.equal(row.action, 'ingress_block')
        assert.partialDeepStrictEqual(row.detail, { action: 'block', riskTier: 'high', platform: 'sidecar' })
        assert.ok(!tap.said().includes(needle))
        assert.equal(stub.received.length, 0)
        assert.equal((await storedEvents(service, { requestId })).length, 1)
      }
    })
  }

  test('a call without a token uses that of the sidecar, and no token reaches the upstream', async () => {
    const plain = new OpenAI({ baseURL: `${sidecar.url}/v1`, apiKey: 'none', maxRetries: 0, fetch })
    stub.forget()
    await plain.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'Hello.' }] })
    assert.equal((await service.audit.only(lastRequestId())).actor, `token:${own.id}`)
    const sent = JSON.stringify(stub.received[0]?.headers)
    assert.ok(!sent.includes('svw_'))
    assert.ok(!sent.includes('x-service'), 'headers of ours reached the upstream')
  })

  test('a placeholder is the same in each turn, and differs from that of the service', async () => {
    const { sentence } = planter('email')
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: sentence }] })
    stub.forget()
    await asked['chat']?.(sentence)
    await asked['chat']?.(sentence)
    await service.send('chat-completions', body)
    const [first, second, third] = stub.received.map(({ body: sent }) => placeholdersIn(sent.toString('utf8'))[0])
    assert.ok(first)
    assert.equal(first, second)
    assert.notEqual(first, third)
  })

  test('the acknowledgement of the policy is an event, and events and audit contain nothing unexpected', async () => {
    const kinds = new Set((await storedEvents(service)).map(({ kind }) => kind))
    assert.deepEqual([...kinds].toSorted(), ['ingress_block', 'ingress_proxy', 'policy_applied'])
    const everything = JSON.stringify([await storedEvents(service), await storedAudit(service)])
    assert.ok(!/quillmark|svw_/.test(everything))
  })
})
