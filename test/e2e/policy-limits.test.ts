/** Hostile policies: rejected with a pointer, in bounded time, while the service continues with the old one. */
import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { after, before, describe, test } from 'node:test'
import { userBody } from '../support/dialects.ts'
import { emptyPolicy, openPolicyApi, policyApi, problemOf, type PolicyApi } from '../support/policy-api.ts'
import { startTestService, type TestService } from '../support/start-service.ts'
import { startStubUpstream } from '../support/stub-upstream.ts'
import { answers } from '../support/upstream-behaviours.ts'

const running = new AsyncDisposableStack()
let service: TestService
let api: PolicyApi

before(async () => {
  const upstream = running.use(await startStubUpstream(answers()))
  service = running.use(await startTestService({ upstream }))
  api = await openPolicyApi(service, 'audit:read')
})
after(() => running.disposeAsync())

const callModel = () => service.send('messages', userBody('messages', 'Hello.'))
const rulesOf = (count: number, more: object) =>
  Array.from({ length: count }, (_, index) => ({ id: `r${index}`, effect: 'deny', ...more }))
const tools = (mcpToolPolicy: object) => ({ ...emptyPolicy, mcpToolPolicy: { version: 1, ...mcpToolPolicy } })
const profile = (redactionProfile: object) => ({
  ...emptyPolicy,
  redactionProfile: { version: 1, ...redactionProfile }
})
const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)
const custom = (pattern: string, match: string) =>
  profile({ custom: [{ id: 'x', pattern, tests: { match: [match] } }] })

/** A policy, and the pointer and code of the first error in its rejection. */
const hostile: readonly [name: string, draft: object, path: string, code: string][] = [
  ['100,000 rules', tools({ rules: Array.from({ length: 100_000 }, () => ({})) }), '/mcpToolPolicy/rules', 'too_large'],
  ['10,001 rules', tools({ rules: rulesOf(10_001, {}) }), '/mcpToolPolicy/rules', 'too_large'],
  ['two million characters', profile({ deny: ['x'.repeat(2_000_000)] }), '/redactionProfile', 'too_large'],
  [
    'a glob of a thousand stars',
    tools({ rules: rulesOf(1, { tool: '*a'.repeat(1000) }) }),
    '/mcpToolPolicy/rules/0/tool',
    'invalid_value'
  ],
  [
    'a glob of ten stars',
    tools({ rules: rulesOf(1, { tool: '*a'.repeat(10) }) }),
    '/mcpToolPolicy/rules/0/tool',
    'invalid_value'
  ],
  ['lists in lists', profile({ deny: nested(100_000) }), `/redactionProfile/deny${'/0'.repeat(23)}`, 'too_deep'],
  [
    'conditions in conditions',
    tools({
      rules: rulesOf(1, {
        when: [Array.from({ length: 7 }).reduce((inner) => ({ not: inner }), { argument: '/a', exists: true })]
      })
    }),
    '/mcpToolPolicy/rules/0/when',
    'invalid_value'
  ],
  [
    'a pattern that no bounded automaton has',
    custom('(a{1,1000}){1,1000}', 'a'),
    '/redactionProfile/custom',
    'too_large'
  ],
  ['a pattern that looks ahead', custom('(?=a)b', 'b'), '/redactionProfile/custom/0/pattern', 'invalid_pattern'],
  [
    'a pattern that refers back',
    custom(String.raw`(a)\1`, 'aa'),
    '/redactionProfile/custom/0/pattern',
    'invalid_pattern'
  ],
  [
    'a pattern that makes others try for ever',
    custom('(a+)+(a+)+(a+)+$', `${'a'.repeat(9998)}b`),
    '/redactionProfile/custom/0/tests/match/0',
    'failing_test'
  ],
  [
    'a pointer into nothing',
    tools({ rules: rulesOf(1, { when: [{ argument: `/${'a/'.repeat(300)}`, exists: true }] }) }),
    '/mcpToolPolicy/rules/0/when/0/argument',
    'invalid_value'
  ],
  ['a version of the future', tools({ version: 99 }), '/mcpToolPolicy/version', 'unknown_version'],
  [
    'numbers that are none',
    profile({ limits: { bodyBytesMax: 1e300 } }),
    '/redactionProfile/limits/bodyBytesMax',
    'invalid_value'
  ]
]

describe('hostile policies', () => {
  for (const [name, draft, path, code] of hostile) {
    test(`${name}: rejected with a pointer at every endpoint, and the old revision stays`, async () => {
      const before = (await callModel()).headers['x-service-policy-revision']
      const problem = problemOf(await api.ask('PUT', '/policy', draft, { 'if-match': '*' }), 422)
      const at = problem.errors.find((one) => one.path.startsWith(path) && one.code === code)
      assert.ok(at, JSON.stringify(problem.errors))
      assert.ok(problem.errors.every(({ message }) => message.length < 500))
      const lint = await api.ask('POST', '/policy/lint', draft)
      assert.equal(lint.status, 200)
      assert.equal(lint.json()['isPublishable'], false)
      problemOf(await api.ask('POST', '/policy/dry-run', draft), 422)
      const { redactionProfile } = draft as typeof emptyPolicy
      const isOfProfile = path.startsWith('/redactionProfile')
      const scanned = await api.ask('POST', '/scan', { text: 'a', redactionProfile })
      assert.equal(scanned.status, isOfProfile ? 422 : 200)
      assert.equal((await callModel()).headers['x-service-policy-revision'], before)
    })
  }

  test('of 10 MB: rejected for their size, even if they arrive compressed', async () => {
    const large = JSON.stringify(profile({ deny: ['x'.repeat(10_000_000)] }))
    for (const [method, path] of [
      ['PUT', '/policy'],
      ['POST', '/policy/lint'],
      ['POST', '/policy/dry-run'],
      ['POST', '/scan']
    ] as const) {
      problemOf(await api.ask(method, path, large, { 'if-match': '*' }), 413)
    }
    const bomb = await fetch(`${service.url}/api/workspace/policy/lint`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        'x-service-workspace-token': service.token
      },
      body: gzipSync(large)
    })
    assert.equal(bomb.status, 413)
    assert.equal((await callModel()).status, 200)
  })

  test('that are valid and large are published, and model calls are served while they are validated', async () => {
    const rules = Array.from({ length: 3000 }, (_, index) => ({
      id: `r${index}`,
      effect: 'deny',
      tool: `*${'a'.repeat(20)}*${index}*`
    }))
    const isOver = new AbortController()
    const publishing = api.ask('PUT', '/policy', tools({ rules }), { 'if-match': '*' }).finally(() => isOver.abort())
    let answered = 0
    while (!isOver.signal.aborted) {
      assert.equal((await callModel()).status, 200)
      answered++
    }
    assert.equal((await publishing).status, 201)
    assert.ok(answered > 3, `only ${answered} calls were answered while the policy was judged`)
  })

  test('of one token use up its share of the queue, and another token is served meanwhile', async () => {
    const rules = Array.from({ length: 500 }, (_, index) => ({ id: `r${index}`, effect: 'deny', tool: `*a*${index}*` }))
    const lints = Array.from({ length: 20 }, () => api.ask('POST', '/policy/lint', tools({ rules })))
    const { token } = await service.createToken({ scopes: ['policy:read'] })
    const other = await policyApi({ url: service.url, token }).ask('POST', '/policy/lint', emptyPolicy)
    assert.equal(other.status, 200)
    const statuses = (await Promise.all(lints)).map(({ status }) => status)
    assert.deepEqual(new Set(statuses), new Set([200, 429]))
  })
})
