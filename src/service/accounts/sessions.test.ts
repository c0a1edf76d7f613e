import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { SignInConfig } from '../../config/sign-in.ts'
import { auditOf } from '../../store/contract/samples.contract.ts'
import { openStore } from '../../store/sqlite/sqlite.ts'
import type { Store, StoredUser } from '../../store/store.ts'
import { Sessions } from './sessions.ts'
import { minuteMs } from '../../timing/spans.ts'

const config: SignInConfig = {
  publicUrl: undefined,
  trustedProxies: [],
  idleTimeoutMs: 10 * minuteMs,
  lifetimeMs: 60 * minuteMs,
  takesPasswords: true
}

describe('sessions', () => {
  let folder: string
  let store: Store
  let user: StoredUser
  const clock = { ms: Date.UTC(2027, 0, 1) }
  const masterKey = createSecretKey(randomBytes(32))
  const create = (changes: Partial<SignInConfig> = {}, key = masterKey) =>
    new Sessions({ store, masterKey: key, config: { ...config, ...changes }, timeMs: () => clock.ms })

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-sessions-'))
    store = await openStore({ dataDir: folder })
    await store.ensureWorkspace({ id: 'acme', name: 'Acme', createdAt: 1 }, auditOf({}))
    const ana = { id: 'u1', workspaceId: 'acme', name: 'ana', role: 'admin', provider: 'local' } as const
    await store.insertUser({ ...ana, issuer: null, subject: null, password: null, createdAt: 1 }, auditOf({}))
    user = (await store.findUser({ id: 'u1' })) as StoredUser
  })
  after(async () => {
    await store.close()
    await rm(folder, { recursive: true })
  })

  it("of a provider's users are only valid for the configured provider", async () => {
    const issuer = 'https://id.corp.test'
    const bob = { id: 'u2', workspaceId: 'acme', name: 'bob', role: 'viewer', provider: 'oidc' } as const
    await store.insertUser({ ...bob, issuer, subject: 'bob', password: null, createdAt: 1 }, auditOf({}))
    const from = (other: string) =>
      create({ oidc: { issuer: other } as NonNullable<SignInConfig['oidc']>, takesPasswords: false })
    const { cookie } = await from(issuer).open((await store.findUser({ id: 'u2' })) as StoredUser, 'request')
    assert.ok(await from(issuer).find(cookie))
    assert.ok(await from(`${issuer}/common/v2.0`).find(cookie), 'of many organisations')
    assert.equal(await from('https://id.other.test').find(cookie), undefined)
    assert.equal(await create().find(cookie), undefined)
  })

  it('end when unused and continue while used, but not forever', async () => {
    const sessions = create()
    const { cookie, signedIn } = await sessions.open(user, 'request')
    assert.equal(signedIn.endsAt, clock.ms + config.lifetimeMs)
    for (let minute = 9; minute < 60; minute += 9) {
      clock.ms += 9 * minuteMs
      assert.ok(await sessions.find(cookie), `after ${minute} minutes`)
    }
    clock.ms = signedIn.endsAt - 1
    const last = await sessions.find(cookie)
    assert.equal(last?.idleEndsAt, signedIn.endsAt, 'the end of its life is the end of its idleness')
    clock.ms = signedIn.endsAt
    assert.equal(await sessions.find(cookie), undefined)

    const idle = await sessions.open(user, 'request')
    clock.ms += config.idleTimeoutMs
    assert.equal(await sessions.find(idle.cookie), undefined)
    assert.equal(await sessions.isGood(idle.signedIn.sessionHash), false)
  })

  it('record their last use at most every half minute', async () => {
    const sessions = create()
    const { cookie, signedIn } = await sessions.open(user, 'request')
    const opened = clock.ms
    const lastUse = async () => (await store.findSession(signedIn.sessionHash))?.session.lastUsedAt
    clock.ms = opened + 29_999
    await sessions.find(cookie)
    assert.equal(await lastUse(), opened)
    clock.ms = opened + 30_000
    await sessions.find(cookie)
    assert.equal(await lastUse(), opened + 30_000)
  })

  it('are valid until they are ended, here or everywhere', async () => {
    const sessions = create()
    const [here, there, elsewhere] = [
      (await sessions.open(user, 'request')).signedIn,
      (await sessions.open(user, 'request')).signedIn,
      (await sessions.open(user, 'request')).signedIn
    ]
    const good = () => Promise.all([here, there, elsewhere].map(({ sessionHash }) => sessions.isGood(sessionHash)))
    assert.deepEqual(await good(), [true, true, true])
    assert.equal(await sessions.end(here, false, 'request'), 1)
    assert.deepEqual(await good(), [false, true, true])
    assert.ok((await sessions.end(there, true, 'request')) >= 2)
    assert.deepEqual(await good(), [false, false, false])
  })

  it('are invalid for a user who is disabled, has an unknown role, or used a sign-in method that is switched off', async () => {
    const { cookie } = await create().open(user, 'request')
    assert.ok(await create().find(cookie))
    assert.equal(await create({ takesPasswords: false }).find(cookie), undefined)
    assert.equal(await create({}, createSecretKey(randomBytes(32))).find(cookie), undefined, 'another master key')
    await store.changeUser(user, { role: 'owner' }, { isForced: true }, null)
    assert.equal(await create().find(cookie), undefined)
    await store.changeUser(user, { role: 'admin', disabledAt: 5 }, { isForced: true }, null)
    assert.equal(await create().find(cookie), undefined)
    await store.changeUser(user, { disabledAt: null }, {}, null)
    assert.ok(await create().find(cookie))
  })

  it('have a token of their own against request forgery, and the store holds nothing that opens one', async () => {
    const sessions = create()
    const [one, two] = [await sessions.open(user, 'request'), await sessions.open(user, 'request')]
    assert.ok(sessions.isOwnCsrfToken(one.signedIn, one.signedIn.csrfToken))
    const ofOtherLetters = 'é'.repeat(one.signedIn.csrfToken.length)
    for (const other of [two.signedIn.csrfToken, '', undefined, ['a'], one.signedIn.sessionHash, ofOtherLetters]) {
      assert.equal(sessions.isOwnCsrfToken(one.signedIn, other), false)
    }
    assert.equal(await sessions.find(one.signedIn.sessionHash), undefined)
    for (const odd of ['', 'x', `${one.cookie}x`, 'a'.repeat(43)]) assert.equal(await sessions.find(odd), undefined)
  })
})
