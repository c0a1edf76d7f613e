import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalJson } from '../../protocol/canonical-json.ts'
import { diffPolicies, type PolicyChange } from './diff.ts'
import { standardPolicy } from '../revision.ts'

const policy = (redactionProfile: object, mcpToolPolicy: object = {}) => ({
  redactionProfile: { version: 1, ...redactionProfile },
  mcpToolPolicy: { version: 1, ...mcpToolPolicy }
})
const only = (before: ReturnType<typeof policy>, after: ReturnType<typeof policy>): PolicyChange => {
  const changes = diffPolicies(before, after)
  assert.equal(changes.length, 1, JSON.stringify(changes))
  return changes[0] as PolicyChange
}
const rule = (id: string, more: object = {}) => ({ id, effect: 'deny', tool: 'x', ...more })

test('spelled-out defaults, the order of rules and a one-element list are no difference', () => {
  assert.deepEqual(diffPolicies(policy({}), standardPolicy), [])
  const [one, other] = [rule('a'), rule('b', { tool: ['y'] })]
  assert.deepEqual(
    diffPolicies(policy({}, { rules: [one, other] }), policy({}, { rules: [{ ...other, tool: 'y' }, one] })),
    []
  )
  assert.deepEqual(diffPolicies(policy({ deny: ['ab', 'cd'] }), policy({ deny: ['cd', 'ab'] })), [])
})

test('rules are matched by id, and a change in one is reported field by field', () => {
  const before = policy({}, { rules: [rule('a'), rule('b'), rule('c', { effect: 'allow' })] })
  const after = policy(
    {},
    { rules: [rule('d', { effect: 'allow' }), rule('b', { effect: 'ask', tool: ['x', 'y'], reason: 'z' })] }
  )
  const told = diffPolicies(before, after).map(({ path, kind, says, softens }) => [path, kind, says, softens])
  assert.deepEqual(told, [
    ['/mcpToolPolicy/rules/0', 'removed', 'Rule "a" is removed.', true],
    ['/mcpToolPolicy/rules/1/effect', 'changed', 'Rule "b": effect changes from deny to ask.', true],
    ['/mcpToolPolicy/rules/1/tool/1', 'added', 'Rule "b": an entry is added to tool.', true],
    ['/mcpToolPolicy/rules/1/reason', 'added', 'Rule "b": reason is set.', false],
    ['/mcpToolPolicy/rules/2', 'removed', 'Rule "c" is removed.', false],
    ['/mcpToolPolicy/rules/0', 'added', 'Rule "d" is added (allow).', true]
  ])
})

test('each difference says whether more may pass', () => {
  const custom = { id: 'ticket', pattern: 'TICK-[0-9]+', tests: { match: ['TICK-1'] } }
  const hmac = 'a'.repeat(64)
  const server = { id: 'github', url: 'https://github.test/' }
  const table: [less: ReturnType<typeof policy>, more: ReturnType<typeof policy>, path: string, reverse: boolean][] = [
    [policy({}), policy({ preset: 'coding-agents' }), '/redactionProfile/preset', false],
    [policy({}), policy({ mode: 'observe' }), '/redactionProfile/mode', false],
    [policy({}), policy({ blockHighRisk: false }), '/redactionProfile/blockHighRisk', false],
    [policy({}), policy({ actions: { kinds: { jwt: 'mask' } } }), '/redactionProfile/actions/kinds/jwt', false],
    [
      policy({}),
      policy({ actions: { groups: { contact: 'allow' } } }),
      '/redactionProfile/actions/groups/contact',
      false
    ],
    [policy({ actions: { kinds: { ipv4: 'block' } } }), policy({}), '/redactionProfile/actions/kinds/ipv4', false],
    [
      policy({ actions: { groups: { contact: 'allow' }, kinds: { email_address: 'mask' } } }),
      policy({ actions: { groups: { contact: 'allow' } } }),
      '/redactionProfile/actions/kinds/email_address',
      false
    ],
    [
      policy({ custom: [{ ...custom, tier: 'high' }] }),
      policy({ custom: [{ ...custom, tier: 'high' }], actions: { kinds: { ticket: 'mask' } } }),
      '/redactionProfile/actions/kinds/ticket',
      false
    ],
    [policy({}), policy({ scopes: { user: 'watched' } }), '/redactionProfile/scopes/user', false],
    [policy({ scopes: { other: 'masked' } }), policy({}), '/redactionProfile/scopes/other', false],
    [policy({}), policy({ scopes: { assistant: 'watched' } }), '/redactionProfile/scopes/assistant', false],
    [policy({ scopes: { assistant: 'masked' } }), policy({}), '/redactionProfile/scopes/assistant', false],
    [policy({ custom: [custom] }), policy({}), '/redactionProfile/custom/0', false],
    [policy({ deny: ['bluebird'] }), policy({}), '/redactionProfile/deny/0', false],
    [policy({}), policy({ allow: { values: ['a@b.dev'] } }), '/redactionProfile/allow/values/0', false],
    [policy({}), policy({ allow: { hmacs: [hmac] } }), '/redactionProfile/allow/hmacs/0', false],
    [policy({ limits: { bodyBytesMax: 5000 } }), policy({}), '/redactionProfile/limits/bodyBytesMax', false],
    [policy({}, { defaultEffect: 'deny' }), policy({}), '/mcpToolPolicy/defaultEffect', false],
    [policy({}, { unknownServer: 'ask' }), policy({}), '/mcpToolPolicy/unknownServer', false],
    [policy({}), policy({}, { scan: { results: false } }), '/mcpToolPolicy/scan/results', false],
    [policy({}, { pins: { mode: 'strict' } }), policy({}), '/mcpToolPolicy/pins/mode', false],
    [policy({}, { stale: { effect: 'deny' } }), policy({}), '/mcpToolPolicy/stale/effect', false],
    [policy({}), policy({}, { stale: { afterSeconds: 100_000 } }), '/mcpToolPolicy/stale/afterSeconds', false],
    [policy({}), policy({}, { servers: [server] }), '/mcpToolPolicy/servers/0', true]
  ]
  for (const [less, more, path, reverse] of table) {
    const there = only(less, more)
    assert.deepEqual([there.path, there.softens], [path, true], path)
    assert.equal(only(more, less).softens, reverse, `back at ${path}`)
    assert.match(there.says, /^[A-Z].*\.$/)
  }
})

test('a placeholder or an answer style softens nothing', () => {
  for (const change of [{ placeholder: 'typed' }, { blockAs: 'refusal' }, { restore: { enabled: true } }])
    assert.equal(only(policy({}), policy(change)).softens, false)
})

test('more editors that get values of the high tier soften, fewer do not', () => {
  const withFiles = (files?: readonly string[]) => policy({ restore: { tools: ['*'], ...(files && { files }) } })
  for (const [less, more, isSofter] of [
    [[], undefined, true],
    [undefined, [], false],
    [undefined, ['save'], true],
    [['save'], ['save', 'publish'], true],
    [['save', 'publish'], ['save'], false]
  ] as const)
    assert.equal(only(withFiles(less), withFiles(more)).softens, isSofter, `${String(less)} to ${String(more)}`)
})

test('sentences repeat no free text', () => {
  const secretive = policy(
    { deny: ['bluebird'], allow: { values: ['ann@corp.dev'], patterns: ['x[0-9]+'] } },
    { refusal: { message: 'Ask Bea.' }, servers: [{ id: 'a', url: 'https://inner.corp.dev' }] }
  )
  const text = diffPolicies(policy({}), secretive)
    .map(({ says }) => says)
    .join('\n')
  for (const word of ['bluebird', 'ann@', 'x[0', 'Bea', 'inner']) assert.ok(!text.includes(word), text)
  assert.match(text, /An entry is added to allow\.values\./)
})

test('documents that this version cannot read are compared as written', () => {
  const future = { ...standardPolicy, redactionProfile: { version: 9, shape: 'new' } }
  const paths = diffPolicies(standardPolicy, future).map(({ path }) => path)
  assert.ok(paths.includes('/redactionProfile/version'))
  assert.ok(paths.includes('/redactionProfile/shape'))
  assert.deepEqual(JSON.parse(canonicalJson(standardPolicy)).mcpToolPolicy, { ...standardPolicy.mcpToolPolicy })
})

test('a kind named like an inherited member is compared like any other', () => {
  const custom = [{ id: 'constructor', pattern: 'PROJ-[0-9]{6}', tier: 'medium', tests: { match: ['PROJ-123456'] } }]
  const { says, kind } = only(policy({ custom }), policy({ custom, actions: { kinds: { constructor: 'allow' } } }))
  assert.deepEqual([kind, says], ['added', 'The action for the kind constructor is now allow.'])
})
