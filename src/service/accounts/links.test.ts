import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { Store } from '../../store/store.ts'
import { PasswordLinks } from './links.ts'
import { createPasswords } from './passwords.ts'

test('the link for the first admin is over once there is a user, as from single sign-on', async () => {
  const masterKey = createSecretKey(randomBytes(32))
  let hasUsers = false
  const store = {
    findLink: async (hash: string) => ({ hash, workspaceId: 'default', userId: null, userName: null, expiresAt: 10 }),
    hasUsers: async () => hasUsers
  } satisfies Partial<Store> as Partial<Store> as Store
  const links = new PasswordLinks({ store, masterKey, passwords: createPasswords(masterKey), timeMs: () => 9 })
  assert.deepEqual(await links.look('code'), { purpose: 'first', name: null, expiresAt: 10 })
  hasUsers = true
  assert.equal(await links.look('code'), undefined)
})
