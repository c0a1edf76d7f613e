import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import fc from '../../../test/support/property.ts'
import { compileToolPolicy, type ToolCall, type ToolDecision } from './decide.ts'
import { toolPolicySchema, type Effect, type ToolPolicy, type ToolRule } from './policy.ts'

type RuleInput = Partial<ToolRule> & { effect: Effect }
const policyOf = (document: object): ToolPolicy => toolPolicySchema.parse({ version: 1, ...document })
const servers = ['github', 'files', 'mail'].map((id) => ({ id, url: `https://${id}.test/mcp` }))
const withRules = (rules: RuleInput[], more: object = {}): ToolPolicy =>
  policyOf({ servers, defaultEffect: 'deny', ...more, rules: rules.map((rule, i) => ({ id: `r${i}`, ...rule })) })
const decide = (policy: ToolPolicy, call: Partial<ToolCall>): ToolDecision =>
  compileToolPolicy(policy).decide({ server: 'github', tool: 'get_file', now: 0, ...call })

describe('a decision', () => {
  it('is the default if no rule matches', () => {
    assert.deepEqual(decide(policyOf({}), {}), { effect: 'allow' })
    assert.deepEqual(decide(withRules([{ effect: 'allow', tool: 'other' }]), {}), { effect: 'deny' })
  })

  it('is deny over ask over allow, and names the first rule by id', () => {
    const allow: RuleInput = { effect: 'allow' }
    const ask: RuleInput = { effect: 'ask', tool: 'get_*' }
    const deny: RuleInput = { effect: 'deny', reason: 'No.', riskTier: 'high', id: 'z' }
    assert.deepEqual(decide(withRules([allow]), {}), { effect: 'allow', ruleId: 'r0' })
    assert.deepEqual(decide(withRules([allow, ask]), {}), { effect: 'ask', ruleId: 'r1' })
    assert.deepEqual(decide(withRules([deny, { effect: 'deny', tool: '*file', id: 'a' }, ask, allow]), {}), {
      effect: 'deny',
      ruleId: 'a'
    })
    assert.deepEqual(decide(withRules([deny]), {}), { effect: 'deny', ruleId: 'z', reason: 'No.', riskTier: 'high' })
  })

  it('does not apply a rule to what it excepts', () => {
    const policy = withRules([
      {
        effect: 'allow',
        server: ['git*', 'files'],
        tool: '*',
        except: [
          { server: '*', tool: 'delete_*' },
          { server: 'files', tool: 'get_file' }
        ]
      }
    ])
    assert.equal(decide(policy, {}).effect, 'allow')
    assert.equal(decide(policy, { tool: 'delete_repo' }).effect, 'deny')
    assert.equal(decide(policy, { server: 'files' }).effect, 'deny')
    assert.equal(decide(policy, { server: 'mail' }).effect, 'deny')
  })

  it('expires with its rule', () => {
    const policy = withRules([{ effect: 'allow', expiresAt: '2027-01-01T00:00:00Z' }])
    assert.equal(decide(policy, { now: Date.UTC(2027, 0, 1) - 1 }).effect, 'allow')
    assert.equal(decide(policy, { now: Date.UTC(2027, 0, 1) }).effect, 'deny')
  })

  it('treats an unknown surface and a missing hint as matching for a deny and an ask, never for an allow', () => {
    for (const more of [{ surface: ['cursor'] }, { annotations: { readOnlyHint: true } }]) {
      const effectOf = (effect: Effect, call: Partial<ToolCall>): Effect =>
        decide(withRules([{ effect, ...more }], { defaultEffect: effect === 'allow' ? 'deny' : 'allow' }), call).effect
      for (const call of [{}, { surface: 'unknown' }, { annotations: {} }]) {
        assert.equal(effectOf('allow', call), 'deny')
        assert.equal(effectOf('ask', call), 'ask')
        assert.equal(effectOf('deny', call), 'deny')
      }
      const met = { surface: 'cursor', annotations: { readOnlyHint: true } }
      const unmet = { surface: 'codex', annotations: { readOnlyHint: false } }
      assert.equal(effectOf('allow', met), 'allow')
      assert.equal(effectOf('deny', unmet), 'allow')
    }
    assert.equal(decide(withRules([{ effect: 'allow', surface: ['unknown'] }]), {}).effect, 'allow')
  })

  it('judges unlisted servers as `unknown`, and at least asks or denies if so configured', () => {
    const rules: RuleInput[] = [{ effect: 'allow', server: 'unknown' }]
    const ghost = { server: 'ghost' }
    assert.equal(decide(withRules(rules), ghost).effect, 'allow')
    assert.equal(decide(withRules(rules), {}).effect, 'deny')
    assert.equal(decide(withRules(rules, { unknownServer: 'ask' }), ghost).effect, 'ask')
    assert.equal(decide(withRules(rules, { unknownServer: 'deny' }), ghost).effect, 'deny')
    assert.equal(
      decide(withRules([{ effect: 'deny', server: 'unknown' }], { unknownServer: 'ask' }), ghost).ruleId,
      'r0'
    )
  })
})

test('servers are recognised by address or command', () => {
  const { serverId } = compileToolPolicy(
    policyOf({
      servers: [
        { id: 'github', command: ['npx', '-y', '@mcp/github@*'] },
        { id: 'shell', command: ['/usr/bin/sh', '**'] },
        { id: 'web', url: 'https://Mcp.Test/v1/' }
      ]
    })
  )
  const table: [Parameters<typeof serverId>[0], string][] = [
    [{ command: ['npx', '-y', '@mcp/github@1.2.0'] }, 'github'],
    [{ command: ['/opt/node/bin/npx', '-y', '@mcp/github@1.2.0'] }, 'github'],
    [{ command: ['C:\\node\\npx', '-y', '@mcp/github@1.2.0'] }, 'github'],
    [{ command: ['npx', '-y', '@mcp/github@1.2.0', '--write'] }, 'unknown'],
    [{ command: ['npx', '-y'] }, 'unknown'],
    [{ command: ['/usr/bin/sh'] }, 'shell'],
    [{ command: ['/usr/bin/sh', '-c', 'x'] }, 'shell'],
    [{ command: ['/var/sh', '-c', 'x'] }, 'unknown'],
    [{ url: 'https://mcp.test:443/v1?session=1' }, 'web'],
    [{ url: 'https://mcp.test/v2' }, 'unknown'],
    [{ url: 'http://mcp.test/v1' }, 'unknown'],
    [{ url: 'no address' }, 'unknown'],
    [{}, 'unknown']
  ]
  for (const [identity, id] of table) assert.equal(serverId(identity), id, JSON.stringify(identity))
})

it('a server that several entries match is the first of them by id, whatever their order', () => {
  const fits = ['b', 'a', 'c'].map((id) => ({ id, command: ['npx', '**'] }))
  for (const servers of [fits, fits.toReversed(), fits.toSorted((one, other) => (one.id < other.id ? -1 : 1))])
    assert.equal(compileToolPolicy(policyOf({ servers })).serverId({ command: ['npx', 'x'] }), 'a')
})

const names = ['a', 'get_file', 'get_repo', 'delete_file', 'delete_repo', 'list', 'mail_send', 'x_get_file_y']
const globs = [...names, '*', 'get_*', '*_repo', '*e*e*', '*file*', 'd*_*o', 'get_f*', '*', 'ma*']
const serverGlobs = ['*', 'github', 'git*', 'files', 'unknown', '*i*']
const oneOrMore = (pick: readonly string[]) =>
  fc.oneof(fc.constantFrom(...pick), fc.array(fc.constantFrom(...pick), { minLength: 1, maxLength: 3 }))
const leaf = fc.constantFrom(
  { argument: '/path', pathWithin: '/srv' },
  { argument: '/n', lessThan: 5 },
  { argument: '/n', equals: 7 },
  { argument: '/env', in: ['dev', 'test'] },
  { argument: '/env', matches: 'dev|prod' }
)
const condition = fc.oneof(
  { weight: 4, arbitrary: leaf },
  leaf.map((one) => ({ not: one })),
  fc.array(leaf, { minLength: 1, maxLength: 2 }).map((any) => ({ any }))
)
const rule = fc.record(
  {
    effect: fc.constantFrom('deny', 'ask', 'allow'),
    server: oneOrMore(serverGlobs),
    tool: oneOrMore(globs),
    except: fc.array(fc.record({ server: oneOrMore(serverGlobs), tool: oneOrMore(globs) }), { maxLength: 1 }),
    when: fc.array(condition, { maxLength: 2 }),
    surface: fc.constantFrom(['cursor'], ['cursor', 'codex']),
    annotations: fc.constantFrom({ readOnlyHint: true }, { destructiveHint: false, openWorldHint: true }),
    expiresAt: fc.constantFrom('2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z')
  },
  { requiredKeys: ['effect'] }
)
const policy = fc
  .record({
    defaultEffect: fc.constantFrom('deny', 'ask', 'allow'),
    unknownServer: fc.constantFrom('judge', 'ask', 'deny'),
    rules: fc.array(rule, { maxLength: 12 })
  })
  .map(({ rules, ...more }) => policyOf({ servers, ...more, rules: rules.map((one, i) => ({ id: `r${i}`, ...one })) }))
const fullArguments = fc.record({
  path: fc.constantFrom('/srv/a', '/etc/b', '../c', ['/srv/a', '/etc/b']),
  n: fc.constantFrom(1, 7, 9, 'x'),
  env: fc.constantFrom('dev', 'prod', 'devprod', 'x')
})
const call = fc.record({
  server: fc.constantFrom('github', 'files', 'ghost'),
  tool: fc.constantFrom(...names),
  arguments: fullArguments,
  surface: fc.constantFrom('cursor', 'codex', 'cline', 'unknown'),
  annotations: fc.constantFrom(
    { readOnlyHint: true },
    { readOnlyHint: false, destructiveHint: false, openWorldHint: true }
  ),
  now: fc.constantFrom(Date.UTC(2025, 0), Date.UTC(2026, 6), Date.UTC(2028, 0))
})

const strictness = (effect: Effect): number => ['allow', 'ask', 'deny'].indexOf(effect)
const runs = { numRuns: 400 }

/** The same decision without an index, rule by rule, derived from the document. */
function interpret({ rules, servers: listed, defaultEffect, unknownServer }: ToolPolicy, judged: ToolCall): Effect {
  const server = listed.some(({ id }) => id === judged.server) ? judged.server : 'unknown'
  const isNamed = (one: { server: string | string[]; tool: string | string[] }): boolean =>
    [one.server].flat().some((glob) => like(glob, server)) && [one.tool].flat().some((glob) => like(glob, judged.tool))
  const matching = rules.filter((one) => {
    if (!isNamed(one) || one.except.some(isNamed)) return false
    if (one.expiresAt !== undefined && judged.now >= Date.parse(one.expiresAt)) return false
    const met = [
      ...one.when.map((each) => isMet(each as Leaf, judged.arguments as Record<string, unknown>)),
      ...(one.surface
        ? [judged.surface === 'unknown' ? undefined : one.surface.includes(judged.surface as string)]
        : []),
      ...Object.entries(one.annotations ?? {}).map(([name, value]) => {
        const told = (judged.annotations as Record<string, boolean>)[name]
        return told === undefined ? undefined : told === value
      })
    ]
    return one.effect === 'allow' ? met.every((each) => each === true) : met.every((each) => each !== false)
  })
  const effects = matching.map(({ effect }) => effect)
  const found = (['deny', 'ask', 'allow'] as const).find((effect) => effects.includes(effect)) ?? defaultEffect
  const floor = server === 'unknown' && unknownServer !== 'judge' ? unknownServer : 'allow'
  return strictness(floor) > strictness(found) ? floor : found
}

type Leaf = {
  argument: string
  lessThan?: number
  equals?: number
  in?: string[]
  matches?: string
  not?: Leaf
  any?: Leaf[]
}

function isMet(one: Leaf, given: Record<string, unknown>): boolean | undefined {
  if (one.not) {
    const inner = isMet(one.not, given)
    return inner === undefined ? undefined : !inner
  }
  if (one.any) {
    const all = one.any.map((each) => isMet(each, given))
    return all.includes(true) ? true : all.includes(undefined) ? undefined : false
  }
  const value = given[one.argument.slice(1)]
  if (value === undefined) return undefined
  if (one.argument === '/path') return { '/srv/a': true, '/etc/b': false }[value as string]
  if (one.in) return one.in.includes(value as string)
  if (one.matches) return { dev: true, prod: true, devprod: undefined, x: false }[value as string]
  if (typeof value !== 'number') return undefined
  return one.equals === undefined ? value < (one.lessThan as number) : value === one.equals
}

/** A glob by its definition. */
function like(glob: string, name: string): boolean {
  if (glob === '') return name === ''
  if (glob[0] === '*') return like(glob.slice(1), name) || (name !== '' && like(glob, name.slice(1)))
  return glob[0] === name[0] && like(glob.slice(1), name.slice(1))
}

describe('any policy', () => {
  it('decides as its rules say one by one', () => {
    fc.assert(
      fc.property(policy, fc.array(call, { minLength: 1, maxLength: 5 }), (one, calls) => {
        const compiled = compileToolPolicy(one)
        for (const each of calls) assert.equal(compiled.decide(each).effect, interpret(one, each))
      }),
      { numRuns: 2000 }
    )
  })

  it('decides the same in any order of its rules', () => {
    fc.assert(
      fc.property(policy, call, fc.array(fc.nat(), { minLength: 12, maxLength: 12 }), (one, each, keys) => {
        const shuffled = one.rules.map((entry, i) => [keys[i] as number, entry] as const)
        const rules = shuffled.toSorted(([a], [b]) => a - b).map(([, entry]) => entry)
        assert.deepEqual(compileToolPolicy({ ...one, rules }).decide(each), compileToolPolicy(one).decide(each))
      }),
      runs
    )
  })

  it('never lets more pass because of one more deny', () => {
    fc.assert(
      fc.property(policy, rule, call, (one, added, each) => {
        const deny = policyOf({ rules: [{ ...added, id: 'added', effect: 'deny' }] }).rules
        const before = compileToolPolicy(one).decide(each).effect
        const after = compileToolPolicy({ ...one, rules: [...one.rules, ...deny] }).decide(each).effect
        assert.ok(strictness(after) >= strictness(before), `${before} became ${after}`)
      }),
      runs
    )
  })

  it('never allows for lack of an argument, a surface or hints, but still denies', () => {
    const gap = fc.constantFrom('path', 'n', 'env', 'arguments', 'surface', 'annotations')
    fc.assert(
      fc.property(policy, call, gap, (one, each, missing) => {
        const poorer = { ...each, arguments: { ...each.arguments, [missing]: undefined }, [missing]: undefined }
        const { decide: judge } = compileToolPolicy(one)
        const before = judge(each)
        const after = judge(poorer)
        if (after.effect === 'allow') assert.equal(before.effect, 'allow')
        if (before.effect === 'deny' && before.ruleId !== undefined) assert.equal(after.effect, 'deny')
      }),
      runs
    )
  })
})
