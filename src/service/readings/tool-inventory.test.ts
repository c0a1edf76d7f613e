import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { auditOf, eventOf } from '../../store/contract/samples.contract.ts'
import { openStore } from '../../store/sqlite/sqlite.ts'
import { otherValue, type JsonObject, type SeriesQuery, type Store } from '../../store/store.ts'
import { toolPolicySchema } from '../../policy/tools/policy.ts'
import { toolInventory } from './tool-inventory.ts'
import { hourMs } from '../../timing/spans.ts'

const policyOf = (settings: object) => toolPolicySchema.parse({ version: 1, ...settings })
const allowing = policyOf({ defaultEffect: 'allow' })
const digest = (letter: string): string => letter.repeat(64)

describe('the inventory of tools', () => {
  const now = Date.now()
  const range = { workspaceId: 'acme', from: now - 7 * 24 * hourMs, to: now + 1 }
  let folder: string
  let store: Store

  const put = (hoursAgo: number, kind: string, sensorMetadata: JsonObject) =>
    store.append({
      events: [
        eventOf({
          kind,
          origin: 'sensor',
          sensorMetadata,
          receivedAt: now - hoursAgo * hourMs,
          occurredAt: now - hoursAgo * hourMs
        })
      ],
      audit: []
    })

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-tools-'))
    store = await openStore({ dataDir: folder })
    await store.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: 1 }, auditOf({}))
    const list = (tools: JsonObject[]) => ({ mcpServer: 'git', mcpServerLabel: 'git.corp.test', tools })
    await put(
      90,
      'tool_inventory',
      list([
        { name: 'push', effect: 'allow' },
        { name: 'gone', effect: 'deny' }
      ])
    )
    await put(40, 'tool_inventory', list([{ name: 'push', effect: 'ask', isConditional: true }]))
    const call = (tool: string, action: string, more: JsonObject = {}) => ({ mcpToolName: tool, action, ...more })
    await put(30, 'tool_call_enforcement', call('push', 'block', { mcpServer: 'git', ruleId: 'old' }))
    await put(2, 'tool_call_enforcement', call('push', 'allow', { mcpServer: 'git', ruleId: 'new' }))
    await put(2, 'tool_call_enforcement', call('push', 'allow', { mcpServer: 'git', ruleId: 'new' }))
    await put(2, 'tool_call_enforcement', call('read', 'mask', { mcpServer: 'git' }))
    await put(1, 'tool_call_enforcement', call('read', 'allow'))
    const drift = { mcpServer: 'git', mcpToolName: 'push', reasonCode: 'description_changed' }
    await put(20, 'tool_drift', { ...drift, digestBefore: digest('a'), digestAfter: digest('b') })
    await put(10, 'tool_drift', { ...drift, digestBefore: digest('a'), digestAfter: digest('c') })
    for (let number = 0; number < 50; number++) await put(1, 'ingress_proxy', { action: 'allow' })
  })
  after(async () => {
    await store.close()
    await rm(folder, { recursive: true })
  })

  it('takes the newest report on each tool, and counts by server if several have the same name', async () => {
    const { servers, isCut } = await toolInventory(store, range, allowing)
    assert.equal(isCut, false)
    assert.deepEqual(
      servers.map(({ server, label }) => [server, label]),
      [
        ['git', 'git.corp.test'],
        ['unknown', null]
      ]
    )
    assert.partialDeepStrictEqual(servers[0]?.tools, [
      { tool: 'gone', effect: 'deny', calls: { allow: 0, mask: 0, block: 0 } },
      {
        tool: 'push',
        effect: 'ask',
        isConditional: true,
        calls: { allow: 2, mask: 0, block: 1 },
        rules: [
          { ruleId: 'new', calls: { allow: 2, mask: 0, block: 0 } },
          { ruleId: 'old', calls: { allow: 0, mask: 0, block: 1 } }
        ],
        lastRuleId: 'new',
        isPinned: false,
        drifts: [{ reasonCode: 'description_changed', after: digest('c') }]
      },
      {
        tool: 'read',
        calls: { allow: 0, mask: 1, block: 0 },
        rules: [{ ruleId: null, calls: { allow: 0, mask: 1, block: 0 } }]
      }
    ])
    assert.partialDeepStrictEqual(servers[1]?.tools, [{ tool: 'read', calls: { allow: 1, mask: 0, block: 0 } }])
  })

  it('counts calls without a rule in the rollups by tool only', async () => {
    // As in an hour with more rules than are kept, and in records of a version that did not count by rule.
    const reader = {
      findEvents: store.findEvents.bind(store),
      eventSeries: async (query: SeriesQuery) => {
        const points = await store.eventSeries(query)
        if (query.dimension !== 'toolRule') return points
        return points.map((point) => (point.value.includes('old') ? { ...point, value: otherValue } : point))
      }
    }
    const { servers } = await toolInventory(reader, range, allowing)
    const push = servers[0]?.tools.find(({ tool }) => tool === 'push')
    assert.deepEqual(push?.calls, { allow: 2, mask: 0, block: 1 })
    assert.deepEqual(
      push.rules.map(({ ruleId }) => ruleId),
      ['new']
    )
  })

  it('shows no change that a pin of the policy accepts', async () => {
    const pin = { server: 'git', tool: 'push', description: digest('c') }
    const policy = { servers: [{ id: 'git', url: 'https://git.corp.test/mcp' }], pins: { tools: [pin] } }
    const { servers } = await toolInventory(store, range, policyOf(policy))
    const push = servers[0]?.tools.find(({ tool }) => tool === 'push')
    assert.deepEqual(push?.isPinned, true)
    // What was true before the change that the pin accepts is outdated.
    assert.deepEqual(push.drifts, [])
  })

  it('judges a tool that no sensor listed by the policy in force', async () => {
    const rules = [
      { id: 'no-push', effect: 'deny', tool: 'push' },
      { id: 'by-path', effect: 'deny', server: 'git', tool: 'read', when: [{ argument: '/path', pathWithin: '/etc' }] }
    ]
    const servers = [{ id: 'git', url: 'https://git.corp.test/mcp' }]
    const policy = policyOf({ defaultEffect: 'allow', unknownServer: 'ask', servers, rules })
    const found = await toolInventory(store, range, policy)
    const verdicts = found.servers.map(({ server, tools }) => [
      server,
      ...tools.map(({ tool, effect, isConditional }) => `${tool} ${effect}${isConditional ? ' or stricter' : ''}`)
    ])
    assert.deepEqual(verdicts, [
      // A sensor's list knows annotations and the agent: it counts, whatever the policy says by name.
      ['git', 'gone deny', 'push ask or stricter', 'read allow or stricter'],
      ['unknown', 'read ask']
    ])
  })

  it('uses hours for times older than the counts by minute', async () => {
    const { servers } = await toolInventory(store, { ...range, from: now - 20 * 24 * hourMs }, allowing)
    assert.equal(servers[0]?.tools.length, 3)
  })
})
