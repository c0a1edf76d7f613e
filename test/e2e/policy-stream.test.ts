/** The policy stream of a running service: the specification's table, third-party clients, limits, and its end. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { describe, test } from 'node:test'
import { EventSource } from 'eventsource'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { isRevisionOf } from '../../src/policy/revision.ts'
import { createHash } from 'node:crypto'
import { withBriefToken } from '../support/brief-token.ts'
import { userBody } from '../support/dialects.ts'
import { eventually } from '../support/eventually.ts'
import { denyTool, emptyPolicy, type PolicyApi, policyApi, problemOf } from '../support/policy-api.ts'
import { readingOf } from '../support/read-until.ts'
import { runSluice } from '../support/run-sluice.ts'
import { makeDataDir, startTestService, type ServiceSettings, type TestService } from '../support/start-service.ts'
import { startStubUpstream, type StubUpstream } from '../support/stub-upstream.ts'
import { answers } from '../support/upstream-behaviours.ts'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

interface Ground extends AsyncDisposable {
  readonly service: TestService
  readonly upstream: StubUpstream
  readonly api: PolicyApi
  readonly dataDir: string
}

async function prepare(settings: ServiceSettings = {}): Promise<Ground> {
  await using undo = new AsyncDisposableStack()
  const dataDir = await makeDataDir()
  undo.defer(() => rm(dataDir, { recursive: true, force: true }))
  const upstream = undo.use(await startStubUpstream(answers()))
  const service = undo.use(await startTestService({ upstream, dataDir, ...settings }))
  const { token } = await service.createToken({ scopes: ['policy:read', 'policy:write'] })
  const all = undo.move()
  const api = policyApi({ url: service.url, token })
  return { service, upstream, api, dataDir, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

const denying = (tool: string) => ({ mcpToolPolicy: denyTool(tool) })

interface PolicyEvent {
  readonly event: string | undefined
  readonly id: string | undefined
  readonly data: string
}

interface Stream extends AsyncDisposable {
  readonly response: Response
  /** The next event; undefined at the end of the stream. */
  next(): Promise<PolicyEvent | undefined>
  readonly retries: number[]
}

/** A stream as any client opens it with `fetch`. */
async function openStream(
  { url, token }: { url: string; token: string },
  headers: Record<string, string> = {}
): Promise<Stream> {
  const abort = new AbortController()
  const response = await fetch(`${url}/api/workspace/policy-stream`, {
    headers: { 'x-service-workspace-token': token, ...headers },
    signal: abort.signal
  })
  const retries: number[] = []
  const parser = new EventSourceParserStream({ onRetry: (ms) => void retries.push(ms) })
  const reader = (response.body as ReadableStream<ArrayBuffer | ArrayBufferView>)
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(parser)
    .getReader()
  return {
    response,
    retries,
    async next() {
      const { value } = await reader.read()
      return value && { event: value.event, id: value.id, data: value.data }
    },
    [Symbol.asyncDispose]: async () => abort.abort()
  }
}

const revisionIn = (event: PolicyEvent | undefined): string | undefined =>
  event && (JSON.parse(event.data) as { revision: string }).revision

describe('the stream', () => {
  test('conforms to the specification: `policy` events with one line of data and three fields', async () => {
    await using ground = await prepare()
    const { service, api } = ground
    await using stream = await openStream(service)
    assert.equal(stream.response.status, 200)
    assert.equal(stream.response.headers.get('content-type'), 'text/event-stream')
    assert.match(stream.response.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
    const first = await stream.next()
    const second = api.publish(denying('rm')).then(() => stream.next())
    for (const [index, event] of [first, await second].entries()) {
      const data = JSON.parse(event?.data ?? '') as {
        revision: string
        mcpToolPolicy: object
        redactionProfile: object
      }
      assert.deepEqual(Object.keys(data), ['revision', 'mcpToolPolicy', 'redactionProfile'])
      assert.deepEqual([event?.event, event?.id], ['policy', data.revision])
      assert.deepEqual(
        [typeof data.revision, typeof data.mcpToolPolicy, typeof data.redactionProfile],
        ['string', 'object', 'object']
      )
      assert.ok(data.revision.startsWith(`${index + 1}-`))
      assert.ok(isRevisionOf(data.revision, data as never, (text) => createHash('sha256').update(text).digest('hex')))
    }
    assert.deepEqual(stream.retries, [3000])
  })

  test('sends nothing again to a client that reconnects with the newest revision', async () => {
    await using ground = await prepare()
    const { service, api } = ground
    const revision = await api.publish(denying('a'))
    await using current = await openStream(service, { 'last-event-id': revision })
    await using old = await openStream(service, { 'last-event-id': '1-0000000000000000' })
    assert.equal(revisionIn(await old.next()), revision)
    const next = await api.publish(denying('b'))
    assert.equal(revisionIn(await current.next()), next)
  })

  test('carries the effective policy, under the id that model calls report', async () => {
    await using ground = await prepare({ env: { SERVICE_INGRESS_BLOCK_HIGH_RISK: 'false' } })
    await using stream = await openStream(ground.service)
    const event = await stream.next()
    const { redactionProfile } = JSON.parse(event?.data ?? '') as { redactionProfile: { blockHighRisk: boolean } }
    assert.equal(redactionProfile.blockHighRisk, false)
    const call = await ground.service.send('messages', userBody('messages', 'Hello.'))
    assert.equal(event?.id, call.headers['x-service-policy-revision'])
    assert.equal((await ground.api.ask('GET', '/policy')).json()['revision'], event?.id)
  })

  test('requires a token that may read the policy', async () => {
    await using ground = await prepare()
    const { service } = ground
    const { token } = await service.createToken({ scopes: ['ingress:write'] })
    for (const [offered, status] of [
      [token, 403],
      ['svw_none', 401]
    ] as const) {
      await using stream = await openStream({ url: service.url, token: offered })
      assert.equal(stream.response.status, status)
      assert.match(stream.response.headers.get('content-type') ?? '', /^application\/problem\+json/)
    }
  })

  test('sends heartbeats while nothing changes', async () => {
    await using ground = await prepare({ env: { SERVICE_POLICY_STREAM_HEARTBEAT_MS: '500' } })
    const { url, token } = ground.service
    const abort = new AbortController()
    const answer = await fetch(`${url}/api/workspace/policy-stream`, {
      headers: { 'x-service-workspace-token': token },
      signal: abort.signal
    })
    const read = readingOf(answer.body as AsyncIterable<Uint8Array>)
    const text = await read((all) => all.split(': heartbeat\n\n').length > 2)
    abort.abort()
    assert.match(text, /^retry: 3000\n\nevent: policy\nid: 1-.*\ndata: .*\n\n(?:: heartbeat\n\n){2,}$/)
  })
})

describe('a publication', () => {
  test('over the API reaches every stream and the next call', async () => {
    await using ground = await prepare()
    const { service, api } = ground
    await using undo = new AsyncDisposableStack()
    const streams = await Promise.all(Array.from({ length: 5 }, () => openStream(service)))
    for (const stream of streams) {
      undo.use(stream)
      await stream.next()
    }
    const revision = await api.publish(denying('x'))
    const call = await service.send('messages', userBody('messages', 'Hello.'))
    assert.equal(call.headers['x-service-policy-revision'], revision)
    for (const stream of streams) assert.equal(revisionIn(await stream.next()), revision)
  })

  test('by another process reaches the stream, and then the next call', async () => {
    await using ground = await prepare()
    const { service, dataDir } = ground
    await using stream = await openStream(service)
    await stream.next()
    const file = join(dataDir, 'policy.json')
    await writeFile(file, JSON.stringify({ ...emptyPolicy, ...denying('cli') }))
    const ran = await runSluice(dataDir, ['policy', 'publish', file, '--json'])
    assert.equal(ran.code, 0, ran.err)
    const { revision } = JSON.parse(ran.out) as { revision: string }
    assert.equal(revisionIn(await stream.next()), revision)
    const call = await service.send('messages', userBody('messages', 'Hello.'))
    assert.equal(call.headers['x-service-policy-revision'], revision)
  })

  test('does not affect a request in progress: it keeps its revision to the end', async () => {
    await using ground = await prepare()
    const { service, upstream, api } = ground
    const before = (await api.ask('GET', '/policy')).json()['revision']
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    upstream.behave(async (received, res) => {
      await released
      await answers()(received, res)
    })
    const calling = service.send('messages', userBody('messages', 'Write to kim.doe@quillmark-labs.com.'))
    await upstream.arrived(1)
    const after = await api.publish({
      redactionProfile: { version: 1, actions: { kinds: { email_address: 'block' } } }
    })
    release()
    const call = await calling
    assert.equal(call.status, 200)
    assert.equal(call.headers['x-service-policy-revision'], before)
    assert.equal((await service.audit.only(call.headers['x-request-id'] ?? '')).detail['policyRevision'], before)
    upstream.behave(answers())
    const next = await service.send('messages', userBody('messages', 'Write to kim.doe@quillmark-labs.com.'))
    assert.deepEqual([next.status, next.headers['x-service-policy-revision']], [403, after])
  })
})

describe('third-party clients', () => {
  test('eventsource', async () => {
    await using ground = await prepare()
    const { service, api } = ground
    const source = new EventSource(`${service.url}/api/workspace/policy-stream`, {
      fetch: (url, init) =>
        fetch(url, { ...init, headers: { ...init.headers, 'x-service-workspace-token': service.token } })
    })
    try {
      const ids: string[] = []
      source.addEventListener('policy', ({ lastEventId, data }) => {
        assert.equal((JSON.parse(String(data)) as { revision: string }).revision, lastEventId)
        ids.push(lastEventId)
      })
      await eventually('the first event', () => ids.length === 1 || undefined)
      const revision = await api.publish(denying('x'))
      await eventually('the second event', () => ids[1] === revision || undefined)
    } finally {
      source.close()
    }
  })

  test('curl -N', async () => {
    await using ground = await prepare()
    const { service, api } = ground
    const url = `${service.url}/api/workspace/policy-stream`
    const curl = spawn('curl', ['-sN', '-H', `x-service-workspace-token: ${service.token}`, url], {
      stdio: ['ignore', 'pipe', 'inherit']
    })
    try {
      const ids: string[] = []
      let published: Promise<string> | undefined
      for await (const line of createInterface({ input: curl.stdout })) {
        if (line.startsWith('id: ')) ids.push(line.slice(4))
        if (line.startsWith('data: ')) published ??= api.publish(denying('x'))
        if (ids.length === 2) break
      }
      assert.equal(ids[1], await published)
    } finally {
      curl.kill()
    }
  })
})

describe('streams end', () => {
  test('when their token is revoked, and not with another', async () => {
    await using ground = await prepare()
    const { service } = ground
    const doomed = await service.createToken()
    await using theirs = await openStream({ url: service.url, token: doomed.token })
    await using others = await openStream(service)
    await theirs.next()
    await others.next()
    await service.revokeToken(doomed.id)
    assert.equal(await theirs.next(), undefined)
    await using again = await openStream({ url: service.url, token: doomed.token })
    assert.equal(again.response.status, 401)
    await ground.api.publish(denying('x'))
    assert.ok((await others.next())?.id?.startsWith('2-'))
  })

  test('when another process revokes the token', async () => {
    await using ground = await prepare()
    const { service, dataDir } = ground
    const doomed = await service.createToken()
    await using theirs = await openStream({ url: service.url, token: doomed.token })
    await theirs.next()
    const ran = await runSluice(dataDir, ['token', 'revoke', doomed.id])
    assert.equal(ran.code, 0, ran.err)
    assert.equal(await theirs.next(), undefined)
  })

  test('when their token expires', async () => {
    await using ground = await prepare()
    const { service } = ground
    const stream = await withBriefToken(async (expiresAt) => {
      const { token } = await service.createToken({ expiresAt })
      const opened = await openStream({ url: service.url, token })
      return opened.response.status === 200 ? opened : undefined
    })
    await using theirs = stream
    assert.ok((await theirs.next())?.id)
    assert.equal(await theirs.next(), undefined)
  })

  test('with the process, which gives each client a different time to reconnect', async () => {
    await using ground = await prepare()
    const { service } = ground
    const streams = await Promise.all(Array.from({ length: 8 }, () => openStream(service)))
    for (const stream of streams) await stream.next()
    await service.running.close()
    for (const stream of streams) assert.equal(await stream.next(), undefined)
    const waits = streams.map(({ retries }) => retries.at(-1) ?? 0)
    assert.ok(
      waits.every((ms) => ms >= 1500 && ms <= 4500),
      waits.join(' ')
    )
    assert.ok(new Set(waits).size > 1, 'all would come back at once')
  })
})

describe('streams are limited', () => {
  test('per token with 429, per process with 503, both with a time to wait', async () => {
    const env = { SERVICE_POLICY_STREAMS_PER_TOKEN_MAX: '2', SERVICE_POLICY_STREAMS_MAX: '3' }
    await using ground = await prepare({ env })
    const { service } = ground
    const other = { url: service.url, token: (await service.createToken()).token }
    await using undo = new AsyncDisposableStack()
    for (const client of [service, service, other]) {
      const stream = undo.use(await openStream(client))
      assert.equal(stream.response.status, 200)
    }
    for (const [client, status, code] of [
      [other, 503, 'overloaded'],
      [service, 503, 'overloaded']
    ] as const) {
      const refused = await policyApi(client).ask('GET', '/policy-stream')
      assert.equal(problemOf(refused, status).code, code)
      assert.match(refused.headers['retry-after'] ?? '', /^\d+$/)
    }
    await undo.disposeAsync()
    await eventually('room for a stream', async () => {
      await using stream = await openStream(other)
      return stream.response.status === 200 || undefined
    })
    await using one = await openStream(service)
    await using two = await openStream(service)
    assert.deepEqual([one.response.status, two.response.status], [200, 200])
    const refused = await policyApi(service).ask('GET', '/policy-stream')
    assert.equal(problemOf(refused, 429).code, 'too_many_streams')
    assert.match(refused.headers['retry-after'] ?? '', /^\d+$/)
  })
})
