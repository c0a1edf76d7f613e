/** One token that uses all it can get: the calls of others continue. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { call } from '../support/http.ts'
import { createPlanter } from '../support/planted.ts'
import { storedEvents } from '../support/events.ts'
import { eventually } from '../support/eventually.ts'
import { startTestSidecar } from '../support/start-sidecar.ts'
import { userBody } from '../support/dialects.ts'
import { startTestService } from '../support/start-service.ts'
import { startStubUpstream, type Behaviour } from '../support/stub-upstream.ts'
import { answers, hangs } from '../support/upstream-behaviours.ts'

const connectionsMax = 8

/** Never responds to calls that ask for it. */
const hangsOnWish: Behaviour = (received, res) =>
  (received.body.includes('Take your time.') ? hangs : answers())(received, res)

test('a token whose responses do not end leaves connections to others, and its own calls wait', async () => {
  await using stub = await startStubUpstream(hangsOnWish)
  const env = { UPSTREAM_CONNECTIONS_MAX: String(connectionsMax), UPSTREAM_CONNECT_TIMEOUT_MS: '1000' }
  await using service = await startTestService({ upstream: stub, env })
  const other = await service.createToken()
  const gone = new AbortController()
  const hold = async () => {
    const body = userBody('messages', 'Take your time.')
    return await service.send('messages', body, { signal: gone.signal }).catch(() => undefined)
  }
  const ask = async (token = service.token) =>
    (await service.send('messages', userBody('messages', 'Who else?'), { token })).status

  const held = Array.from({ length: 2 * connectionsMax }, hold)
  // A quarter is reserved for tokens that use little.
  await stub.arrived(connectionsMax * (3 / 4))
  assert.deepEqual(await Promise.all(Array.from({ length: 4 }, () => ask(other.token))), [200, 200, 200, 200])
  assert.equal(await ask(), 503, 'the rest is not for the token that has its share')
  gone.abort()
  await Promise.all(held)
  assert.equal(await ask(), 200)
})

test('a sidecar whose calls do not end can still report what it blocked', async () => {
  await using stub = await startStubUpstream(hangsOnWish)
  await using service = await startTestService({ upstream: stub })
  const env = { UPSTREAM_CONNECTIONS_MAX: '4' }
  await using sidecar = await startTestSidecar({ target: service.url, token: service.token, env })
  await sidecar.enforces(1)
  const gone = new AbortController()
  const send = async (content: string, signal?: AbortSignal) => {
    const headers = { 'content-type': 'application/json' }
    return await call(`${sidecar.url}/v1/messages`, {
      headers,
      body: userBody('messages', content),
      ...(signal && { signal })
    })
  }
  const held = Array.from({ length: 8 }, () => send('Take your time.', gone.signal).catch(() => undefined))
  await stub.arrived(2)
  const { sentence } = createPlanter(140)('github_token')
  assert.equal((await send(sentence)).status, 403)
  const isTold = async () => (await storedEvents(service)).some(({ kind }) => kind === 'ingress_block') || undefined
  assert.ok(await eventually('the event of the block', isTold))
  gone.abort()
  await Promise.all(held)
})
