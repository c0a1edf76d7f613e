import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import pg from 'pg'
import { eventually } from '../../../test/support/eventually.ts'
import { runSql, sharedPostgres } from '../../../test/support/postgres.ts'
import { startTcpRelay } from '../../../test/support/tcp-relay.ts'
import { checkLease } from '../contract/exports.contract.ts'
import { openExistingPostgres, openPostgresStore } from './postgres.ts'
import { auditOf, eventOf, noon, rejectsWith } from '../contract/samples.contract.ts'
import { describeStoreContract } from '../contract/store.contract.ts'
import { rollupValuesMax, StoreError, type Store, type StoreErrorCode } from '../store.ts'
import { dayMs } from '../../timing/spans.ts'

const server = await sharedPostgres({ isDurable: false })
after(() => server[Symbol.asyncDispose]())

const connectionsMax = 6
const workspaceId = 'acme'

/** Migrated once, and copied for each test of the contract. */
const template = await server.newDatabase()
await (await openPostgresStore({ url: template, connectionsMax })).close()

describeStoreContract('the PostgreSQL store', async () =>
  openPostgresStore({ url: await server.newDatabase(template), connectionsMax })
)

const ensureAcme = (store: Store) =>
  store.ensureWorkspace({ id: workspaceId, name: 'Acme', createdAt: 1 }, auditOf({ at: noon }))

/** Opens a store with a workspace, closed when the test is over. */
async function openStore(url: string, test: { after(work: () => Promise<void>): void }): Promise<Store> {
  const store = await openPostgresStore({ url, connectionsMax })
  test.after(() => store.close())
  await ensureAcme(store)
  return store
}

const partitionsOf = async (url: string, records: 'events' | 'audit') => {
  const rows = await runSql<{ name: string }>(
    url,
    `select relid::text as name from pg_partition_tree('${records}') where isleaf order by relid::text`
  )
  return rows.map(({ name }) => name)
}

/** Ends connections from the server's side, whatever they are doing. */
const endConnections = (url: string, condition = 'true') =>
  runSql(
    url,
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid != pg_backend_pid() and ${condition}`
  )

/** Ids of all events, read page by page. */
async function allEventIds(store: Store): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const { rows, next } = await store.findEvents({ workspaceId, limit: 1000, cursor })
    ids.push(...rows.map(({ eventId }) => eventId))
    cursor = next ?? undefined
  } while (cursor !== undefined)
  return ids
}

describe('several openings of one PostgreSQL database', () => {
  it('can start at once, and one of them creates the tables', async () => {
    const url = await server.newDatabase()
    const stores = await Promise.all([1, 2, 3, 4].map(() => openPostgresStore({ url, connectionsMax })))
    const created = await Promise.all(stores.map(async (store) => (await ensureAcme(store)).created))
    assert.equal(created.filter(Boolean).length, 1)
    const steps = await runSql<{ name: string }>(url, 'select name from kysely_migration order by name')
    assert.equal(new Set(steps.map(({ name }) => name)).size, steps.length)
    await Promise.all(stores.map((store) => store.close()))
  })

  it('notify each other at once, also of what happened while the connection was lost', async (test) => {
    const url = await server.newDatabase()
    const [one, other] = [await openStore(url, test), await openStore(url, test)]
    let calls = 0
    test.after(async () => end())
    const end = one.onChange(() => calls++)
    await eventually('the first look', () => (calls > 0 ? true : undefined))
    const heard = async (what: string, act: () => Promise<unknown>) => {
      const before = calls
      await act()
      await eventually(what, () => (calls > before ? true : undefined))
    }
    await heard('a notification', () =>
      other.ensureWorkspace({ id: 'b', name: 'B', createdAt: 1 }, auditOf({ workspaceId: 'b' }))
    )
    await heard('the change in the gap', async () => {
      await endConnections(url, `query ~* 'listen|change_counter'`)
      await other.ensureWorkspace({ id: 'c', name: 'C', createdAt: 1 }, auditOf({ workspaceId: 'c' }))
    })
  })

  it('leave singleton work to one of them', async (test) => {
    const url = await server.newDatabase(template)
    await checkLease(await openStore(url, test), await openStore(url, test))
  })

  it('can create the partition of a new day concurrently', async (test) => {
    const url = await server.newDatabase()
    const stores = [await openStore(url, test), await openStore(url, test), await openStore(url, test)]
    const event = () => eventOf({ receivedAt: noon + 3 * dayMs })
    const work = stores.flatMap((store) => [1, 2, 3].map(() => store.append({ events: [event()], audit: [] })))
    assert.deepEqual(
      (await Promise.all(work)).flat(),
      Array.from({ length: 9 }, () => 'stored')
    )
    assert.equal((await partitionsOf(url, 'events')).length, 1)
  })

  it('share the limit on the values of a rollup', async (test) => {
    const url = await server.newDatabase()
    const stores = [await openStore(url, test), await openStore(url, test)]
    const batch = (prefix: number) => ({
      events: Array.from({ length: 30 }, (_, index) =>
        eventOf({ receivedAt: noon, sensorMetadata: { modelId: `m-${prefix}-${index}` } })
      ),
      audit: []
    })
    await Promise.all(Array.from({ length: 10 }, async (_, index) => await stores[index % 2]?.append(batch(index))))
    const query = { workspaceId, dimension: 'modelId', step: 'hour', from: noon, to: noon + 1 } as const
    const points = await (stores[0] as Store).eventSeries(query)
    assert.equal(points.length, rollupValuesMax + 1)
    assert.equal(points.reduce((sum, { events }) => sum + events, 0), 300) // prettier-ignore
  })

  it('number the rows of a workspace without collisions, in the order of their commits', async (test) => {
    const url = await server.newDatabase()
    const stores = [await openStore(url, test), await openStore(url, test), await openStore(url, test)]
    let last = 0
    let found = 0
    const writing = Promise.all(
      stores.flatMap((store) =>
        Array.from({ length: 30 }, () => store.append({ events: [eventOf(), eventOf()], audit: [auditOf({})] }))
      )
    ).then(() => true)
    for (let isDone = false; !isDone || found < 180;) {
      isDone = await Promise.race([writing, Promise.resolve(isDone)])
      const rows = await (stores[0] as Store).eventsAfter({ workspaceId, sequence: last, limit: 1000 })
      if (isDone && rows.length === 0) break
      for (const { sequence } of rows) assert.ok(sequence > last)
      last = rows.at(-1)?.sequence ?? last
      found += rows.length
    }
    await writing
    assert.equal(found, 180)
  })
})

describe('a failing PostgreSQL', () => {
  it('that cuts connections makes calls fail but loses no records: what is retried is stored once', async (test) => {
    const url = await server.newDatabase()
    const store = await openStore(url, test)
    let failures = 0
    const surely = async <T>(call: () => Promise<T>): Promise<T> => {
      for (;;) {
        try {
          return await call()
        } catch (error) {
          assert.equal((error as StoreError).code, 'unavailable')
          failures++
          await new Promise((resolve) => setTimeout(resolve, 10))
        }
      }
    }
    const written: string[] = []
    const cutting = new AbortController()
    const write = async (): Promise<void> => {
      while (!cutting.signal.aborted) {
        const event = eventOf({ receivedAt: noon })
        await surely(() => store.append({ events: [event], audit: [auditOf({ at: noon, eventIndex: 0 })] }))
        written.push(event.eventId)
      }
    }
    const writing = Promise.all(Array.from({ length: 8 }, write))
    for (let cut = 1; cut <= 4; cut++) {
      const before = failures
      await eventually(`a call that cut ${cut} costs`, async () => {
        await endConnections(url)
        return failures > before ? true : undefined
      })
    }
    cutting.abort()
    await writing
    const found = await surely(() => allEventIds(store))
    assert.deepEqual(found.toSorted(), written.toSorted())
    const [head] = await surely(() => store.auditHeads(workspaceId))
    const last = { workspaceId, writerId: store.writerId, after: (head?.rows ?? 0) - 1, limit: 1000 }
    const chain = await surely(() => store.auditChain(last))
    assert.deepEqual(
      chain.map(({ hash }) => hash),
      [head?.hash]
    )
  })

  it('that is silent runs into timeouts, for the listener soon', async (test) => {
    const url = new URL(await server.newDatabase())
    const port = Number(url.port)
    const relay = await startTcpRelay(() => port)
    test.after(() => relay[Symbol.asyncDispose]())
    const direct = await openStore(url.href, test)
    url.port = String(relay.port)
    const store = await openStore(url.href, test)
    let calls = 0
    test.after(async () => end())
    const end = store.onChange(() => calls++)
    await eventually('the first look', () => (calls > 0 ? true : undefined))
    relay.halfOpen()
    const before = calls
    await direct.ensureWorkspace({ id: 'b', name: 'B', createdAt: 1 }, auditOf({ workspaceId: 'b' }))
    await eventually('the change', () => (calls > before ? true : undefined))
  })

  it('costs each connection of the pool one timeout: the next call gets another one', async (test) => {
    const url = new URL(await server.newDatabase())
    const port = Number(url.port)
    const relay = await startTcpRelay(() => port)
    test.after(() => relay[Symbol.asyncDispose]())
    url.port = String(relay.port)
    const store = await openStore(url.href, test)
    relay.halfOpen()
    test.mock.timers.enable({ apis: ['setTimeout'] })
    const lost = rejectsWith(store.findWorkspace(workspaceId), 'unavailable')
    await turn()
    test.mock.timers.tick(20_000)
    test.mock.timers.reset()
    await lost
    assert.equal((await store.findWorkspace(workspaceId))?.id, workspaceId)
  })

  it('is reported in fixed sentences that hold nothing of the URL', async () => {
    const url = await server.newDatabase()
    const secret = ['pass', 'phrase', '71'].join('')
    const changed = (change: (url: URL) => void) => {
      const other = new URL(url)
      change(other)
      return other.href
    }
    const cases: [url: string, message: RegExp][] = [
      [changed((other) => (other.username = secret)), /refuses the user or the password/],
      [changed((other) => (other.pathname = `/${secret}`)), /does not exist on its server/],
      [changed((other) => (other.port = '1')), /cannot be reached \(ECONNREFUSED\)/],
      [changed((other) => (other.hostname = `${secret}.invalid`)), /cannot be reached/],
      [changed((other) => other.searchParams.set('sslmode', 'verify-full')), /DATABASE_URL cannot be opened/]
    ]
    for (const [broken, message] of cases) {
      await assert.rejects(
        openPostgresStore({ url: broken, connectionsMax }),
        (error) =>
          error instanceof StoreError &&
          error.code === 'unavailable' &&
          message.test(error.message) &&
          !error.message.includes(secret)
      )
    }
  })

  it('whose user may not create tables is refused', async (test) => {
    const url = await server.newDatabase()
    const role = `sluice_test_${randomBytes(6).toString('hex')}`
    await runSql(url, `create role ${role} login password '${role}'`, 'revoke create on schema public from public')
    test.after(async () => void (await runSql(url, `drop role ${role}`)))
    const weak = Object.assign(new URL(url), { username: role, password: role }).href
    await assert.rejects(openPostgresStore({ url: weak, connectionsMax }), /may not make tables/)
  })

  it('that a newer version has written is refused', async () => {
    const url = await server.newDatabase()
    await (await openPostgresStore({ url, connectionsMax })).close()
    await runSql(url, `insert into kysely_migration values ('9999_future', '2099-01-01T00:00:00.000Z')`)
    await assert.rejects(openPostgresStore({ url, connectionsMax }), /newer version/)
    await using existing = await openExistingPostgres({ url, connectionsMax })
    await assert.rejects(existing.stepsDue(), /newer version/)
  })

  it('tells how far it is behind, and stays as it is', async () => {
    const url = await server.newDatabase()
    const due = async (): Promise<number | undefined> => {
      await using existing = await openExistingPostgres({ url, connectionsMax })
      return await existing.stepsDue()
    }
    assert.equal(await due(), undefined)
    assert.equal(await due(), undefined)
    await (await openPostgresStore({ url, connectionsMax })).close()
    assert.equal(await due(), 0)
    await runSql(url, 'delete from kysely_migration where name = (select max(name) from kysely_migration)')
    assert.equal(await due(), 1)
  })

  it('does not keep the store from closing in time', async () => {
    const own = new URL(await server.newDatabase())
    const port = Number(own.port)
    const relay = await startTcpRelay(() => port)
    own.port = String(relay.port)
    const store = await openPostgresStore({ url: own.href, connectionsMax })
    await ensureAcme(store)
    await relay[Symbol.asyncDispose]()
    await store.close()
  })
})

describe('partitions on PostgreSQL', () => {
  it('are created ahead for tomorrow, and those that an interrupted run left are dropped by the next', async (test) => {
    const url = await server.newDatabase()
    const store = await openStore(url, test)
    const [now, day] = [noon + 42 * dayMs, Math.floor(noon / dayMs) + 42]
    for (const ago of [42, 41, 40]) {
      await store.append({ events: [eventOf({ receivedAt: now - ago * dayMs })], audit: [] })
    }
    // As an interrupted run leaves them: one detached, one whose detaching was not finished.
    await runSql(url, `alter table events detach partition "events_${day - 41}"`)
    await leaveDetaching(url, `events_${day - 42}`)
    const plan = { now, eventDays: 30, auditDays: 30, minuteRollupDays: 2, bytesMax: 0 }
    const { dropped } = await store.maintain(plan)
    assert.equal(dropped.filter(({ records }) => records === 'events').length, 3)
    assert.deepEqual(await partitionsOf(url, 'events'), [`events_${day + 1}`])
    assert.ok((await partitionsOf(url, 'audit')).includes(`audit_${day + 1}`))
    const left = await runSql(url, `select 1 from pg_class where relname ~ '^events_[0-9]+$'`)
    assert.equal(left.length, 1)
  })

  it('are dropped by one of several instances', async (test) => {
    const url = await server.newDatabase()
    const stores = [await openStore(url, test), await openStore(url, test)]
    await stores[0]?.append({ events: [eventOf({ receivedAt: noon })], audit: [] })
    const plan = { now: noon + 40 * dayMs, eventDays: 30, auditDays: 400, minuteRollupDays: 2, bytesMax: 0 }
    const reports = await Promise.all(stores.map((store) => store.maintain(plan)))
    assert.equal(reports.flatMap(({ dropped }) => dropped).length, 1)
  })

  it("order texts by their bytes, whatever the database's collation", async (test) => {
    const store = await openStore(await server.newDatabase(), test)
    for (const id of ['b', 'B', 'a', 'Z'])
      await store.ensureWorkspace({ id, name: id, createdAt: 1 }, auditOf({ workspaceId: id }))
    const ids = (await store.listWorkspaces({ limit: 10 })).map(({ id }) => id)
    assert.deepEqual(ids, ['B', 'Z', 'a', 'acme', 'b'])
  })

  it('cannot be copied to a file', async (test) => {
    const store = await openStore(await server.newDatabase(), test)
    const code: StoreErrorCode = 'invalid'
    await assert.rejects(store.backup('copy.db'), (error) => error instanceof StoreError && error.code === code)
  })
})

/** Starts to detach while a reader holds the table, and is interrupted. */
async function leaveDetaching(url: string, partition: string): Promise<void> {
  const [reader, detacher] = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })]
  for (const client of [reader, detacher]) {
    client.on('error', () => {})
    await client.connect()
  }
  await reader.query('begin; select count(*) from events')
  const detaching = detacher.query(`alter table events detach partition "${partition}" concurrently`).catch(() => {})
  await eventually('the half of detaching', async () => {
    const rows = await runSql(url, 'select 1 from pg_inherits where inhdetachpending')
    return rows.length === 1 ? true : undefined
  })
  const ended = new Promise((resolve) => detacher.once('end', resolve))
  await endConnections(url, `query ~ '^alter table events detach'`)
  await Promise.all([detaching, ended])
  await reader.end()
}
