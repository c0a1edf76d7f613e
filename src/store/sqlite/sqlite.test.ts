import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseSync } from 'node:sqlite'
import { checkChains } from '../contract/chain-check.contract.ts'
import { checkLease } from '../contract/exports.contract.ts'
import { auditOf, eventOf, noon, rejectsWith, tokenOf } from '../contract/samples.contract.ts'
import type { SqliteThread } from './thread.ts'
import { ThreadKeeper } from './keeper.ts'
import { databaseFile } from './database-file.ts'
import { openStore } from './sqlite.ts'
import { openExisting } from '../open.ts'
import { describeStoreContract } from '../contract/store.contract.ts'
import { StoreError } from '../store.ts'
import { dayMs } from '../../timing/spans.ts'

const root = mkdtempSync(join(tmpdir(), 'sluice-store-'))
after(() => rmSync(root, { recursive: true, force: true }))
const freshDir = (): string => join(mkdtempSync(join(root, 'case-')), 'data')

describeStoreContract('the SQLite store', () => openStore({ dataDir: freshDir() }))

describe('the files of the SQLite store', () => {
  it('are accessible to their owner only', async () => {
    const dataDir = freshDir()
    await using store = await openStore({ dataDir })
    await store.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: 1 }, auditOf({}))
    assert.equal(statSync(dataDir).mode & 0o777, 0o700)
    const files = readdirSync(dataDir)
    assert.deepEqual(files.toSorted(), ['sluice.db', 'sluice.db-shm', 'sluice.db-wal'])
    for (const file of files) assert.equal(statSync(join(dataDir, file)).mode & 0o777, 0o600, file)
  })

  it('get restricted permissions again if an older one had wide ones', async () => {
    const dataDir = freshDir()
    await (await openStore({ dataDir })).close()
    chmodSync(databaseFile(dataDir), 0o644)
    await (await openStore({ dataDir })).close()
    assert.equal(statSync(databaseFile(dataDir)).mode & 0o777, 0o600)
  })

  it('are refused with their path if they are not a database', async () => {
    const dataDir = freshDir()
    await (await openStore({ dataDir })).close()
    writeFileSync(databaseFile(dataDir), 'this is no database at all, only some text '.repeat(200))
    await assert.rejects(
      openStore({ dataDir }),
      (error) => error instanceof StoreError && error.message.includes(dataDir) && /put a backup/.test(error.message)
    )
    const notADirectory = join(freshDir(), '..', 'file')
    writeFileSync(notADirectory, '')
    await assert.rejects(
      openStore({ dataDir: notADirectory }),
      (error) => error instanceof StoreError && /file.*SERVICE_DATA_DIR must be a folder/.test(error.message)
    )
  })

  it('accept nothing while the database has been moved, and continue when it is back', async () => {
    const dataDir = freshDir()
    await using store = await openStore({ dataDir })
    await store.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: 1 }, auditOf({ at: noon }))
    const append = () => store.append({ events: [eventOf({ receivedAt: noon })], audit: [] })
    const isGone = (error: unknown): boolean =>
      error instanceof StoreError && error.code === 'unavailable' && /was deleted or moved/.test(error.message)
    await append()
    const file = databaseFile(dataDir)
    renameSync(file, `${file}.away`)
    await assert.rejects(append(), isGone)
    writeFileSync(file, '')
    await assert.rejects(append(), isGone)
    await assert.rejects(
      store.ensureWorkspace({ id: 'other', name: 'Other', createdAt: 1 }, auditOf({ at: noon })),
      isGone
    )
    renameSync(`${file}.away`, file)
    await append()
  })

  it('are refused with advice if their tables are not those of any version', async () => {
    const dataDir = mkdtempSync(join(root, 'case-'))
    const db = new DatabaseSync(databaseFile(dataDir))
    db.exec('create table workspaces (id text primary key)')
    db.close()
    await assert.rejects(openStore({ dataDir }), /not as this version knows them\. Start the version that wrote it/)
  })

  it('are refused if a newer version has written them', async () => {
    const dataDir = freshDir()
    await (await openStore({ dataDir })).close()
    const db = new DatabaseSync(databaseFile(dataDir))
    db.exec(`insert into kysely_migration values ('9999_future', '2099-01-01T00:00:00.000Z')`)
    db.close()
    await assert.rejects(openStore({ dataDir }), /newer version/)
    await using existing = await openExisting({ dataDir })
    await assert.rejects(async () => existing?.stepsDue(), /newer version/)
  })

  it('tell how far they are behind, and stay as they are', async () => {
    const dataDir = freshDir()
    assert.equal(await openExisting({ dataDir }), undefined)
    await (await openStore({ dataDir })).close()
    const due = async (): Promise<number | undefined> => {
      await using existing = await openExisting({ dataDir })
      return await existing?.stepsDue()
    }
    assert.equal(await due(), 0)
    const db = new DatabaseSync(databaseFile(dataDir))
    db.exec(`delete from kysely_migration where name = (select max(name) from kysely_migration)`)
    db.close()
    assert.equal(await due(), 1)
    assert.equal(await due(), 1)
  })
})

describe('a day that is there and cannot be read', () => {
  it('fails those who read it, and does not look empty', async () => {
    const dataDir = freshDir()
    await using store = await openStore({ dataDir })
    await store.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: 1 }, auditOf({}))
    await store.append({ events: [eventOf({ receivedAt: noon })], audit: [] })
    const db = new DatabaseSync(databaseFile(dataDir))
    db.exec(`alter table events_${Math.floor(noon / dayMs)} rename column sensor_metadata to of_another_version`)
    db.close()
    await rejectsWith(store.findEvents({ workspaceId: 'acme', limit: 10 }), 'unavailable')
    await rejectsWith(store.eventsAfter({ workspaceId: 'acme', sequence: 0, limit: 10 }), 'unavailable')
  })
})

describe('writers of one file', () => {
  it('have a chain each, marked closed by those that end in order', async () => {
    const dataDir = freshDir()
    await using store = await openStore({ dataDir })
    await store.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: 1 }, auditOf({}))
    const other = await openStore({ dataDir })
    const work = Array.from({ length: 20 }, (_, index) => [
      store.append({ events: [eventOf()], audit: [auditOf({})] }),
      other.append({ events: [eventOf()], audit: [auditOf({})] }),
      other.insertToken(tokenOf(`t${index}`), auditOf({}))
    ])
    await Promise.all(work.flat())
    await other.close()
    assert.equal(await checkChains(store), 61)
    const heads = new Map((await store.auditHeads('acme')).map((head) => [head.writerId, head]))
    assert.equal(heads.get(store.writerId)?.closedAt, null)
    assert.notEqual(heads.get(other.writerId)?.closedAt, null)
    const totals = await store.eventSeries({ workspaceId: 'acme', dimension: 'total', step: 'day', from: 0, to: 1 })
    assert.deepEqual(
      totals.map(({ events }) => events),
      [40]
    )
  })

  it('leave singleton work to one of them', async () => {
    const dataDir = freshDir()
    await using store = await openStore({ dataDir })
    await using other = await openStore({ dataDir })
    await checkLease(store, other)
  })

  it("notice each other's changes without a notification", async () => {
    const dataDir = freshDir()
    await using store = await openStore({ dataDir })
    await store.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: 1 }, auditOf({}))
    await using other = await openStore({ dataDir })
    let calls = 0
    let heard: () => void = () => {}
    store.onChange(() => {
      calls++
      heard()
    })
    await new Promise<void>((resolve) => (heard = resolve))
    const told = new Promise<void>((resolve) => (heard = resolve))
    await other.insertToken(tokenOf('tok00001'), auditOf({}))
    await told
    assert.equal(calls, 2)
  })

  it('reopen a writer that was only silent', async () => {
    const dataDir = freshDir()
    await using store = await openStore({ dataDir })
    await store.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: 1 }, auditOf({ at: noon }))
    await using other = await openStore({ dataDir })
    assert.equal((await other.heartbeat({ now: noon + 500, lostBefore: noon + 400 })).length, 1)
    await store.heartbeat({ now: noon + 600, lostBefore: noon })
    const head = (await store.auditHeads('acme')).find(({ writerId }) => writerId === store.writerId)
    assert.deepEqual([head?.closedAt, head?.lastAt], [null, noon + 600])
  })
})

describe('a database at its size limit', () => {
  it('refuses what it cannot hold, can still be read, and accepts records again once retention has made room', async () => {
    const dataDir = freshDir()
    await using store = await openStore({ dataDir, pagesMax: 700 })
    await store.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: noon }, auditOf({ at: noon }))
    const batch = (day: number) => ({
      events: Array.from({ length: 200 }, () => eventOf({ receivedAt: noon + day * dayMs })),
      audit: []
    })
    let stored = 0
    const fill = async (day: number) => {
      for (;;) {
        const outcomes = await store.append(batch(day))
        stored += outcomes.length
      }
    }
    await rejectsWith(fill(0), 'unavailable')
    assert.ok(stored > 0)
    await rejectsWith(store.append(batch(1)), 'unavailable')
    assert.equal((await store.findEvents({ workspaceId: 'acme', limit: 9 })).rows.length, 9)
    const plan = { now: noon + dayMs, eventDays: 1, auditDays: 400, minuteRollupDays: 2, bytesMax: 1 }
    const { dropped } = await store.maintain(plan)
    assert.deepEqual(
      dropped.map(({ records, rows }) => [records, rows]),
      [['events', stored]]
    )
    assert.equal((await store.append(batch(1))).length, 200)
    assert.equal(await checkChains(store), 2)
  })

  it('returns space that it does not use', async () => {
    const dataDir = freshDir()
    const store = await openStore({ dataDir })
    await store.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: noon }, auditOf({ at: noon }))
    for (let turn = 0; turn < 20; turn++) {
      await store.append({ events: Array.from({ length: 500 }, () => eventOf({ receivedAt: noon })), audit: [] })
    }
    const { bytes: before } = await store.maintain({
      now: noon,
      eventDays: 1,
      auditDays: 400,
      minuteRollupDays: 2,
      bytesMax: 0
    })
    await store.maintain({ now: noon + 30 * dayMs, eventDays: 1, auditDays: 400, minuteRollupDays: 2, bytesMax: 0 })
    await store.close()
    assert.ok(statSync(databaseFile(dataDir)).size < before / 2)
  })
})

describe('a day that another process drops', () => {
  it('is read as empty, counted as gone by the next retention run, and created again by the next record', async () => {
    const dataDir = freshDir()
    await using store = await openStore({ dataDir })
    await store.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: noon }, auditOf({ at: noon }))
    const append = () => store.append({ events: [eventOf({ receivedAt: noon })], audit: [] })
    await append()
    const db = new DatabaseSync(databaseFile(dataDir), { timeout: 5000 })
    const day = Math.floor(noon / dayMs)
    db.exec(`drop table events_${day}`)
    db.close()
    // An export that never reached it does not keep the day from being counted as gone.
    await store.moveExportCursors({ name: 'out', cursors: [{ workspaceId: 'acme', sequence: 0 }] })
    const query = { workspaceId: 'acme', limit: 9 }
    assert.deepEqual(await store.findEvents(query), { rows: [], next: null })
    assert.deepEqual(await store.findEvents({ ...query, kind: 'none' }), { rows: [], next: null })
    assert.deepEqual(await store.eventsAfter({ ...query, sequence: 0 }), [])
    const plan = { now: noon + 9 * dayMs, eventDays: 1, auditDays: 400, minuteRollupDays: 2, bytesMax: 0 }
    assert.deepEqual((await store.maintain(plan)).dropped, [{ records: 'events', day, rows: 1 }])
    assert.deepEqual(await append(), ['stored'])
    assert.equal((await store.findEvents(query)).rows.length, 1)
  })
})

describe('a copy of a database in use', () => {
  it('is one snapshot of it, for its owner only, and opens like any other', async () => {
    const dataDir = freshDir()
    await using store = await openStore({ dataDir })
    await store.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: 1 }, auditOf({}))
    const copied = new AbortController()
    const copyDir = freshDir()
    mkdirSync(copyDir, { recursive: true })
    const file = databaseFile(copyDir)
    const write = async () => {
      while (!copied.signal.aborted) await store.append({ events: [eventOf()], audit: [auditOf({ eventIndex: 0 })] })
    }
    const progress: number[] = []
    const writing = write()
    await store.backup(file, (done) => progress.push(done))
    copied.abort()
    await writing
    assert.equal(progress.at(-1), 1)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    await rejectsWith(store.backup(file), 'invalid')
    await using copy = await openStore({ dataDir: copyDir })
    const rows = await checkChains(copy)
    const points = await copy.eventSeries({ workspaceId: 'acme', dimension: 'total', step: 'day', from: 0, to: 1 })
    assert.equal(rows, 1 + points.reduce((sum, { events }) => sum + events, 0))
    await assert.rejects(store.backup(join(dataDir, 'none', 'copy.db')), StoreError)
  })
})

describe('a thread of the store', () => {
  it('is restarted when it ends, and unavailable in between', async () => {
    const dataDir = freshDir()
    await (await openStore({ dataDir })).close()
    const setup = { path: databaseFile(dataDir), role: 'reader', busyTimeoutMs: 1000, writerId: '' } as const
    const keeper = await ThreadKeeper.start(setup)
    const first = keeper.current()
    const read = (thread: SqliteThread) => thread.request({ op: 'query', sql: 'select 1 as one', parameters: [] })
    assert.deepEqual(await read(first), { columns: ['one'], rows: [[1]], changes: 0 })
    // The thread obeys, although its keeper has not asked it to end.
    await first.request({ op: 'close' })
    await first.ended
    await rejectsWith(read(first), 'unavailable')
    assert.throws(() => keeper.current(), StoreError)
    const restarted = async (): Promise<SqliteThread> => {
      for (;;) {
        try {
          return keeper.current()
        } catch {
          await sleep(10)
        }
      }
    }
    const second = await restarted()
    assert.notEqual(second, first)
    assert.deepEqual(await read(second), { columns: ['one'], rows: [[1]], changes: 0 })
    await keeper.close(1000)
    assert.throws(() => keeper.current(), StoreError)
  })
})
