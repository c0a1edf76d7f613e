/**
 * Who signed an ID token. What comes from the provider by TLS could be believed without (OpenID Connect Core 1.0, section
 * 3.1.3.7); then whoever answers in the provider's name, such as a proxy that opens TLS, could say who somebody is.
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
  /** What a provider signs with that has no key pair for us: HS256 and its kin. */
  readonly clientSecret: Secret | undefined
  /** Whether the keys may come by plain http, as the rest does. */
  readonly isPlain: boolean
  readonly timeoutMs: number
  readonly fetch: FetchImplementation
}

type RemoteKeys = ReturnType<typeof createRemoteJWKSet>

const symmetric = ['HS256', 'HS384', 'HS512']
const asymmetric = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/**
 * Makes what proves that a token is the provider's own. The algorithm that a token names chooses the kind of key, and each
 * kind comes from one place: a public key is never taken for a secret. Keys are fetched when they are needed, kept for ten minutes,
 * and fetched again for a key that is not among them.
 * @returns rejects where it is not; with a `status` from 500 on where the keys did not come, which says nothing of the token
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
 * By the key that the token names. Where it names none and several would do, as at a provider that leaves the name out while it
 * changes its keys, by any of them.
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

/** What a gateway answers in place of the keys, and no answer in time: the library tells neither from keys that are none. */
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
