/** What only a clock shows; everything else is in `test/e2e/oidc.test.ts`. */
import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { pino } from 'pino'
import { loadConfig } from '../../config/config.ts'
import { startOidcProvider } from '../../../test/support/oidc-provider.ts'
import { Traveller } from '../../../test/support/oidc-traveller.ts'
import { transactionMs } from './oidc-journey.ts'
import { OidcSignIn } from './oidc.ts'

test('somebody has fifteen minutes at the provider, and no more', async () => {
  const publicUrl = 'http://sluice.test'
  const redirectUris = [`${publicUrl}/api/session/oidc/callback`]
  await using provider = await startOidcProvider({ redirectUris, people: { ana: { groups: ['ops'] } } })
  const loaded = loadConfig(provider.environment(publicUrl), { cwd: '/' })
  assert.ok(loaded.ok && loaded.config.signIn.oidc)
  let now = 1_000_000
  await using signIn = new OidcSignIn({
    config: loaded.config.signIn.oidc,
    publicUrl,
    masterKey: createSecretKey(randomBytes(32)),
    log: pino({ level: 'silent' }),
    timeMs: () => now
  })
  const journey = async () => {
    const { url, sealed } = await signIn.begin('/policy')
    const { search } = new URL(await new Traveller().goThrough(url, 'ana'))
    return { search, sealed }
  }
  const slow = await journey()
  now += transactionMs - 1
  const { identity, returnTo } = await signIn.finish(slow.search, slow.sealed)
  assert.deepEqual([identity.subject, identity.role, returnTo], ['ana', 'admin', '/policy'])
  const tooSlow = await journey()
  now += transactionMs
  await assert.rejects(signIn.finish(tooSlow.search, tooSlow.sealed), { problem: 'oidc_expired' })
})
