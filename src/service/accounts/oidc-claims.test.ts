import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import type { Role } from '../../protocol/roles.ts'
import { groupsIn, isForUs, nameIn, provenGroups, roleFor } from './oidc-claims.ts'
import { seal, unseal } from './sealed.ts'

describe('claims of a provider', () => {
  it('give groups by a name, a name with dots, or a path', () => {
    assert.deepEqual(groupsIn({ groups: ['a', 7, 'b'] }, 'groups'), ['a', 'b'])
    assert.deepEqual(groupsIn({ 'https://corp.test/groups': ['a'] }, 'https://corp.test/groups'), ['a'])
    assert.deepEqual(groupsIn({ realm_access: { roles: ['a'] } }, 'realm_access.roles'), ['a'])
    assert.deepEqual(groupsIn({ hd: 'corp.test' }, 'hd'), ['corp.test'])
    for (const claim of ['nothing', 'realm_access.roles.x', 'toString', '__proto__.toString', 'a.b']) {
      assert.equal(groupsIn({ realm_access: { roles: 1 }, a: null }, claim), undefined, claim)
    }
  })

  it('are for us if issued to us and with a subject', () => {
    assert.ok(isForUs({ sub: 'ana' }, 'sluice'))
    assert.ok(isForUs({ sub: 'x'.repeat(255), azp: 'sluice' }, 'sluice'))
    for (const claims of [
      { sub: 'ana', azp: 'other' },
      { sub: '' },
      { sub: 'x'.repeat(256) },
      { sub: 'a\0' },
      { sub: 7 }
    ])
      assert.equal(isForUs(claims, 'sluice'), false, JSON.stringify(claims))
  })

  it('give the highest of several roles, and none without a mapped group', () => {
    const roleOf = new Map<string, Role>([
      ['devs', 'viewer'],
      ['ops', 'admin'],
      ['sec', 'editor']
    ])
    assert.equal(roleFor(['sec', 'devs'], { roleOf, defaultRole: undefined }), 'editor')
    assert.equal(roleFor(['devs', 'ops', 'sec'], { roleOf, defaultRole: 'viewer' }), 'admin')
    assert.equal(roleFor(['other', 'Ops'], { roleOf, defaultRole: undefined }), undefined)
    assert.equal(roleFor([], { roleOf, defaultRole: 'analyst' }), 'analyst')
  })

  it('give an e-mail address as a group only unless the provider calls it unverified', () => {
    const email = 'ana@corp.test'
    for (const proven of [{}, { email_verified: true }, { email_verified: 'true' }]) {
      assert.deepEqual(provenGroups({ email, ...proven }, 'email'), [email])
    }
    for (const unproven of [false, 'false']) {
      assert.deepEqual(provenGroups({ email, email_verified: unproven }, 'email'), [])
      assert.deepEqual(provenGroups({ email, email_verified: unproven, groups: ['a'] }, 'groups'), ['a'])
    }
    assert.deepEqual(provenGroups({ email }, 'groups'), [])
  })

  it('give a name from whatever is present', () => {
    assert.equal(nameIn({ preferred_username: 'ana', email: 'a@corp.test', sub: '1' }), 'ana')
    assert.equal(nameIn({ preferred_username: '', email: 'a@corp.test', sub: '1' }), 'a@corp.test')
    assert.equal(nameIn({ sub: '1' }), '1')
  })
})

describe('a value sealed for the browser', () => {
  const key = createSecretKey(randomBytes(32))
  it('is unsealed as it was, and not at all after any change', () => {
    const sealed = seal(key, 'state and verifier')
    assert.equal(unseal(key, sealed), 'state and verifier')
    assert.ok(!sealed.includes(Buffer.from('state').toString('base64url').slice(0, 5)))
    const bytes = Buffer.from(sealed, 'base64url')
    for (const at of bytes.keys()) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      assert.equal(unseal(key, changed.toString('base64url')), undefined, `byte ${at}`)
    }
    assert.equal(unseal(createSecretKey(randomBytes(32)), sealed), undefined)
    assert.equal(unseal(key, ''), undefined)
  })
})
