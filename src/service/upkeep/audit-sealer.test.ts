import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, afterEach, beforeEach, describe, it, mock } from 'node:test'
import { pino } from 'pino'
import { auditPublicKey } from '../../config/audit-key.ts'
import type { RootContent } from '../../store/audit/root.ts'
import { verifyAudit, type AuditReport } from '../../store/audit/verify.ts'
import { auditOf } from '../../store/contract/samples.contract.ts'
import { openPostgresStore } from '../../store/postgres/postgres.ts'
import { openStore } from '../../store/sqlite/sqlite.ts'
import { StoreError, type AuditRoot, type MaintenancePlan, type Store } from '../../store/store.ts'
import { runSql, sharedPostgres } from '../../../test/support/postgres.ts'
import { createMetrics } from '../../telemetry/metrics.ts'
import { createAuditSealer, type AuditSealer } from './audit-sealer.ts'
import { dayMs } from '../../timing/spans.ts'

const noon = Date.UTC(2027, 0, 10, 12)
const masterKey = createSecretKey(randomBytes(32))
const publicKey = auditPublicKey(masterKey, 'acme')

/** A database that several stores have open, and that can be changed behind their backs. */
interface Database {
  open(): Promise<Store>
  execute(statement: string): Promise<unknown>
  remove(): Promise<unknown>
}

const server = await sharedPostgres({ isDurable: false })
after(() => server[Symbol.asyncDispose]())

/** Migrated once, and copied for each test. */
const template = await server.newDatabase()
await (await openPostgresStore({ url: template, connectionsMax: 4 })).close()

const engines: Readonly<Record<string, () => Promise<Database>>> = {
  SQLite: async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'sluice-sealer-'))
    return {
      open: () => openStore({ dataDir }),
      execute: async (statement) => {
        const db = new DatabaseSync(join(dataDir, 'sluice.db'))
        db.exec(statement)
        db.close()
      },
      remove: () => rm(dataDir, { recursive: true })
    }
  },
  PostgreSQL: async () => {
    const url = await server.newDatabase(template)
    return {
      open: () => openPostgresStore({ url, connectionsMax: 4 }),
      execute: (statement) => runSql(url, statement),
      remove: async () => undefined
    }
  }
}

let database: Database
let lines: Record<string, unknown>[]

const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) })

async function open(): Promise<Store> {
  const store = await database.open()
  await store.ensureWorkspace({ id: 'acme', name: 'acme', createdAt: 1 }, auditOf({ at: Date.now() }))
  return store
}

const sealerOf = (store: Store, auditDays = 1): AuditSealer => createAuditSealer({ store, masterKey, auditDays, log })

const write = (store: Store, count: number): Promise<unknown> =>
  store.append({
    events: [],
    audit: Array.from({ length: count }, (_, n) => auditOf({ at: Date.now(), detail: { n } }))
  })

const rootsOf = (store: Store): Promise<AuditRoot[]> => store.auditRoots({ workspaceId: 'acme', after: 0, limit: 1000 })
const contentOf = ({ payload }: AuditRoot): RootContent => JSON.parse(payload) as RootContent
const verify = (store: Store, auditDays?: number): Promise<AuditReport> =>
  verifyAudit({ store, workspaceId: 'acme', publicKey, auditDays })

for (const [engine, make] of Object.entries(engines)) {
  describe(`sealing on ${engine}`, () => {
    beforeEach(async () => {
      mock.timers.enable({ apis: ['Date'], now: noon })
      database = await make()
      lines = []
    })
    afterEach(async () => {
      mock.timers.reset()
      await database.remove()
    })
    describeSealing()
  })
}

function describeSealing(): void {
  it('signs a root if there is something new, and none otherwise', async () => {
    await using store = await open()
    const sealer = sealerOf(store)
    await sealer.seal()
    await sealer.seal()
    assert.equal((await rootsOf(store)).length, 1)
    await write(store, 3)
    mock.timers.setTime(noon + 60_000)
    await sealer.seal()
    const [first, second] = await rootsOf(store)
    assert.ok(first && second)
    assert.partialDeepStrictEqual(contentOf(second), {
      sequence: 2,
      sealedAt: noon + 60_000,
      previous: first.hash,
      writers: [{ writerId: store.writerId, rows: 4, closedAt: null }]
    })
    const report = await verify(store)
    assert.deepEqual([report.ok, report.unsealed.rows], [true, 0])
    const logged = lines.filter(({ msg }) => msg === 'audit root sealed').map(({ auditRoot }) => auditRoot)
    assert.deepEqual(logged, [first, second], 'a copy of the log is a copy of the roots')
  })

  it('is not well after a round that failed, until one succeeds, and says when that was', async () => {
    await using store = await open()
    let isBroken = true
    const insertAuditRoot: Store['insertAuditRoot'] = (root) =>
      isBroken ? Promise.reject(new StoreError('unavailable', 'The disk is gone.')) : store.insertAuditRoot(root)
    const metrics = createMetrics(() => undefined)
    const sealer = createAuditSealer({ store: { ...store, insertAuditRoot }, masterKey, auditDays: 1, log, metrics })
    const sealed = async () => /^sluice_audit_last_seal_timestamp_seconds (\S+)$/m.exec(await metrics.render())?.[1]
    assert.equal(sealer.isWell, true)
    await sealer.seal()
    assert.equal(sealer.isWell, false)
    isBroken = false
    mock.timers.setTime(noon + 60_000)
    await sealer.seal()
    assert.deepEqual([sealer.isWell, Number(await sealed())], [true, noon / 1000 + 60])
    mock.timers.setTime(noon + 120_000)
    isBroken = true
    await write(store, 1)
    await sealer.seal()
    assert.deepEqual([sealer.isWell, Number(await sealed())], [false, noon / 1000 + 60])
    assert.equal((await rootsOf(store)).length, 1)
  })

  it('reports clearly that rows have waited for over an hour, once sealing works again or while it fails', async () => {
    await using store = await open()
    const said = () => lines.filter(({ msg, level }) => level === 50 && String(msg).startsWith('sealing is behind'))
    const broken = {
      ...store,
      insertAuditRoot: () => Promise.reject(new StoreError('unavailable', 'The disk is gone.'))
    }
    const failing = sealerOf(broken)
    await failing.seal()
    mock.timers.setTime(noon + 59 * 60_000)
    await failing.seal()
    assert.deepEqual(said(), [])
    mock.timers.setTime(noon + 61 * 60_000)
    await failing.seal()
    assert.equal(said().length, 2, 'of the workspace, and of the rounds')
    assert.partialDeepStrictEqual(said()[0], { workspaceId: 'acme', since: new Date(noon).toISOString() })
    lines = []
    const sealer = sealerOf(store)
    await sealer.seal()
    assert.equal(said().length, 1)
    await write(store, 1)
    await sealer.seal()
    mock.timers.setTime(noon + 10 * dayMs)
    await write(store, 1)
    await sealer.seal()
    assert.equal(said().length, 1, 'a long rest is no delay')
  })

  it('reports missing roots if all are gone, and leaves a hole that verification finds', async () => {
    await using store = await open()
    const sealer = sealerOf(store)
    for (let minute = 1; minute <= 3; minute++) {
      mock.timers.setTime(noon + minute * 60_000)
      await write(store, 1)
      await sealer.seal()
    }
    await database.execute('delete from audit_roots')
    const issues = async () => (await verify(store)).issues
    assert.deepEqual(await issues(), [{ fault: 'root_missing', root: 1, count: 3 }])
    await write(store, 1)
    await sealerOf(store).seal()
    const missing = lines.find(({ msg }) => String(msg).startsWith('audit roots are missing'))
    assert.partialDeepStrictEqual(missing, { level: 50, workspaceId: 'acme', count: 3, newest: 3 })
    assert.deepEqual((await rootsOf(store)).map(({ sequence }) => sequence), [4]) // prettier-ignore
    assert.deepEqual(await issues(), [{ fault: 'root_missing', root: 1, count: 3 }])
  })

  it('continues where an earlier process stopped, and includes the writers that it does not know', async () => {
    const earlier = await open()
    await sealerOf(earlier).seal()
    await write(earlier, 2)
    await earlier.close()
    mock.timers.setTime(noon + dayMs)
    await using store = await open()
    await write(store, 1)
    await sealerOf(store).seal()
    const [, root] = await rootsOf(store)
    assert.deepEqual(
      root && contentOf(root).writers.map(({ writerId, rows, closedAt }) => [writerId, rows, closedAt !== null]),
      [
        [earlier.writerId, 3, true],
        [store.writerId, 1, false]
      ]
    )
    assert.equal((await verify(store)).ok, true)
  })

  it('shares the work with other instances', async () => {
    await using one = await open()
    await using two = await open()
    const sealers = [sealerOf(one, 2), sealerOf(two, 2)]
    for (let round = 0; round < 5; round++) {
      await Promise.all([write(one, 2), write(two, 3)])
      mock.timers.setTime(noon + (round + 1) * 60_000)
      await Promise.all(sealers.map((sealer) => sealer.seal()))
    }
    const report = await verify(one)
    assert.deepEqual([report.ok, report.writers, report.rows, report.unsealed.rows], [true, 2, 26, 0])
    assert.equal((await rootsOf(one)).length, 5, 'one root a round, whoever wrote it')
    assert.equal(lines.filter(({ level }) => Number(level) >= 40).length, 0)
  })

  it('finds a writer that ended without notice, once', async () => {
    const dead = await open()
    const deadSealer = sealerOf(dead)
    await deadSealer.seal()
    await using store = await open()
    const sealer = sealerOf(store)
    mock.timers.setTime(noon + 2 * 60_000)
    await sealer.seal()
    assert.equal((await store.findAudit({ workspaceId: 'acme', action: 'writer_lost', limit: 10 })).rows.length, 0)
    mock.timers.setTime(noon + 4 * 60_000)
    await sealer.seal()
    await sealer.seal()
    const { rows } = await store.findAudit({ workspaceId: 'acme', action: 'writer_lost', limit: 10 })
    assert.equal(rows.length, 1)
    assert.equal(rows[0]?.detail['writerId'], dead.writerId)
    assert.partialDeepStrictEqual((await rootsOf(store)).map(contentOf).at(-1)?.writers, [
      { writerId: dead.writerId, closedAt: noon + 4 * 60_000 }
    ])
    assert.equal((await verify(store)).ok, true)
    const headOf = async () => (await store.auditHeads('acme')).find(({ writerId }) => writerId === dead.writerId)
    assert.partialDeepStrictEqual(await headOf(), { isLost: true, lastAt: noon, closedAt: noon + 4 * 60_000 })
    // It was only suspended, and now closes in order.
    await dead.heartbeat({ now: noon + 5 * 60_000, lostBefore: noon })
    assert.partialDeepStrictEqual(await headOf(), { isLost: false, closedAt: null })
    await dead.close()
    assert.partialDeepStrictEqual(await headOf(), { isLost: false, closedAt: noon + 4 * 60_000 })
  })

  it('continues after a clock that was far ahead for a while', async () => {
    const first = await open()
    mock.timers.setTime(Date.UTC(2099, 0, 1))
    await write(first, 1)
    await sealerOf(first).seal()
    await first.close()
    mock.timers.setTime(noon)
    const second = await open()
    await write(second, 2)
    // Longer than a row may wait for its commit, so that only its writer's absence from the roots shows that it is new.
    mock.timers.setTime(noon + 3 * 3_600_000)
    await sealerOf(second).seal()
    const report = await verify(second)
    assert.deepEqual([report.ok, report.roots, report.unsealed.rows], [true, 2, 0])
    await second.close()
  })

  it('reports that roots that it sealed are gone', async () => {
    await using store = await open()
    const sealer = sealerOf(store)
    await sealer.seal()
    await database.execute('delete from audit_roots')
    await sealer.seal()
    assert.ok(lines.some(({ msg }) => msg === 'audit roots that were sealed are gone or changed'))
    assert.equal((await rootsOf(store)).length, 1, 'and goes on sealing')
  })

  it('keeps the proof of what retention dropped, even when the rows that record it are dropped in turn', async () => {
    await using store = await open()
    const sealer = sealerOf(store, 100)
    const plan: Omit<MaintenancePlan, 'now'> = { eventDays: 30, auditDays: 100, minuteRollupDays: 8, bytesMax: 0 }
    for (let day = 0; day <= 450; day += 50) {
      mock.timers.setTime(noon + day * dayMs)
      await write(store, 5)
      await store.maintain({ ...plan, now: Date.now() })
      assert.deepEqual((await verify(store, 100)).issues, [], `day ${day}, not signed yet`)
      await sealer.seal()
      const report = await verify(store, 100)
      assert.deepEqual(report.issues, [], `day ${day}`)
      assert.equal(report.expiredRows > 0, day > 100)
    }
    const oldest = Math.floor((noon + 350 * dayMs) / dayMs)
    await database.execute(`delete from audit_${oldest} where sequence in (select min(sequence) from audit_${oldest})`)
    const report = await verify(store)
    assert.equal(report.ok, false, 'one row more than retention says')
  })

  describe('a forged row that explains why rows are missing', () => {
    /** Removes the first day, like somebody who can write to the database but has no key. */
    async function takeOut(store: Store): Promise<void> {
      const day = Math.floor(noon / dayMs)
      await database.execute(`delete from audit_${day}`)
      await database.execute(`delete from record_hours where records = 'audit' and hour / 24 = ${day}`)
      await database.execute(`delete from audit_writer_days where day = ${day}`)
      const detail = { records: 'audit', day, rows: 6 }
      await store.append({ events: [], audit: [auditOf({ at: Date.now(), action: 'records_expired', detail })] })
    }

    it('is neither believed nor signed if retention keeps the day', async () => {
      await using store = await open()
      const sealer = sealerOf(store, 100)
      await write(store, 5)
      await sealer.seal()
      mock.timers.setTime(noon + 50 * dayMs)
      await takeOut(store)
      assert.equal((await verify(store, 100)).ok, false, 'before it is signed')
      for (let round = 0; round < 3; round++) {
        await write(store, 1)
        mock.timers.setTime(Date.now() + 60_000)
        await sealer.seal()
      }
      for (const auditDays of [100, undefined]) {
        const { ok, issues } = await verify(store, auditDays)
        assert.equal(ok, auditDays === undefined, JSON.stringify(issues))
      }
      const said = lines.filter(({ msg }) => String(msg).startsWith('an audit row says that a day expired'))
      assert.equal(said.length, 1, 'once, and loudly')
      assert.equal(said[0]?.['level'], 50)
      assert.deepEqual(contentOf((await rootsOf(store)).at(-1)!).expired, [])
    })

    it('is believed if an instance keeps rows for so short a time, and signed by that instance', async () => {
      await using store = await open()
      await write(store, 5)
      await sealerOf(store, 100).seal()
      mock.timers.setTime(noon + 50 * dayMs)
      await takeOut(store)
      await write(store, 1)
      await sealerOf(store, 100).seal()
      assert.equal((await verify(store, 40)).ok, true)
      await write(store, 1)
      await sealerOf(store, 40).seal()
      assert.deepEqual(contentOf((await rootsOf(store)).at(-1)!).expired, [{ day: Math.floor(noon / dayMs), rows: 6 }])
      assert.equal((await verify(store, 100)).ok, true, 'what is signed is believed')
    })
  })

  it('verifies without a false alarm while rows are written, sealed and dropped', async () => {
    await using one = await open()
    await using two = await open()
    const sealers = [sealerOf(one), sealerOf(two)]
    const plan: Omit<MaintenancePlan, 'now'> = { eventDays: 1, auditDays: 2, minuteRollupDays: 8, bytesMax: 0 }
    for (let day = 0; day < 4; day++) {
      mock.timers.setTime(noon + day * dayMs)
      await Promise.all([write(one, 20), write(two, 20)])
      await sealers[0]?.seal()
    }
    const reports: AuditReport[] = []
    const options = { workspaceId: 'acme', publicKey, pageRows: 3 }
    for (let day = 4; day < 10; day++) {
      mock.timers.setTime(noon + day * dayMs)
      const busy = [write(one, 30), write(two, 30), one.maintain({ ...plan, now: Date.now() })]
      const verified = verifyAudit({ store: two, ...options })
      await Promise.all([...busy, ...sealers.map((sealer) => sealer.seal())])
      reports.push(await verified, await verify(one))
    }
    assert.deepEqual(
      reports.flatMap(({ issues }) => issues),
      []
    )
    assert.ok((reports.at(-1)?.expiredRows ?? 0) >= 4 * 40, 'nothing was dropped meanwhile')
  })
}
