/** `sluice policy` as an operator uses it: on files, and on the store of a running service. */
import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { defaultWorkspaceId } from '../../src/protocol/workspace-id.ts'
import { userBody } from '../support/dialects.ts'
import { storedAudit } from '../support/events.ts'
import { eventually } from '../support/eventually.ts'
import { createPlanter } from '../support/planted.ts'
import { denyTool, emptyPolicy } from '../support/policy-api.ts'
import { runSluice, type Ran } from '../support/run-sluice.ts'
import { makeDataDir, startTestService, type TestService } from '../support/start-service.ts'
import { startStubUpstream } from '../support/stub-upstream.ts'
import { answers } from '../support/upstream-behaviours.ts'

const planter = createPlanter(83)
const running = new AsyncDisposableStack()
let dataDir: string
let service: TestService
let good: string
let softer: string
let bad: string
let locked: string

before(async () => {
  dataDir = await makeDataDir()
  running.defer(() => rm(dataDir, { recursive: true, force: true }))
  const upstream = running.use(await startStubUpstream(answers()))
  service = running.use(await startTestService({ dataDir, upstream }))
  good = await policyFile('good', { mcpToolPolicy: denyTool('rm*') })
  softer = await policyFile('softer', { redactionProfile: { version: 1, mode: 'observe' } })
  bad = await policyFile('bad', { redactionProfile: { version: 1, presset: 'standard' } })
  locked = await policyFile('locked', { mcpToolPolicy: { version: 1, defaultEffect: 'deny' } })
})
after(() => running.disposeAsync())

async function policyFile(name: string, draft: object): Promise<string> {
  const path = join(dataDir, `${name}.json`)
  await writeFile(path, JSON.stringify({ ...emptyPolicy, ...draft }))
  return path
}

const policy = (...args: string[]): Promise<Ran> => runSluice(dataDir, ['policy', ...args])
/** Runs where there is no installation at all. */
const offline = (...args: string[]): Promise<Ran> => runSluice(join(dataDir, 'nowhere'), ['policy', ...args])

/** The sequence of the revision in force. */
const newest = async (): Promise<number> =>
  (await service.running.store.currentPolicyRevision(defaultWorkspaceId))?.sequence ?? 0

async function revisionOf(run: Promise<Ran>): Promise<string> {
  const { code, out, err } = await run
  assert.equal(code, 0, err)
  return (JSON.parse(out) as { revision: string }).revision
}

describe('without an installation', () => {
  test('lint: 0 if it can be published, 1 if not, 2 for a file that cannot be read', async () => {
    const [passed, refused, confirmed, missing] = await Promise.all([
      offline('lint', good),
      offline('lint', bad, '--json'),
      offline('lint', locked, '--confirm'),
      offline('lint', join(dataDir, 'none.json'))
    ])
    assert.deepEqual([passed.code, refused.code, confirmed.code, missing.code], [0, 1, 0, 2])
    const { findings } = JSON.parse(refused.out) as { findings: { path: string; message: string }[] }
    assert.equal(findings[0]?.path, '/redactionProfile/presset')
    assert.match(findings[0]?.message ?? '', /Did you mean "preset"/)
    assert.match(missing.err, /cannot be read \(ENOENT\)/)
    assert.match(passed.out, /can be published\.\n$/)
    assert.doesNotMatch(passed.out, /more/)
  })

  test('diff: 0 for the same meaning, 1 for a different one, with a mark where more may pass', async () => {
    const short = await policyFile('short', {})
    const [same, other, unusable] = await Promise.all([
      offline('diff', 'standard', short),
      offline('diff', short, softer),
      offline('diff', short, bad)
    ])
    assert.deepEqual(same, { code: 0, out: 'The policies are the same.\n', err: '' })
    assert.equal(other.code, 1)
    assert.match(other.out, /^! .*\(\/redactionProfile\/mode\)$/m)
    assert.equal(unusable.code, 2)
  })

  test('test: shows kinds, positions and placeholders for a text', async () => {
    const { value } = createPlanter(3)('email')
    const text = join(dataDir, 'text')
    await writeFile(text, `Mail ${value}.`)
    const shown = await offline('test', good, text)
    assert.equal(shown.code, 0, shown.err)
    assert.match(shown.out, new RegExp(`^5-${5 + value.length}  mask  email_address \\(medium, strong\\)$`, 'm'))
    assert.match(shown.out, /would be masked:\n\nMail EMAIL_[A-Z2-7]{10}\.\n$/)
    assert.ok(!shown.out.includes(value))
  })

  test('commands that need an installation say that there is none, and create none', async () => {
    for (const { code, err } of await Promise.all([offline('publish', good), offline('history')])) {
      assert.equal(code, 2)
      assert.match(err, /there is no database in \S+ \(SERVICE_DATA_DIR\)/)
    }
  })
})

describe('next to a running service', () => {
  test('publish, history, show and rollback: the service enforces each, and the audit names the command line', async () => {
    const first = await revisionOf(policy('publish', good, '--note', 'No deleting.', '--json'))
    const second = await revisionOf(policy('publish', softer, '--based-on', first, '--json'))
    assert.equal(Number.parseInt(second, 10), Number.parseInt(first, 10) + 1)
    await eventually('the second revision in force', async () => {
      const reply = await service.send('messages', userBody('messages', 'Hello.'))
      return reply.headers['x-service-policy-revision'] === second || undefined
    })
    const again = await policy('publish', softer)
    assert.equal(again.code, 0)
    assert.match(again.out, /is already the same; nothing was published/)

    const back = await revisionOf(policy('rollback', first, '--note', 'Too soft.', '--json'))
    assert.equal(back.split('-')[1], first.split('-')[1])
    const lines = (await policy('history', '--json')).out.trim().split('\n')
    const revisions = lines.map((line) => JSON.parse(line) as { revision: string; author: string; note: string })
    assert.deepEqual(
      revisions.slice(0, 3).map(({ revision, author, note }) => [revision, author, note]),
      [
        [back, 'cli', 'Too soft.'],
        [second, 'cli', ''],
        [first, 'cli', 'No deleting.']
      ]
    )
    const [row] = await storedAudit(service, { action: 'policy_published' })
    assert.deepEqual([row?.actor, row?.tokenId, row?.detail['revision']], ['cli', null, back])

    const shown = await policy('show', second)
    await writeFile(join(dataDir, 'shown.json'), shown.out)
    assert.equal((await policy('diff', join(dataDir, 'shown.json'), second)).code, 0, 'what is shown can be published')
    const difference = await policy('diff', second, 'current', '--json')
    assert.equal(difference.code, 1)
    const changes = JSON.parse(difference.out) as { path: string }[]
    assert.deepEqual(
      changes.map(({ path }) => path),
      ['/mcpToolPolicy/rules/0', '/redactionProfile/mode']
    )
  })

  test('no name or note in a policy, and no label, can control a terminal', async () => {
    const odd = '\u001b[2J\u202eelif\u009b31m'
    const named = await policyFile('named', { mcpToolPolicy: { version: 1, [odd]: 1 } })
    const note = 'read_\u202eelif'
    await service.createToken({ label: note })
    const noted = await policyFile('noted', { mcpToolPolicy: denyTool('noted*') })
    assert.equal((await policy('publish', noted, '--note', note)).code, 0)
    const ran = [await policy('lint', named), await policy('history'), await runSluice(dataDir, ['token', 'list'])]
    for (const { out, err } of ran) {
      assert.match(out + err, /elif/)
      assert.doesNotMatch(out + err, /[^\P{C}\n]/u)
    }
  })

  test('publish: 1 and no revision for an invalid policy or an outdated base revision', async () => {
    const before = await newest()
    const late = await policyFile('late', { mcpToolPolicy: denyTool('late') })
    const [refused, unconfirmed, tooLate, ...badNotes] = await Promise.all([
      policy('publish', bad),
      policy('publish', locked),
      policy('publish', late, '--based-on', '1'),
      policy('publish', late, '--note', 'x'.repeat(501)),
      policy('rollback', '1', '--note', 'two\nlines')
    ])
    const rules = ['/note  The note must have at most 500 characters.', '/note  The note must be one line.']
    for (const [index, { code, err }] of badNotes.entries()) {
      assert.equal(code, 1)
      assert.ok(err.includes(rules[index] ?? ''), err)
    }
    assert.equal(refused.code, 1)
    assert.match(refused.err, /Did you mean "preset"\?/)
    assert.match(refused.err, /cannot be published/)
    assert.equal(unconfirmed.code, 1)
    assert.match(unconfirmed.err, /Confirm it if you intend that/)
    assert.equal(tooLate.code, 1)
    assert.match(tooLate.err, /Another revision is in force/)
    const unknown = [
      ['publish', good, '--based-on', '99999'],
      ['rollback', '99999']
    ]
    for (const { code, err } of await Promise.all(unknown.map((args) => policy(...args)))) {
      assert.equal(code, 2)
      assert.match(err, /has no revision "99999"/)
    }
    assert.equal(await newest(), before)
  })

  test('hmac: a value is allowed without appearing in the document, in this workspace alone', async () => {
    const [known, other] = [planter('email'), planter('email')]
    const { code, out } = await runSluice(dataDir, ['policy', 'hmac'], {}, `${known.value}\n`)
    assert.equal(code, 0)
    assert.match(out, /^[0-9a-f]{64}\n$/)
    const allow = { hmacs: [out.trim()] }
    const file = await policyFile('hmac', { redactionProfile: { version: 1, allow } })
    assert.equal((await policy('publish', file)).code, 0)
    const sequence = await newest()
    const actionOf = async (text: string) => {
      const { headers } = await service.send('messages', userBody('messages', text))
      return headers['x-service-policy-revision']?.startsWith(`${sequence}-`) ? headers['x-service-action'] : undefined
    }
    assert.equal(await eventually('the revision', () => actionOf(known.sentence)), 'allow')
    assert.equal(await actionOf(other.sentence), 'mask')
    assert.equal((await policy('hmac')).code, 2, 'no value')
    assert.equal((await runSluice(dataDir, ['policy', 'hmac', '--workspace', 'nobody'], {}, 'x')).code, 2)
  })

  test('with two concurrent publishers, each revision has its own number, and none is lost', async () => {
    const files = await Promise.all(['p', 'q', 'r'].map((tool) => policyFile(tool, { mcpToolPolicy: denyTool(tool) })))
    const before = await newest()
    const ran = await Promise.all(files.map((file) => policy('publish', file, '--json')))
    const winners = ran.filter(({ code }) => code === 0)
    assert.ok(winners.length >= 1)
    for (const { code, err } of ran) if (code !== 0) assert.match(err, /Another revision is in force/)
    const published = winners.map(({ out }) => (JSON.parse(out) as { sequence: number }).sequence)
    assert.equal(new Set(published).size, winners.length)
    assert.equal(await newest(), before + winners.length)
  })
})
