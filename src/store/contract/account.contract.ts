/** Users, sessions and links: see `store.contract.ts`. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { LinkRecord, SessionRecord, UserRecord } from '../accounts.ts'
import { auditOf, rejectsWith } from './samples.contract.ts'
import type { Store } from '../store.ts'

const userOf = (name: string, fields: Partial<UserRecord> = {}): UserRecord => ({
  id: `id-${name}`,
  workspaceId: 'acme',
  name,
  role: 'admin',
  provider: 'local',
  issuer: null,
  subject: null,
  password: 'not a real one',
  createdAt: 10,
  ...fields
})

const sessionOf = (hash: string, userId: string, fields: Partial<SessionRecord> = {}): SessionRecord => ({
  hash,
  userId,
  createdAt: 20,
  lastUsedAt: 20,
  endsAt: 1000,
  ...fields
})

const linkOf = (hash: string, userId: string | null, fields: Partial<LinkRecord> = {}): LinkRecord => ({
  hash,
  workspaceId: 'acme',
  userId,
  expiresAt: 100,
  ...fields
})

const at = (id: string, workspaceId = 'acme') => ({ workspaceId, id })

export function accountContract(store: () => Store): void {
  const actions = async () =>
    (await store().findAudit({ workspaceId: 'acme', order: 'oldest', limit: 100 })).rows.map(({ action }) => action)

  it('keeps users as given, by id, name and subject, and refuses a duplicate name or subject', async () => {
    assert.equal(await store().hasUsers(), false)
    const ada = userOf('ada')
    const eve = userOf('eve', { provider: 'oidc', issuer: 'https://id.test', subject: '42', password: null })
    await store().insertUser(ada, auditOf({ action: 'user_created' }))
    await store().insertUser(eve, auditOf({}))
    assert.equal(await store().hasUsers(), true)
    const fresh = { disabledAt: null, lastSignInAt: null }
    assert.deepEqual(await store().findUser({ id: ada.id }), { ...ada, ...fresh })
    assert.deepEqual(await store().findUser({ name: 'eve' }), { ...eve, ...fresh })
    assert.deepEqual(await store().findUser({ issuer: 'https://id.test', subject: '42' }), { ...eve, ...fresh })
    assert.equal(await store().findUser({ issuer: 'https://other.test', subject: '42' }), undefined)
    await rejectsWith(store().insertUser({ ...ada, id: 'other' }, auditOf({})), 'conflict')
    const double = { ...eve, id: 'other', name: 'other' }
    await rejectsWith(store().insertUser(double, auditOf({})), 'conflict')
    await rejectsWith(
      store().insertUser(userOf('bob', { workspaceId: 'nobody' }), auditOf({ workspaceId: 'nobody' })),
      'unknown_workspace'
    )
  })

  it('lists the users of one workspace by name, with the number of open sessions', async () => {
    await store().ensureWorkspace({ id: 'beta', name: 'Beta', createdAt: 2 }, auditOf({ workspaceId: 'beta' }))
    for (const name of ['cy', 'ada', 'bob']) await store().insertUser(userOf(name), auditOf({}))
    await store().insertUser(userOf('zoe', { workspaceId: 'beta' }), auditOf({ workspaceId: 'beta' }))
    await store().insertSession(sessionOf('h1', 'id-bob'), auditOf({}))
    await store().insertSession(sessionOf('h2', 'id-bob', { endsAt: 30 }), auditOf({}))
    await store().insertSession(sessionOf('h3', 'id-bob', { createdAt: 15, lastUsedAt: 15 }), auditOf({}))
    const listed = async (after?: string) =>
      (await store().listUsers({ workspaceId: 'acme', now: 50, usedAfter: 15, limit: 2, after })).map(
        ({ name, sessions }) => [name, sessions]
      )
    assert.deepEqual(await listed(), [
      ['ada', 0],
      ['bob', 1]
    ])
    assert.deepEqual(await listed('bob'), [['cy', 0]])
    const one = await store().listUsers({ workspaceId: 'acme', now: 50, usedAfter: 15, limit: 9, id: 'id-bob' })
    assert.deepEqual(
      one.map(({ name, sessions }) => [name, sessions]),
      [['bob', 1]]
    )
  })

  it('never removes the last admin of a workspace', async () => {
    await store().insertUser(userOf('ada'), auditOf({}))
    await store().insertUser(userOf('bob'), auditOf({}))
    await store().insertUser(userOf('vic', { role: 'viewer' }), auditOf({}))
    const demote = (id: string) => store().changeUser(at(id), { role: 'viewer' }, {}, auditOf({ action: 'changed' }))
    const both = await Promise.all([demote('id-ada'), demote('id-bob')])
    assert.deepEqual(both.toSorted(), ['done', 'last_admin'], 'of two at once one is too many')
    const last = both[0] === 'done' ? 'id-bob' : 'id-ada'
    assert.equal(await store().changeUser(at(last), { disabledAt: 5 }, {}, auditOf({})), 'last_admin')
    assert.equal(await store().removeUser(at(last), auditOf({})), 'last_admin')
    assert.equal(await store().removeUser(at('id-vic'), auditOf({})), 'done')
    assert.equal(await store().removeUser(at('id-vic'), auditOf({})), 'not_found')
    assert.equal(await store().removeUser(at(last, 'beta'), auditOf({})), 'not_found')
    assert.equal((await actions()).filter((action) => action === 'changed').length, 1)
    assert.equal(await store().changeUser(at(last), { role: 'viewer' }, { isForced: true }, auditOf({})), 'done')
    assert.equal((await store().findUser({ id: last }))?.role, 'viewer')
  })

  it('does not count an admin who cannot sign in yet', async () => {
    await store().insertUser(userOf('ada'), auditOf({}))
    await store().insertUser(userOf('bob', { password: null }), auditOf({}))
    assert.equal(await store().removeUser(at('id-ada'), auditOf({})), 'last_admin')
    assert.equal(await store().changeUser(at('id-ada'), { role: 'viewer' }, {}, auditOf({})), 'last_admin')
    assert.equal(await store().removeUser(at('id-bob'), auditOf({})), 'done', 'an invitation can be taken back')
    const eve = { provider: 'oidc', issuer: 'https://id.test', subject: '42', password: null } as const
    await store().insertUser(userOf('eve', eve), auditOf({}))
    assert.equal(await store().removeUser(at('id-ada'), auditOf({})), 'done')
  })

  it('does not count an admin who is disabled', async () => {
    await store().insertUser(userOf('ada'), auditOf({}))
    await store().insertUser(userOf('bob'), auditOf({}))
    assert.equal(await store().changeUser(at('id-bob'), { disabledAt: 5 }, {}, auditOf({})), 'done')
    assert.equal(await store().removeUser(at('id-ada'), auditOf({})), 'last_admin')
    assert.equal(await store().removeUser(at('id-bob'), auditOf({})), 'done')
  })

  it('finds a session with its user, records its last use, and ends it with its user', async () => {
    for (const name of ['ada', 'bob', 'cy']) await store().insertUser(userOf(name), auditOf({}))
    for (const name of ['ada', 'bob', 'cy']) {
      await store().insertSession(sessionOf(`${name}-1`, `id-${name}`), auditOf({ action: 'signed_in' }))
      await store().insertSession(sessionOf(`${name}-2`, `id-${name}`), auditOf({}))
    }
    await store().touchSession('ada-1', 40)
    await store().touchSession('ada-1', 30)
    const found = await store().findSession('ada-1')
    assert.deepEqual(found?.session, sessionOf('ada-1', 'id-ada', { lastUsedAt: 40 }))
    assert.partialDeepStrictEqual(found?.user, { name: 'ada', lastSignInAt: 20 })

    assert.equal(await store().endSessions({ hash: 'ada-1' }, auditOf({ action: 'signed_out' })), 1)
    assert.equal(await store().endSessions({ hash: 'ada-1' }, auditOf({ action: 'signed_out' })), 0)
    assert.equal((await actions()).filter((action) => action === 'signed_out').length, 1)
    assert.equal(await store().findSession('ada-1'), undefined)
    assert.ok(await store().findSession('ada-2'))
    assert.equal(await store().endSessions({ userId: 'id-ada' }, auditOf({})), 1)

    const changed = await store().changeUser(
      at('id-bob'),
      { password: 'new' },
      { endSessions: { except: 'bob-2' } },
      null
    )
    assert.equal(changed, 'done')
    assert.equal(await store().findSession('bob-1'), undefined)
    assert.equal((await store().findSession('bob-2'))?.user.password, 'new')
    await store().removeUser(at('id-cy'), auditOf({}))
    assert.equal(await store().findSession('cy-1'), undefined)
  })

  it('deletes expired sessions', async () => {
    await store().insertUser(userOf('ada'), auditOf({}))
    await store().insertSession(sessionOf('old', 'id-ada', { endsAt: 30 }), auditOf({}))
    await store().insertSession(sessionOf('new', 'id-ada', { createdAt: 30 }), auditOf({}))
    assert.equal(await store().findSession('old'), undefined)
    assert.ok(await store().findSession('new'))
  })

  it('lets a link create the first user once, and never a second', async () => {
    const firstUser = userOf('ada')
    await store().putLink(linkOf('link-1', null), auditOf({}))
    await store().putLink(linkOf('link-2', null), auditOf({}))
    assert.equal(await store().findLink('link-1'), undefined, 'a new link takes the place of the old one')
    assert.deepEqual(await store().findLink('link-2'), { ...linkOf('link-2', null), userName: null })
    const use = (id: string) =>
      store().useLink('link-2', 50, { firstUser: { ...firstUser, id, name: id } }, auditOf({}))
    const made = (await Promise.all([use('one'), use('two')])).filter((user) => user !== undefined)
    assert.equal(made.length, 1)
    assert.equal(made[0]?.workspaceId, 'acme')
    await store().putLink(linkOf('link-3', null), auditOf({}))
    assert.equal(await store().useLink('link-3', 50, { firstUser }, auditOf({})), undefined)
    assert.equal((await store().listUsers({ workspaceId: 'acme', now: 0, usedAfter: 0, limit: 9 })).length, 1)
  })

  it('keeps one link for a user, also of several that are made at the same moment', async () => {
    await store().insertUser(userOf('ada', { password: null }), auditOf({}))
    const hashes = Array.from({ length: 8 }, (_, number) => `link-${number}`)
    await Promise.all(hashes.map((hash) => store().putLink(linkOf(hash, 'id-ada'), auditOf({}))))
    const found = await Promise.all(hashes.map((hash) => store().findLink(hash)))
    assert.equal(found.filter((link) => link !== undefined).length, 1)
  })

  it('sets a password by a link until it expires, and ends the sessions of its user', async () => {
    await store().insertUser(userOf('ada', { password: null }), auditOf({}))
    await store().insertUser(userOf('bob'), auditOf({}))
    await store().insertSession(sessionOf('s', 'id-ada'), auditOf({}))
    await store().putLink(linkOf('late', 'id-ada', { expiresAt: 40 }), auditOf({}))
    assert.equal(await store().useLink('late', 40, { password: 'p' }, auditOf({})), undefined)
    await store().putLink(linkOf('good', 'id-ada'), auditOf({}))
    await store().putLink(linkOf('other', 'id-bob'), auditOf({}))
    assert.equal((await store().findLink('good'))?.userName, 'ada')
    const used = await store().useLink('good', 50, { password: 'p' }, auditOf({ action: 'password_set' }))
    assert.partialDeepStrictEqual(used, { name: 'ada', password: 'p' })
    assert.equal(await store().useLink('good', 50, { password: 'q' }, auditOf({})), undefined)
    assert.equal(await store().findSession('s'), undefined)
    assert.equal((await actions()).at(-1), 'password_set')
    await store().changeUser(at('id-bob'), { role: 'admin' }, {}, null)
    assert.ok(await store().findLink('other'))
    await store().changeUser(at('id-bob'), { password: 'own' }, {}, null)
    assert.equal(await store().findLink('other'), undefined, 'a password of one’s own ends a link that would set it')
    await store().putLink(linkOf('other', 'id-bob'), auditOf({}))
    await store().removeUser(at('id-bob'), auditOf({}))
    assert.equal(await store().findLink('other'), undefined)
  })
}
