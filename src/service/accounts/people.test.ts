import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { it } from 'node:test'
import type { Store } from '../../store/store.ts'
import { createAttempts } from './attempts.ts'
import { PasswordLinks } from './links.ts'
import { createPasswords } from './passwords.ts'
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
