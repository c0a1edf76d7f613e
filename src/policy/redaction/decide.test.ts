import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Confidence, Finding, Group, Tier } from '../../detection/findings.ts'
import { compileProfile } from './decide.ts'
import { redactionProfileSchema, standardProfile, type FindingAction } from './profile.ts'
import { looseText, type TextOrigin, type TextPlace, type TextScope } from './text-place.ts'

const finding = (tier: Tier, confidence: Confidence, group: Group = 'secret', kind = 'jwt'): Finding => ({
  kind,
  group,
  tier,
  confidence,
  start: 0,
  end: 1
})
const at = (scope: TextScope, origin: TextOrigin = 'user', isNewest = true): TextPlace => ({ scope, origin, isNewest })
const compiled = (document: object, blockHighRisk = true) =>
  compileProfile(redactionProfileSchema.parse({ version: 1, ...document }), { blockHighRisk })

test('the standard preset decides by tier, confidence and scope', () => {
  const blocking = compileProfile(standardProfile, { blockHighRisk: true })
  const softened = compileProfile(standardProfile, { blockHighRisk: false })
  const table: [Tier, Confidence, TextScope, FindingAction, FindingAction][] = [
    ['high', 'certain', 'masked', 'block', 'mask'],
    ['high', 'strong', 'masked', 'block', 'mask'],
    ['high', 'medium', 'masked', 'mask', 'mask'],
    ['high', 'weak', 'masked', 'allow', 'allow'],
    ['medium', 'certain', 'masked', 'mask', 'mask'],
    ['medium', 'medium', 'masked', 'mask', 'mask'],
    ['low', 'certain', 'masked', 'allow', 'allow'],
    ['high', 'certain', 'watched', 'block', 'mask'],
    ['high', 'medium', 'watched', 'mask', 'mask'],
    ['medium', 'certain', 'watched', 'allow', 'allow'],
    ['high', 'strong', 'sealed', 'block', 'allow'],
    ['high', 'medium', 'sealed', 'allow', 'allow'],
    ['medium', 'certain', 'sealed', 'allow', 'allow']
  ]
  for (const [tier, confidence, scope, on, off] of table) {
    for (const isNewest of [true, false]) {
      const label = `${tier} ${confidence} in ${scope} text`
      const place = at(scope, isNewest ? 'user' : 'tool_result', isNewest)
      assert.equal(blocking.decide(finding(tier, confidence), place), on, label)
      assert.equal(softened.decide(finding(tier, confidence), place), off, `${label}, blocking off`)
    }
  }
})

test('the preset for coding agents blocks only in the newest user text', () => {
  const { decide, restore } = compiled({ preset: 'coding-agents' })
  const high = finding('high', 'certain')
  assert.equal(decide(high, at('masked', 'user', true)), 'block')
  assert.equal(decide(high, at('masked', 'user', false)), 'mask')
  for (const origin of ['system', 'document', 'tool_result', 'assistant', 'tool_definition', 'other'] as const) {
    for (const scope of ['masked', 'watched'] as const)
      assert.equal(decide(high, at(scope, origin, false)), 'mask', origin)
    assert.equal(decide(high, at('sealed', origin, false)), 'allow', 'what is sealed is counted')
  }
  assert.equal(decide(finding('medium', 'strong'), at('masked', 'tool_result', false)), 'mask')
  assert.equal(restore.enabled, true)
})

test('if masked values are restored, the assistant repeats them, so its text is masked as well', () => {
  const medium = finding('medium', 'strong', 'contact', 'email_address')
  const assistant = at('watched', 'assistant', false)
  assert.equal(compiled({}).decide(medium, assistant), 'allow')
  assert.equal(compiled({ restore: { enabled: true } }).decide(medium, assistant), 'mask')
  assert.equal(compiled({ preset: 'coding-agents', restore: { enabled: false } }).decide(medium, assistant), 'allow')
  assert.equal(compiled({ preset: 'coding-agents', placeholder: 'typed' }).restore.enabled, false)
  assert.equal(
    compiled({ restore: { enabled: true }, scopes: { assistant: 'watched' } }).decide(medium, assistant),
    'allow'
  )
})

test('the editing tools of coding agents are built in, others must be listed', () => {
  const agents = compiled({ preset: 'coding-agents' }).restore.files
  for (const tool of ['Edit', 'MultiEdit', 'edit']) assert.ok(agents.includes(tool), tool)
  for (const tool of ['Write', 'write_file', 'apply_patch', 'Bash', 'bash', 'exec_command', '*'])
    assert.ok(!agents.includes(tool), tool)
  assert.deepEqual(compiled({ restore: { enabled: true } }).restore.files, [])
  assert.deepEqual(compiled({ restore: { enabled: true, files: ['save'] } }).restore.files, ['save'])
  assert.deepEqual(compiled({ preset: 'coding-agents', restore: { files: [] } }).restore.files, [])
})

test('a scope in the profile overrides that of the dialect, but nothing unseals a text', () => {
  const { decide } = compiled({ scopes: { system: 'watched', other: 'masked' } })
  const medium = finding('medium', 'strong')
  assert.equal(decide(medium, at('masked', 'system', false)), 'allow')
  assert.equal(decide(finding('high', 'strong'), at('masked', 'system', false)), 'block')
  assert.equal(decide(medium, at('watched', 'other', false)), 'mask')
  assert.equal(decide(medium, at('sealed', 'other', false)), 'allow')
})

test('observing covers medium and low; high is acted on all the same', () => {
  const { decide } = compiled({ mode: 'observe', actions: { groups: { contact: 'block' } } })
  assert.equal(decide(finding('medium', 'certain', 'contact'), at('masked')), 'allow')
  assert.equal(decide(finding('low', 'certain'), at('masked')), 'allow')
  assert.equal(decide(finding('high', 'certain'), at('masked')), 'block')
  assert.equal(decide(finding('high', 'medium'), at('masked')), 'mask')
})

test('a kind takes precedence over its group, and a group over the preset', () => {
  const { decide } = compiled({
    actions: { groups: { contact: 'block', network: 'mask' }, kinds: { phone_number: 'allow' } }
  })
  assert.equal(decide(finding('medium', 'strong', 'contact', 'email_address'), at('masked')), 'block')
  assert.equal(decide(finding('medium', 'strong', 'contact', 'phone_number'), at('masked')), 'allow')
  assert.equal(decide(finding('low', 'strong', 'network', 'ipv4'), at('masked')), 'mask')
})

test('what a profile wants masked is not masked where the text cannot be changed', () => {
  const { decide } = compiled({ actions: { kinds: { jwt: 'mask' } } })
  assert.equal(decide(finding('high', 'certain'), at('masked')), 'mask')
  assert.equal(decide(finding('high', 'certain'), at('sealed')), 'allow')
})

test('a text of unknown origin is judged like one that a person just wrote', () => {
  assert.equal(compiled({ preset: 'coding-agents' }).decide(finding('high', 'certain'), looseText), 'block')
})

test('a profile that turns blocking off masks instead', () => {
  assert.equal(compiled({ blockHighRisk: false }).decide(finding('high', 'certain'), at('masked')), 'mask')
})

test('documents of earlier versions keep their meaning', () => {
  const stored = {
    version: 1,
    preset: 'standard',
    blockHighRisk: true,
    actions: { groups: {}, kinds: {} },
    placeholder: 'keyed'
  }
  assert.deepEqual(redactionProfileSchema.parse(stored), standardProfile)
})

test('an unknown key and an unknown action are refused', () => {
  assert.equal(redactionProfileSchema.safeParse({ version: 1, blocking: true }).success, false)
  assert.equal(redactionProfileSchema.safeParse({ version: 1, actions: { kinds: { jwt: 'drop' } } }).success, false)
})
