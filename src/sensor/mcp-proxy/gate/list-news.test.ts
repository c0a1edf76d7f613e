import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { policyOf, TestGate, valueOf, type TestSession } from './gate.fixture.ts'
import { ListWatch } from './list-watch.ts'

const changed = 'notifications/tools/list_changed'
const deny = (tool: string): object => ({ rules: [{ id: 'no', effect: 'deny', tool }] })
const tools = [{ name: 'read' }, { name: 'write' }]

async function begin(session: TestSession, capabilities: object): Promise<Readonly<Record<string, unknown>>> {
  const params = { protocolVersion: '2025-11-25', capabilities: {} }
  assert.ok((await session.client({ jsonrpc: '2.0', id: 'i', method: 'initialize', params })).forward)
  const answer = await session.server({
    jsonrpc: '2.0',
    id: 'i',
    result: { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 's', version: '1' } }
  })
  return (valueOf(answer.forward)['result'] as { capabilities: Record<string, unknown> }).capabilities
}

/** A gate that watches lists, and what it shows under two successive policies. */
async function watched(before: object = {}) {
  const gate = new TestGate(before)
  const sessions: TestSession[] = []
  const watch = new ListWatch(gate.context)
  const check = (): Promise<void> => watch.check(sessions.map(({ session }) => session))
  await check()
  return {
    gate,
    open(transport: 'stdio' | 'http' = 'stdio'): TestSession {
      const session = gate.session(transport)
      sessions.push(session)
      return session
    },
    check,
    async publish(after: object, sequence = 2): Promise<void> {
      gate.policy = policyOf(after, {}, sequence)
      await check()
    }
  }
}

describe('the promise to notify about list changes', () => {
  it('is made in place of a server that makes none, if policy filters lists', async () => {
    const { open } = await watched()
    assert.deepEqual(await begin(open(), { tools: {}, logging: {} }), { tools: { listChanged: true }, logging: {} })
    assert.deepEqual(await begin(open(), { tools: { listChanged: false, x: 1 } }), {
      tools: { listChanged: true, x: 1 }
    })
  })

  it('changes no byte if the server makes it, has no tools, or nothing is filtered', async () => {
    const cases: readonly (readonly [object, object])[] = [
      [{}, { tools: { listChanged: true } }],
      [{}, { prompts: {} }],
      [{ listing: 'all' }, { tools: {} }],
      [{ mode: 'observe' }, { tools: {} }]
    ]
    for (const [policy, capabilities] of cases)
      assert.deepEqual(await begin((await watched(policy)).open(), capabilities), capabilities)
  })
})

describe('a notification about a list change', () => {
  it('goes to a client with a list when policy shows different tools of it, and only then', async () => {
    const { open, publish } = await watched()
    const [one, idle] = [open(), open()]
    await begin(one, { tools: {} })
    await begin(idle, { tools: {} })
    assert.equal(((await one.list(tools))['result'] as { tools: unknown[] }).tools.length, 2)
    await publish(deny('delete'))
    assert.deepEqual(one.told, [], 'nothing else is shown')
    await publish(deny('write'), 3)
    assert.deepEqual(one.told, [{ jsonrpc: '2.0', method: changed }])
    assert.deepEqual(((await one.list(tools))['result'] as { tools: unknown[] }).tools, [{ name: 'read' }])
    await publish({ ...deny('write'), limits: { callsPerMinuteMax: 5 } }, 4)
    assert.equal(one.told.length, 1)
    await publish({}, 5)
    assert.equal(one.told.length, 2)
    assert.deepEqual(idle.told, [])
  })

  it('goes to no client that was not promised one', async () => {
    const { open, publish } = await watched({ listing: 'all' })
    const session = open()
    await begin(session, { tools: {} })
    await session.list(tools)
    await publish(deny('write'))
    assert.deepEqual(session.told, [])
  })

  it('depends on the surface for which the client listed tools', async () => {
    const { open, publish } = await watched()
    const [mine, other] = [open('http'), open('http')]
    for (const [session, surface] of [
      [mine, 'claude-code'],
      [other, 'cursor']
    ] as const) {
      await begin(session, { tools: {} })
      const headers = { 'x-service-client-surface': surface }
      await session.client({ jsonrpc: '2.0', id: 'l', method: 'tools/list', params: {} }, headers)
      await session.server({ jsonrpc: '2.0', id: 'l', result: { tools } })
    }
    await publish({ rules: [{ id: 'no', effect: 'deny', tool: 'write', surface: ['cursor'] }] })
    assert.deepEqual([mine.told.length, other.told.length], [0, 1])
  })

  it('is sent when a policy that could not be refreshed begins to deny, and when it is fresh again', async () => {
    const { gate, open, check } = await watched({ stale: { effect: 'deny', afterSeconds: 60 } })
    const session = open()
    await begin(session, { tools: {} })
    await session.list(tools)
    for (const [isFresh, ageMs, count] of [
      [false, 1000, 0],
      [false, 61_000, 1],
      [false, 62_000, 1],
      [true, 0, 2]
    ] as const) {
      gate.age = { isFresh, ageMs }
      await check()
      assert.equal(session.told.length, count)
    }
  })
})

describe('a notification about a list whose rules expire', () => {
  it('is sent once, when a rule that hid a tool expires', async () => {
    const rule = (id: string, tool: string, expiresAt: string): object => ({ id, effect: 'deny', tool, expiresAt })
    const ends = ['2026-11-01T00:01:00Z', '2026-11-01T00:02:00Z', '2026-11-01T00:03:00Z'] as const
    const rules = [rule('a', 'none', ends[0]), rule('b', 'write', ends[1]), rule('c', 'none', ends[2])]
    const { gate, open, check } = await watched({ rules })
    const session = open()
    await begin(session, { tools: {} })
    assert.deepEqual((await session.list(tools))['result'], { tools: [{ name: 'read' }] })
    for (const [seconds, count] of [
      [59, 0],
      [61, 0],
      [119, 0],
      [120, 1],
      [150, 1],
      [200, 1]
    ] as const) {
      gate.now = Date.UTC(2026, 10, 1) + seconds * 1000
      await check()
      assert.equal(session.told.length, count, `after ${seconds} s`)
    }
    assert.equal(session.told[0]?.['method'], changed)
    assert.deepEqual((await session.list(tools))['result'], { tools })
  })
})

describe('a notification about a list change without sessions', () => {
  const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
  const key = 'io.modelcontextprotocol/subscriptionId'
  const listen = async (session: TestSession, id: number | string, accepted: object) => {
    const params = { _meta: meta, notifications: { toolsListChanged: true } }
    assert.ok((await session.client({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params })).forward)
    const notice = { _meta: { [key]: id }, notifications: accepted }
    await session.server({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: notice })
  }

  it('goes to each subscription that the server accepted, under its id, until it ends', async () => {
    const { open, publish } = await watched()
    await open().list(tools)
    const session = open()
    await listen(session, 1, { toolsListChanged: true })
    await listen(session, '1', { toolsListChanged: true })
    await listen(session, 2, { promptsListChanged: true })
    // An acknowledgement of something that was not requested.
    const forged = { _meta: { [key]: 9 }, notifications: { toolsListChanged: true } }
    await session.server({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: forged })
    await publish(deny('write'))
    const news = (id: unknown): object => ({ jsonrpc: '2.0', method: changed, params: { _meta: { [key]: id } } })
    assert.deepEqual(session.told, [news(1), news('1')])
    await session.server({ jsonrpc: '2.0', id: 1, result: { resultType: 'complete' } })
    await session.client({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: '1' } })
    await publish({}, 3)
    assert.equal(session.told.length, 2)
  })

  it('is rarely needed: a filtered list is fresh for a minute at most', async () => {
    const { gate, open } = await watched(deny('write'))
    const more = { resultType: 'complete', cacheScope: 'public' }
    const listed = async (ttlMs: number) => {
      const answer = await open().list(tools, { ...more, ttlMs }, { _meta: meta })
      return answer['result'] as Record<string, unknown>
    }
    assert.deepEqual([(await listed(300_000))['ttlMs'], (await listed(5000))['ttlMs']], [60_000, 5000])
    gate.policy = policyOf({})
    assert.equal((await listed(300_000))['ttlMs'], 300_000)
  })
})
