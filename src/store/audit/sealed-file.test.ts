/** An audit as a file: whoever has it and the public key finds what was changed, and no store is needed. */
import assert from 'node:assert/strict'
import { createPublicKey, hash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import fc from '../../../test/support/property.ts'
import { openDatabaseCopy } from '../sqlite/check.ts'
import { openStore } from '../sqlite/sqlite.ts'
import { auditOf } from '../contract/samples.contract.ts'
import { auditActions, type AuditEntry, type AuditRoot } from '../store.ts'
import { auditPayload, chainHash } from './chain.ts'
import { sealRoot } from './root.ts'
import { sealedExport, type SealedRow } from './sealed-export.ts'
import { verifySealedFile } from './sealed-file.ts'
import { createAuditFixture, firstDay, privateKey } from './verify.fixture.ts'
import type { AuditReport, VerifyOptions } from './verify.ts'

type Line = AuditRoot | SealedRow

const folder = await mkdtemp(join(tmpdir(), 'sluice-sealed-'))
const fixture = await createAuditFixture()
after(async () => {
  await fixture[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})
const [first, second] = fixture.writers as [string, string, string]

async function exported(): Promise<Line[]> {
  await using store = await openDatabaseCopy(fixture.file)
  return await Array.fromAsync(sealedExport(store, 'acme'))
}
const lines = await exported()
const isRow = (line: Line): line is SealedRow => 'text' in line
const rows = lines.filter(isRow)
const rowOf = (writerId: string, number: number): SealedRow =>
  rows.find((row) => row.writerId === writerId && row.writerSequence === number) as SealedRow
/** The lines with one in place of another. */
const withLine = (old: Line, line: Line): Line[] => lines.map((known) => (known === old ? line : known))

const publicKey = createPublicKey(privateKey)
let files = 0
async function verify(
  written: readonly object[],
  options: Partial<VerifyOptions> = {},
  end = '\n'
): Promise<AuditReport> {
  const path = join(folder, `${files++}.jsonl`)
  await writeFile(path, written.map((line) => `${JSON.stringify(line)}${end}`).join(''))
  const report = await verifySealedFile(path, { workspaceId: 'acme', publicKey, ...options })
  assert.ok(report, 'the file has no root')
  return report
}

const faults = ({ issues }: AuditReport): string[] => issues.map(({ fault }) => fault)

describe('a file that nobody touched', () => {
  it('verifies with the same result as the store it was taken from', async () => {
    assert.deepEqual(await verify(lines), await fixture.verifyAfter(() => {}))
  })

  it('verifies in pages of any size, whatever the order and the ends of its lines', async () => {
    for (const pageRows of [1, 2, 5]) assert.equal((await verify(lines, { pageRows })).ok, true)
    assert.equal((await verify(lines.toReversed())).ok, true)
    assert.equal((await verify(lines, {}, '\r\n')).ok, true)
  })

  it('can be checked with a hash function alone, as the documentation says', () => {
    const heads = new Map<string, string>()
    for (const { writerId, writerSequence, sequence, day, previousHash, hash: own, text } of rows) {
      assert.equal(previousHash, heads.get(writerId) ?? hash('sha256', `sluice-audit-genesis/1\nacme\n${writerId}`))
      const hashed = ['sluice-audit-row/1', previousHash, writerSequence, sequence, day, text].join('\n')
      assert.equal(own, hash('sha256', hashed))
      heads.set(writerId, own)
    }
    assert.equal(heads.size, 3)
  })

  it('holds nothing of other workspaces, and may stand in one file with them', async () => {
    const other = rows.map((row) => ({ ...row, text: row.text.replace('"acme"', '"other"') }))
    assert.equal((await verify([...other, ...lines])).ok, true)
  })
})

describe('a file that was changed', () => {
  it('is found, whichever value of whichever line it was', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...lines), fc.nat(6), async (line, nth) => {
        const names = Object.keys(line)
        const name = names[nth % names.length] as keyof Line
        const value: unknown = line[name]
        const changed =
          typeof value === 'number' ? value + 1 : `${value}`.replace(/.$/, (end) => (end === '0' ? '1' : '0'))
        const written = withLine(line, { ...line, [name]: changed })
        // A text that is no longer JSON is named by its line.
        const report = await verify(written).catch(({ message }: Error) => message)
        assert.ok(typeof report === 'string' ? /^line \d+ of the file/.test(report) : !report.ok, name)
      }),
      { numRuns: 60 }
    )
  })

  it('is named by the place of a row that was changed, removed or put in twice', async () => {
    const row = rowOf(second, 4)
    const place = { writerId: second, writerSequence: 4 }
    const changed = await verify(withLine(row, { ...row, text: row.text.replace('"day":1', '"day":2') }))
    assert.partialDeepStrictEqual(changed.issues, [{ fault: 'row_changed', ...place }])
    const removed = await verify(lines.filter((line) => line !== row))
    assert.partialDeepStrictEqual(removed.issues, [{ fault: 'rows_missing', ...place, count: 1 }])
    for (const pageRows of [1, 4, 100]) {
      const twice = await verify([...lines, { ...row, text: row.text.replace('"day":1', '"day":2') }], { pageRows })
      assert.ok(faults(twice).includes('row_repeated'), `pages of ${pageRows}`)
    }
  })

  it('is found by its roots if the chain was made to fit', async () => {
    let previousHash: string | undefined
    const rewritten = lines.map((line) => {
      if (!isRow(line) || line.writerId !== second || line.writerSequence < 4) return line
      const text = line.writerSequence === 4 ? line.text.replace('"day":1', '"day":2') : line.text
      const link = { ...line, text, previousHash: previousHash ?? line.previousHash }
      previousHash = chainHash({ ...link, payload: text })
      return { ...link, hash: previousHash }
    })
    const report = await verify(rewritten)
    assert.partialDeepStrictEqual(report.issues, [{ fault: 'chain_rewritten', writerId: second }])
  })

  it('is found by a copy of the roots if it was cut off with them', async () => {
    const cut = lines.filter((line) => (isRow(line) ? line.day < firstDay + 2 : line.sequence < 3))
    assert.equal((await verify(cut)).ok, true, 'nothing inside shows it')
    assert.partialDeepStrictEqual((await verify(cut, { copy: fixture.roots })).issues, [
      { fault: 'root_lost', root: 3 }
    ])
  })
})

describe('days that retention dropped', () => {
  const kept = lines.filter((line) => !isRow(line) || line.writerId !== first)
  const count = rows.length - kept.filter(isRow).length
  const last = fixture.roots[2] as AuditRoot
  const content = { workspaceId: 'acme', sequence: 4, previous: last.hash, sealedAt: last.sealedAt + 1, writers: [] }

  it('are missing without a fault if a root says so, even with all rows of a writer', async () => {
    const expired = [{ day: firstDay, rows: count }]
    const report = await verify([...kept, sealRoot({ ...content, expired, expiredThrough: 1 }, privateKey)])
    assert.deepEqual([report.issues, report.expiredRows], [[], count])
  })

  it('are believed of no row that is in no root, which whoever has the file could have added', async () => {
    const end = rows.findLast(({ writerId }) => writerId === fixture.writers[2]) as SealedRow
    const detail = { records: 'audit', day: String(firstDay), rows: count }
    const said = JSON.parse(end.text) as AuditEntry
    const text = auditPayload({ ...said, action: auditActions.recordsExpired, detail })
    const link = { writerSequence: end.writerSequence + 1, sequence: end.sequence + 1, day: end.day }
    const claim = { ...link, writerId: end.writerId, previousHash: end.hash, text }
    const written = [...kept, { ...claim, hash: chainHash({ ...claim, payload: text }) }]
    assert.deepEqual(faults(await verify(written)), ['rows_missing'])
    const { writerId, writerSequence, hash: head } = written.at(-1) as SealedRow
    const writers = [{ writerId, rows: writerSequence, hash: head, closedAt: null }]
    const expired = [{ day: firstDay, rows: count }]
    const root = sealRoot({ ...content, writers, expired, expiredThrough: claim.sequence }, privateKey)
    assert.equal((await verify([...written, root])).ok, true, 'the claim is not a good one')
  })

  it('are not exported before a root covers them, nor while they are dropped', async () => {
    const dataDir = join(folder, 'store')
    await using store = await openStore({ dataDir })
    const at = firstDay * 86_400_000
    const created = auditOf({ at, action: 'workspace_created' })
    await store.ensureWorkspace({ id: 'acme', name: 'acme', createdAt: 1 }, created)
    const all = async (source: typeof store) => (await Array.fromAsync(sealedExport(source, 'acme'))).length
    assert.equal(await all(store), 1)
    const expired = (records: string) =>
      auditOf({ at, action: auditActions.recordsExpired, detail: { records, day: '2026-01-01', rows: 3 } })
    const dropping = { ...store, auditRoots: (query: Parameters<typeof store.auditRoots>[0]) => drop(query) }
    const drop = async (query: Parameters<typeof store.auditRoots>[0]) => {
      await store.append({ events: [], audit: [expired('events')] })
      return await store.auditRoots(query)
    }
    await assert.rejects(all(dropping), /Retention has just dropped records; export again/)
    assert.equal(await all(store), 2)
    await store.append({ events: [], audit: [expired('audit')] })
    await assert.rejects(all(store), /Retention has just dropped records; export again/)
  })
})

it('a file without a root of the workspace proves nothing, whatever its rows say', async () => {
  await assert.rejects(verify(rows), /the file has no root/)
  await assert.rejects(verify(lines, { workspaceId: 'other' }), /the file has no root/)
})

it('what was added to a line is refused, since nothing proves it', async () => {
  for (const line of [lines[0], rows[0]] as [Line, SealedRow]) {
    const written = withLine(line, { ...line, ...{ detail: { actor: 'somebody else' } } })
    await assert.rejects(verify(written), {
      message: `line ${lines.indexOf(line) + 1} of the file is neither a root nor a row of a sealed export`
    })
  }
})

it('what is no export is refused by line, without being repeated', async () => {
  const path = join(folder, 'other.jsonl')
  for (const text of ['no JSON at all', '{"sequence":1,"at":"2026-01-01T00:00:00.000Z"}', '[]', '{"text":"{}"}']) {
    await writeFile(path, `${JSON.stringify(lines[0])}\n${text}\n`)
    await assert.rejects(verifySealedFile(path, { workspaceId: 'acme', publicKey }), {
      message: 'line 2 of the file is neither a root nor a row of a sealed export'
    })
  }
})
