/** A client's OAuth login with the reference SDK, where the user consents at once. */
import { auth, extractWWWAuthenticateParams, type OAuthClientProvider } from '@modelcontextprotocol/client'

type Kept<K extends keyof OAuthClientProvider> = Awaited<
  ReturnType<Extract<OAuthClientProvider[K], (...given: never[]) => unknown>>
>

const redirectUrl = 'http://localhost:3000/callback'

export class TestLogin implements OAuthClientProvider {
  readonly redirectUrl = redirectUrl
  readonly clientMetadata = {
    client_name: 'test',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code']
  }
  readonly clientMetadataUrl: string
  #client: Kept<'clientInformation'>
  #tokens: Kept<'tokens'>
  #verifier = ''
  /** The query with which the authorization server redirected the user back. */
  callback = new URLSearchParams()

  /** @param client given if it is registered already */
  constructor(metadataUrl: string, client?: { readonly client_id: string; readonly client_secret?: string }) {
    this.clientMetadataUrl = metadataUrl
    this.#client = client
  }

  clientInformation(): Kept<'clientInformation'> {
    return this.#client
  }

  saveClientInformation(client: NonNullable<Kept<'clientInformation'>>): void {
    this.#client = client
  }

  tokens(): Kept<'tokens'> {
    return this.#tokens
  }

  saveTokens(tokens: NonNullable<Kept<'tokens'>>): void {
    this.#tokens = tokens
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }

  codeVerifier(): string {
    return this.#verifier
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    const answer = await fetch(url, { redirect: 'manual' })
    await answer.body?.cancel()
    this.callback = new URL(answer.headers.get('location') ?? '', url).searchParams
  }
}

const triesMax = 3

/** A `fetch` that logs in if the server at `serverUrl` requires it, and repeats the request. */
export function loggingIn(login: TestLogin, serverUrl: string): typeof fetch {
  const send: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers)
    const token = login.tokens()?.access_token
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
    return fetch(input, { ...init, headers })
  }
  return async (input, init) => {
    let answer = await send(input, init)
    for (let tries = 0; tries < triesMax && [401, 403].includes(answer.status); tries++) {
      const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(answer)
      await answer.body?.cancel()
      const wish = {
        serverUrl,
        ...(resourceMetadataUrl && { resourceMetadataUrl }),
        ...(scope !== undefined && { scope })
      }
      const outcome = await auth(login, wish)
      const [code, iss] = [login.callback.get('code'), login.callback.get('iss')]
      if (outcome === 'REDIRECT')
        await auth(login, { ...wish, authorizationCode: code ?? '', ...(iss !== null && { iss }) })
      answer = await send(input, init)
    }
    return answer
  }
}
