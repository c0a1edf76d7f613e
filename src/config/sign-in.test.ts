import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { formatFaults, loadConfig, type Config } from './config.ts'
import { parseNetworks, parseRoleMap } from './values.ts'

const oidc = {
  SERVICE_OIDC_ISSUER: 'https://id.corp.example/realms/x/',
  SERVICE_OIDC_CLIENT_ID: 'sluice',
  SERVICE_PUBLIC_URL: 'https://sluice.corp.example/',
  SERVICE_OIDC_ROLE_MAP: 'sec ops=admin, devs=viewer'
}

function signIn(env: Record<string, string>): Config['signIn'] {
  const result = loadConfig(env, { cwd: '/' })
  assert.ok(result.ok, result.ok ? '' : formatFaults(result.faults))
  return result.config.signIn
}

const faults = (env: Record<string, string>): string[] => {
  const result = loadConfig(env, { cwd: '/' })
  return result.ok ? [] : result.faults.map(({ name }) => name)
}

describe('the configuration of signing in', () => {
  it('accepts passwords and has no provider by default', () => {
    assert.deepEqual(signIn({}), {
      publicUrl: undefined,
      trustedProxies: [],
      idleTimeoutMs: 3_600_000,
      lifetimeMs: 86_400_000,
      takesPasswords: true
    })
  })

  it('reads a provider, whose issuer is kept as written', () => {
    const read = signIn({ ...oidc, SERVICE_LOCAL_SIGN_IN: 'false' })
    assert.equal(read.publicUrl, 'https://sluice.corp.example')
    assert.equal(read.takesPasswords, false)
    assert.partialDeepStrictEqual(read.oidc, {
      issuer: 'https://id.corp.example/realms/x/',
      scopes: 'openid profile email',
      groupsClaim: 'groups'
    })
    assert.deepEqual(
      [...(read.oidc?.roleOf ?? [])],
      [
        ['sec ops', 'admin'],
        ['devs', 'viewer']
      ]
    )
    assert.equal(read.oidc?.defaultRole, undefined)
  })

  it('names every variable that is missing for a provider', () => {
    assert.deepEqual(faults({ SERVICE_OIDC_ISSUER: oidc.SERVICE_OIDC_ISSUER }).toSorted(), [
      'SERVICE_OIDC_CLIENT_ID',
      'SERVICE_OIDC_ROLE_MAP',
      'SERVICE_PUBLIC_URL'
    ])
    const { SERVICE_OIDC_ROLE_MAP: _, ...unmapped } = oidc
    assert.deepEqual(faults({ ...unmapped, SERVICE_OIDC_DEFAULT_ROLE: 'viewer' }), [])
  })

  it('refuses what would lock people out or send passwords in the clear', () => {
    assert.deepEqual(faults({ SERVICE_LOCAL_SIGN_IN: 'false' }), ['SERVICE_LOCAL_SIGN_IN'])
    assert.deepEqual(faults({ ...oidc, SERVICE_OIDC_ISSUER: 'http://id.corp.example' }), ['SERVICE_OIDC_ISSUER'])
    const entra = 'https://login.microsoftonline.com'
    for (const tenants of ['common', 'organizations/v2.0', 'Common/v2.0/', 'consumers/v2.0'])
      assert.deepEqual(
        faults({ ...oidc, SERVICE_OIDC_ISSUER: `${entra}/${tenants}` }),
        ['SERVICE_OIDC_ISSUER'],
        tenants
      )
    const tenant = '6f1e3a5c-08d2-4b7e-9a41-2c5d7e9f0b13/v2.0'
    assert.deepEqual(faults({ ...oidc, SERVICE_OIDC_ISSUER: `${entra}/${tenant}` }), [])
    assert.deepEqual(faults({ ...oidc, SERVICE_OIDC_ROLE_MAP: 'devs=owner' }), ['SERVICE_OIDC_ROLE_MAP'])
    for (const scopes of ['profile email groups', 'openid,email', 'OpenID'])
      assert.deepEqual(faults({ ...oidc, SERVICE_OIDC_SCOPES: scopes }), ['SERVICE_OIDC_SCOPES'], scopes)
    assert.deepEqual(faults({ ...oidc, SERVICE_OIDC_WORKSPACE: 'Team A' }), ['SERVICE_OIDC_WORKSPACE'])
    assert.deepEqual(faults({ SERVICE_TRUSTED_PROXIES: 'proxy.internal' }), ['SERVICE_TRUSTED_PROXIES'])
    assert.deepEqual(faults({ SERVICE_PUBLIC_URL: 'https://corp.example/sluice/' }), ['SERVICE_PUBLIC_URL'])
    const loaded = loadConfig({ SERVICE_PUBLIC_URL: 'http://sluice.corp.example' }, { cwd: '/' })
    assert.ok(loaded.ok && loaded.config.warnings.some((warning) => warning.startsWith('SERVICE_PUBLIC_URL is plain')))
  })

  it('reads role maps in both forms, and rejects incomplete ones', () => {
    const map = parseRoleMap('{"cn=ops,ou=eu": "admin", "a": "viewer"}')
    assert.deepEqual(map.ok && [...map.value.keys()], ['cn=ops,ou=eu', 'a'])
    for (const bad of ['admin', '=admin', 'a=', '{"a":1}', '{"a"', '[]{', 'a=admin,b']) {
      assert.equal(parseRoleMap(bad).ok, false, bad)
    }
  })

  it('tells an address from a network and from anything else', () => {
    for (const good of ['10.0.0.0/8', '::1', 'fd00::/8, 192.168.1.1']) assert.ok(parseNetworks(good).ok, good)
    for (const bad of ['10.0.0.0/33', '10.0.0.0/', '10.0/8', 'proxy', '1.2.3.4/8/8', '']) {
      assert.equal(parseNetworks(bad).ok, false, bad)
    }
  })
})
