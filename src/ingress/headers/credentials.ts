/** Finds the workspace token of a call in the headers that clients can set. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { requestHeaders } from '../../protocol/headers.ts'
import { tokenPrefix } from '../../protocol/token-format.ts'

type PresentedToken =
  | { readonly ok: true; readonly token: string }
  | { readonly ok: false; readonly code: 'missing_token' | 'token_conflict' }

const bearerPattern = /^bearer +(\S+)$/i
const nothing: readonly string[] = []

/** The values of a header. Node joins repeated headers with commas, which no token contains. */
function valuesOf(header: string | string[] | undefined): readonly string[] {
  if (typeof header !== 'string' || header === '') return nothing
  if (!header.includes(',')) return [header]
  return header.split(',').flatMap((part) => part.trim() || nothing)
}

/**
 * Joins repeated `authorization` headers as Node joins others. Of these, Node keeps only the first, and a second token
 * would go unseen.
 */
export function joinAuthorization({ headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): void {
  const { authorization: name } = requestHeaders
  const all: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at] as string
    if (given.length === name.length && given.toLowerCase() === name) all.push(rawHeaders[at + 1] as string)
  }
  if (all.length > 1) headers.authorization = all.join(', ')
}

/**
 * The token is in `x-service-workspace-token`. A tool that can only set an API key sends it as `authorization: Bearer`
 * or `x-api-key` (some as `api-key`), which count only if the value begins with our token prefix. Two different tokens
 * are a conflict, since using either could act for the wrong workspace.
 */
export function presentedToken(headers: IncomingHttpHeaders): PresentedToken {
  const { authorization, [requestHeaders.apiKey]: apiKey, [requestHeaders.apiKeyAlias]: alias } = headers
  const own = valuesOf(headers[requestHeaders.workspaceToken])
  let [token] = own
  if (own.length > 1 && own.some((other) => other !== token)) return { ok: false, code: 'token_conflict' }
  if (authorization === undefined && apiKey === undefined && alias === undefined) return found(token)
  const bearers = valuesOf(authorization).flatMap((value) => bearerPattern.exec(value)?.[1] ?? nothing)
  for (const key of [...bearers, ...valuesOf(apiKey), ...valuesOf(alias)]) {
    if (!key.startsWith(tokenPrefix)) continue
    if (token !== undefined && token !== key) return { ok: false, code: 'token_conflict' }
    token = key
  }
  return found(token)
}

const found = (token: string | undefined): PresentedToken =>
  token === undefined ? { ok: false, code: 'missing_token' } : { ok: true, token }
