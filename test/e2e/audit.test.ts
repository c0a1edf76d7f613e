/** The audit as auditors use it: queried, exported, verified, over HTTP and on the command line. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { post } from '../support/events.ts'
import { call, type Reply } from '../support/http.ts'
import { runSluice } from '../support/run-sluice.ts'
import { createToken, startTestService, type TestService } from '../support/start-service.ts'
import { startStubUpstream, type StubUpstream } from '../support/stub-upstream.ts'
import { answers } from '../support/upstream-behaviours.ts'

let folder: string
let upstream: StubUpstream
let service: TestService
let auditor: string
const requestIds: string[] = []

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-audit-e2e-'))
  upstream = await startStubUpstream(answers())
  service = await startTestService({ upstream, dataDir: join(folder, 'data') })
  auditor = (await createToken(service.running, { scopes: ['audit:read'] })).token
  for (let n = 0; n < 5; n++) {
    const body = `{"model":"m","messages":[{"role":"user","content":"call ${n}"}]}`
    const answer = await service.send('chat-completions', body)
    requestIds.push(answer.headers['x-request-id'] ?? '')
  }
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await upstream[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const get = (path: string, token = auditor): Promise<Reply> =>
  call(`${service.url}${path}`, { method: 'GET', headers: { 'x-service-workspace-token': token } })

const sluice = (...args: string[]) => runSluice(join(folder, 'data'), args)

type Row = Record<string, unknown>
const rowsOf = (reply: Reply): Row[] => {
  assert.equal(reply.status, 200, reply.text)
  return reply.json()['rows'] as Row[]
}

describe('GET /api/audit', () => {
  test('pages through everything, each row once, in both orders', async () => {
    for (const order of ['newest', 'oldest']) {
      const sequences: number[] = []
      for (let cursor: unknown = ''; cursor !== null;) {
        const reply = await get(`/api/audit?limit=2&order=${order}${cursor === '' ? '' : `&cursor=${String(cursor)}`}`)
        sequences.push(...rowsOf(reply).map((row) => row['sequence'] as number))
        cursor = reply.json()['next']
      }
      const sorted = sequences.toSorted((a, b) => (order === 'oldest' ? a - b : b - a))
      assert.deepEqual(sequences, sorted)
      assert.equal(new Set(sequences).size, sequences.length)
      assert.ok(sequences.length >= 5 + 3, 'calls, tokens and the workspace')
    }
  })

  test('filters by action, actor, request and time', async () => {
    assert.equal(rowsOf(await get('/api/audit?action=ingress_proxy')).length, 5)
    assert.equal(rowsOf(await get('/api/audit?actor=test&action=token_created')).length, 3)
    assert.equal(rowsOf(await get(`/api/audit?requestId=${requestIds[0]}`)).length, 1)
    assert.equal(rowsOf(await get('/api/audit?from=1h')).length >= 8, true)
    assert.deepEqual(rowsOf(await get('/api/audit?to=2020-01-01T00:00:00Z')), [])
  })

  test('shows a token without audit:read only the rows of its own calls', async () => {
    const rows = rowsOf(await get('/api/audit', service.token))
    assert.deepEqual([...new Set(rows.map((row) => row['action']))], ['ingress_proxy'])
    const other = await createToken(service.running)
    assert.deepEqual(rowsOf(await get('/api/audit', other.token)), [])
  })

  test('names invalid parameters and never repeats their values', async () => {
    for (const query of [
      'requestId=canary',
      'limit=0',
      'order=canary',
      'cursor=canary',
      'from=canary',
      'actoor=canary'
    ]) {
      const reply = await get(`/api/audit?${query}`)
      assert.equal(reply.status, 400, query)
      assert.equal(reply.json()['code'], 'invalid_value')
      assert.doesNotMatch(reply.text, /canary/)
    }
  })
})

describe('GET /api/audit/export', () => {
  test('returns every row as JSON lines and as CSV', async () => {
    const jsonl = await get('/api/audit/export')
    assert.equal(jsonl.headers['content-type'], 'application/x-ndjson; charset=utf-8')
    assert.match(jsonl.headers['content-disposition'] ?? '', /filename="audit\.jsonl"/)
    const rows = jsonl.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Row)
    assert.deepEqual(rows, rowsOf(await get('/api/audit?order=oldest&limit=1000')))
    const csv = await get('/api/audit/export?format=csv')
    const [head, ...lines] = csv.text.trimEnd().split('\r\n')
    assert.equal(head, 'sequence,at,action,actor,requestId,tokenId,detail')
    assert.equal(lines.length, rows.length)
  })

  test('neutralizes spreadsheet formulas', async () => {
    const { store } = service.running
    const who = { requestId: null, tokenId: null, workspaceId: 'default', at: Date.now() }
    const audit = ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', 'a "quoted", word'].map((actor) => ({
      ...who,
      actor,
      action: 'tested',
      detail: {}
    }))
    await store.append({ events: [], audit })
    const csv = await get('/api/audit/export?format=csv&action=tested')
    const cells = csv.text
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split('tested,')[1]?.split(',,,')[0])
    assert.deepEqual(cells, ["'=1+1", "'+1", "'-1", "'@SUM(A1)", "'\tx", '"a ""quoted"", word"'])
  })
})

describe('proof', () => {
  test('roots are served, with the key that verifies them, only to auditors', async () => {
    const reply = await eventually('the first root', async () => {
      const now = await get('/api/audit/roots')
      return (now.json()['roots'] as unknown[]).length > 0 ? now : undefined
    })
    const { publicKey, roots } = reply.json() as { publicKey: string; roots: { sequence: number }[] }
    assert.match(publicKey, /^-----BEGIN PUBLIC KEY-----/)
    assert.equal(publicKey, (await sluice('audit', 'key')).out)
    assert.equal(roots[0]?.sequence, 1)
    assert.equal((await get('/api/audit/roots', service.token)).status, 403)
    assert.equal((await get('/api/audit/verify', service.token)).status, 403)
    assert.equal((await get('/api/audit/roots?after=x')).status, 400)
  })

  test('verification over HTTP agrees with that of the command line', async () => {
    const reply = await get('/api/audit/verify')
    assert.equal(reply.status, 200, reply.text)
    assert.partialDeepStrictEqual(reply.json(), { workspaceId: 'default', ok: true, issues: [], issuesLeftOut: 0 })
    const [ran, said] = await Promise.all([sluice('audit', 'verify', '--json'), sluice('audit', 'verify')])
    assert.equal(ran.code, 0, ran.err)
    assert.ok((JSON.parse(ran.out) as { rows: number }).rows >= (reply.json()['rows'] as number))
    assert.match(said.out, /^The audit of the workspace "default" is intact\.\n/)
  })

  test('the command line shows a request and exports to a file that only its owner can read', async () => {
    const output = join(folder, 'audit.csv')
    const [shown, exported] = await Promise.all([
      sluice('audit', 'show', requestIds[0] ?? '', '--json'),
      sluice('audit', 'export', '--format', 'csv', '--output', output)
    ])
    assert.equal((JSON.parse(shown.out) as Row)['requestId'], requestIds[0])
    assert.equal(exported.code, 0, exported.err)
    assert.equal((await stat(output)).mode & 0o777, 0o600)
    assert.match(await readFile(output, 'utf8'), /^sequence,at,/)
    const [again, wrong] = await Promise.all([
      sluice('audit', 'export', '--output', output),
      sluice('audit', 'export', '--from', 'soon')
    ])
    assert.deepEqual([again.code, /exists/.test(again.err)], [2, true])
    assert.equal(wrong.code, 2)
  })

  test('the record of a request names the token by its label', async () => {
    const { token, id } = await service.createToken({ label: 'laptops' })
    const event = { kind: 'tool_call_enforcement', action: 'allow', mcpToolName: 't', requestId: crypto.randomUUID() }
    assert.equal((await post({ url: service.url, token }, event)).status, 202)
    const { out, err } = await sluice('audit', 'show', event.requestId)
    assert.ok(out.includes(`  by token:${id} (laptops)\n`), out + err)
  })

  test('a model name from a client can neither control a terminal nor imitate another field', async () => {
    const model = 'm\u009b2J\u202e  action=allow\u2028x'
    const answer = await service.send('messages', JSON.stringify({ model, max_tokens: 1, messages: [] }))
    const [events, shown] = await Promise.all([
      sluice('events', 'tail', '--no-follow'),
      sluice('audit', 'show', answer.headers['x-request-id'] ?? '')
    ])
    for (const { code, out, err } of [events, shown]) {
      assert.equal(code, 0, err)
      assert.doesNotMatch(out.replaceAll('\n', ''), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    }
    assert.match(events.out, /  modelId="m 2J   action=allow x"  /)
    assert.match(events.out, /^\S+  ingress_proxy  action=(?:mask|allow|block)  riskTier=\w+  /m)
  })

  test('a copy of the roots is verified without database and master key', async () => {
    const copy = join(folder, 'roots.jsonl')
    const key = join(folder, 'key.pem')
    const [roots, printed] = await Promise.all([sluice('audit', 'roots'), sluice('audit', 'key')])
    await writeFile(copy, roots.out)
    await writeFile(key, printed.out)
    const elsewhere = join(folder, 'elsewhere')
    const checked = await runSluice(elsewhere, ['audit', 'check-roots', copy, '--key', key])
    assert.equal(checked.code, 0, checked.err)
    assert.match(checked.out, /^\d+ roots?, 1 to \d+: intact\.\n$/)
    await writeFile(copy, (await readFile(copy, 'utf8')).replace('\\"rows\\":', '\\"rows\\":1'))
    const forged = await runSluice(elsewhere, ['audit', 'check-roots', copy, '--key', key])
    assert.deepEqual([forged.code, /root_forged/.test(forged.out)], [1, true], forged.out + forged.err)
  })

  test('a sealed export is verified elsewhere with the public key, and nothing in it can be changed', async () => {
    const [file, key, copy] = ['sealed.jsonl', 'sealed.pem', 'sealed-roots.jsonl'].map((name) => join(folder, name))
    assert.ok(file && key && copy)
    // Before the export, which would lack a root that is sealed between the two.
    await writeFile(copy, (await sluice('audit', 'roots')).out)
    const made = await sluice('audit', 'export', '--sealed', '--output', file)
    assert.equal(made.code, 0, made.err)
    await writeFile(key, (await sluice('audit', 'key')).out)
    const elsewhere = join(folder, 'elsewhere')
    const verify = (...args: string[]) => runSluice(elsewhere, ['audit', 'verify', '--file', file, ...args])
    const intact = await verify('--key', key, '--against', copy)
    assert.equal(intact.code, 0, intact.out + intact.err)
    assert.match(
      intact.out,
      /^The audit of the workspace "default" is intact\.\n\d+ rows of \d+ writers?, \d+ roots?\.$/m
    )
    assert.match(intact.out, /^Compared with a copy of \d+ roots?: no difference\.$/m)
    for (const args of [[], ['--key', copy], ['--key', key, '--workspace', 'nobody']])
      assert.equal((await verify(...args)).code, 2, args.join(' '))
    const text = await readFile(file, 'utf8')
    assert.ok(text.includes(requestIds[0] ?? 'none'), 'the export lacks a request')
    await writeFile(file, text.replace(requestIds[0] ?? 'none', requestIds[1] ?? 'none'))
    const changed = await verify('--key', key)
    assert.deepEqual([changed.code, /- row_changed: /.test(changed.out)], [1, true], changed.out + changed.err)
    await writeFile(
      file,
      text
        .split('\n')
        .filter((line) => !line.includes('"signature"'))
        .join('\n')
    )
    const unsigned = await verify('--key', key)
    assert.equal(unsigned.code, 2)
    assert.match(unsigned.err, /holds no root of the workspace "default", so nothing in it is signed/)
  })

  test('a log of the service serves as a copy of the roots', async () => {
    const copy = join(folder, 'service.log')
    const roots = (await sluice('audit', 'roots')).out.trimEnd().split('\n')
    const lines = roots.map((root) => `{"level":30,"msg":"audit root sealed","auditRoot":${root}}`)
    await writeFile(copy, ['{"level":30,"msg":"listening"}', ...lines].join('\n'))
    const ran = await sluice('audit', 'verify', '--against', copy)
    assert.equal(ran.code, 0, ran.out + ran.err)
    assert.match(ran.out, new RegExp(`^Compared with a copy of ${roots.length} roots?: no difference\\.$`, 'm'))
    await writeFile(copy, '{"level":30,"msg":"listening"}\n')
    const [empty, nobody] = await Promise.all([
      sluice('audit', 'verify', '--against', copy),
      sluice('audit', 'verify', '--workspace', 'nobody')
    ])
    await writeFile(copy, lines.join('\n').replace('\\"rows\\":', '\\"rows\\":1'))
    const differs = await sluice('audit', 'verify', '--against', copy)
    assert.equal(differs.code, 1, differs.out + differs.err)
    assert.match(differs.out, /^Compared with a copy of \d+ roots?: it differs, see below\.$/m)
    assert.equal(empty.code, 2, 'a file without a root proves nothing')
    assert.equal(nobody.code, 2)
  })

  test('a change that bypasses the service is found while it runs', async () => {
    const db = new DatabaseSync(join(folder, 'data', 'sluice.db'))
    const { name } = db.prepare("select name from sqlite_schema where name glob 'audit_[0-9]*'").get() as {
      name: string
    }
    db.exec(`update ${name} set actor = 'nobody' where request_id = '${requestIds[2]}'`)
    db.close()
    const ran = await sluice('audit', 'verify')
    assert.equal(ran.code, 1)
    assert.match(
      ran.out,
      /is BROKEN\.\n[\s\S]*- column_changed: .*\(writerId [0-9a-f-]{36}, writerSequence \d+, .*column actor, day [0-9-]{10}\)/
    )
    const reply = await get('/api/audit/verify')
    assert.partialDeepStrictEqual(reply.json(), { ok: false, issues: [{ fault: 'column_changed', column: 'actor' }] })
  })
})
