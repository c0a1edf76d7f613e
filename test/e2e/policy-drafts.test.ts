/** Trying a policy before it is published: lint, dry run over recorded calls, and the playground. */
import assert from 'node:assert/strict'
import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { deriveKey } from '../../src/config/master-key.ts'
import type { ScanBody } from '../../src/protocol/api/policy-schema.ts'
import { defaultWorkspaceId } from '../../src/protocol/workspace-id.ts'
import { userBody } from '../support/dialects.ts'
import { enforcement, post, receipt, storedAudit, storedEvents } from '../support/events.ts'
import { createPlanter } from '../support/planted.ts'
import { emptyPolicy, openPolicyApi, policyApi, problemOf, type PolicyApi } from '../support/policy-api.ts'
import { makeDataDir, startTestService, type TestService } from '../support/start-service.ts'
import { startStubUpstream } from '../support/stub-upstream.ts'
import { answers } from '../support/upstream-behaviours.ts'
import { invite, setUpAdmin } from '../support/visitor.ts'

const running = new AsyncDisposableStack()
const planter = createPlanter(5)
const masterKey = randomBytes(32)
let dataDir: string
let service: TestService
let api: PolicyApi

before(async () => {
  const upstream = running.use(await startStubUpstream(answers()))
  dataDir = await makeDataDir()
  running.defer(() => rm(dataDir, { recursive: true, force: true }))
  const env = { SERVICE_MASTER_KEY: masterKey.toString('hex') }
  service = running.use(await startTestService({ upstream, dataDir, env }))
  api = await openPolicyApi(service, 'audit:read')
})
after(() => running.disposeAsync())

interface Findings {
  readonly isPublishable: boolean
  readonly needsConfirm: boolean
  readonly findings: readonly { readonly path: string; readonly code: string; readonly severity: string }[]
}

const codesOf = ({ findings }: Findings): string[] =>
  findings.map(({ severity, code, path }) => `${severity} ${code} ${path}`)

describe('lint', () => {
  const lint = async (draft: object): Promise<Findings> => {
    const reply = await api.ask('POST', '/policy/lint', { ...emptyPolicy, ...draft })
    assert.equal(reply.status, 200, reply.text)
    return reply.json() as unknown as Findings
  }

  test('distinguishes errors from findings that only need a confirmation', async () => {
    const rules = [
      { id: 'all', effect: 'deny', tool: 'x*' },
      { id: 'one', effect: 'allow', tool: 'xy' }
    ]
    const report = await lint({ mcpToolPolicy: { version: 1, rules } })
    assert.ok(!report.isPublishable && !report.needsConfirm)
    assert.ok(codesOf(report).includes('error unreachable_rule /mcpToolPolicy/rules/1'))
    const locked = await lint({ mcpToolPolicy: { version: 1, defaultEffect: 'deny' } })
    assert.ok(!locked.isPublishable && locked.needsConfirm)
    const confirmed = await lint({ mcpToolPolicy: { version: 1, defaultEffect: 'deny' }, confirm: true })
    assert.ok(confirmed.isPublishable)
    problemOf(await api.ask('POST', '/policy/lint', { ...emptyPolicy, confirm: 1 }), 400)
  })

  test('knows the tools that sensors reported, of any server, and the surfaces of the service', async () => {
    receipt(await post(service, { ...enforcement, mcpToolName: 'read_file' }))
    const servers = [{ id: 'files', command: ['files-server'] }]
    const rules = [
      { id: 'a', effect: 'deny', server: 'files', tool: 'read_*', when: [{ argument: '/path', exists: true }] },
      { id: 'b', effect: 'deny', server: 'files', tool: 'raed_*' },
      { id: 'c', effect: 'deny', tool: 'read_file', surface: ['cursr'] }
    ]
    const report = await lint({ mcpToolPolicy: { version: 1, servers, rules } })
    const codes = codesOf(report)
    assert.ok(codes.includes('warning unmatched_glob /mcpToolPolicy/rules/1/tool'), codes.join('\n'))
    assert.ok(!codes.includes('warning unmatched_glob /mcpToolPolicy/rules/0/tool'))
    assert.ok(codes.includes('warning no_effect /mcpToolPolicy/rules/2/surface/0'))
  })

  test('publishes nothing', async () => {
    const before = (await api.ask('GET', '/policy')).json()['revision']
    await lint({ redactionProfile: { version: 1, mode: 'observe' } })
    assert.equal((await api.ask('GET', '/policy')).json()['revision'], before)
  })
})

describe('a dry run', () => {
  const dryRun = (draft: object) => api.ask('POST', '/policy/dry-run', draft)

  test('lists recorded calls that would have been decided differently', async () => {
    const mail = await service.send('messages', userBody('messages', planter('email').sentence))
    assert.equal(mail.headers['x-service-action'], 'mask')
    await service.send('messages', userBody('messages', 'Nothing in it.'))
    receipt(await post(service, { ...enforcement, action: 'allow', mcpToolName: 'delete_all' }))
    const reply = await dryRun({
      mcpToolPolicy: { version: 1, rules: [{ id: 'no', effect: 'deny', tool: 'delete_*' }] },
      redactionProfile: { version: 1, actions: { kinds: { email_address: 'block' } } },
      days: 1
    })
    assert.equal(reply.status, 200, reply.text)
    const { events, unchanged, isCut, changes } = reply.json() as {
      events: number
      unchanged: number
      isCut: boolean
      changes: { of: string; was: string; wouldBe: string; events: number; by: object; examples: string[] }[]
    }
    const [calls, tools] = ['model_calls', 'tool_calls'].map((of) => changes.filter((change) => change.of === of))
    assert.deepEqual(calls, [
      {
        of: 'model_calls',
        was: 'mask',
        wouldBe: 'block',
        events: 1,
        by: { email_address: 1 },
        examples: [mail.headers['x-request-id']]
      }
    ])
    const deleted = tools?.find(({ was }) => was === 'allow')
    assert.deepEqual([deleted?.wouldBe, deleted?.events, deleted?.by], ['block', 1, { delete_all: 1 }])
    assert.equal(events, unchanged + changes.reduce((sum, change) => sum + change.events, 0))
    assert.equal(isCut, false)
  })

  test('fills in omitted documents as published, and rejects what could not be published', async () => {
    // An address under an observing profile, and one that is masked.
    const watched = { metadata: { user_id: planter('email').value } }
    await service.send('messages', userBody('messages', planter('email').sentence, watched))
    await service.send('messages', userBody('messages', 'Nothing in it.', watched))
    const same = (await dryRun({})).json() as { events: number; unchanged: number }
    assert.ok(same.events > 0)
    assert.equal(same.unchanged, same.events, 'the policy in force would change what it decided')
    const problem = problemOf(await dryRun({ redactionProfile: { version: 1, mode: 'observ' } }), 422)
    assert.equal(problem.errors[0]?.path, '/redactionProfile/mode')
    for (const days of [0, 31, 1.5, '7']) {
      assert.equal(problemOf(await dryRun({ days }), 400).errors[0]?.path, '/days')
    }
  })

  test('requires a token that may read the audit', async () => {
    const reply = await policyApi(service).ask('POST', '/policy/dry-run', {})
    assert.equal(problemOf(reply, 403).code, 'missing_scope')
  })
})

describe('the playground', () => {
  const scan = (body: object) => api.ask('POST', '/scan', body)

  test('shows what a draft finds in a text and how it masks it, by kind and position', async () => {
    const text = `${planter('email').sentence} TICK-12345`
    const redactionProfile = {
      version: 1,
      custom: [{ id: 'ticket', pattern: 'TICK-[0-9]+', tests: { match: ['TICK-1'] }, tier: 'high' }]
    }
    const reply = await scan({ text, redactionProfile })
    assert.equal(reply.status, 200, reply.text)
    assert.equal(reply.headers['cache-control'], 'no-store')
    const shown = reply.json() as {
      action: string
      masked: string
      findings: { kind: string; action: string; start: number; end: number }[]
    }
    assert.equal(shown.action, 'block')
    assert.deepEqual(
      shown.findings.map(({ kind, action }) => [kind, action]),
      [
        ['email_address', 'mask'],
        ['ticket', 'block']
      ]
    )
    const [, ticket] = shown.findings
    assert.equal(text.slice(ticket?.start, ticket?.end), 'TICK-12345')
    assert.match(shown.masked, /EMAIL_[A-Z2-7]{10} about it\. TICKET_[A-Z2-7]{10}$/)
  })

  test('takes the position of the text into account, and uses the published profile without a draft', async () => {
    const text = planter('email').sentence
    const published = (await scan({ text })).json()
    assert.equal(published['action'], 'mask')
    for (const [origin, action] of [
      ['tool_result', 'mask'],
      ['assistant', 'allow'],
      ['tool_definition', 'allow']
    ] as const) {
      assert.equal((await scan({ text, origin })).json()['action'], action, origin)
    }
    const redactionProfile = { version: 1, preset: 'coding-agents' }
    const secret = planter('aws_access_key_id').sentence
    for (const [origin, action] of [
      ['user', 'block'],
      ['tool_result', 'mask']
    ] as const) {
      assert.equal((await scan({ text: secret, origin, redactionProfile })).json()['action'], action, origin)
    }
  })

  test('is no oracle: the same text gets other placeholders each time', async () => {
    const text = planter('email').sentence
    const masked = async () => (await scan({ text })).json()['masked']
    assert.notEqual(await masked(), await masked())
  })

  test('does not reveal which value an HMAC allows to those who may only read the policy', async () => {
    const text = planter('email').value
    const key = deriveKey(createSecretKey(masterKey), 'allow-list', defaultWorkspaceId)
    const hmacs = [createHmac('sha256', key).update(text).digest('hex')]
    const body = { text, redactionProfile: { version: 1, allow: { hmacs } } }
    assert.equal((await scan(body)).json()['action'], 'allow')
    const reader = await service.createToken({ scopes: ['policy:read', 'audit:read'] })
    const reply = await policyApi({ url: service.url, token: reader.token }).ask('POST', '/scan', body)
    assert.deepEqual([reply.status, reply.json()['action']], [200, 'mask'])
    const admin = await setUpAdmin(service.running)
    for (const [role, action] of [
      ['analyst', 'mask'],
      ['editor', 'allow']
    ] as const) {
      const person = await invite(admin, service.url, `the-${role}`, role)
      const tried = await person.send('POST', '/api/workspace/scan', body)
      assert.deepEqual([tried.status, tried.json()['action']], [200, action], role)
    }
  })

  test('lists known samples that no policy masks, unless a finding covers them', async () => {
    const card = ['4111', '1111', '1111', '1111'].join(' ')
    const text = `Charge ${card} for jane@example.com.`
    const { findings, samples, masked } = (await scan({ text })).json() as unknown as ScanBody
    assert.deepEqual([findings, masked], [[], text])
    assert.deepEqual(
      samples.map(({ start, end, reason }) => [text.slice(start, end), reason]),
      [
        [card, 'published_sample'],
        ['jane@example.com', 'documentation_domain']
      ]
    )
    const custom = [{ id: 'charge', pattern: 'Charge [0-9 ]+', tests: { match: ['Charge 1'] } }]
    const covered = (await scan({ text, redactionProfile: { version: 1, custom } })).json() as unknown as ScanBody
    assert.deepEqual(
      covered.samples.map(({ reason }) => reason),
      ['documentation_domain']
    )
  })

  test('lists the first thousand findings of a text, and masks and counts all of them', async () => {
    const address = ['a', 'b.co'].join('@')
    const reply = await scan({ text: `${address} `.repeat(3000) })
    assert.equal(reply.status, 200)
    const { findings, leftOut, masked, action } = reply.json() as unknown as ScanBody
    assert.deepEqual([findings.length, leftOut, action], [1000, 2000, 'mask'])
    assert.equal(findings[999]?.start, 999 * (address.length + 1))
    assert.equal(masked.split(' ').filter((word) => /^EMAIL_[A-Z2-7]{10}$/.test(word)).length, 3000)
    assert.equal((await scan({ text: address })).json()['leftOut'], 0)
  })

  test('stores nothing of a text, in no record and no file', async () => {
    const rows = async () => [(await storedEvents(service)).length, (await storedAudit(service)).length]
    const before = await rows()
    const canaries = (['email', 'aws_access_key_id', 'jwt'] as const).map((kind) => planter(kind))
    const key = ['qzplay', 'ground', '93'].join('')
    for (const { sentence } of canaries) {
      const reply = await scan({ text: `${sentence} ${key}`, redactionProfile: { version: 1, deny: [key] } })
      assert.equal(reply.status, 200)
      assert.ok(!(reply.json()['masked'] as string).includes(key))
      const findings = JSON.stringify(reply.json()['findings'])
      for (const { needle } of canaries) assert.ok(!findings.includes(needle))
    }
    const invalid = await scan({ text: key, redactionProfile: { version: 1, [key]: key, mode: key } })
    assert.equal(invalid.status, 422)
    assert.deepEqual(await rows(), before)
    for (const name of await readdir(dataDir, { recursive: true })) {
      const bytes = await readFile(join(dataDir, name)).catch(() => Buffer.alloc(0))
      for (const needle of [key, ...canaries.map((canary) => canary.needle)]) {
        assert.ok(!bytes.includes(needle), `${name} holds what was only tried`)
      }
    }
  })

  test('has limits, and requires a token that may read the policy', async () => {
    for (const [body, path] of [
      [{}, '/text'],
      [{ text: 'x'.repeat(1_000_001) }, '/text'],
      [{ text: 'a', origin: 'somewhere' }, '/origin']
    ] as const) {
      assert.equal(problemOf(await scan(body), 400).errors[0]?.path, path)
    }
    const { token } = await service.createToken({ scopes: ['ingress:write'] })
    const others = policyApi({ url: service.url, token })
    for (const path of ['/scan', '/policy/lint']) {
      assert.equal(problemOf(await others.ask('POST', path, { text: 'a', ...emptyPolicy }), 403).code, 'missing_scope')
    }
  })
})
