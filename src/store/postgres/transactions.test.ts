import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import pg from 'pg'
import { eventually } from '../../../test/support/eventually.ts'
import { runSql, sharedPostgres } from '../../../test/support/postgres.ts'
import { auditOf, eventOf, noon } from '../contract/samples.contract.ts'
import type { Store } from '../store.ts'
import { openPostgresStore } from './postgres.ts'

const server = await sharedPostgres({ isDurable: false })
after(() => server[Symbol.asyncDispose]())

const workspaceId = 'acme'

/** Opens a store with a workspace, closed when the test is over. */
async function openStore(url: string, test: { after(work: () => Promise<void>): void }): Promise<Store> {
  const store = await openPostgresStore({ url, connectionsMax: 6 })
  test.after(() => store.close())
  await store.ensureWorkspace({ id: workspaceId, name: 'Acme', createdAt: 1 }, auditOf({ at: noon }))
  return store
}

describe('transactions at once on PostgreSQL', () => {
  it('do not fail, whatever isolation is the default of the database', async (test) => {
    const url = await server.newDatabase()
    const name = new URL(url).pathname.slice(1)
    await runSql(url, `alter database "${name}" set default_transaction_isolation = 'serializable'`)
    const stores = [await openStore(url, test), await openStore(url, test)]
    const work = stores.flatMap((store, instance) =>
      Array.from({ length: 20 }, async (_, index) => {
        const event = eventOf({ receivedAt: noon })
        const [stored] = await store.append({ events: [event], audit: [] })
        assert.equal(stored, 'stored')
        await store.putMeta(`key ${index}`, String(instance))
      })
    )
    await Promise.all(work)
    const { rows } = await (stores[0] as Store).findEvents({ workspaceId, limit: 1000 })
    assert.equal(rows.length, work.length)
  })

  it('let a user sign out everywhere while sessions that have ended are removed', async (test) => {
    const url = await server.newDatabase()
    const store = await openStore(url, test)
    const user = { id: 'u', workspaceId, name: 'ada', role: 'admin', provider: 'local', createdAt: 1 } as const
    await store.insertUser({ ...user, issuer: null, subject: null, password: null }, auditOf({ at: noon }))
    for (const hash of ['one', 'other']) {
      const session = { hash, userId: 'u', createdAt: noon, lastUsedAt: noon, endsAt: noon + 1000 }
      await store.insertSession(session, auditOf({ at: noon }))
    }
    // As a sign-in, which removes ended sessions in an order of its own.
    const signIn = new pg.Client(url)
    await signIn.connect()
    test.after(() => signIn.end())
    await signIn.query('begin')
    await signIn.query('update change_counter set value = value where id = 1')
    await signIn.query(`delete from sessions where hash = 'other'`)
    const signedOut = store.endSessions({ userId: 'u' }, auditOf({ at: noon }))
    await eventually('the lock', async () => {
      const waiting = 'select 1 from pg_locks where not granted'
      return (await runSql(url, waiting)).length > 0 ? true : undefined
    })
    await signIn.query(`delete from sessions where hash = 'one'`)
    await signIn.query('commit')
    assert.equal(await signedOut, 0)
  })
})
