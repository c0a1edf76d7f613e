/** Backups: made while events are written, protected, verified, and used for a restore. */
import assert from 'node:assert/strict'
import { chmod, cp, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { pino } from 'pino'
import { assertMasterKeyFits, loadMasterKey } from '../../src/config/master-key.ts'
import { createAuditSealer } from '../../src/service/upkeep/audit-sealer.ts'
import { allRows } from '../../src/store/all-rows.ts'
import { auditOf } from '../../src/store/contract/samples.contract.ts'
import { openStore } from '../../src/store/sqlite/sqlite.ts'
import type { AuditQuery, EventQuery } from '../../src/store/store.ts'
import { call } from '../support/http.ts'
import { runSluice, type Ran } from '../support/run-sluice.ts'
import { startTestService, type TestService } from '../support/start-service.ts'

let folder: string
let dataDir: string
let service: TestService

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-backup-'))
  dataDir = join(folder, 'data')
  service = await startTestService({ dataDir })
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const sluice = (...args: string[]): Promise<Ran> => runSluice(dataDir, args)

/** Posts events one after another until stopped, and counts those that were acknowledged. */
function startSender(): { readonly acknowledged: () => number; stop(): Promise<void> } {
  const stopped = new AbortController()
  let acknowledged = 0
  async function send(): Promise<void> {
    while (!stopped.signal.aborted) {
      const answer = await call(`${service.url}/api/events`, {
        headers: { 'x-service-workspace-token': service.token, 'content-type': 'application/json' },
        body: JSON.stringify({ kind: 'backup_test', action: 'allow', durationMs: acknowledged })
      })
      assert.equal(answer.status, 202, answer.text)
      acknowledged++
    }
  }
  const sending = send()
  return {
    acknowledged: () => acknowledged,
    stop: async () => {
      stopped.abort()
      await sending
    }
  }
}

describe('a backup while events are written', () => {
  const target = (): string => join(folder, 'copy')
  let before = 0
  let after = 0

  test('is made by one command, with the key beside it on request', async () => {
    const sender = startSender()
    try {
      await call(`${service.url}/livez`, { method: 'GET' })
      before = sender.acknowledged()
      const ran = await sluice('backup', target(), '--with-keys')
      after = sender.acknowledged()
      assert.equal(ran.code, 0, ran.err)
      assert.match(ran.err, /The master key is next to it/)
    } finally {
      await sender.stop()
    }
    assert.ok(after > before, 'nothing was written meanwhile')
    assert.deepEqual((await readdir(target())).toSorted(), ['keys', 'sluice.db'])
    for (const [path, mode] of [
      ['', 0o700],
      ['sluice.db', 0o600],
      ['keys/master', 0o600]
    ] as const) {
      assert.equal((await stat(join(target(), path))).mode & 0o777, mode, path)
    }
  })

  test('verifies, and is not changed by it', async () => {
    const bytes = await readFile(join(target(), 'sluice.db'))
    const ran = await sluice('backup', '--check', target())
    assert.equal(ran.code, 0, ran.out + ran.err)
    assert.match(
      ran.out,
      /^The structure of the database is sound\.\nThe audit of the workspace "default" is intact\.\n/
    )
    assert.ok(bytes.equals(await readFile(join(target(), 'sluice.db'))))
    assert.deepEqual((await readdir(target())).toSorted(), ['keys', 'sluice.db'])
  })

  test('starts, knows its tokens, and contains everything up to one moment', async () => {
    await using restored = await startTestService({ dataDir: target() })
    const { store } = restored.running
    const query = { workspaceId: 'default', order: 'oldest' as const, limit: 1000 }
    const ofTest: EventQuery = { ...query, kind: 'backup_test' }
    const events = await Array.fromAsync(allRows((asked) => store.findEvents(asked), ofTest))
    const numbers = events.map(({ sensorMetadata }) => sensorMetadata['durationMs'])
    assert.deepEqual(numbers, [...numbers.keys()], 'a hole in what was acknowledged in order')
    assert.ok(numbers.length >= before && numbers.length <= after + 1, `${before} <= ${numbers.length} <= ${after}`)
    const told: AuditQuery = { ...query, action: 'backup_test' }
    const rows = await Array.fromAsync(allRows((asked) => store.findAudit(asked), told))
    assert.equal(rows.length, numbers.length, 'events and their audit rows are of one moment')
    const known = await call(`${restored.url}/api/audit?limit=1`, {
      method: 'GET',
      headers: { 'x-service-workspace-token': service.token }
    })
    assert.equal(known.status, 200, known.text)
    const verified = await runSluice(target(), ['audit', 'verify'])
    assert.equal(verified.code, 0, verified.out)
  })
})

describe('a backup', () => {
  test('of the database alone says what else a restore needs', async () => {
    const file = join(folder, 'alone.db')
    const ran = await sluice('backup', file)
    assert.equal(ran.code, 0, ran.err)
    assert.match(ran.err, /The master key is NOT in it/)
    assert.ok(ran.err.includes(join(dataDir, 'keys', 'master')))
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    const [checked, elsewhere, wrong] = await Promise.all([
      sluice('backup', '--check', '--json', file),
      runSluice(join(folder, 'nowhere'), ['backup', '--check', file]),
      runSluice(dataDir, ['backup', '--check', file], { SERVICE_MASTER_KEY: 'ab12'.repeat(16) })
    ])
    assert.partialDeepStrictEqual(JSON.parse(checked.out), { workspaceId: 'default', ok: true })
    const master = await readFile(join(dataDir, 'keys', 'master'), 'utf8')
    assert.ok(!(await readFile(file)).includes(master.trim()))
    assert.deepEqual([elsewhere.code, /master key is needed/.test(elsewhere.err)], [2, true], elsewhere.err)
    assert.deepEqual([wrong.code, /does not match/.test(wrong.err)], [1, true], wrong.err)
  })

  test('never touches existing files, and leaves nothing behind on failure', async () => {
    const taken = join(folder, 'taken')
    await writeFile(taken, 'mine')
    const [refused, nowhere, wrong] = await Promise.all([
      sluice('backup', taken, '--with-keys'),
      sluice('backup', join(folder, 'no', 'such', 'folder')),
      runSluice(join(folder, 'nowhere'), ['backup', join(folder, 'x')])
    ])
    assert.deepEqual([refused.code, /exists/.test(refused.err)], [2, true], refused.err)
    assert.equal(await readFile(taken, 'utf8'), 'mine')
    assert.equal(nowhere.code, 1)
    assert.equal(wrong.code, 2)
    await assert.rejects(stat(join(folder, 'nowhere')), 'a wrong directory was made')
  })

  test('is reported when it was changed or damaged', async () => {
    const file = join(folder, 'damaged.db')
    await cp(join(folder, 'alone.db'), file)
    await chmod(file, 0o600)
    const db = new DatabaseSync(file)
    const { name } = db.prepare("select name from sqlite_schema where name glob 'audit_[0-9]*'").get() as {
      name: string
    }
    db.exec(`delete from ${name} where writer_sequence = 2`)
    db.close()
    const changed = await sluice('backup', '--check', file)
    assert.deepEqual([changed.code, /rows_missing/.test(changed.out)], [1, true], changed.out + changed.err)
    const lost = new DatabaseSync(file)
    const index = lost.prepare("select name from sqlite_schema where type = 'index' and sql is not null").get()
    // Its pages stay, and belong to nothing.
    lost.enableDefensive(false)
    lost.exec(`pragma writable_schema = on; delete from sqlite_schema where name = '${index?.['name'] as string}'`)
    lost.close()
    const [told, shown] = await Promise.all([
      sluice('backup', '--check', '--json', file),
      sluice('backup', '--check', file)
    ])
    assert.deepEqual([told.code, shown.code], [1, 1], told.err + shown.err)
    assert.match(shown.out, /^The structure of the database is BROKEN\.\n- .*never used/s)
    const { ok, faults } = JSON.parse(told.out) as { readonly ok: boolean; readonly faults: readonly string[] }
    assert.deepEqual([ok, /never used/.test(faults.join())], [false, true], told.out)
    const bytes = await readFile(file)
    for (let at = 8192; at < bytes.length; at += 512) bytes.write('damage', at)
    await writeFile(file, bytes)
    assert.equal((await sluice('backup', '--check', file)).code, 1)
  })
})

describe('records of dropped days in a copy', () => {
  const robbed = (): string => join(folder, 'robbed')
  const day = Math.floor(Date.now() / 86_400_000)

  /** Deletes a sealed day from a database, as somebody could who has write access but no key. */
  before(async () => {
    const dataDir = robbed()
    await using store = await openStore({ dataDir })
    const masterKey = await loadMasterKey({ configured: undefined, dataDir })
    await assertMasterKeyFits(store, masterKey)
    await store.ensureWorkspace({ id: 'acme', name: 'acme', createdAt: 1 }, auditOf({ at: Date.now() }))
    await store.append({ events: [], audit: Array.from({ length: 5 }, () => auditOf({ at: Date.now() })) })
    await createAuditSealer({ store, masterKey, auditDays: 400, log: pino({ level: 'silent' }) }).seal()
    const db = new DatabaseSync(join(dataDir, 'sluice.db'))
    const { rows } = db.prepare(`select count(*) as rows from audit_${day}`).get() as { rows: number }
    db.exec(`delete from audit_${day}`)
    db.exec(`delete from record_hours where records = 'audit' and hour / 24 = ${day}`)
    db.exec(`delete from audit_writer_days where day = ${day}`)
    db.close()
    const detail = { records: 'audit', day, rows }
    await store.append({ events: [], audit: [auditOf({ at: Date.now(), action: 'records_expired', detail })] })
    await store.backup(join(folder, 'robbed.db'))
  })

  const check = (auditDays: string): Promise<Ran> =>
    runSluice(robbed(), ['backup', '--check', join(folder, 'robbed.db')], { SERVICE_AUDIT_RETENTION_DAYS: auditDays })

  test('are not believed for days that retention keeps, and the report names the setting', async () => {
    const ran = await check('30')
    assert.equal(ran.code, 1, ran.out + ran.err)
    assert.match(ran.out, /rows_missing/)
    assert.match(ran.out, /SERVICE_AUDIT_RETENTION_DAYS is 30 here/)
  })

  test('are believed if retention may have dropped the day before the copy was made', async () => {
    assert.equal((await check('1')).code, 0)
    // An old copy does not become complete with age.
    await utimes(join(folder, 'robbed.db'), day * 86_400, (day - 10) * 86_400)
    assert.equal((await check('5')).code, 1)
  })
})
