import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { builtInDetectors } from '../../detection/detectors/index.ts'
import { awsKey, ofProfile, ofTools, reportOf, told } from './lint.fixture.ts'

describe('a redaction profile', () => {
  const custom = (more: object) => ({
    custom: [{ id: 'ticket', pattern: 'TICK-[0-9]+', tests: { match: ['TICK-1'] }, ...more }]
  })

  it('is checked for patterns that are not RE2 or fail their tests', () => {
    assert.deepEqual(ofProfile(custom({})), [])
    assert.deepEqual(ofProfile(custom({ pattern: '(?<!x)TICK' })), [
      'error invalid_pattern /redactionProfile/custom/0/pattern'
    ])
    assert.deepEqual(ofProfile(custom({ pattern: '(a*)*' })), [
      'error invalid_pattern /redactionProfile/custom/0/pattern'
    ])
    assert.deepEqual(ofProfile(custom({ tests: { match: ['TICK-1', 'TICK'], noMatch: ['x', 'TICK-7'] } })), [
      'error failing_test /redactionProfile/custom/0/tests/match/1',
      'error failing_test /redactionProfile/custom/0/tests/noMatch/1'
    ])
    for (const id of ['email_address', 'known_credential'])
      assert.deepEqual(ofProfile(custom({ id })), ['error kind_exists /redactionProfile/custom/0/id'], id)
    assert.deepEqual(ofProfile(custom({ pattern: '[A-Z]+-[0-9]+' })), [
      'warning slow_pattern /redactionProfile/custom/0/pattern'
    ])
    const [one] = custom({}).custom
    assert.deepEqual(ofProfile({ custom: [one, one] }), ['error duplicate_id /redactionProfile/custom/1/id'])
  })

  it('gets findings about patterns without their text', () => {
    const pattern = '(bluebird'
    const { findings } = reportOf(
      { version: 1, rules: [{ id: 'a', effect: 'deny', when: [{ argument: '/a', matches: pattern }] }] },
      { version: 1, ...custom({ pattern }), allow: { patterns: [pattern] } }
    )
    assert.equal(findings.filter(({ code }) => code === 'invalid_pattern').length, 3)
    for (const { message } of findings) {
      assert.match(message, /^The pattern cannot be used: .*missing closing \)\.$/)
      assert.ok(!message.includes('bluebird'))
    }
  })

  it('is checked for kinds that do not exist', () => {
    const actions = {
      kinds: {
        email_adress: 'block',
        ticket: 'block',
        deny_word: 'block',
        known_credential: 'mask',
        nothing_like_it: 'mask'
      }
    }
    const { findings } = reportOf({ version: 1 }, { version: 1, actions, ...custom({}) })
    assert.deepEqual(told(findings), [
      'error unknown_kind /redactionProfile/actions/kinds/email_adress',
      'error unknown_kind /redactionProfile/actions/kinds/nothing_like_it'
    ])
    assert.match(findings[0]?.message ?? '', /Did you mean "email_address"\?/)
  })

  it('must allow no high-risk value, and wide allow patterns are reported', () => {
    const allow = {
      patterns: ['AKIA[A-Z0-9]+', String.raw`.+@.+`, '(', 'build-[0-9]+'],
      emailDomains: ['corp.dev', 'gmail.com', 'com'],
      values: ['ann@corp.dev', awsKey]
    }
    assert.deepEqual(ofProfile({ allow }), [
      'error allows_high_risk /redactionProfile/allow/patterns/0',
      'error allows_high_risk /redactionProfile/allow/patterns/1',
      'error invalid_pattern /redactionProfile/allow/patterns/2',
      'error secret_in_document /redactionProfile/allow/values/1',
      'warning wide_allow /redactionProfile/allow/emailDomains/1',
      'warning wide_allow /redactionProfile/allow/emailDomains/2'
    ])
    assert.deepEqual(ofProfile({ allow: { patterns: [String.raw`[a-z.]+@[a-z.]+`] } }), [
      'warning wide_allow /redactionProfile/allow/patterns/0'
    ])
  })

  it('is compared with the samples of the detectors only if it has patterns', () => {
    let asked = 0
    const detectors = builtInDetectors.map((detector) => ({ ...detector, hits: () => (asked++, detector.hits()) }))
    assert.deepEqual(ofProfile({ allow: { values: ['ann@corp.dev'] }, deny: ['bluebird'] }, { detectors }), [])
    assert.equal(asked, 0)
    ofProfile({ allow: { patterns: ['build-[0-9]+'] } }, { detectors })
    assert.ok(asked > 0)
  })

  it('is checked for settings that have no effect', () => {
    const actions = { kinds: { email_address: 'block' } }
    assert.deepEqual(ofProfile({ actions }, { blockHighRisk: false }), [
      'warning no_effect /redactionProfile/actions/kinds/email_address'
    ])
    assert.ok(ofProfile({ actions, mode: 'observe' }).includes('warning no_effect /redactionProfile/actions'))
    const restore = { enabled: true }
    assert.ok(
      ofProfile({ restore, placeholder: 'typed' }).includes('error no_effect /redactionProfile/restore/enabled')
    )
    assert.ok(ofProfile({ restore: { tools: ['x'] } }).includes('warning no_effect /redactionProfile/restore/tools'))
    assert.ok(ofProfile({ restore: { files: ['x'] } }).includes('warning no_effect /redactionProfile/restore/files'))
    assert.deepEqual(ofProfile({ deny: [`key ${awsKey}`] }), ['warning secret_in_document /redactionProfile/deny/0'])
    assert.deepEqual(ofProfile({ deny: ['Bluebird', 'bluebird'] }), [
      'warning duplicate_value /redactionProfile/deny/1'
    ])
  })

  it('gets findings about what softens it', () => {
    const softer: [object, string][] = [
      [{ mode: 'observe' }, '/mode'],
      [{ blockHighRisk: false }, '/blockHighRisk'],
      [{ scopes: { tool_result: 'watched' } }, '/scopes/tool_result'],
      [{ scopes: { assistant: 'watched' }, preset: 'coding-agents' }, '/scopes/assistant'],
      [{ actions: { groups: { secret: 'allow' } } }, '/actions/groups/secret'],
      [{ actions: { kinds: { jwt: 'allow' } } }, '/actions/kinds/jwt']
    ]
    for (const [profile, path] of softer)
      assert.deepEqual(ofProfile(profile), [`warning softens /redactionProfile${path}`])
    for (const harmless of [{ actions: { kinds: { ipv4: 'allow' } } }, { scopes: { assistant: 'watched' } }])
      assert.ok(!ofProfile(harmless).some((one) => one.includes('softens')))
    assert.deepEqual(ofTools({ mode: 'observe', scan: { results: false } }).slice(0, 2), [
      'warning softens /mcpToolPolicy/mode',
      'warning softens /mcpToolPolicy/scan/results'
    ])
  })

  it('is checked for pins that guard nothing, and tool settings are not reported as without effect', () => {
    const pin = { server: 'files', tool: 'read', description: '0'.repeat(64) }
    const servers = [{ id: 'files', command: ['files'] }]
    assert.deepEqual(ofTools({ servers, pins: { mode: 'strict', tools: [pin, { ...pin, server: 'other' }, pin] } }), [
      'error unknown_server /mcpToolPolicy/pins/tools/1/server',
      'error duplicate_id /mcpToolPolicy/pins/tools/2/tool'
    ])
    assert.deepEqual(ofTools({ pins: { mode: 'first-use', onChange: 'allow' } }), [
      'warning softens /mcpToolPolicy/pins/onChange'
    ])
    const settings = {
      limits: { argumentBytesMax: 10, resultBytesMax: 10, callsPerMinuteMax: 1 },
      pins: { mode: 'first-use', onChange: 'ask', onNew: 'deny' },
      listing: 'all',
      refusal: { message: 'Ask us.' },
      stale: { afterSeconds: 60, effect: 'ask' }
    }
    assert.deepEqual(ofTools(settings), [])
  })
})
