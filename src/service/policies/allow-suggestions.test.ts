import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { standardProfile } from '../../policy/redaction/profile.ts'
import { standardToolPolicy, toolPolicySchema } from '../../policy/tools/policy.ts'
import type { JsonObject, StoredEvent } from '../../store/store.ts'
import { patternLike, proposals, type ProposalContext } from './allow-suggestions.ts'

const eventOf = (sensorMetadata: JsonObject, kind = 'ingress_proxy') =>
  ({ kind, sensorMetadata }) as unknown as StoredEvent
const context = (fields: Partial<ProposalContext>): ProposalContext => ({
  event: eventOf({}),
  found: [],
  profile: standardProfile,
  tools: standardToolPolicy,
  hmacOf: () => 'hmac',
  ...fields
})
const byOf = (fields: Partial<ProposalContext>) => proposals(context(fields)).map(({ by }) => by)

describe('rules for a false alarm', () => {
  it('match a value, the narrowest first, and a secret only by its hash', () => {
    const mail = { kind: 'email_address', value: ['a', 'Corp.dev'].join('@'), isSecret: false }
    assert.deepEqual(byOf({ found: [mail] }), ['hmac', 'value', 'emailDomain'])
    const ticket = { kind: 'phone_number', value: 'TCK-49-2024', isSecret: false }
    const [, , pattern] = proposals(context({ found: [ticket] }))
    assert.deepEqual(pattern?.edits, [
      { op: 'add', path: '/redactionProfile/allow/patterns', value: 'TCK-[0-9]{2}-[0-9]{4}' }
    ])
    assert.deepEqual(byOf({ found: [{ ...ticket, isSecret: true }] }), ['hmac'])
  })

  it('suggest no pattern that would match any number, or the value itself', () => {
    for (const value of ['4912345', 'no digits', '1-2', 'a1', `${'x'.repeat(99)}12`]) {
      assert.equal(patternLike(value), undefined, value)
    }
    assert.equal(patternLike('v1.2+ab(3)'), 'v[0-9]{1}\\.[0-9]{1}\\+ab\\([0-9]{1}\\)')
  })

  it('match the kinds that the event counts; masking is suggested if it blocked', () => {
    const masked = eventOf({ action: 'mask', entityCounts: { ipv4: 2 } })
    assert.deepEqual(byOf({ event: masked }), ['kind'])
    const blocked = eventOf({ action: 'block', entityCounts: { jwt: 1 } })
    assert.deepEqual(byOf({ event: blocked }), ['kindMask', 'kind'])
    const profile = { ...standardProfile, actions: { groups: {}, kinds: { jwt: 'mask' as const } } }
    assert.deepEqual(byOf({ event: blocked, profile }), ['kind'])
  })

  it('except a tool from the rule that denied it, or allow it if no rule did', () => {
    const metadata = { action: 'block', mcpToolName: 'rm', mcpServer: 'files', ruleId: 'no' }
    const event = eventOf(metadata, 'tool_call_enforcement')
    const rules = [
      { id: 'false-alarm-1', effect: 'allow' },
      { id: 'no', effect: 'deny', tool: '*' }
    ]
    const tools = toolPolicySchema.parse({ version: 1, rules })
    const [left] = proposals(context({ event, tools }))
    assert.deepEqual(left?.edits, [
      { op: 'add', path: '/mcpToolPolicy/rules/1/except', value: { server: 'files', tool: 'rm' } }
    ])
    const unruled = eventOf({ ...metadata, ruleId: 'gone' }, 'tool_call_enforcement')
    const [own] = proposals(context({ event: unruled, tools }))
    assert.partialDeepStrictEqual(own?.edits[0]?.value, {
      id: 'false-alarm-2',
      effect: 'allow',
      server: 'files',
      tool: 'rm'
    })
    const allowed = eventOf({ ...metadata, action: 'allow' }, 'tool_call_enforcement')
    assert.deepEqual(byOf({ event: allowed, tools }), [])
    const found = eventOf({ ...metadata, entityCounts: { jwt: 1 } }, 'tool_call_enforcement')
    assert.deepEqual(byOf({ event: found, tools }), ['kindMask', 'kind'], 'what was found blocked it, and no rule')
  })
})
