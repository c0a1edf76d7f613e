import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Confidence, Finding, Group, Tier } from '../detection/findings.ts'
import {
  compileProfile,
  redactionProfileSchema,
  standardProfile,
  type FindingAction,
  type TextScope
} from './redaction-profile.ts'

const finding = (tier: Tier, confidence: Confidence, group: Group = 'secret', kind = 'jwt'): Finding => ({
  kind,
  group,
  tier,
  confidence,
  start: 0,
  end: 1
})

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
    const label = `${tier} ${confidence} in ${scope} text`
    assert.equal(blocking.decide(finding(tier, confidence), scope), on, label)
    assert.equal(softened.decide(finding(tier, confidence), scope), off, `${label}, blocking off`)
  }
})

test('a kind wins over its group, a group over the preset', () => {
  const profile = redactionProfileSchema.parse({
    version: 1,
    actions: { groups: { contact: 'block', network: 'mask' }, kinds: { phone_number: 'allow' } }
  })
  const { decide } = compileProfile(profile, { blockHighRisk: true })
  assert.equal(decide(finding('medium', 'strong', 'contact', 'email_address'), 'masked'), 'block')
  assert.equal(decide(finding('medium', 'strong', 'contact', 'phone_number'), 'masked'), 'allow')
  assert.equal(decide(finding('low', 'strong', 'network', 'ipv4'), 'masked'), 'mask')
})

test('a profile that turns blocking off masks instead', () => {
  const profile = redactionProfileSchema.parse({ version: 1, blockHighRisk: false })
  assert.equal(compileProfile(profile, { blockHighRisk: true }).decide(finding('high', 'certain'), 'masked'), 'mask')
})

test('an unknown key and an unknown action are refused', () => {
  assert.equal(redactionProfileSchema.safeParse({ version: 1, blocking: true }).success, false)
  assert.equal(redactionProfileSchema.safeParse({ version: 1, actions: { kinds: { jwt: 'drop' } } }).success, false)
})
