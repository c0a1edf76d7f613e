import assert from 'node:assert/strict'
import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, afterEach, beforeEach, describe, it } from 'node:test'
import { eventually } from '../../../test/support/eventually.ts'
import { deriveKey } from '../../config/master-key.ts'
import { mintToken } from '../../protocol/token-format.ts'
import { auditOf, tokenOf } from '../../store/contract/samples.contract.ts'
import { openStore } from '../../store/sqlite/sqlite.ts'
import { rowsMax, StoreError, type AuditRow, type Store } from '../../store/store.ts'
import {
  createTokenService,
  TokenRequestError,
  type Authentication,
  type TokenService,
  type TokenServiceOptions
} from './tokens.ts'

const root = mkdtempSync(join(tmpdir(), 'sluice-tokens-'))
after(() => rmSync(root, { recursive: true, force: true }))

const masterKey = createSecretKey(randomBytes(32))
let dataDir: string
let store: Store
let opened: AsyncDisposable[]

beforeEach(async () => {
  dataDir = mkdtempSync(join(root, 'case-'))
  store = await openStore({ dataDir })
  await store.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: 1 }, auditOf({ action: 'workspace_created' }))
  opened = [store]
})
afterEach(async () => {
  for (const part of opened.toReversed()) await part[Symbol.asyncDispose]()
})

/** Copies a token behind the store's back, each time with an id of its own: a thousand commits would only take long. */
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

async function start(options: Partial<TokenServiceOptions> = {}): Promise<TokenService> {
  const service = await createTokenService({ store, masterKey, heartbeatMs: 5, ...options })
  opened.push(service)
  return service
}

const codeOf = async (answer: Authentication | Promise<Authentication>): Promise<string> => {
  const settled = await answer
  return settled.ok ? 'ok' : settled.code
}

/** Waits until an answer changes by itself. */
const until = (holds: () => Promise<boolean>): Promise<true> =>
  eventually('another answer', async () => (await holds()) || undefined)

async function latestAudit(): Promise<AuditRow[]> {
  return [...(await store.findAudit({ workspaceId: 'acme', limit: 1 })).rows]
}

const request = { workspaceId: 'acme', label: 'test' }

describe('making tokens', () => {
  it('gives the default scopes, shows the token once and keeps nothing of it', async () => {
    const service = await start()
    const { token, summary } = await service.create(request, 'cli')
    assert.match(token, /^svw_[0-9A-Za-z]{46}$/)
    assert.deepEqual(summary.scopes, ['ingress:write', 'events:write', 'policy:read'])
    assert.deepEqual((await service.list('acme')).tokens, [summary])
    const [row] = await latestAudit()
    assert.deepEqual([row?.action, row?.actor, row?.detail['id']], ['token_created', 'cli', summary.id])
    const secret = token.slice(12, 44)
    for (const file of readdirSync(dataDir))
      assert.ok(!readFileSync(join(dataDir, file), 'latin1').includes(secret), file)
  })

  it('names the field and the rule of a bad request', async () => {
    const service = await start({ timeMs: () => 1_000 })
    const cases: [object, string][] = [
      [{ label: ' ' }, '/label'],
      [{ label: 'x'.repeat(81) }, '/label'],
      [{ label: 'two\nlines' }, '/label'],
      [{ scopes: [] }, '/scopes'],
      [{ scopes: ['admin', 'root'] }, '/scopes/1'],
      [{ expiresAt: 1_000 }, '/expiresAt'],
      [{ expiresAt: NaN }, '/expiresAt']
    ]
    for (const [fields, path] of cases) {
      await assert.rejects(
        service.create({ ...request, ...fields }, 'cli'),
        (error) => error instanceof TokenRequestError && error.path === path
      )
    }
    const stray = service.create({ ...request, workspaceId: 'nobody' }, 'cli')
    await assert.rejects(stray, (error) => error instanceof StoreError && error.code === 'unknown_workspace')
  })
})

describe('judging tokens', () => {
  it('answers at once for a token in memory', async () => {
    const { token, summary } = await (await start()).create(request, 'cli')
    const service = await start()
    const answer = service.authenticate(token, 'events:write')
    assert.ok(!(answer instanceof Promise))
    assert.deepEqual(answer, {
      ok: true,
      principal: {
        tokenId: summary.id,
        workspaceId: 'acme',
        lineageId: summary.id,
        scopes: summary.scopes,
        expiresAt: null
      }
    })
  })

  it('refuses by code what is missing, malformed, unknown, or wrong in its secret', async () => {
    const service = await start()
    const { token } = await service.create(request, 'cli')
    assert.equal(await codeOf(service.authenticate(undefined, 'events:write')), 'missing_token')
    assert.equal(await codeOf(service.authenticate('', 'events:write')), 'missing_token')
    assert.equal(await codeOf(service.authenticate('svw_short', 'events:write')), 'invalid_token')
    assert.equal(
      await codeOf(service.authenticate(`${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`, 'events:write')),
      'invalid_token'
    )
    assert.equal(await codeOf(service.authenticate(mintToken(randomBytes).token, 'events:write')), 'invalid_token')
    assert.equal(await codeOf(service.authenticate(sameIdOtherSecret(token), 'events:write')), 'invalid_token')
  })

  it('tells expired, revoked and lacking a scope apart, but only to who shows the right token', async () => {
    let now = 1_000
    const service = await start({ timeMs: () => now })
    const { token } = await service.create({ ...request, expiresAt: 2_000 }, 'cli')
    assert.equal(await codeOf(service.authenticate(token, 'events:write')), 'ok')
    assert.deepEqual(await Promise.resolve(service.authenticate(token, 'admin')), {
      ok: false,
      code: 'missing_scope',
      scope: 'admin',
      principal: {
        tokenId: token.slice(4, 12),
        workspaceId: 'acme',
        lineageId: token.slice(4, 12),
        scopes: ['ingress:write', 'events:write', 'policy:read'],
        expiresAt: 2_000
      }
    })
    now = 1_999
    assert.ok(service.isGood(token.slice(4, 12)))
    now = 2_000
    assert.ok(!service.isGood(token.slice(4, 12)), 'a stream outlives its token')
    assert.equal(await codeOf(service.authenticate(token, 'events:write')), 'expired_token')
    assert.equal(await service.revoke({ workspaceId: 'beta', id: token.slice(4, 12) }, 'cli'), 'not_found')
    assert.equal(await service.revoke({ workspaceId: 'acme', id: token.slice(4, 12) }, 'cli'), 'revoked')
    assert.equal(await codeOf(service.authenticate(token, 'events:write')), 'revoked_token')
    assert.equal(await codeOf(service.authenticate(sameIdOtherSecret(token), 'events:write')), 'invalid_token')
    assert.equal(await service.revoke({ workspaceId: 'acme', id: token.slice(4, 12) }, 'cli'), 'already_revoked')
  })

  it('lets admin do everything, any good token where no scope is asked, and knows no token of another master key', async () => {
    const service = await start()
    const { token } = await service.create({ ...request, scopes: ['admin'] }, 'cli')
    for (const scope of ['audit:read', 'ingress:write', undefined] as const)
      assert.equal(await codeOf(service.authenticate(token, scope)), 'ok')
    const other = await start({ masterKey: createSecretKey(randomBytes(32)) })
    assert.equal(await codeOf(other.authenticate(token, 'admin')), 'invalid_token')
  })
})

describe('rotating tokens', () => {
  it('makes a token of the same lineage beside the old one, which ends after the overlap', async () => {
    let now = 1_000
    const service = await start({ timeMs: () => now })
    const first = await service.create({ ...request, scopes: ['events:write'] }, 'cli')
    const rotation = { workspaceId: 'acme', id: first.summary.id, overlapMs: 500 }
    const second = await service.rotate(rotation, 'cli')
    assert.ok(second !== 'not_found')
    const { id, ...rest } = second.summary
    const { id: _, ...firstRest } = first.summary
    assert.deepEqual(rest, firstRest)
    const [row] = await latestAudit()
    assert.deepEqual(
      [row?.action, row?.detail['id'], row?.detail['rotatedFrom'], row?.detail['oldExpiresAt']],
      ['token_rotated', id, first.summary.id, 1_500]
    )
    const lineages = [first.token, second.token].map(async (token) => {
      const answer = await service.authenticate(token, 'events:write')
      assert.ok(answer.ok)
      return answer.principal.lineageId
    })
    assert.deepEqual(await Promise.all(lineages), [first.summary.id, first.summary.id])
    now = 1_500
    assert.equal(await codeOf(service.authenticate(first.token, 'events:write')), 'expired_token')
    assert.equal(await codeOf(service.authenticate(second.token, 'events:write')), 'ok')
    const third = await service.rotate({ ...rotation, id }, 'cli')
    assert.ok(third !== 'not_found' && third.summary.lineageId === first.summary.id)
  })

  it('never lets the old one live longer, and gives the new one as long as the old one was made for', async () => {
    let now = 1_000
    const service = await start({ timeMs: () => now })
    const old = await service.create({ ...request, expiresAt: 3_000 }, 'cli')
    now = 2_500
    const made = await service.rotate({ workspaceId: 'acme', id: old.summary.id, overlapMs: 10_000 }, 'cli')
    assert.ok(made !== 'not_found')
    assert.equal(made.summary.expiresAt, 4_500)
    assert.equal((await store.findToken(old.summary.id))?.expiresAt, 3_000)
    assert.equal((await latestAudit())[0]?.detail['oldExpiresAt'], 3_000, 'the audit says another end than the store')
  })

  it('tells who holds streams of the old one when the overlap ends', async () => {
    const service = await start()
    const old = await service.create(request, 'cli')
    const ended = new Promise((resolve) => service.onRevoked(resolve))
    assert.ok((await service.rotate({ workspaceId: 'acme', id: old.summary.id, overlapMs: 50 }, 'cli')) !== 'not_found')
    assert.equal(await ended, old.summary.id)
  })

  it('refuses what it cannot rotate', async () => {
    const service = await start()
    const { summary } = await service.create(request, 'cli')
    const rotation = { workspaceId: 'acme', id: summary.id, overlapMs: 0 }
    assert.equal(await service.rotate({ ...rotation, workspaceId: 'beta' }, 'cli'), 'not_found')
    assert.equal(await service.rotate({ ...rotation, id: 'nobody00' }, 'cli'), 'not_found')
    for (const [fields, path] of [
      [{ overlapMs: -1 }, '/overlapMs'],
      [{ overlapMs: Number.NaN }, '/overlapMs'],
      [{ expiresAt: 1 }, '/expiresAt']
    ] as const) {
      await assert.rejects(
        service.rotate({ ...rotation, ...fields }, 'cli'),
        (error) => error instanceof TokenRequestError && error.path === path
      )
    }
    await service.revoke({ workspaceId: 'acme', id: summary.id }, 'cli')
    assert.equal(await service.rotate(rotation, 'cli'), 'not_found')
  })
})

describe('tokens and other processes', () => {
  it('is told of a revocation made elsewhere by the store, and tells those who hold something open', async () => {
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

  it('a token made elsewhere works at once, and a revocation made elsewhere is felt', async () => {
    const service = await start({ heartbeatMs: 5 })
    const otherStore = await openStore({ dataDir })
    opened.push(otherStore)
    const other = await start({ store: otherStore })
    const { token, summary } = await other.create(request, 'cli')
    assert.equal(await codeOf(service.authenticate(token, 'events:write')), 'ok')
    await other.revoke({ workspaceId: 'acme', id: summary.id }, 'cli')
    await until(async () => (await codeOf(service.authenticate(token, 'events:write'))) === 'revoked_token')
  })

  it('feels a revocation made elsewhere by asking, where the store tells of nothing', async () => {
    // As on PostgreSQL where a notification was lost, or a pooler passes none on.
    const service = await start({ store: { ...store, onChange: () => () => undefined }, heartbeatMs: 5 })
    const other = await start()
    const { token, summary } = await other.create(request, 'cli')
    assert.equal(await codeOf(service.authenticate(token, 'events:write')), 'ok')
    await other.revoke({ workspaceId: 'acme', id: summary.id }, 'cli')
    await until(async () => (await codeOf(service.authenticate(token, 'events:write'))) === 'revoked_token')
  })

  it('takes no answer of the store that is older than what it knows', async () => {
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
    // The answer is on its way when the token is revoked, and comes after the news of that.
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

  it('finds tokens that memory had no room for', async () => {
    const maker = await start()
    const made = []
    for (let count = 0; count < 30; count++) made.push((await maker.create(request, 'cli')).token)
    const service = await start({ tokensMax: 10 })
    for (const token of [...made, ...made])
      assert.equal(await codeOf(service.authenticate(token, 'events:write')), 'ok')
  })

  it('loads all tokens where there are more than one page holds', async () => {
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

  it('notes the last use without touching the hot path', async () => {
    const service = await start({ touchMs: 5, timeMs: () => 7_777 })
    const { token, summary } = await service.create(request, 'cli')
    await service.authenticate(token, 'events:write')
    await until(async () => (await store.findToken(summary.id))?.lastUsedAt === 7_777)
  })
})

/** The store with the questions of the token service counted, or refused. */
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
  it('leaves known tokens good for the grace time, and 503 after it and for unknown ones', async () => {
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

  it('is asked once by calls that come together, and again about an unknown token when a minute is over', async () => {
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

  it('is not hammered with garbage', async () => {
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

/** A well-formed token with the id of another: what an attacker who saw an id could make. */
function sameIdOtherSecret(token: string): string {
  const id = token.slice(4, 12)
  let turn = 0
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  const bytes = [...id].map((digit) => digits.indexOf(digit))
  return mintToken((count) =>
    turn++ === 0 ? Uint8Array.from([...bytes, ...randomBytes(56).map((byte) => byte % 62)]) : randomBytes(count)
  ).token
}
