import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { lintPolicy, lintPolicyText } from './lint.ts'
import { awsKey, now, ofProfile, ofTools, reportOf, told } from './lint.fixture.ts'
import { standardPolicy } from '../revision.ts'

test('the standard policy has no findings', () => {
  const report = lintPolicy(standardPolicy, { now })
  assert.deepEqual(report, { findings: [], leftOut: 0, isPublishable: true, needsConfirm: false })
})

describe('the form of a document', () => {
  it('is checked with pointers and the nearest known name', () => {
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

  it('is described in sentences that repeat no value', () => {
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

  it('must be an object of a known version', () => {
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

test('a key that the schemas would leave out of a map is refused, wherever it is', () => {
  const of = (text: string): string[] => told(lintPolicyText(text, { now }).report.findings)
  const profile = (actions: string): string =>
    `{"mcpToolPolicy":{"version":1},"redactionProfile":{"version":1,"actions":${actions}}}`
  assert.deepEqual(of(profile('{"groups":{"__proto__":"block"}}')), [
    'error unknown_key /redactionProfile/actions/groups/__proto__'
  ])
  assert.deepEqual(of(profile('{"kinds":{"\\u005f_proto__":"block"}}')), [
    'error unknown_key /redactionProfile/actions/kinds/__proto__'
  ])
  assert.deepEqual(of(profile('{"kinds":{"email_address":"block"}}')), [])
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

  it('apply to rules, patterns and pointers', () => {
    const rules = Array.from({ length: 10_001 }, (_, i) => ({ id: `r${i}`, effect: 'deny' }))
    assert.deepEqual(ofTools({ rules }), ['error too_large /mcpToolPolicy/rules'])
    const heavy = Array.from({ length: 30 }, (_, i) => ({ id: `p${i}`, pattern: 'ab{1900}', tests: { match: ['x'] } }))
    assert.deepEqual(ofProfile({ custom: heavy }), ['error too_large /redactionProfile/custom'])
    const matching = (patterns: readonly string[]) => ({
      rules: patterns.map((matches, i) => ({ id: `r${i}`, effect: 'deny', when: [{ argument: '/a', matches }] }))
    })
    for (const patterns of [heavy.map(({ pattern }) => pattern), Array.from({ length: 1001 }, () => 'a')])
      assert.deepEqual(ofTools(matching(patterns)), ['error too_large /mcpToolPolicy/rules'])
    assert.deepEqual(ofTools(matching(Array.from({ length: 1000 }, () => 'a'))), [])
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

  it('apply to the findings themselves', () => {
    const rules = Array.from({ length: 5000 }, (_, i) => ({ id: 'same', effect: 'deny', tool: `t${i}` }))
    const report = reportOf({ version: 1, rules })
    assert.equal(report.findings.length, 200)
    assert.equal(report.leftOut, 4800)
  })

  it('keep the time for 10,000 rules bounded, and the report says if not all were compared', () => {
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

  it('that a stricter one always overrides are unreachable', () => {
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

  it('that another one makes redundant are reported once', () => {
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

  it('for servers, surfaces or tools that were never seen are reported', () => {
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

  it('are compared by tool name only if a report does not name the server', () => {
    const rules = [
      { id: 'a', effect: 'deny', server: 'github', tool: 'get' },
      { id: 'b', effect: 'deny', server: 'github', tool: 'put' }
    ]
    const { findings } = reportOf({ version: 1, servers, rules }, undefined, { reportedTools: [{ tool: 'get' }] })
    assert.deepEqual(told(findings), ['warning unmatched_glob /mcpToolPolicy/rules/1/tool'])
  })

  it('that have expired, share an id, or trust what a server says are reported', () => {
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

test('a server command with a gap in its middle matches no server, and is reported', () => {
  const withCommand = (...command: string[]) => ofTools({ servers: [{ id: 'files', command }] })
  assert.deepEqual(withCommand('**', 'server-files'), ['warning no_effect /mcpToolPolicy/servers/0/command/0'])
  assert.deepEqual(withCommand('npx', '**', 'server-files', '**'), [
    'warning no_effect /mcpToolPolicy/servers/0/command/1'
  ])
  assert.deepEqual(withCommand('npx', '*', 'server-files', '**'), [])
})

test('a policy under which no tool can be called must be confirmed', () => {
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

describe('a policy as text', () => {
  it('is an object with the two documents', () => {
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
