import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, describe, it } from 'node:test'
import type { DatabaseSync } from 'node:sqlite'
import fc from '../../../test/support/property.ts'
import { createAuditFixture, firstDay, privateKey } from './verify.fixture.ts'
import { sealRoot, type RootContent } from './root.ts'
import type { AuditFault } from './issues.ts'
import type { AuditReport } from './verify.ts'
import { isPastRetention } from './walk.ts'

const fixture = await createAuditFixture()
after(() => fixture[Symbol.asyncDispose]())
const [first, second, third] = fixture.writers as [string, string, string]
const table = (day: number): string => `audit_${firstDay + day}`

const faults = (report: AuditReport): AuditFault[] => report.issues.map(({ fault }) => fault)

type Cell = string | number | null

/** A different value of the same type. */
function changed(value: Cell): Cell {
  if (value === null) return 'x'
  if (typeof value === 'number') return value + 1_000_000
  const last = value.at(-1) === '0' ? '1' : '0'
  return `${value.slice(0, -1)}${last}`
}

const columnsOf = (db: DatabaseSync, name: string): string[] =>
  (db.prepare(`select name from pragma_table_info('${name}')`).all() as { name: string }[]).map((column) => column.name)

describe('an intact audit trail', () => {
  it('verifies, and says what no root covers yet', async () => {
    const report = await fixture.verifyAfter(() => {})
    assert.deepEqual(report.issues, [])
    assert.equal(report.ok, true)
    assert.equal(report.rows, 12 * 3 + 1 + 5)
    assert.equal(report.writers, 3)
    assert.equal(report.roots, 3)
    assert.equal(report.unsealed.rows, 5)
    assert.equal(report.unsealed.since, (firstDay + 3) * 86_400_000 + 1000)
    assert.equal(report.sealed?.hash, fixture.roots[2]?.hash)
  })

  it('verifies in pages of any size', async () => {
    for (const pageRows of [1, 2, 5]) assert.equal((await fixture.verifyAfter(() => {}, { pageRows })).ok, true)
  })

  it('verifies against a copy of its own roots, including those of an earlier day', async () => {
    assert.equal((await fixture.verifyAfter(() => {}, { copy: fixture.roots })).ok, true)
    assert.equal((await fixture.verifyAfter(() => {}, { copy: fixture.roots.slice(0, 1) })).ok, true)
  })

  it('stops when aborted', async () => {
    const stop = new AbortController()
    stop.abort(new Error('told to stop'))
    await assert.rejects(
      fixture.verifyAfter(() => {}, { signal: stop.signal }),
      /told to stop/
    )
  })
})

/** Removes the record of how many roots there were. */
const forgetRoots = `delete from meta where key like 'audit_roots %'`

it('an audit trail that was deleted is not taken for an intact one', async () => {
  const report = await fixture.verifyAfter((db) => {
    for (const name of ['audit_roots', 'audit_writers', 'audit_writer_days', 'record_hours'])
      db.exec(`delete from ${name}`)
    for (const day of [0, 1, 2, 3]) db.exec(`delete from ${table(day)}`)
    db.exec(forgetRoots)
  })
  assert.deepEqual([report.ok, faults(report)], [false, ['audit_missing']])
})

describe('a changed row', () => {
  const names = ['workspace_id', 'sequence', 'day', 'writer_id', 'writer_sequence', 'at', 'request_id', 'token_id']
  for (const column of [...names, 'actor', 'action', 'payload', 'previous_hash', 'hash']) {
    it(`is named by writer and number if its ${column} was changed`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.nat(2), fc.integer({ min: 1, max: 12 }), async (day, number) => {
          const report = await fixture.verifyAfter((db) => {
            assert.deepEqual(columnsOf(db, table(day)).length, names.length + 5, 'a column has no test')
            const where = `where writer_sequence = ${number} and writer_id = '${fixture.writers[day]}'`
            const { cell } = db.prepare(`select ${column} as cell from ${table(day)} ${where}`).get() as { cell: Cell }
            db.prepare(`update ${table(day)} set ${column} = ? ${where}`).run(changed(cell))
          })
          // A row whose position in the chain was changed is not where the chain expects it.
          const isMoved = ['workspace_id', 'writer_id', 'writer_sequence'].includes(column)
          const expected = isMoved ? ['rows_missing'] : ['row_changed', 'column_changed']
          const named = report.issues.find(({ fault }) => expected.includes(fault))
          assert.partialDeepStrictEqual(named, { writerId: fixture.writers[day], writerSequence: number })
        }),
        { numRuns: 2 }
      )
    })
  }

  it('is named with its column if the hashed text is unchanged', async () => {
    const report = await fixture.verifyAfter((db) => {
      db.exec(`update ${table(1)} set actor = 'somebody' where writer_sequence = 4`)
    })
    const place = { writerId: second, writerSequence: 4, day: firstDay + 1, column: 'actor' }
    assert.partialDeepStrictEqual(report.issues, [{ fault: 'column_changed', ...place }])
    assert.equal(report.issues.length, 1)
  })

  it('does not affect its neighbours', async () => {
    const report = await fixture.verifyAfter((db) => {
      db.exec(`update ${table(1)} set hash = '${'0'.repeat(64)}' where writer_sequence = 4`)
    })
    assert.deepEqual(faults(report), ['row_changed'])
  })
})

describe('rows that were removed, moved or inserted', () => {
  const cases: [what: string, change: (db: DatabaseSync) => void, expected: AuditFault, place: object][] = [
    [
      'a row in the middle',
      (db) => db.exec(`delete from ${table(1)} where writer_sequence = 5`),
      'rows_missing',
      { writerId: second, writerSequence: 5, lastWriterSequence: 5, count: 1 }
    ],
    [
      'the first rows',
      (db) => db.exec(`delete from ${table(1)} where writer_sequence < 4`),
      'rows_missing',
      { writerId: second, writerSequence: 1, lastWriterSequence: 3 }
    ],
    [
      'the end of a sealed chain',
      (db) => db.exec(`delete from ${table(1)} where writer_sequence > 9`),
      'rows_missing',
      { writerId: second, writerSequence: 10, lastWriterSequence: 12 }
    ],
    [
      'rows that no root names, while their head stands',
      (db) => db.exec(`delete from ${table(3)} where writer_sequence > 15`),
      'rows_missing',
      { writerId: third, writerSequence: 16, lastWriterSequence: 17 }
    ],
    ['a whole day', (db) => db.exec(`delete from ${table(1)}`), 'rows_missing', { writerId: second, count: 12 }],
    [
      'a writer with its head',
      (db) => db.exec(`delete from ${table(1)}; delete from audit_writers where writer_id = '${second}'`),
      'writer_missing',
      { writerId: second }
    ],
    [
      'the place where a reader looks',
      (db) => db.exec(`delete from record_hours where hour / 24 = ${firstDay + 1}`),
      'rows_hidden',
      { count: 12 }
    ],
    [
      'the place where a chain is looked up',
      (db) => db.exec(`delete from audit_writer_days where writer_id = '${second}'`),
      'rows_missing',
      { writerId: second }
    ]
  ]
  for (const [what, change, fault, place] of cases) {
    it(`${what}: ${fault}`, async () => {
      const report = await fixture.verifyAfter(change)
      const issue = report.issues.find((found) => found.fault === fault)
      assert.ok(issue, `found ${faults(report).join()}`)
      assert.partialDeepStrictEqual(issue, place)
    })
  }

  it('a chain truncated together with its head is detected by the root that covers it', async () => {
    const report = await fixture.verifyAfter((db) => {
      const kept = db.prepare(`select hash from ${table(1)} where writer_sequence = 9`).get() as { hash: string }
      db.exec(`delete from ${table(1)} where writer_sequence > 9`)
      db.prepare('update audit_writers set rows = 9, hash = ? where writer_id = ?').run(kept.hash, second)
    })
    assert.ok(faults(report).includes('rows_missing'))
    assert.ok(faults(report).includes('head_changed'))
  })

  it('a head that says its writer was idle, so that no root would cover it, is detected', async () => {
    const report = await fixture.verifyAfter((db) => {
      db.exec(`update audit_writers set last_at = 0 where writer_id = '${third}'; delete from live_writers`)
    })
    assert.deepEqual(
      report.issues.map(({ fault, writerId }) => [fault, writerId]),
      [['head_changed', third]]
    )
  })

  it('two swapped rows are both named', async () => {
    const report = await fixture.verifyAfter((db) => {
      const swap = (from: number, to: number) =>
        db.exec(`update ${table(1)} set writer_sequence = ${to} where writer_sequence = ${from}`)
      swap(5, 100)
      swap(6, 5)
      swap(100, 6)
    })
    const named = report.issues.filter(({ fault }) => fault === 'row_changed')
    assert.deepEqual(
      named.map((issue) => issue.writerSequence),
      [5, 6]
    )
  })

  it('a chain rebuilt after a change is detected by its root', async () => {
    const { chainHash, genesisHash } = await import('./chain.ts')
    const report = await fixture.verifyAfter((db) => {
      type Row = { writer_sequence: number; sequence: number; day: number; payload: string }
      const rows = db.prepare(`select * from ${table(1)} order by writer_sequence`).all() as unknown as Row[]
      let previousHash = genesisHash('acme', second)
      for (const { writer_sequence: writerSequence, sequence, day, payload } of rows) {
        const forged = writerSequence === 3 ? payload.replace('"n":2', '"n":7') : payload
        const hash = chainHash({ previousHash, writerSequence, sequence, day, payload: forged })
        db.prepare(`update ${table(1)} set payload = ?, previous_hash = ?, hash = ? where writer_sequence = ?`).run(
          forged,
          previousHash,
          hash,
          writerSequence
        )
        previousHash = hash
      }
      db.prepare('update audit_writers set hash = ? where writer_id = ?').run(previousHash, second)
    })
    const [issue] = report.issues
    assert.deepEqual(faults(report), ['chain_rewritten'])
    assert.partialDeepStrictEqual(issue, { writerId: second, root: 2, writerSequence: 1, lastWriterSequence: 12 })
  })

  it('a malformed row is named, and does not stop the verification', async () => {
    const { chainHash } = await import('./chain.ts')
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    for (const payload of ['', 'null', '{', '[1]', '{"detail":7}', `{"detail":${deep}}`]) {
      const report = await fixture.verifyAfter((db) => {
        const where = `where writer_sequence = 17 and writer_id = '${third}'`
        const row = db.prepare(`select sequence, day, previous_hash from ${table(3)} ${where}`).get() as {
          sequence: number
          day: number
          previous_hash: string
        }
        const { sequence, day, previous_hash: previousHash } = row
        const hash = chainHash({ previousHash, writerSequence: 17, sequence, day, payload })
        db.prepare(`update ${table(3)} set payload = ?, hash = ? ${where}`).run(payload, hash)
        db.prepare('update audit_writers set hash = ? where writer_id = ?').run(hash, third)
      })
      assert.deepEqual(faults(report), ['column_changed'], payload.slice(0, 20))
      assert.equal(report.issues[0]?.writerSequence, 17)
    }
  })

  it('a row of no writer is a stray, and so is a copy of a row on another day', async () => {
    const names =
      '(workspace_id, sequence, day, writer_id, writer_sequence, at, actor, action, payload, previous_hash, hash)'
    const stray = await fixture.verifyAfter((db) => {
      db.exec(`update record_hours set last_sequence = last_sequence + 100, first_sequence = 0`)
      db.exec(
        `insert into ${table(0)} ${names} values ('acme', 0, ${firstDay}, 'nobody', 1, 1, 'x', 'x', '{}', '', '')`
      )
    })
    assert.partialDeepStrictEqual(stray.issues, [{ fault: 'row_stray', sequence: 0 }])
    const late = await fixture.verifyAfter((db) => {
      db.exec(`update record_hours set last_sequence = last_sequence + 100`)
      db.exec(
        `insert into ${table(3)} ${names} values ('acme', 60, ${firstDay}, 'nobody', 1, 1, 'x', 'x', '{}', '', '')`
      )
    })
    assert.partialDeepStrictEqual(late.issues, [{ fault: 'row_stray', sequence: 60 }])
    const copied = await fixture.verifyAfter((db) => {
      db.exec(`update record_hours set first_sequence = 0`)
      db.exec(`insert into ${table(2)} select * from ${table(1)} where writer_sequence = 3`)
    })
    assert.deepEqual(faults(copied), ['row_stray'])
  })

  it('a second row with the number of another is named, in the same chain and in another one', async () => {
    const inChain = await fixture.verifyAfter((db) => {
      db.exec(`insert into ${table(2)} select * from ${table(1)} where writer_sequence = 3`)
      const lookedUp = `select * from audit_writer_days where writer_id = '${second}'`
      db.exec(`create temp table one as ${lookedUp}; update one set day = ${firstDay + 2}`)
      db.exec('insert into audit_writer_days select * from one')
    })
    assert.partialDeepStrictEqual(
      inChain.issues.find(({ fault }) => fault === 'row_repeated'),
      { writerId: second, writerSequence: 3 }
    )
    const inTrail = await fixture.verifyAfter((db) => {
      const known = db.prepare(`select sequence from ${table(1)} where writer_sequence = 3`).get()
      db.prepare(`update ${table(2)} set sequence = ? where writer_sequence = 5`).run(known?.['sequence'] as number)
    })
    assert.partialDeepStrictEqual(
      inTrail.issues.find(({ fault }) => fault === 'row_repeated'),
      { writerId: third, writerSequence: 5 }
    )
  })

  it('a changed head is detected', async () => {
    for (const change of ["hash = '0'", 'rows = rows + 1', 'rows = rows - 1']) {
      const report = await fixture.verifyAfter((db) =>
        db.exec(`update audit_writers set ${change} where writer_id = '${first}'`)
      )
      assert.equal(report.ok, false, change)
      assert.equal(report.issues[0]?.writerId, first, change)
    }
  })
})

it('a day may be missing once it is older than rows are kept, with a day of slack', () => {
  const now = 100 * 86_400_000 + 1
  assert.deepEqual(
    [70, 71, 72].map((day) => isPastRetention(day, 30, now)),
    [true, true, false]
  )
})

describe('roots', () => {
  for (const column of ['workspace_id', 'sequence', 'sealed_at', 'payload', 'hash', 'signature']) {
    it(`that were changed in ${column} are named`, async () => {
      for (const sequence of [1, 2]) {
        const report = await fixture.verifyAfter((db) => {
          assert.equal(columnsOf(db, 'audit_roots').length, 6, 'a column has no test')
          const where = `where sequence = ${sequence}`
          const { cell } = db.prepare(`select ${column} as cell from audit_roots ${where}`).get() as { cell: Cell }
          db.prepare(`update audit_roots set ${column} = ? ${where}`).run(changed(cell))
        })
        const isMoved = column === 'workspace_id' || column === 'sequence'
        const fault = isMoved
          ? 'root_missing'
          : ['payload', 'signature'].includes(column)
            ? 'root_forged'
            : 'root_changed'
        assert.partialDeepStrictEqual(report.issues, [{ fault, root: sequence }])
      }
    })
  }

  it('that are missing in the middle are named', async () => {
    const report = await fixture.verifyAfter((db) => db.exec('delete from audit_roots where sequence = 2'))
    assert.partialDeepStrictEqual(report.issues, [{ fault: 'root_missing', root: 2, count: 1 }])
  })

  it('of which only the newest is missing are named', async () => {
    const report = await fixture.verifyAfter((db) => db.exec('delete from audit_roots where sequence = 3'))
    const missing = report.issues.filter(({ fault }) => fault === 'root_missing')
    assert.partialDeepStrictEqual(missing, [{ root: 3, count: 1 }])
  })

  it('that were truncated at the end are named by an external copy', async () => {
    const cut = (db: DatabaseSync): void => {
      db.exec(`delete from audit_roots where sequence > 1; delete from ${table(2)}; delete from ${table(3)}`)
      db.exec(
        `delete from audit_writers where writer_id = '${third}'; delete from record_hours where hour / 24 > ${firstDay + 1}`
      )
    }
    const inside = await fixture.verifyAfter(cut)
    assert.partialDeepStrictEqual(inside.issues, [{ fault: 'root_missing', root: 2, count: 2 }])
    const cutThoroughly = (db: DatabaseSync): void => {
      cut(db)
      db.exec(forgetRoots)
    }
    assert.equal((await fixture.verifyAfter(cutThoroughly)).ok, true, 'nothing inside shows it')
    const report = await fixture.verifyAfter(cutThoroughly, { copy: fixture.roots })
    assert.partialDeepStrictEqual(report.issues, [{ fault: 'root_lost', root: 2, count: 2 }])
  })

  it('by another key are forged, in the store and in a copy', async () => {
    const other = generateKeyPairSync('ed25519')
    const [root] = fixture.roots
    const content = JSON.parse(root?.payload ?? '') as RootContent
    const forged = sealRoot(content, other.privateKey)
    const stored = await fixture.verifyAfter((db) =>
      db.prepare('update audit_roots set signature = ? where sequence = 1').run(forged.signature)
    )
    assert.partialDeepStrictEqual(stored.issues, [{ fault: 'root_forged', root: 1 }])
    const copied = await fixture.verifyAfter(() => {}, { copy: [forged] })
    assert.partialDeepStrictEqual(copied.issues, [{ fault: 'copy_forged', root: 1 }])
  })

  it('that differ from the copy are named, even if both are signed', async () => {
    const [root] = fixture.roots
    const content = { ...(JSON.parse(root?.payload ?? '') as RootContent), sealedAt: 5 }
    const report = await fixture.verifyAfter(() => {}, { copy: [sealRoot(content, privateKey)] })
    assert.partialDeepStrictEqual(report.issues, [{ fault: 'root_differs', root: 1 }])
  })
})
