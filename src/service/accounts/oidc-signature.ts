/**
 * Verifies the signature of an ID token. A token received directly from the provider over TLS could be trusted without
 * it (OpenID Connect Core 1.0, section 3.1.3.7); but then anyone who answers in the provider's name, such as a proxy
 * that inspects TLS, could claim any identity.
 */
import {
  compactVerify,
  createRemoteJWKSet,
  customFetch,
  decodeProtectedHeader,
  errors,
  type CryptoKey,
  type FetchImplementation
} from 'jose'
import type { Secret } from '../../config/secret.ts'

export interface SignatureOptions {
  /** Where the provider publishes its keys. */
  readonly keysAt: string | undefined
  /** With what a provider signs that has no key pair for us: HS256 and similar. */
  readonly clientSecret: Secret | undefined
  /** Whether the keys may be fetched over plain http, like everything else. */
  readonly isPlain: boolean
  readonly timeoutMs: number
  readonly fetch: FetchImplementation
}

type RemoteKeys = ReturnType<typeof createRemoteJWKSet>

const symmetric = ['HS256', 'HS384', 'HS512']
const asymmetric = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/**
 * Creates a function that verifies that a token comes from the provider. The token's algorithm decides the type of key,
 * and each type comes from one source: a public key is never used as a secret. Keys are fetched when needed, kept for
 * ten minutes, and fetched again if one is missing.
 * @returns rejects if the token does not verify; with a `status` of 500 or more if the keys were not available, which
 *   says nothing about the token
 */
export function createSignatureProof(options: SignatureOptions): (idToken: string) => Promise<void> {
  const { keysAt, clientSecret, isPlain, timeoutMs: timeoutDuration, fetch } = options
  const url = keysAt === undefined ? null : URL.parse(keysAt)
  const isFetchable = url?.protocol === 'https:' || (isPlain && url?.protocol === 'http:')
  const keys =
    url && isFetchable ? createRemoteJWKSet(url, { [customFetch]: keysBy(fetch), timeoutDuration }) : undefined
  return async (idToken) => {
    const { alg = '' } = decodeProtectedHeader(idToken)
    if (symmetric.includes(alg) && clientSecret) {
      await compactVerify(idToken, new TextEncoder().encode(clientSecret.reveal()), { algorithms: symmetric })
    } else if (keys) await verifyByAny(idToken, keys)
    else throw Object.assign(new Error('there is no key for the algorithm of the ID token'), { code: 'no_key' })
  }
}

/**
 * Verifies by the key that the token names. If it names none and several are possible, as with providers that omit the
 * name during key rotation, by any of them.
 */
async function verifyByAny(idToken: string, keys: RemoteKeys): Promise<void> {
  try {
    await compactVerify(idToken, keys, { algorithms: asymmetric })
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    for await (const key of error) if (await isSignedBy(idToken, key)) return
    throw new errors.JWSSignatureVerificationFailed()
  }
}

async function isSignedBy(idToken: string, key: CryptoKey): Promise<boolean> {
  try {
    await compactVerify(idToken, key, { algorithms: asymmetric })
    return true
  } catch (error) {
    if (error instanceof errors.JWSSignatureVerificationFailed) return false
    throw error
  }
}

/**
 * Fetches keys. A gateway's error in place of the keys, and a timeout, are reported as such: the library tells neither
 * from invalid keys.
 */
function keysBy(fetch: FetchImplementation): FetchImplementation {
  return async (url, init) => {
    const answer = await fetch(url, init).catch((error: unknown) => {
      throw init.signal.aborted ? unanswered(504) : error
    })
    if (answer.status < 500) return answer
    await answer.body?.cancel()
    throw unanswered(answer.status)
  }
}

const unanswered = (status: number): Error => Object.assign(new Error('the provider did not send its keys'), { status })
