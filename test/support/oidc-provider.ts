/** A real OpenID provider on a free local port, with people in groups, for tests of single sign-on. */
import { once } from 'node:events'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider, type Configuration } from 'oidc-provider'

export interface TestPerson {
  readonly preferred_username?: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly groups?: readonly string[]
}

interface OidcProviderSettings {
  /** Redirect URIs: origins of services. More can be added later. */
  readonly redirectUris: readonly string[]
  /** People by login name, which is also the subject. They may change while the provider runs. */
  readonly people: Record<string, TestPerson>
  /**
   * Whether the ID token contains the groups; otherwise only the user info has them, which is the standard's default.
   */
  readonly idTokenHasAll?: boolean
  /** `none` for a public client, which has no secret. */
  readonly clientAuth?: 'client_secret_basic' | 'client_secret_post' | 'none'
  /** How ID tokens are signed: with a key pair, or with the client's secret. */
  readonly signedBy?: 'RS256' | 'HS256'
}

export interface TestOidcProvider extends AsyncDisposable {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Until reset, every request below `path` is answered with 503, as by a gateway whose provider is down. */
  setDown(isDown: boolean, path?: string): void
  /** Publishes keys other than those it signs with, as if somebody else answered in its name. */
  publishOtherKeys(): void
  /** Environment variables for a service whose public address is `publicUrl`. */
  environment(publicUrl: string): Record<string, string>
}

const clientId = 'sluice-dashboard'

/** Starts the provider, with its own pages for sign-in and consent. */
export async function startOidcProvider(settings: OidcProviderSettings): Promise<TestOidcProvider> {
  const {
    people,
    redirectUris,
    idTokenHasAll = false,
    clientAuth = 'client_secret_basic',
    signedBy = 'RS256'
  } = settings
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const clientSecret = randomBytes(24).toString('hex')
  const jwk = { ...newKeyPair().privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' } as { kty: string }
  const configuration: Configuration = {
    clients: [
      {
        client_id: clientId,
        ...(clientAuth === 'none' ? {} : { client_secret: clientSecret }),
        token_endpoint_auth_method: clientAuth,
        id_token_signed_response_alg: signedBy,
        redirect_uris: [...redirectUris],
        response_types: ['code'],
        grant_types: ['authorization_code']
      }
    ],
    clientAuthMethods: [clientAuth],
    enabledJWA: { idTokenSigningAlgValues: [signedBy] },
    pkce: { required: () => true },
    claims: {
      openid: ['sub'],
      profile: ['preferred_username'],
      email: ['email', 'email_verified'],
      groups: ['groups']
    },
    conformIdTokenClaims: !idTokenHasAll,
    findAccount: (_context, id) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...people[id], groups: [...(people[id]?.groups ?? [])] })
    }),
    cookies: { keys: [randomBytes(16).toString('hex')] },
    jwks: { keys: [jwk] },
    features: { devInteractions: { enabled: true } },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 }
  }
  const provider = quietly(() => new Provider(issuer, configuration))
  const handle = provider.callback()
  let down: string | undefined
  let otherKeys: string | undefined
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (down !== undefined && request.url?.startsWith(down)) response.writeHead(503).end('down')
    else if (request.url === '/jwks' && otherKeys !== undefined) response.end(otherKeys)
    else void handle(request, response)
  })
  return {
    issuer,
    clientId,
    clientSecret,
    setDown: (isDown, path = '/') => void (down = isDown ? path : undefined),
    publishOtherKeys() {
      const other = { ...newKeyPair().publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }
      otherKeys = JSON.stringify({ keys: [other] })
    },
    environment: (publicUrl) => ({
      SERVICE_PUBLIC_URL: publicUrl,
      SERVICE_OIDC_ISSUER: issuer,
      SERVICE_OIDC_CLIENT_ID: clientId,
      ...(clientAuth === 'none' ? {} : { SERVICE_OIDC_CLIENT_SECRET: clientSecret }),
      SERVICE_OIDC_NAME: 'Test provider',
      SERVICE_OIDC_SCOPES: 'openid profile email groups',
      SERVICE_OIDC_ROLE_MAP: 'ops=admin,policy=editor,staff=viewer'
    }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

const newKeyPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

/** Suppresses the provider's warnings about what is fine in a test: pages of its own, and plain HTTP. */
function quietly<T>(work: () => T): T {
  const { warn, info } = console
  console.warn = console.info = () => {}
  try {
    return work()
  } finally {
    Object.assign(console, { warn, info })
  }
}
