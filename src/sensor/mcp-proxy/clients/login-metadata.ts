/**
 * Lets a client log in to an HTTP server behind the proxy (OAuth 2.0 Protected Resource Metadata, RFC 9728). A client
 * accepts metadata only for the URL that it talks to, so the proxy serves the server's metadata with its own URL in
 * them.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Dispatcher } from 'undici'
import { refuse } from './mcp-endpoint.ts'
import { readAtMost } from '../../../upstream/read-bounded.ts'

export const metadataPath = '/.well-known/oauth-protected-resource'

const metadataBytesMax = 65_536
const metadataTimeoutMs = 15_000
const parameter = /(\bresource_metadata\s*=\s*)(?:"([^"]*)"|([^\s",]+))/gi

interface LoginMetadataOptions {
  /** The server's URL. */
  readonly url: URL
  /** Path at which the proxy serves the server. */
  readonly path: string
  /** Set by the operator; sent to the server with every request. */
  readonly headers: Readonly<Record<string, string>>
  readonly dispatcher: Dispatcher
}

export class LoginMetadata {
  readonly #options: LoginMetadataOptions
  /** The metadata URL that the server stated last. */
  #told: string | undefined

  constructor(options: LoginMetadataOptions) {
    this.#options = options
  }

  /** The server's `WWW-Authenticate` as the proxy sends it: with the proxy's metadata URL. */
  challenge(req: IncomingMessage, value: string | string[]): string | string[] {
    if (Array.isArray(value)) return value.map((one) => this.challenge(req, one) as string)
    const { origin } = this.#options.url
    return value.replace(parameter, (whole, name: string, quoted?: string, bare?: string) => {
      const url = URL.parse(quoted ?? bare ?? '')
      if (url?.origin !== origin) return whole
      this.#told = url.href
      return `${name}"${this.#baseOf(req)}${metadataPath}${this.#options.path}"`
    })
  }

  /** Answers a request for the metadata. */
  async serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const found = await this.#fetch()
    if (found === 'none') return refuse(res, 404, 'not_found', 'The MCP server publishes nothing about a login.')
    if (found === 'unreachable')
      return refuse(res, 502, 'downstream_unreachable', 'The MCP server did not say how to log in.')
    if (!this.#isOfServer(found['resource']))
      return refuse(
        res,
        502,
        'login_of_another',
        'What the MCP server says of its login is of another address than its own.'
      )
    // A signed copy names the server's own URL, and would take precedence.
    const { signed_metadata: _signed, ...metadata } = found
    const resource = `${this.#baseOf(req)}${this.#options.path}`
    const body = Buffer.from(JSON.stringify({ ...metadata, resource }))
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
    res.writeHead(200, { ...headers, 'content-length': String(body.length) }).end(body)
  }

  /** The URL under which this client knows the proxy. Its `Host` was checked before. */
  #baseOf({ headers }: IncomingMessage): string {
    const isSecure = headers['x-forwarded-proto'] === 'https'
    return `${isSecure ? 'https' : 'http'}://${(headers.host ?? '').toLowerCase()}`
  }

  async #fetch(): Promise<Readonly<Record<string, unknown>> | 'none' | 'unreachable'> {
    const { origin, pathname } = this.#options.url
    const usual = [`${metadataPath}${pathname === '/' ? '' : pathname}`, metadataPath].map((path) => origin + path)
    let found: 'none' | 'unreachable' = 'none'
    for (const url of new Set([...(this.#told === undefined ? [] : [this.#told]), ...usual])) {
      const metadata = await this.#fetchOne(new URL(url)).catch(() => 'unreachable' as const)
      if (typeof metadata === 'object') return metadata
      if (metadata === 'unreachable') found = metadata
    }
    return found
  }

  /** Redirects are not followed: they could lead to places that only the proxy may reach. */
  async #fetchOne({ origin, pathname, search }: URL): Promise<Readonly<Record<string, unknown>> | 'none'> {
    const { dispatcher, headers } = this.#options
    const answer = await dispatcher.request({
      origin,
      path: pathname + search,
      method: 'GET',
      headers: { accept: 'application/json', 'accept-encoding': 'identity', ...headers },
      headersTimeout: metadataTimeoutMs,
      bodyTimeout: metadataTimeoutMs,
      signal: AbortSignal.timeout(metadataTimeoutMs)
    })
    if (answer.statusCode !== 200) {
      await answer.body.dump()
      if (answer.statusCode >= 500) throw new Error('the server failed')
      return 'none'
    }
    const body = await readAtMost(answer.body, metadataBytesMax)
    return (body && objectOf(body.toString('utf8'))) ?? 'none'
  }

  /** Metadata about another resource must not be passed to a client as the server's own (RFC 9728, 3.3). */
  #isOfServer(resource: unknown): boolean {
    const { origin, pathname } = this.#options.url
    const said = typeof resource === 'string' ? URL.parse(resource) : null
    if (said?.origin !== origin) return false
    return withSlash(pathname).startsWith(withSlash(said.pathname))
  }
}

const withSlash = (path: string): string => (path.endsWith('/') ? path : `${path}/`)

function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
