/**
 * Signing in through an OpenID provider: authorization code with PKCE, state and nonce. In the meantime the browser
 * keeps the values to compare in a sealed cookie, so that any instance can finish what another began.
 */
import type { KeyObject } from 'node:crypto'
import * as client from 'openid-client'
import type { Logger } from 'pino'
import { fetch as proxiedFetch, type RequestInit } from 'undici'
import { deriveKey } from '../../config/master-key.ts'
import type { OidcConfig } from '../../config/sign-in.ts'
import { createAgent } from '../../config/agent.ts'
import { callbackPath, OidcProblem, transactionMs } from './oidc-journey.ts'
import { groupsIn, isForUs, nameIn, provenGroups, roleFor, type Claims } from './oidc-claims.ts'
import type { ProvenIdentity } from './people.ts'
import { createSignatureProof } from './oidc-signature.ts'
import { seal, unseal } from './sealed.ts'

interface OidcOptions {
  readonly config: OidcConfig
  readonly publicUrl: string
  readonly masterKey: KeyObject
  readonly log: Logger
  readonly timeMs?: () => number
}

interface Transaction {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly returnTo: string
  readonly expiresAt: number
}

interface Provider {
  readonly configuration: client.Configuration
  /** Rejects for an ID token that the provider has not signed. */
  prove(idToken: string): Promise<void>
}

/** Providers rotate keys; discovery is repeated after this time. */
const discoveryMs = 3_600_000
const requestTimeoutS = 10

export class OidcSignIn implements AsyncDisposable {
  readonly #options: OidcOptions
  readonly #key: KeyObject
  readonly #timeMs: () => number
  readonly #agent = createAgent(process.env)
  #discovered: { readonly at: number; readonly provider: Promise<Provider> } | undefined

  constructor(options: OidcOptions) {
    this.#options = options
    this.#key = deriveKey(options.masterKey, 'cookie')
    this.#timeMs = options.timeMs ?? Date.now
  }

  /**
   * @param returnTo path of this service to go to afterwards
   * @returns where to send the browser, and what it is to keep in the meantime under this state
   * @throws OidcProblem `oidc_unreachable`
   */
  async begin(returnTo: string): Promise<{ readonly url: string; readonly state: string; readonly sealed: string }> {
    const { configuration } = await this.#provider()
    const verifier = client.randomPKCECodeVerifier()
    const transaction: Transaction = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier,
      returnTo,
      expiresAt: this.#timeMs() + transactionMs
    }
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.#options.publicUrl + callbackPath,
      scope: this.#options.config.scopes,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state: transaction.state,
      nonce: transaction.nonce
    })
    return { url: url.href, state: transaction.state, sealed: seal(this.#key, JSON.stringify(transaction)) }
  }

  /**
   * @param query of the request with which the provider sends the browser back
   * @param sealed what the browser kept
   * @throws OidcProblem
   */
  async finish(
    query: string,
    sealed: string | undefined
  ): Promise<{ readonly identity: ProvenIdentity; readonly returnTo: string }> {
    const { config, publicUrl } = this.#options
    const transaction = this.#open(sealed)
    if (!transaction) throw new OidcProblem('oidc_expired')
    const { configuration, prove } = await this.#provider()
    const tokens = await this.#asking(
      client.authorizationCodeGrant(configuration, new URL(`${publicUrl}${callbackPath}${query}`), {
        pkceCodeVerifier: transaction.verifier,
        expectedState: transaction.state,
        expectedNonce: transaction.nonce,
        idTokenExpected: true
      })
    )
    const claims = tokens.claims()
    if (!claims || tokens.id_token === undefined || !isForUs(claims, config.clientId))
      throw new OidcProblem('oidc_refused')
    await this.#asking(prove(tokens.id_token))
    const all = await this.#withUserInfo(configuration, claims, tokens.access_token)
    const role = roleFor(provenGroups(all, config.groupsClaim), config)
    if (role === undefined) throw new OidcProblem('oidc_no_role')
    const { workspaceId } = config
    const identity = { issuer: claims.iss, subject: claims.sub, preferredName: nameIn(all), role, workspaceId }
    return { identity, returnTo: transaction.returnTo }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy()
  }

  /** Adds user info: many providers have groups, and some have names, only there. */
  async #withUserInfo(provider: client.Configuration, claims: client.IDToken, accessToken: string): Promise<Claims> {
    const hasGroups = groupsIn(claims, this.#options.config.groupsClaim) !== undefined
    if (hasGroups || provider.serverMetadata().userinfo_endpoint === undefined) return claims
    const info = await this.#asking(client.fetchUserInfo(provider, accessToken, claims.sub))
    return { ...info, ...claims }
  }

  #open(sealed: string | undefined): Transaction | undefined {
    const text = sealed === undefined ? undefined : unseal(this.#key, sealed)
    if (text === undefined) return undefined
    const transaction = JSON.parse(text) as Transaction
    return transaction.expiresAt > this.#timeMs() ? transaction : undefined
  }

  /** The provider, as described by its discovery document. A failure is not cached: the next caller tries again. */
  #provider(): Promise<Provider> {
    const now = this.#timeMs()
    if (this.#discovered && now - this.#discovered.at < discoveryMs) return this.#discovered.provider
    const provider = this.#asking(this.#discover())
    this.#discovered = { at: now, provider }
    provider.catch(() => (this.#discovered = undefined))
    return provider
  }

  async #discover(): Promise<Provider> {
    const { issuer, clientId, clientSecret } = this.#options.config
    const isPlain = issuer.startsWith('http:')
    // The runtime's own fetch would not use the proxy of the environment.
    const customFetch: client.CustomFetch = async (url, init) =>
      await proxiedFetch(url, { ...(init as unknown as RequestInit), dispatcher: this.#agent })
    const options = {
      timeout: requestTimeoutS,
      [client.customFetch]: customFetch,
      ...(isPlain ? { execute: [client.allowInsecureRequests] } : {})
    }
    const found = await client.discovery(new URL(issuer), clientId, undefined, client.None(), options)
    const metadata = found.serverMetadata()
    const prove = createSignatureProof({
      ...{ keysAt: metadata.jwks_uri, clientSecret, isPlain, timeoutMs: requestTimeoutS * 1000 },
      fetch: async (url, init) =>
        await customFetch(url, { ...init, headers: Object.fromEntries(init.headers), body: undefined })
    })
    if (!clientSecret) return { configuration: found, prove }
    // OpenID Connect Discovery 1.0, section 3: the default method is basic.
    const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const secret = clientSecret.reveal()
    const proof = methods.includes('client_secret_basic')
      ? client.ClientSecretBasic(secret)
      : client.ClientSecretPost(secret)
    const configuration = new client.Configuration(metadata, clientId, undefined, proof)
    configuration[client.customFetch] = customFetch
    configuration.timeout = requestTimeoutS
    if (isPlain) client.allowInsecureRequests(configuration)
    return { configuration, prove }
  }

  /** Tells a provider that does not answer from one that refuses. Of its answer, only the code is logged. */
  async #asking<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      if (error instanceof OidcProblem) throw error
      const code = codeOf(error)
      const problem = isUnreachable(error) ? 'oidc_unreachable' : 'oidc_refused'
      this.#options.log.warn({ code, problem }, 'signing in through the provider failed')
      throw new OidcProblem(problem)
    }
  }
}

function codeOf(error: unknown): string {
  const { error: answered, code, cause } = error as { error?: unknown; code?: unknown; cause?: { code?: unknown } }
  const known = [answered, code, cause?.code].find((one): one is string => typeof one === 'string')
  return known !== undefined && /^[\w-]{1,64}$/.test(known) ? known : 'unknown'
}

/** No answer, one that came too late, or one of a gateway in front of the provider. */
function isUnreachable(error: unknown): boolean {
  const { code, cause, status } = error as { code?: unknown; cause?: unknown; status?: unknown }
  if (error instanceof TypeError || code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT') return true
  const answer = status ?? (cause as { status?: unknown } | undefined)?.status
  return typeof answer === 'number' && answer >= 500
}
