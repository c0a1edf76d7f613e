/** Finds the workspace token of a call among the headers that clients can set. */
import type { IncomingHttpHeaders } from 'node:http'
import { requestHeaders } from '../protocol/headers.ts'
import { tokenPrefix } from '../protocol/token-format.ts'

export type PresentedToken =
  | { readonly ok: true; readonly token: string }
  | { readonly ok: false; readonly code: 'missing_token' | 'token_conflict' }

function bearer(authorization: string | undefined): string | undefined {
  const match = /^bearer +(\S+)$/i.exec(authorization ?? '')
  return match?.[1]
}

/**
 * The token stands in `x-service-workspace-token`; a tool that can only set an API key sends it as `authorization:
 * Bearer` or `x-api-key` (`api-key` in some), which count where the value begins with the prefix of our tokens. Two
 * that differ are a conflict, since taking either could act for the wrong workspace.
 */
export function presentedToken(headers: IncomingHttpHeaders): PresentedToken {
  const own = headers[requestHeaders.workspaceToken]
  let token = typeof own === 'string' && own !== '' ? own : undefined
  const { authorization, [requestHeaders.apiKey]: apiKey, [requestHeaders.apiKeyAlias]: alias } = headers
  if (authorization === undefined && apiKey === undefined && alias === undefined) return found(token)
  for (const key of [bearer(authorization), apiKey, alias]) {
    if (typeof key !== 'string' || !key.startsWith(tokenPrefix)) continue
    if (token !== undefined && token !== key) return { ok: false, code: 'token_conflict' }
    token = key
  }
  return found(token)
}

const found = (token: string | undefined): PresentedToken =>
  token === undefined ? { ok: false, code: 'missing_token' } : { ok: true, token }
