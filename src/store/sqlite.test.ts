import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, describe, it } from 'node:test'
import { DatabaseSync } from 'node:sqlite'
import { auditOf, eventOf } from './samples.contract.ts'
import { databaseFile, openStore } from './sqlite.ts'
import { describeStoreContract } from './store.contract.ts'
import { appendRowsMax, StoreError } from './store.ts'

const root = mkdtempSync(join(tmpdir(), 'sluice-store-'))
after(() => rmSync(root, { recursive: true, force: true }))
const freshDir = (): string => join(mkdtempSync(join(root, 'case-')), 'data')

describeStoreContract('the SQLite store', () => openStore({ dataDir: freshDir() }))

const imports = `
  import { openStore } from ${JSON.stringify(new URL('./sqlite.ts', import.meta.url).href)}
  import { auditOf, eventOf } from ${JSON.stringify(new URL('./samples.contract.ts', import.meta.url).href)}
  const dataDir = process.argv[1]
`

/** A process of its own that runs a few lines with the store at hand. */
const startProcess = (lines: string, dataDir: string) =>
  spawn(process.execPath, ['--input-type=module', '-e', imports + lines, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit']
  })

describe('the files of the SQLite store', () => {
  it('are for their owner alone', async () => {
    const dataDir = freshDir()
    await using store = await openStore({ dataDir })
    await store.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: 1 }, auditOf({}))
    assert.equal(statSync(dataDir).mode & 0o777, 0o700)
    const files = readdirSync(dataDir)
    assert.deepEqual(files.toSorted(), ['sluice.db', 'sluice.db-shm', 'sluice.db-wal'])
    for (const file of files) assert.equal(statSync(join(dataDir, file)).mode & 0o777, 0o600, file)
  })

  it('are made narrow again where an older one was wide', async () => {
    const dataDir = freshDir()
    await (await openStore({ dataDir })).close()
    chmodSync(databaseFile(dataDir), 0o644)
    await (await openStore({ dataDir })).close()
    assert.equal(statSync(databaseFile(dataDir)).mode & 0o777, 0o600)
  })

  it('are refused with their path where they are no database', async () => {
    const dataDir = freshDir()
    await (await openStore({ dataDir })).close()
    writeFileSync(databaseFile(dataDir), 'this is no database at all, only some text '.repeat(200))
    await assert.rejects(
      openStore({ dataDir }),
      (error) => error instanceof StoreError && error.message.includes(dataDir)
    )
    const notADirectory = join(freshDir(), '..', 'file')
    writeFileSync(notADirectory, '')
    await assert.rejects(
      openStore({ dataDir: notADirectory }),
      (error) => error instanceof StoreError && error.message.includes('file')
    )
  })

  it('are refused when a newer version has written them', async () => {
    const dataDir = freshDir()
    await (await openStore({ dataDir })).close()
    const db = new DatabaseSync(databaseFile(dataDir))
    db.exec(`insert into kysely_migration values ('9999_future', '2099-01-01T00:00:00.000Z')`)
    db.close()
    await assert.rejects(openStore({ dataDir }), /newer version/)
  })
})

describe('the bounds of the SQLite store', () => {
  it('refuse at once what the queue cannot hold, and write all that it took', async () => {
    const dataDir = freshDir()
    await using store = await openStore({ dataDir })
    await store.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: 1 }, auditOf({}))
    const audit = Array.from({ length: appendRowsMax }, () => auditOf({ requestId: 'bulk' }))
    const results = await Promise.allSettled(Array.from({ length: 14 }, () => store.append({ events: [], audit })))
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as StoreError] : []))
    assert.ok(refused.length > 0 && refused.length < results.length)
    assert.ok(refused.every(({ code }) => code === 'overloaded'))
    const db = new DatabaseSync(databaseFile(dataDir), { readOnly: true })
    const { rows } = db.prepare(`select count(*) as rows from audit where request_id = 'bulk'`).get() as {
      rows: number
    }
    db.close()
    assert.equal(rows, (results.length - refused.length) * appendRowsMax)
  })
})

describe('two processes on one file', () => {
  it('start at once and agree', async () => {
    const dataDir = freshDir()
    const lines = `
      const store = await openStore({ dataDir })
      const { created } = await store.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: 1 }, auditOf({}))
      const outcomes = await store.append({ events: [eventOf({ eventId: 'shared' })], audit: [auditOf({ eventIndex: 0 })] })
      await store.close()
      console.log(JSON.stringify({ created, outcomes }))`
    const answers = await Promise.all([1, 2, 3].map(() => lastLine(startProcess(lines, dataDir))))
    const results = answers.map((answer) => JSON.parse(answer) as { created: boolean; outcomes: string[] })
    assert.equal(results.filter(({ created }) => created).length, 1)
    assert.deepEqual(results.flatMap(({ outcomes }) => outcomes).toSorted(), ['duplicate', 'duplicate', 'stored'])
  })

  it('see each other in the change counter', async () => {
    const dataDir = freshDir()
    await using service = await openStore({ dataDir })
    const before = await service.changeCounter()
    await using other = await openStore({ dataDir })
    await other.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: 1 }, auditOf({}))
    assert.ok((await service.changeCounter()) > before)
    const afterwards = await service.changeCounter()
    await other.append({ events: [eventOf()], audit: [] })
    assert.equal(await service.changeCounter(), afterwards)
  })
})

async function lastLine(child: ReturnType<typeof startProcess>): Promise<string> {
  let last = ''
  for await (const line of createInterface({ input: child.stdout })) last = line
  return last
}

/** Appends without end, prints each id once it is acknowledged, and is killed after `acknowledgedMin` of them. */
async function acknowledgedBeforeKill(dataDir: string, acknowledgedMin: number): Promise<string[]> {
  const child = startProcess(
    `
      const store = await openStore({ dataDir })
      await store.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: 1 }, auditOf({}))
      const writer = async () => {
        for (;;) {
          const event = eventOf()
          await store.append({ events: [event], audit: [auditOf({ requestId: event.eventId, eventIndex: 0 })] })
          console.log(event.eventId)
        }
      }
      await Promise.all([writer(), writer(), writer()])`,
    dataDir
  )
  const ids: string[] = []
  for await (const id of createInterface({ input: child.stdout })) {
    ids.push(id)
    if (ids.length === acknowledgedMin) child.kill('SIGKILL')
  }
  return ids
}

describe('a process killed by SIGKILL', () => {
  it('loses no event that it acknowledged', async () => {
    const dataDir = freshDir()
    const acknowledged: string[] = []
    for (let kill = 0; kill < 4; kill++) {
      acknowledged.push(...(await acknowledgedBeforeKill(dataDir, 1 + Math.floor(Math.random() * 150))))
    }
    assert.ok(acknowledged.length >= 4, 'every process acknowledged something before it was killed')
    await using store = await openStore({ dataDir })
    for (const requestId of acknowledged) {
      const rows = await store.auditOfRequest({ workspaceId: 'acme', requestId, limit: 2 })
      assert.equal(rows.length, 1, `the record of ${requestId} is there once`)
    }
    const stored = new Set(
      (await store.latestEvents({ workspaceId: 'acme', limit: 1000 })).map(({ eventId }) => eventId)
    )
    assert.deepEqual(
      acknowledged.filter((id) => !stored.has(id)),
      []
    )
  })
})
