import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { Refused } from '../../ingress/refusal/refused.ts'
import { auditActions, type AppendBatch, type Store, type StoredUser } from '../../store/store.ts'
import { createAttempts } from './attempts.ts'
import { PasswordLinks } from './links.ts'
import { createPasswords, type Passwords } from './passwords.ts'
import { People } from './people.ts'

it('an attempt that was not judged does not count against the user', async () => {
  const masterKey = createSecretKey(randomBytes(32))
  const passwords = createPasswords(masterKey)
  // A store without users is enough for an unknown name.
  const store = { findUser: async () => undefined } as Partial<Store> as Store
  const attempts = createAttempts(() => 0)
  const links = new PasswordLinks({ store, masterKey, passwords })
  const people = new People({ store, passwords, links, attempts, idleTimeoutMs: 1 })
  const from = { address: '192.0.2.1', requestId: 'r' }
  const flood = Array.from({ length: 40 }, (_, place) => people.signIn({ name: `user${place}`, password: 'x' }, from))
  const codes = (await Promise.allSettled(flood)).map((one) =>
    one.status === 'rejected' ? (one.reason as { code: string }).code : 'in'
  )
  const judged = codes.filter((code) => code === 'sign_in_refused').length
  assert.equal(codes.filter((code) => code === 'overloaded').length, 40 - judged)
  assert.ok(judged > 0 && judged < 40)
  const left = 60 - judged
  for (let place = 0; place < left; place++) attempts.take(from.address, undefined)
  assert.throws(() => attempts.take(from.address, undefined), { code: 'too_many_attempts' })
})

describe('a new password for oneself', () => {
  const user: StoredUser = {
    id: 'id-ana',
    workspaceId: 'acme',
    name: 'ana',
    role: 'admin',
    provider: 'local',
    issuer: null,
    subject: null,
    password: 'hash of old',
    createdAt: 1,
    disabledAt: null,
    lastSignInAt: null
  }
  const from = { address: '192.0.2.1', requestId: 'r-1', sessionHash: 'mine' }

  /** People whose passwords are checked in an instant, and what reached the store. */
  function peopleOf(verify: (password: string) => Promise<boolean>) {
    const passwords: Passwords = { hash: async (password) => `hash of ${password}`, verify }
    const [appended, changes] = [[] as AppendBatch[], [] as unknown[]]
    const store = {
      append: async (batch) => {
        appended.push(batch)
        return []
      },
      changeUser: async (...change) => {
        changes.push(change.slice(1, 3))
        return 'done'
      }
    } satisfies Partial<Store> as Partial<Store> as Store
    const attempts = createAttempts(() => 0)
    const links = new PasswordLinks({ store, masterKey: createSecretKey(randomBytes(32)), passwords })
    const people = new People({ store, passwords, links, attempts, idleTimeoutMs: 1 })
    const change = (current: string) => people.changePassword(user, { current, password: 'new' }, from)
    return { change, appended, changes }
  }

  it('uses up no attempts if the current one is right, and ends the other sessions', async () => {
    const { change, appended, changes } = peopleOf(async (password) => password === 'old')
    for (let times = 0; times < 30; times++) await change('old')
    assert.deepEqual(changes[29], [{ password: 'hash of new' }, { endSessions: { except: 'mine' } }])
    assert.equal(appended.length, 0)
  })

  it('is refused if the current one is wrong, which is recorded and counts as an attempt', async () => {
    const { change, appended, changes } = peopleOf(async () => false)
    for (let times = 0; times < 10; times++) await assert.rejects(change('wrong'), { code: 'sign_in_refused' })
    await assert.rejects(change('wrong'), { code: 'too_many_attempts' })
    assert.equal(changes.length, 0)
    assert.equal(appended.length, 10)
    const [audit] = appended[0]?.audit ?? []
    assert.partialDeepStrictEqual(audit, {
      action: auditActions.signInFailed,
      requestId: 'r-1',
      detail: { name: 'ana' }
    })
  })

  it('uses up no attempts if the current one could not be checked', async () => {
    const { change } = peopleOf(() => Promise.reject(new Refused('overloaded')))
    for (let times = 0; times < 30; times++) await assert.rejects(change('old'), { code: 'overloaded' })
  })
})
