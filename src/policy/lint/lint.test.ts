import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { lintPolicy, lintPolicyText, type LintContext } from './lint.ts'
import type { LintFinding } from './finding.ts'
import { standardPolicy } from '../revision.ts'

const now = Date.UTC(2026, 10, 22)
const surfaces = ['claude-code', 'cursor', 'unknown']
const awsKey = ['AK', 'IA', 'QX5ZPL3M7RVT2KWD'].join('')

const reportOf = (
  mcpToolPolicy: unknown,
  redactionProfile: unknown = { version: 1 },
  context: Partial<LintContext> = {}
) => lintPolicy({ mcpToolPolicy, redactionProfile }, { now, surfaces, ...context })
const told = (findings: readonly LintFinding[]): string[] =>
  findings.map(({ severity, code, path }) => `${severity} ${code} ${path}`)
const ofTools = (policy: object, context: Partial<LintContext> = {}): string[] =>
  told(reportOf({ version: 1, ...policy }, undefined, context).findings)
const ofProfile = (profile: object, context: Partial<LintContext> = {}): string[] =>
  told(reportOf({ version: 1 }, { version: 1, ...profile }, context).findings)

test('the standard policy is faultless', () => {
  const report = lintPolicy(standardPolicy, { now })
  assert.deepEqual(report, { findings: [], leftOut: 0, isPublishable: true, needsConfirm: false })
})

describe('the form of a document', () => {
  it('is judged with pointers, and the nearest known name', () => {
    const rules = [{ id: 'a', effect: 'allow', tol: 'x', when: [{ argument: '/a', equal: 1 }] }]
    const { findings } = reportOf(
      { version: 1, rules, defaultEfect: 'deny' },
      { version: 1, actions: { group: {} }, pressets: 1 }
    )
    assert.deepEqual(
      findings.filter(({ code }) => code === 'unknown_key').map(({ path, message }) => [path, message.split('.')[1]]),
      [
        ['/mcpToolPolicy/rules/0/when/0/equal', ' Did you mean "equals"?'],
        ['/mcpToolPolicy/rules/0/tol', ' Did you mean "tool"?'],
        ['/mcpToolPolicy/defaultEfect', ' Did you mean "defaultEffect"?'],
        ['/redactionProfile/actions/group', ' Did you mean "groups"?'],
        ['/redactionProfile/pressets', ' Did you mean "preset"?']
      ]
    )
  })

  it('is told in sentences that repeat no value', () => {
    const value = `zzz${awsKey}`
    const { findings } = reportOf(
      {
        version: 1,
        mode: value,
        defaultEffect: 1,
        servers: [{ id: 'a', url: value }, { id: 'b' }, { id: 'unknown', command: [value] }],
        rules: [
          { id: `${value}!`, effect: value, tool: '*a'.repeat(9), expiresAt: value },
          { effect: 'deny', tool: [1], when: [{ argument: value, exists: 'x' }, {}] }
        ]
      },
      {
        version: 1,
        deny: ['x'],
        allow: { hmacs: [value] },
        custom: [{ id: value }],
        actions: { kinds: { [value]: 'mask' } }
      }
    )
    const paths = new Set(findings.map(({ path }) => path))
    for (const path of [
      '/mode',
      '/servers/0/url',
      '/servers/1',
      '/rules/0/id',
      '/rules/0/tool',
      '/rules/1/id',
      '/rules/1/tool/0'
    ])
      assert.ok(paths.has(`/mcpToolPolicy${path}`), path)
    for (const path of ['/deny/0', '/allow/hmacs/0', '/custom/0/pattern'])
      assert.ok(paths.has(`/redactionProfile${path}`), path)
    for (const { message, severity } of findings) {
      assert.match(message, /^[A-Z].*[.?]$/s)
      assert.ok(!message.includes(value))
      assert.equal(severity, 'error')
    }
  })

  it('is no object, or of an unknown version', () => {
    for (const document of [undefined, null, 7, 'x', [], true]) {
      const { findings } = reportOf(document)
      assert.equal(findings.length, 1)
      assert.equal(findings[0]?.path, '/mcpToolPolicy')
    }
    assert.deepEqual(told(reportOf({ version: 2, rulez: [] }).findings), [
      'error unknown_version /mcpToolPolicy/version'
    ])
    assert.deepEqual(told(reportOf({}).findings), ['error missing_key /mcpToolPolicy/version'])
  })
})

describe('bounds', () => {
  const deep = (levels: number): unknown => {
    let value: unknown = 1
    for (let i = 0; i < levels; i++) value = [value]
    return value
  }

  it('refuse what is too large or too deep before anything else', () => {
    const rules = Array.from({ length: 100_000 }, (_, i) => ({ id: `r${i}`, effect: 'deny' }))
    assert.deepEqual(ofTools({ rules }), ['error too_large /mcpToolPolicy/rules'])
    assert.deepEqual(ofProfile({ deny: ['x'.repeat(10_000_000)] }), ['error too_large /redactionProfile'])
    assert.deepEqual(ofProfile({ ['x'.repeat(2_000_000)]: 1 }), ['error too_large /redactionProfile'])
    const [tooDeep] = reportOf({ version: 1, rules: deep(200_000) }).findings
    assert.equal(tooDeep?.code, 'too_deep')
    assert.ok((tooDeep?.path.length ?? 0) < 200)
    const nested = Array.from({ length: 30 }, () => Array.from({ length: 9000 }, () => 1))
    assert.deepEqual(ofTools({ rules: nested }), ['error too_large /mcpToolPolicy'])
    const { report } = lintPolicyText('['.repeat(10_000_000), { now })
    assert.deepEqual(told(report.findings), ['error too_large '])
    assert.equal(lintPolicyText('['.repeat(2_000_000), { now }).report.isPublishable, false)
  })

  it('hold for rules, patterns and pointers', () => {
    const rules = Array.from({ length: 10_001 }, (_, i) => ({ id: `r${i}`, effect: 'deny' }))
    assert.deepEqual(ofTools({ rules }), ['error too_large /mcpToolPolicy/rules'])
    const heavy = Array.from({ length: 30 }, (_, i) => ({ id: `p${i}`, pattern: 'ab{1900}', tests: { match: ['x'] } }))
    assert.deepEqual(ofProfile({ custom: heavy }), ['error too_large /redactionProfile/custom'])
    const when = (condition: object) => ({ rules: [{ id: 'a', effect: 'deny', when: [condition] }] })
    assert.deepEqual(ofTools(when({ argument: '/a'.repeat(17), exists: true })), [
      'error invalid_value /mcpToolPolicy/rules/0/when/0/argument'
    ])
    assert.deepEqual(ofTools(when({ argument: '/a', matches: '(.*){1000}' })), [
      'error invalid_pattern /mcpToolPolicy/rules/0/when/0/matches'
    ])
    assert.deepEqual(ofTools(when({ any: [{ not: { argument: '/a', matches: '(?=x)' } }] })), [
      'error invalid_pattern /mcpToolPolicy/rules/0/when/0/any/0/not/matches'
    ])
  })

  it('hold for the findings themselves', () => {
    const rules = Array.from({ length: 5000 }, (_, i) => ({ id: 'same', effect: 'deny', tool: `t${i}` }))
    const report = reportOf({ version: 1, rules })
    assert.equal(report.findings.length, 200)
    assert.equal(report.leftOut, 4800)
  })

  it('leave 10,000 rules to be judged in bounded time, and say where not all were compared', () => {
    const rules = Array.from({ length: 10_000 }, (_, i) => ({
      id: `r${i}`,
      effect: 'deny',
      tool: `t${String(i).padStart(5, '0')}*`
    }))
    const report = reportOf({ version: 1, rules })
    assert.deepEqual(told(report.findings), ['info lint_incomplete /mcpToolPolicy/rules'])
  })
})

describe('rules', () => {
  const servers = [{ id: 'github', url: 'https://github.test' }]

  it('that a stricter one always beats are unreachable', () => {
    const rules = [
      { id: 'read', effect: 'allow', server: 'github', tool: 'get_*' },
      { id: 'no-get', effect: 'deny', tool: 'ge*' },
      {
        id: 'ask',
        effect: 'ask',
        server: ['github', 'unknown'],
        tool: ['get_a', 'get_b*'],
        when: [{ argument: '/a', exists: true }]
      },
      { id: 'other', effect: 'allow', tool: 'list' }
    ]
    assert.deepEqual(ofTools({ servers, rules, defaultEffect: 'deny' }), [
      'error unreachable_rule /mcpToolPolicy/rules/0',
      'error unreachable_rule /mcpToolPolicy/rules/2'
    ])
    const conditional = rules.map((rule) => (rule.id === 'no-get' ? { ...rule, except: [{ tool: 'get_a' }] } : rule))
    assert.deepEqual(ofTools({ servers, rules: conditional, defaultEffect: 'deny' }), [])
  })

  it('that another one makes needless are told of once', () => {
    const rules = [
      { id: 'b', effect: 'deny', tool: 'x' },
      { id: 'a', effect: 'deny', tool: 'x' },
      { id: 'c', effect: 'deny', tool: 'x', surface: ['cursor'] }
    ]
    assert.deepEqual(ofTools({ rules }), [
      'warning redundant_rule /mcpToolPolicy/rules/0',
      'warning redundant_rule /mcpToolPolicy/rules/2'
    ])
    assert.deepEqual(ofTools({ rules: [{ id: 'a', effect: 'allow', tool: 'x' }] }), [
      'warning no_effect /mcpToolPolicy/rules/0'
    ])
  })

  it('for servers, surfaces or tools that nobody has ever seen are told of', () => {
    const rules = [
      { id: 'a', effect: 'deny', server: 'githbu' },
      { id: 'b', effect: 'deny', server: ['github', 'mail*'], tool: 'get', surface: ['cursr'] },
      { id: 'c', effect: 'deny', tool: 'delete_*' }
    ]
    const { findings } = reportOf({ version: 1, servers, rules }, undefined, {
      reportedTools: [{ server: 'github', tool: 'get' }]
    })
    assert.deepEqual(told(findings), [
      'error unknown_server /mcpToolPolicy/rules/0/server',
      'warning unknown_server /mcpToolPolicy/rules/1/server/1',
      'warning no_effect /mcpToolPolicy/rules/1/surface/0',
      'warning unmatched_glob /mcpToolPolicy/rules/0/tool',
      'warning unmatched_glob /mcpToolPolicy/rules/2/tool'
    ])
    assert.match(findings[0]?.message ?? '', /Did you mean "github"\?/)
  })

  it('are compared with the names of tools alone where a report does not say the server', () => {
    const rules = [
      { id: 'a', effect: 'deny', server: 'github', tool: 'get' },
      { id: 'b', effect: 'deny', server: 'github', tool: 'put' }
    ]
    const { findings } = reportOf({ version: 1, servers, rules }, undefined, { reportedTools: [{ tool: 'get' }] })
    assert.deepEqual(told(findings), ['warning unmatched_glob /mcpToolPolicy/rules/1/tool'])
  })

  it('that have ended, of the same id, or that believe a server are told of', () => {
    const rules = [
      { id: 'a', effect: 'deny', tool: 'x', expiresAt: '2026-11-21T00:00:00Z' },
      { id: 'a', effect: 'allow', annotations: { readOnlyHint: true } }
    ]
    assert.deepEqual(ofTools({ rules, defaultEffect: 'ask' }), [
      'error duplicate_id /mcpToolPolicy/rules/1/id',
      'warning expired_rule /mcpToolPolicy/rules/0/expiresAt',
      'info trusts_server /mcpToolPolicy/rules/1/annotations'
    ])
  })
})

test('a command with a gap in its middle is nobody\u2019s, and is told so', () => {
  const withCommand = (...command: string[]) => ofTools({ servers: [{ id: 'files', command }] })
  assert.deepEqual(withCommand('**', 'server-files'), ['warning no_effect /mcpToolPolicy/servers/0/command/0'])
  assert.deepEqual(withCommand('npx', '**', 'server-files', '**'), [
    'warning no_effect /mcpToolPolicy/servers/0/command/1'
  ])
  assert.deepEqual(withCommand('npx', '*', 'server-files', '**'), [])
})

test('a policy under which nothing can be called must be confirmed', () => {
  const locked = [
    { defaultEffect: 'deny' },
    { rules: [{ id: 'a', effect: 'deny' }] },
    { unknownServer: 'deny' },
    { defaultEffect: 'deny', rules: [{ id: 'a', effect: 'allow', expiresAt: '2026-01-01T00:00:00Z' }] }
  ]
  for (const policy of locked) {
    const report = reportOf({ version: 1, ...policy })
    assert.deepEqual([report.isPublishable, report.needsConfirm], [false, true], JSON.stringify(policy))
    assert.equal(reportOf({ version: 1, ...policy }, undefined, { confirm: true }).isPublishable, true)
    assert.equal(reportOf({ version: 1, mode: 'observe', ...policy }).isPublishable, true)
  }
  const open = reportOf({ version: 1, defaultEffect: 'deny', rules: [{ id: 'a', effect: 'ask' }] })
  assert.equal(open.isPublishable, true)
})

describe('a redaction profile', () => {
  const custom = (more: object) => ({
    custom: [{ id: 'ticket', pattern: 'TICK-[0-9]+', tests: { match: ['TICK-1'] }, ...more }]
  })

  it('has patterns that are RE2 and pass their tests', () => {
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
    assert.deepEqual(ofProfile(custom({ id: 'email_address' })), ['error kind_exists /redactionProfile/custom/0/id'])
    assert.deepEqual(ofProfile(custom({ pattern: '[A-Z]+-[0-9]+' })), [
      'warning slow_pattern /redactionProfile/custom/0/pattern'
    ])
    const [one] = custom({}).custom
    assert.deepEqual(ofProfile({ custom: [one, one] }), ['error duplicate_id /redactionProfile/custom/1/id'])
  })

  it('is told of patterns without their text', () => {
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

  it('names kinds that exist', () => {
    const actions = { kinds: { email_adress: 'block', ticket: 'block', deny_word: 'block', nothing_like_it: 'mask' } }
    const { findings } = reportOf({ version: 1 }, { version: 1, actions, ...custom({}) })
    assert.deepEqual(told(findings), [
      'error unknown_kind /redactionProfile/actions/kinds/email_adress',
      'error unknown_kind /redactionProfile/actions/kinds/nothing_like_it'
    ])
    assert.match(findings[0]?.message ?? '', /Did you mean "email_address"\?/)
  })

  it('allows no high-risk value, and says what a wide allow lets pass', () => {
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

  it('is told what keeps a setting from taking effect', () => {
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

  it('is told what softens it', () => {
    const softer: [object, string][] = [
      [{ mode: 'observe' }, '/mode'],
      [{ blockHighRisk: false }, '/blockHighRisk'],
      [{ scopes: { tool_result: 'watched' } }, '/scopes/tool_result'],
      [{ actions: { groups: { secret: 'allow' } } }, '/actions/groups/secret'],
      [{ actions: { kinds: { jwt: 'allow' } } }, '/actions/kinds/jwt']
    ]
    for (const [profile, path] of softer)
      assert.deepEqual(ofProfile(profile), [`warning softens /redactionProfile${path}`])
    assert.deepEqual(
      ofProfile({ actions: { kinds: { ipv4: 'allow' } } }).filter((one) => one.includes('softens')),
      []
    )
    assert.deepEqual(ofTools({ mode: 'observe', scan: { results: false } }).slice(0, 2), [
      'warning softens /mcpToolPolicy/mode',
      'warning softens /mcpToolPolicy/scan/results'
    ])
  })

  it('is told which pins guard nothing, and that every setting of tools takes effect', () => {
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

describe('a policy as text', () => {
  it('is an object of the two documents', () => {
    const text = JSON.stringify(standardPolicy)
    assert.equal(lintPolicyText(text, { now }).report.isPublishable, true)
    assert.deepEqual(told(lintPolicyText('{', { now }).report.findings), ['error invalid_type '])
    const [slip] = lintPolicyText('{\n  "redactionProfile" {"deny": ["Project Halyard"]}}', { now }).report.findings
    assert.equal(slip?.message, 'The policy is not JSON from line 2, column 22 on.')
    assert.deepEqual(told(lintPolicyText('[]', { now }).report.findings), ['error invalid_type '])
    const { report } = lintPolicyText(text.replace('{', '{"more":1,'), { now })
    assert.deepEqual(told(report.findings), ['error unknown_key /more'])
  })
})
