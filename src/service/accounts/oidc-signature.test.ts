import assert from 'node:assert/strict'
import { createHmac, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Secret } from '../../config/secret.ts'
import { createSignatureProof, type SignatureOptions } from './oidc-signature.ts'

const own = generateKeyPairSync('rsa', { modulusLength: 2048 })
const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
const secret = 'a client secret of the length that'.padEnd(48, '-')
const keysAt = 'https://id.corp.test/keys'

const jwkOf = (key: KeyObject, kid: string) => ({ ...key.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' })
const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function token(header: object, sign: (input: string) => Buffer): string {
  const input = `${part(header)}.${part({ sub: 'ana' })}`
  return `${input}.${sign(input).toString('base64url')}`
}

const byKey = (key: KeyObject) => (input: string) => createSign('sha256').update(input).sign(key)
const bySecret = (key: string | Buffer) => (input: string) => createHmac('sha256', key).update(input).digest()

/** A signature check with a provider that publishes the current contents of `keys`. */
function proofOf(options: Partial<SignatureOptions> = {}, keys = [jwkOf(own.publicKey, 'one')]) {
  const asked: string[] = []
  const fetch: SignatureOptions['fetch'] = async (url) => {
    asked.push(url)
    return Response.json({ keys })
  }
  const given = { keysAt, clientSecret: new Secret(secret), isPlain: false, timeoutMs: 1000, fetch }
  return { prove: createSignatureProof({ ...given, ...options }), asked, keys }
}

const signed = token({ alg: 'RS256', kid: 'one' }, byKey(own.privateKey))

test('a token is verified by the published key, or by the client secret', async () => {
  const { prove, asked } = proofOf()
  await prove(signed)
  await prove(signed)
  await prove(token({ alg: 'HS256' }, bySecret(secret)))
  assert.deepEqual(asked, [keysAt], 'the keys are kept')
})

test('nothing else verifies a token', async () => {
  const pem = own.publicKey.export({ type: 'spki', format: 'pem' })
  const der = own.publicKey.export({ type: 'spki', format: 'der' })
  const jwk = jwkOf(other.publicKey, 'one')
  const [head = '', claims = ''] = signed.split('.')
  const forged: Readonly<Record<string, string>> = {
    'another key': token({ alg: 'RS256', kid: 'one' }, byKey(other.privateKey)),
    'another key in the token itself': token({ alg: 'RS256', kid: 'one', jwk }, byKey(other.privateKey)),
    'a key that lies elsewhere': token({ alg: 'RS256', kid: 'x', jku: 'https://evil.test' }, byKey(other.privateKey)),
    'no signature': `${head}.${claims}.`,
    'other claims': signed.replace(claims, part({ sub: 'eve' })),
    none: token({ alg: 'none' }, () => Buffer.alloc(0)),
    'the public key as a secret': token({ alg: 'HS256', kid: 'one' }, bySecret(pem)),
    'its bytes as a secret': token({ alg: 'HS256', kid: 'one' }, bySecret(der)),
    'another secret': token({ alg: 'HS256' }, bySecret('another')),
    'an extension that nobody knows': token({ alg: 'RS256', crit: ['x'], x: 1 }, byKey(own.privateKey))
  }
  for (const [name, idToken] of Object.entries(forged)) {
    const { prove, asked } = proofOf()
    await assert.rejects(prove(idToken), name)
    assert.ok(
      asked.every((url) => url === keysAt),
      name
    )
  }
})

test('without the secret, or keys that come over TLS, nothing can be verified', async () => {
  await assert.rejects(proofOf({ clientSecret: undefined }).prove(token({ alg: 'HS256' }, bySecret(''))))
  for (const place of [undefined, 'http://id.corp.test/keys', 'file:///etc/keys', 'keys']) {
    const { prove, asked } = proofOf({ keysAt: place })
    await assert.rejects(prove(signed), { code: 'no_key' })
    assert.deepEqual(asked, [])
  }
  await proofOf({ keysAt: 'http://127.0.0.1/keys', isPlain: true }).prove(signed)
})

test('a token that names no key is verified by any of the published ones, and by no other', async () => {
  const both = [jwkOf(other.publicKey, 'old'), jwkOf(own.publicKey, 'new')]
  await proofOf({}, both).prove(token({ alg: 'RS256' }, byKey(own.privateKey)))
  await proofOf({}, both.toReversed()).prove(token({ alg: 'RS256' }, byKey(own.privateKey)))
  const third = generateKeyPairSync('rsa', { modulusLength: 2048 })
  await assert.rejects(proofOf({}, both).prove(token({ alg: 'RS256' }, byKey(third.privateKey))), {
    code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED'
  })
})

test('unavailable keys are told from a token that is not signed', async () => {
  const down = proofOf({ fetch: async () => new Response('down', { status: 503 }) })
  await assert.rejects(down.prove(signed), { status: 503 })
  // Keeps the process from ending, as a connection would: the signal's timer does not.
  const silent: SignatureOptions['fetch'] = async (_url, { signal }) => {
    await sleep(60_000, undefined, { signal })
    return Response.json({ keys: [] })
  }
  const slow = proofOf({ timeoutMs: 20, fetch: silent })
  await assert.rejects(slow.prove(signed), { status: 504 })
})

test('a new key is fetched', async (context) => {
  context.mock.timers.enable({ apis: ['Date'] })
  const { prove, keys, asked } = proofOf()
  await prove(signed)
  keys.unshift(jwkOf(other.publicKey, 'two'))
  context.mock.timers.tick(60_000)
  await prove(token({ alg: 'RS256', kid: 'two' }, byKey(other.privateKey)))
  assert.equal(asked.length, 2)
})
