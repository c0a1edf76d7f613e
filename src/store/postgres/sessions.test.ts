import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, describe, it } from 'node:test'
import { runSql, sharedPostgres } from '../../../test/support/postgres.ts'
import { startTransactionPooler } from '../../../test/support/transaction-pooler.ts'
import { appendContract } from '../contract/append.contract.ts'
import { maintenanceContract } from '../contract/maintenance.contract.ts'
import { auditOf } from '../contract/samples.contract.ts'
import type { Store } from '../store.ts'
import { openPool, withSessions } from './connection.ts'
import { openExistingPostgres, openPostgresStore } from './postgres.ts'

const connectionsMax = 6
const server = await sharedPostgres({ isDurable: false })
const template = await server.newDatabase()
await (await openPostgresStore({ url: template, connectionsMax })).close()
const pooler = await startTransactionPooler(template)
after(async () => {
  await pooler[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

describe('the PostgreSQL store behind a pooler that lends a session for one transaction', () => {
  let store: Store
  beforeEach(async () => {
    store = await openPostgresStore({ url: pooler.through(await server.newDatabase(template)), connectionsMax })
    await store.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: 1 }, auditOf({ action: 'workspace_created' }))
  })
  afterEach(() => store.close())
  describe('events and audit', () => appendContract(() => store))
  describe('retention', () => maintenanceContract(() => store))
})

describe('sessions that a pooler lends', () => {
  const settings = `select current_setting('statement_timeout') as statement,
    current_setting('idle_in_transaction_session_timeout') as idle, current_setting('transaction_isolation') as level`

  it('have the limits of time in a transaction, and keep none of them', async (test) => {
    const options = await withSessions({ url: pooler.through(await server.newDatabase()), connectionsMax })
    assert.equal(options.isLent, true)
    const pool = openPool(options, { max: 1 })
    test.after(() => pool.end())
    const connection = await pool.connect()
    const query = (text: string) => connection.query<Record<string, string>>(text, [])
    for (let round = 0; round < 9; round++) {
      const [outside] = (await query(settings)).rows
      assert.deepEqual(outside, { statement: '0', idle: '0', level: 'read committed' })
      await query('begin')
      const [inside] = (await query(settings)).rows
      assert.deepEqual(inside, { statement: '15s', idle: '10s', level: 'read committed' })
      await query('commit')
    }
    connection.release()
  })

  it('are refused if their transactions begin at another level', async () => {
    const url = await server.newDatabase()
    await runSql(
      url,
      `alter database "${new URL(url).pathname.slice(1)}" set default_transaction_isolation = 'serializable'`
    )
    for (const open of [openPostgresStore, openExistingPostgres])
      await assert.rejects(open({ url: pooler.through(url), connectionsMax }), {
        code: 'unavailable',
        message:
          /^The database of DATABASE_URL cannot be opened\. It is reached through a connection pooler.*'read committed'/
      })
  })

  it('are told from our own', async () => {
    assert.equal((await withSessions({ url: template, connectionsMax })).isLent, false)
  })
})
