/** What a process knows about tokens: from other processes, from memory, and while the store does not answer. */
import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { deriveKey } from '../../config/master-key.ts'
import { mintToken } from '../../protocol/token-format.ts'
import { auditOf, tokenOf } from '../../store/contract/samples.contract.ts'
import { openStore } from '../../store/sqlite/sqlite.ts'
import { rowsMax, StoreError, type Store } from '../../store/store.ts'
import { codeOf, dataDir, masterKey, opened, request, start, store, until } from './tokens.fixture.ts'

/** Copies a token directly in the database, each time with a new id: a thousand commits would take too long. */
function copyToken(id: string, times: number): void {
  using db = new DatabaseSync(join(dataDir, 'sluice.db'))
  const names = ['workspace_id', 'label', 'scopes', 'created_at', 'expires_at', 'revoked_at'].join(', ')
  db.exec(
    `with recursive copies(n) as (select 1 union all select n + 1 from copies where n < ${times})
     insert into tokens (id, lineage_id, hash, change, ${names})
     select id || n, lineage_id || n, hash || n, change + n, ${names} from tokens, copies where id = '${id}';
     update change_counter set value = value + ${times}`
  )
}

describe('a token that expires', () => {
  it('is told by the time of day, however the clock is set', async () => {
    let now = 1_000
    const service = await start({ timeMs: () => now })
    const told: string[] = []
    service.onRevoked((id) => told.push(id))
    const make = async (expiresAt: number) => (await service.create({ ...request, expiresAt }, 'cli')).summary.id
    const late = await make(90_000_000)
    const soon = await make(6_000)
    await until(async () => service.isGood(late) && service.isGood(soon))
    now = 90_000_000
    await until(async () => told.length === 2)
    now = 5_000
    const next = await make(5_500)
    await until(async () => service.isGood(next))
    now = 5_500
    await until(async () => told.length === 3)
    now = 90_000_000
    await until(async () => told.length === 5)
    assert.deepEqual(told.toSorted(), [late, late, soon, soon, next].toSorted())
  })

  it('is told once if it is revoked before anybody has noticed that it expired', async () => {
    let now = 1_000
    const service = await start({ timeMs: () => now })
    const told: string[] = []
    service.onRevoked((id) => told.push(id))
    const { id } = (await service.create({ ...request, expiresAt: 6_000 }, 'cli')).summary
    await until(async () => service.isGood(id))
    now = 6_000
    await service.revoke({ workspaceId: 'acme', id }, 'cli')
    await until(async () => told.length > 0)
    assert.deepEqual(told, [id])
  })
})

describe('tokens and other processes', () => {
  it('learns of a revocation made elsewhere from the store, and notifies those who hold something open', async () => {
    const service = await start({ heartbeatMs: 2_000_000_000 })
    const otherStore = await openStore({ dataDir })
    opened.push(otherStore)
    const other = await start({ store: otherStore })
    const [revoked, rotated, kept] = [
      await other.create(request, 'cli'),
      await other.create(request, 'cli'),
      await other.create(request, 'cli')
    ]
    for (const { token } of [revoked, rotated, kept])
      assert.equal(await codeOf(service.authenticate(token, 'events:write')), 'ok')
    const told: string[] = []
    service.onRevoked(() => {
      throw new Error('A stream that cannot be closed.')
    })
    const end = service.onRevoked((id) => told.push(id))
    await other.revoke({ workspaceId: 'acme', id: revoked.summary.id }, 'cli')
    await until(async () => told.length === 1)
    assert.deepEqual([told, service.isGood(revoked.summary.id)], [[revoked.summary.id], false])
    await other.rotate({ workspaceId: 'acme', id: kept.summary.id, overlapMs: 60_000 }, 'cli')
    await other.rotate({ workspaceId: 'acme', id: rotated.summary.id, overlapMs: 0 }, 'cli')
    await until(async () => told.length === 2)
    assert.equal(told[1], rotated.summary.id)
    assert.equal(await codeOf(service.authenticate(rotated.token, 'events:write')), 'expired_token')
    assert.deepEqual([service.isGood(kept.summary.id), service.isGood('nobody00')], [true, false])
    end()
    await other.revoke({ workspaceId: 'acme', id: kept.summary.id }, 'cli')
    await until(async () => !service.isGood(kept.summary.id))
    assert.equal(told.length, 2)
  })

  it('a token created elsewhere works at once, and a revocation made elsewhere takes effect', async () => {
    const service = await start({ heartbeatMs: 5 })
    const otherStore = await openStore({ dataDir })
    opened.push(otherStore)
    const other = await start({ store: otherStore })
    const { token, summary } = await other.create(request, 'cli')
    assert.equal(await codeOf(service.authenticate(token, 'events:write')), 'ok')
    await other.revoke({ workspaceId: 'acme', id: summary.id }, 'cli')
    await until(async () => (await codeOf(service.authenticate(token, 'events:write'))) === 'revoked_token')
  })

  it('learns of a revocation made elsewhere by polling, if the store sends no notification', async () => {
    // As on PostgreSQL if a notification was lost, or a pooler does not forward any.
    const service = await start({ store: { ...store, onChange: () => () => undefined }, heartbeatMs: 5 })
    const other = await start()
    const { token, summary } = await other.create(request, 'cli')
    assert.equal(await codeOf(service.authenticate(token, 'events:write')), 'ok')
    await other.revoke({ workspaceId: 'acme', id: summary.id }, 'cli')
    await until(async () => (await codeOf(service.authenticate(token, 'events:write'))) === 'revoked_token')
  })

  it('asks for a revocation again soon if the store did not answer', async () => {
    let isAway = false
    const changeCounter: Store['changeCounter'] = () => {
      const answer = isAway ? Promise.reject(new StoreError('unavailable', 'away')) : store.changeCounter()
      isAway = false
      return answer
    }
    let tellOfChange = (): void => undefined
    const onChange: Store['onChange'] = (listener) => {
      tellOfChange = listener
      return () => undefined
    }
    const service = await start({ store: { ...store, changeCounter, onChange }, heartbeatMs: 2_000_000_000 })
    const other = await start()
    const { token, summary } = await other.create(request, 'cli')
    assert.equal(await codeOf(service.authenticate(token, 'events:write')), 'ok')
    await other.revoke({ workspaceId: 'acme', id: summary.id }, 'cli')
    isAway = true
    tellOfChange()
    await until(async () => (await codeOf(service.authenticate(token, 'events:write'))) === 'revoked_token')
    assert.equal(isAway, false)
  })

  it('ignores an answer of the store that is older than what it knows', async () => {
    const asked = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    const findToken: Store['findToken'] = async (id) => {
      const token = await store.findToken(id)
      asked.resolve()
      await answered.promise
      return token
    }
    let tellOfChange = (): void => undefined
    const onChange: Store['onChange'] = (listener) => {
      tellOfChange = listener
      return () => undefined
    }
    const service = await start({ store: { ...store, findToken, onChange }, heartbeatMs: 2_000_000_000 })
    const other = await start()
    // The answer is on its way when the token is revoked, and arrives after the notification.
    const stopped = new Promise((resolve) => service.onRevoked(resolve))
    const made = await other.create(request, 'cli')
    const asking = codeOf(service.authenticate(made.token, 'events:write'))
    await asked.promise
    await other.revoke({ workspaceId: 'acme', id: made.summary.id }, 'cli')
    tellOfChange()
    assert.equal(await stopped, made.summary.id)
    answered.resolve()
    assert.equal(await asking, 'revoked_token')
    assert.ok(!service.isGood(made.summary.id))
  })

  it('finds tokens for which memory had no room', async () => {
    const maker = await start()
    const made = []
    for (let count = 0; count < 30; count++) made.push((await maker.create(request, 'cli')).token)
    const service = await start({ tokensMax: 10 })
    for (const token of [...made, ...made])
      assert.equal(await codeOf(service.authenticate(token, 'events:write')), 'ok')
  })

  it('loads all tokens if there are more than one page holds', async () => {
    const { token } = await (await start()).create(request, 'cli')
    await store.insertToken(tokenOf('t0'), auditOf({}))
    copyToken('t0', rowsMax - 1)
    const { seen, proxy } = watched(store)
    const service = await start({ store: proxy })
    await service.create(request, 'cli')
    assert.equal(await codeOf(service.authenticate(token, 'events:write')), 'ok')
    const last = mintToken(randomBytes)
    const hash = createHmac('sha256', deriveKey(masterKey, 'token-hash')).update(last.token).digest('base64url')
    await store.insertToken(tokenOf(last.id, { hash }), auditOf({}))
    const fresh = await start({ store: proxy })
    assert.equal(await codeOf(fresh.authenticate(last.token, 'events:write')), 'ok')
    assert.equal(seen.lookUps, 0)
    const page = await service.list('acme')
    assert.equal(page.tokens.length, rowsMax)
    assert.equal((await service.list('acme', page.next ?? 0)).tokens.length, 3)
  })

  it('records the last use without touching the hot path', async () => {
    const service = await start({ touchMs: 5, timeMs: () => 7_777 })
    const { token, summary } = await service.create(request, 'cli')
    await service.authenticate(token, 'events:write')
    await until(async () => (await store.findToken(summary.id))?.lastUsedAt === 7_777)
  })

  it('records the first use of a token soon, and later ones with the others', async () => {
    let now = 7_777
    const service = await start({ firstTouchMs: 5, timeMs: () => now })
    const [first, other] = [await service.create(request, 'cli'), await service.create(request, 'cli')]
    const lastUseOf = async (id: string) => (await store.findToken(id))?.lastUsedAt
    await service.authenticate(first.token, 'events:write')
    await until(async () => (await lastUseOf(first.summary.id)) === 7_777)
    now = 8_888
    await service.authenticate(first.token, 'events:write')
    assert.equal(await lastUseOf(first.summary.id), 7_777)
    // It writes what is known of the others as well.
    await service.authenticate(other.token, 'events:write')
    await until(async () => (await lastUseOf(other.summary.id)) === 8_888)
    assert.equal(await lastUseOf(first.summary.id), 8_888)
  })
})

/** The store, with the token service's queries counted, or refused. */
function watched(real: Store) {
  const seen = { lookUps: 0, down: false }
  const refuse = async (): Promise<never> => {
    throw new StoreError('unavailable', 'The disk fails.')
  }
  const proxy: Store = {
    ...real,
    findToken: (id) => (seen.lookUps++, seen.down ? refuse() : real.findToken(id)),
    changeCounter: () => (seen.down ? refuse() : real.changeCounter())
  }
  return { seen, proxy }
}

describe('a store that does not answer', () => {
  it('leaves known tokens valid for the grace period, and gives 503 afterwards and for unknown ones', async () => {
    let monotonic = 0
    const { seen, proxy } = watched(store)
    const maker = await start()
    const { token, summary } = await maker.create(request, 'cli')
    const service = await start({ store: proxy, monotonicMs: () => monotonic })
    seen.down = true
    monotonic = 60_000
    assert.ok(service.isGood(summary.id))
    assert.equal(await codeOf(service.authenticate(token, 'events:write')), 'ok')
    const { token: unknown } = await maker.create(request, 'cli')
    assert.equal(await codeOf(service.authenticate(unknown, 'events:write')), 'store_unavailable')
    monotonic = 60_001
    assert.ok(!service.isGood(summary.id), 'a stream outlives the word of the store')
    assert.equal(await codeOf(service.authenticate(token, 'events:write')), 'store_unavailable')
    seen.down = false
    await until(async () => (await codeOf(service.authenticate(token, 'events:write'))) === 'ok')
    assert.equal(await codeOf(service.authenticate(unknown, 'events:write')), 'ok')
  })

  it('is asked once by concurrent calls, and again about an unknown token after a minute', async () => {
    let monotonic = 0
    const { seen, proxy } = watched(store)
    const service = await start({ store: proxy, monotonicMs: () => monotonic })
    const { token } = mintToken(randomBytes)
    const ask = () => codeOf(service.authenticate(token, 'events:write'))
    assert.deepEqual(await Promise.all([ask(), ask(), ask()]), ['invalid_token', 'invalid_token', 'invalid_token'])
    assert.equal(seen.lookUps, 1)
    monotonic = 59_999
    await ask()
    assert.equal(seen.lookUps, 1)
    monotonic = 60_000
    await ask()
    assert.equal(seen.lookUps, 2)
  })

  it('is not flooded with garbage', async () => {
    const { seen, proxy } = watched(store)
    const service = await start({ store: proxy, lookUpsMax: 8 })
    const { token } = mintToken(randomBytes)
    for (let call = 0; call < 5; call++)
      assert.equal(await codeOf(service.authenticate(token, 'events:write')), 'invalid_token')
    assert.equal(seen.lookUps, 1)
    const flood = Array.from({ length: 100 }, () =>
      codeOf(service.authenticate(mintToken(randomBytes).token, 'events:write'))
    )
    const answers = await Promise.all(flood)
    assert.equal(seen.lookUps, 1 + 8)
    assert.equal(answers.filter((code) => code === 'invalid_token').length, 8)
    assert.equal(answers.filter((code) => code === 'store_unavailable').length, 92)
  })
})
