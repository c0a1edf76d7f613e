import assert from 'node:assert/strict'
import { createSecretKey, randomBytes, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { mintToken } from '../../protocol/token-format.ts'
import { StoreError, type AuditRow } from '../../store/store.ts'
import { codeOf, dataDir, request, start, store } from './tokens.fixture.ts'
import { TokenRequestError } from './tokens.ts'

async function latestAudit(): Promise<AuditRow[]> {
  return [...(await store.findAudit({ workspaceId: 'acme', limit: 1 })).rows]
}

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

  it('accepts no label with a secret in it, since the audit keeps labels permanently', async () => {
    const service = await start()
    const another = mintToken(randomBytes).token
    for (const label of [another, `laptop ${another}`]) {
      await assert.rejects(
        service.create({ ...request, label }, 'cli'),
        (error) =>
          error instanceof TokenRequestError &&
          error.path === '/label' &&
          /^\/label holds a value \(workspace token of this service\)\. .*take it out\.$/.test(error.message) &&
          !error.message.includes(another)
      )
    }
    assert.deepEqual((await service.list('acme')).tokens, [])
    for (const label of ['api key of ci-7f9c2b1e4a5d', 'token: kim@corp.example', randomUUID()])
      await service.create({ ...request, label }, 'cli')
  })

  it('names the field and the rule of an invalid request', async () => {
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
  it('answers synchronously for a token in memory', async () => {
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
        scopes: summary.scopes
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

  it('tells expired, revoked and lacking a scope apart, but only for the right token', async () => {
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
        scopes: ['ingress:write', 'events:write', 'policy:read']
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

  it('lets admin do everything, accepts any valid token if no scope is required, and rejects those of another master key', async () => {
    const service = await start()
    const { token } = await service.create({ ...request, scopes: ['admin'] }, 'cli')
    for (const scope of ['audit:read', 'ingress:write', undefined] as const)
      assert.equal(await codeOf(service.authenticate(token, scope)), 'ok')
    const other = await start({ masterKey: createSecretKey(randomBytes(32)) })
    assert.equal(await codeOf(other.authenticate(token, 'admin')), 'invalid_token')
  })
})

describe('rotating tokens', () => {
  it('creates a token of the same lineage beside the old one, which ends after the overlap', async () => {
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

  it('never lets the old one live longer, and gives the new one the lifetime that the old one was created with', async () => {
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

  it('gives the new one the same lifetime if the old one was rotated before, as after a lost answer', async () => {
    let now = 1_000
    const service = await start({ timeMs: () => now })
    const [brief, endless] = [
      await service.create({ ...request, expiresAt: 3_000 }, 'cli'),
      await service.create(request, 'cli')
    ]
    for (const [{ summary }, lifetimeMs] of [
      [brief, 2_000],
      [endless, null]
    ] as const) {
      for (let turn = 0; turn < 3; turn++) {
        now += 10
        const made = await service.rotate({ workspaceId: 'acme', id: summary.id, overlapMs: 100 }, 'cli')
        assert.ok(made !== 'not_found')
        assert.equal(made.summary.expiresAt, lifetimeMs === null ? null : now + lifetimeMs)
      }
    }
  })

  it("notifies the holders of the old one's streams when the overlap ends", async () => {
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

/** A well-formed token with the id of another: what an attacker who saw an id could create. */
function sameIdOtherSecret(token: string): string {
  const id = token.slice(4, 12)
  let turn = 0
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  const bytes = [...id].map((digit) => digits.indexOf(digit))
  return mintToken((count) =>
    turn++ === 0 ? Uint8Array.from([...bytes, ...randomBytes(56).map((byte) => byte % 62)]) : randomBytes(count)
  ).token
}
