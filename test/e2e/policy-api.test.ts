/** Reading, publishing and rolling back the policy over the API of a running service. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { userBody } from '../support/dialects.ts'
import { storedAudit } from '../support/events.ts'
import { createPlanter } from '../support/planted.ts'
import { denyTool, emptyPolicy, openPolicyApi, type PolicyApi, policyApi, problemOf } from '../support/policy-api.ts'
import { startTestService, type TestService } from '../support/start-service.ts'
import { startStubUpstream } from '../support/stub-upstream.ts'
import { answers } from '../support/upstream-behaviours.ts'

const running = new AsyncDisposableStack()
let service: TestService
let author: { readonly id: string; readonly token: string }
let api: PolicyApi

before(async () => {
  const upstream = running.use(await startStubUpstream(answers()))
  service = running.use(await startTestService({ upstream }))
  author = await service.createToken({ scopes: ['policy:read', 'policy:write', 'ingress:write'] })
  api = policyApi({ url: service.url, token: author.token })
})
after(() => running.disposeAsync())

/** The revision that the next model call is subject to. */
async function enforced(): Promise<string | undefined> {
  return (await service.send('messages', userBody('messages', 'Hello.'))).headers['x-service-policy-revision']
}

describe('GET /api/workspace/policy', () => {
  test('returns the three fields and an etag, and 304 to a client that has it', async () => {
    const reply = await api.ask('GET', '/policy')
    assert.equal(reply.status, 200)
    const body = reply.json()
    assert.deepEqual(Object.keys(body), ['revision', 'mcpToolPolicy', 'redactionProfile'])
    assert.equal(reply.headers['etag'], `"${String(body['revision'])}"`)
    assert.equal(await enforced(), body['revision'])
    for (const tags of ['"1-0000000000000000"', '']) {
      assert.equal((await api.ask('GET', '/policy', undefined, { 'if-none-match': tags })).status, 200)
    }
    for (const tags of [`"${String(body['revision'])}"`, `"x", W/"${String(body['revision'])}"`, '*']) {
      const unchanged = await api.ask('GET', '/policy', undefined, { 'if-none-match': tags })
      assert.deepEqual([unchanged.status, unchanged.bytes.length], [304, 0])
      assert.equal(unchanged.headers['etag'], reply.headers['etag'])
    }
  })

  test('requires a token that may read the policy', async () => {
    const { token } = await service.createToken({ scopes: ['ingress:write', 'policy:write'] })
    const others = policyApi({ url: service.url, token })
    for (const path of ['/policy', '/policy/revisions', '/policy/revisions/1', '/policy/diff?from=1']) {
      assert.equal(problemOf(await others.ask('GET', path), 403).code, 'missing_scope')
      const nobody = policyApi({ url: service.url, token: 'none' })
      assert.equal((await nobody.ask('GET', path)).status, 401)
    }
  })
})

describe('PUT /api/workspace/policy', () => {
  test('requires a token that may write the policy', async () => {
    const before = await enforced()
    const reader = policyApi(service)
    for (const [method, path] of [
      ['PUT', '/policy'],
      ['POST', '/policy/rollback']
    ] as const) {
      const reply = await reader.ask(method, path, { ...emptyPolicy, revision: '1' }, { 'if-match': '*' })
      assert.equal(problemOf(reply, 403).code, 'missing_scope')
    }
    assert.equal(await enforced(), before)
  })

  test('applies to the next call, and names its author in history and audit', async () => {
    const etag = (await api.ask('GET', '/policy')).headers['etag'] ?? ''
    const draft = { mcpToolPolicy: denyTool('rm*'), redactionProfile: { version: 1, preset: 'coding-agents' } }
    const reply = await api.ask('PUT', '/policy', { ...draft, note: ' No deleting. ' }, { 'if-match': etag })
    assert.equal(reply.status, 201, reply.text)
    const { revision, sequence, note, author: by } = reply.json()
    assert.equal(await enforced(), revision)
    assert.equal(reply.headers['etag'], `"${String(revision)}"`)
    assert.deepEqual(
      [sequence, note, by],
      [Number.parseInt(etag.slice(1), 10) + 1, 'No deleting.', `token:${author.id}`]
    )

    const found = await api.ask('GET', `/policy/revisions/${String(revision)}`)
    const kept = found.json() as { redactionProfile: { preset: string }; mcpToolPolicy: { defaultEffect: string } }
    assert.equal(kept.redactionProfile.preset, 'coding-agents')
    assert.equal(kept.mcpToolPolicy.defaultEffect, 'allow', 'what was left out stands there with its default')
    assert.deepEqual((await api.ask('GET', '/policy/revisions/current')).json(), found.json())

    const [row] = await storedAudit(service, { action: 'policy_published' })
    assert.deepEqual([row?.actor, row?.tokenId], [`token:${author.id}`, author.id])
    assert.equal(row?.requestId, reply.headers['x-request-id'])
    const changes = row?.detail['changes']
    assert.ok(typeof changes === 'number' && changes > 0)
    assert.deepEqual(row?.detail, {
      revision: revision as string,
      previous: etag.slice(1, -1),
      note: 'No deleting.',
      changes,
      softens: true
    })
  })

  test('must name the revision that the author started from', async () => {
    const before = await enforced()
    const put = (headers: Record<string, string>) =>
      api.ask('PUT', '/policy', { ...emptyPolicy, confirm: true }, headers)
    assert.equal(problemOf(await put({}), 428).code, 'precondition_required')
    for (const tag of ['yes', '"1-abc"', '"1-0000000000000000", "2-0000000000000000"']) {
      const { code, detail } = problemOf(await put({ 'if-match': tag }), 400)
      assert.equal(code, 'invalid_header')
      assert.match(detail, /if-match.*: one revision of the policy, as its etag or its number, or \*/)
    }
    for (const other of ['1-0000000000000000', `${Number.parseInt(before ?? '', 10)}-0000000000000000`]) {
      const conflict = await put({ 'if-match': `"${other}"` })
      assert.equal(problemOf(conflict, 412).code, 'policy_conflict')
      assert.equal(conflict.headers['etag'], `"${before}"`, 'the answer says what stands')
    }
    assert.equal(await enforced(), before)
  })

  test('rejects a note that contains a secret, since notes are kept permanently', async () => {
    const before = await enforced()
    const { needle, sentence } = createPlanter(77)('aws_access_key_id')
    const draft = { ...emptyPolicy, mcpToolPolicy: denyTool('noted') }
    const reply = await api.ask('PUT', '/policy', { ...draft, note: `fine: ${sentence}` }, { 'if-match': '*' })
    const [fault, ...others] = problemOf(reply, 422).errors
    assert.deepEqual([fault?.path, others], ['/note', []])
    assert.match(fault?.message ?? '', /^The note contains a value \(AWS access key ID\)\. .*remove it\.$/)
    assert.ok(!reply.text.includes(needle))
    assert.equal(await enforced(), before)
    const noted = await api.ask('PUT', '/policy', { ...draft, note: 'ana@corp.dev asked for it' }, { 'if-match': '*' })
    assert.equal(noted.status, 201, noted.text)
  })

  test('creates no revision if nothing changes', async () => {
    const first = await api.publish({ mcpToolPolicy: denyTool('a') })
    const again = await api.ask('PUT', '/policy', { ...emptyPolicy, mcpToolPolicy: denyTool('a') }, { 'if-match': '*' })
    assert.equal(again.status, 200)
    assert.deepEqual([again.json()['unchanged'], again.json()['revision']], [true, first])
  })

  test('accepts only one of two authors who started from the same revision', async () => {
    const etag = (await api.ask('GET', '/policy')).headers['etag'] ?? ''
    const replies = await Promise.all(
      ['b', 'c', 'd', 'e'].map((tool) =>
        api.ask('PUT', '/policy', { ...emptyPolicy, mcpToolPolicy: denyTool(tool) }, { 'if-match': etag })
      )
    )
    assert.deepEqual(
      replies.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, 412, 412, 412]
    )
    const winner = replies.find(({ status }) => status === 201)
    assert.equal(await enforced(), winner?.json()['revision'])
  })

  test('rejects invalid documents with pointers, repeats no value, and leaves the old revision in force', async () => {
    const before = await enforced()
    const canary = ['qz', 'canary', '77'].join('')
    const refused: [draft: object, path: string, code: string, message?: RegExp][] = [
      [{ redactionProfile: { version: 1, presset: canary } }, '/redactionProfile/presset', 'unknown_key', /"preset"/],
      [{ mcpToolPolicy: { version: 2, rules: canary } }, '/mcpToolPolicy/version', 'unknown_version'],
      [{ mcpToolPolicy: undefined }, '/mcpToolPolicy', 'missing_key'],
      [
        { redactionProfile: { version: 1, custom: [{ id: 'x', pattern: `(?=${canary})`, tests: { match: ['a'] } }] } },
        '/redactionProfile/custom/0/pattern',
        'invalid_pattern'
      ],
      [
        { redactionProfile: { version: 1, custom: [{ id: 'x', pattern: canary, tests: { match: ['b'] } }] } },
        '/redactionProfile/custom/0/tests/match/0',
        'failing_test'
      ],
      [{ mcpToolPolicy: { version: 1, defaultEffect: 'deny' } }, '/mcpToolPolicy/defaultEffect', 'self_lockout'],
      [
        {
          mcpToolPolicy: {
            version: 1,
            rules: [{ id: 'a', effect: 'deny', when: [{ argument: canary, exists: true }] }]
          }
        },
        '/mcpToolPolicy/rules/0/when/0/argument',
        'invalid_value'
      ]
    ]
    for (const [draft, path, code, message = /./] of refused) {
      const reply = await api.ask('PUT', '/policy', { ...emptyPolicy, ...draft }, { 'if-match': '*' })
      const problem = problemOf(reply, 422)
      assert.equal(problem.code, 'policy_refused')
      assert.deepEqual([problem.errors[0]?.path, problem.errors[0]?.code], [path, code])
      assert.match(problem.errors[0]?.message ?? '', message)
      assert.ok(!reply.text.includes(canary), reply.text)
    }
    assert.equal(await enforced(), before)
  })

  test('accepts a policy that locks everybody out if the author confirms it', async () => {
    const draft = { ...emptyPolicy, mcpToolPolicy: { version: 1, defaultEffect: 'deny' } }
    const reply = await api.ask('PUT', '/policy', { ...draft, confirm: true }, { 'if-match': '*' })
    assert.equal(reply.status, 201, reply.text)
    const findings = reply.json()['findings'] as { code: string; severity: string }[]
    assert.ok(findings.some(({ code, severity }) => code === 'self_lockout' && severity === 'warning'))
  })

  test('accepts nothing but the documents, a confirmation, and a note of one line', async () => {
    const rejected: [body: unknown, path: string][] = [
      [{ ...emptyPolicy, author: 'somebody' }, ''],
      [{ ...emptyPolicy, note: 'a\nb' }, '/note'],
      [{ ...emptyPolicy, note: 'x'.repeat(501) }, '/note'],
      [{ ...emptyPolicy, confirm: 'yes' }, '/confirm']
    ]
    for (const [body, path] of rejected) {
      const problem = problemOf(await api.ask('PUT', '/policy', body, { 'if-match': '*' }), 400)
      assert.equal(problem.errors[0]?.path, path)
    }
    for (const [body, headers, status] of [
      ['{"mcpToolPolicy":', {}, 400],
      ['[]', {}, 400],
      [emptyPolicy, { 'content-type': 'text/plain' }, 415],
      [emptyPolicy, { 'content-type': 'application/json; charset=utf-7' }, 415]
    ] as const) {
      assert.equal((await api.ask('PUT', '/policy', body, { 'if-match': '*', ...headers })).status, status)
    }
  })
})

test('if the server does not block, the etag of the enforced policy is as good as that of the published one', async () => {
  await using other = await startTestService({ env: { SERVICE_INGRESS_BLOCK_HIGH_RISK: 'false' } })
  const its = await openPolicyApi(other)
  const enforcedTag = (await its.ask('GET', '/policy')).headers['etag'] ?? ''
  const first = await its.ask(
    'PUT',
    '/policy',
    { ...emptyPolicy, mcpToolPolicy: denyTool('a') },
    { 'if-match': enforcedTag }
  )
  assert.equal(first.status, 201, first.text)
  const publishedTag = first.headers['etag'] ?? ''
  assert.notEqual(publishedTag, (await its.ask('GET', '/policy')).headers['etag'])
  const next = await its.ask(
    'PUT',
    '/policy',
    { ...emptyPolicy, mcpToolPolicy: denyTool('b') },
    { 'if-match': publishedTag }
  )
  assert.equal(next.status, 201, next.text)
})

describe('history', () => {
  test('is paged from the newest, finds revisions by id and by sequence, and names differences in meaning', async () => {
    const older = await api.publish({ mcpToolPolicy: denyTool('send_mail') })
    const newer = await api.publish({ redactionProfile: { version: 1, mode: 'observe' } })
    const sequences: number[] = []
    for (let before = ''; ;) {
      const page = (await api.ask('GET', `/policy/revisions?limit=3${before}`)).json() as {
        revisions: { sequence: number; revision: string }[]
        next: string | null
      }
      sequences.push(...page.revisions.map(({ sequence }) => sequence))
      if (page.next === null) break
      before = `&before=${page.next}`
    }
    const newest = Number.parseInt(newer, 10)
    assert.deepEqual(
      sequences,
      Array.from({ length: newest }, (_, index) => newest - index)
    )

    const diff = async (query: string) => {
      const reply = await api.ask('GET', `/policy/diff?${query}`)
      assert.equal(reply.status, 200, reply.text)
      return reply.json() as { from: string; to: string; changes: { path: string; says: string; softens: boolean }[] }
    }
    const { from, to, changes } = await diff(`from=${older}`)
    assert.deepEqual([from, to], [older, newer])
    assert.deepEqual(
      changes.map(({ path, softens }) => [path, softens]),
      [
        ['/mcpToolPolicy/rules/0', true],
        ['/redactionProfile/mode', true]
      ]
    )
    assert.deepEqual((await diff(`from=${newest}&to=${newest}`)).changes, [])
    for (const path of [`/policy/diff?from=${newest + 1}`, '/policy/diff?from=x', '/policy/revisions?before=x']) {
      problemOf(await api.ask('GET', path), 400)
    }
    assert.match(problemOf(await api.ask('GET', `/policy/revisions/${newest + 1}`), 404).detail, /no such revision\.$/)
  })

  test('is rolled back by a new revision with the documents of the old one', async () => {
    const good = await api.publish({ mcpToolPolicy: denyTool('good') })
    const bad = await api.publish({ mcpToolPolicy: denyTool('bad') })
    const back = (revision: unknown, headers: Record<string, string> = { 'if-match': `"${bad}"` }) =>
      api.ask('POST', '/policy/rollback', { revision, note: 'It was bad.' }, headers)
    assert.equal(problemOf(await back(good, {}), 428).code, 'precondition_required')
    assert.equal(problemOf(await back(good, { 'if-match': `"${good}"` }), 412).code, 'policy_conflict')
    for (const nothing of ['999999', 'x', 7]) {
      assert.equal(problemOf(await back(nothing), 400).errors[0]?.path, '/revision')
    }
    const reply = await back(good)
    assert.equal(reply.status, 201, reply.text)
    const rolledBack = reply.json()['revision'] as string
    assert.equal(Number.parseInt(rolledBack, 10), Number.parseInt(bad, 10) + 1)
    assert.equal(rolledBack.split('-')[1], good.split('-')[1], 'the same documents have the same hash')
    assert.equal(await enforced(), rolledBack)
  })
})
