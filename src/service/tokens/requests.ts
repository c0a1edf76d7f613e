/** Validates requests for tokens. A fault names the field and the rule, and never the value. */
import type { Scanner } from '../../detection/findings.ts'
import { defaultScopes, isScope, scopes, type Scope } from '../../protocol/scopes.ts'

const labelLengthMax = 80

export interface TokenRequest {
  readonly workspaceId: string
  /** The name for people; 1 to 80 characters on one line. */
  readonly label: string
  /** Default: {@link defaultScopes}. */
  readonly scopes?: readonly string[] | undefined
  /** Milliseconds since 1970, or null for a token that does not expire. */
  readonly expiresAt?: number | null | undefined
}

export interface RotationRequest {
  readonly workspaceId: string
  /** The token to be replaced. */
  readonly id: string
  /** How long the old token remains valid beside the new one, in milliseconds; 0 ends it at once. */
  readonly overlapMs: number
  /** Expiry of the new token. Default: the lifetime that the old one was created with. */
  readonly expiresAt?: number | null | undefined
}

/** Longest overlap of a rotation. */
export const overlapMsMax = 366 * 86_400_000

/** An invalid request for a token. `path` is a JSON pointer into the request. */
export class TokenRequestError extends Error {
  override readonly name = 'TokenRequestError'
  readonly path: string

  constructor(path: string, rule: string) {
    super(`${path} ${rule}`)
    this.path = path
  }
}

/**
 * Validates a request. The kinds are loaded for the first label: most commands about tokens have none, and would start
 * half as fast with them.
 * @param now milliseconds since 1970
 * @param scanner what searches the label for secrets; default: the built-in kinds
 * @returns the scopes that the token gets, in the order of the table
 * @throws TokenRequestError
 */
export async function checkRequest(request: TokenRequest, now: number, scanner?: Scanner): Promise<readonly Scope[]> {
  const { label, scopes: wanted = defaultScopes, expiresAt = null } = request
  if (label.trim() === '' || label.length > labelLengthMax || /\p{Cc}/u.test(label)) {
    throw new TokenRequestError('/label', `must have 1 to ${labelLengthMax} characters on one line.`)
  }
  const { highRiskIn } = await import('../high-risk-in.ts')
  const secret = highRiskIn(label, scanner)
  if (secret !== undefined) {
    throw new TokenRequestError('/label', `holds a value (${secret}). The audit keeps labels for good: take it out.`)
  }
  if (wanted.length === 0) throw new TokenRequestError('/scopes', 'must name at least one scope.')
  const unknown = wanted.findIndex((scope) => !isScope(scope))
  if (unknown >= 0) throw new TokenRequestError(`/scopes/${unknown}`, `must be one of ${scopes.join(', ')}.`)
  checkExpiry(expiresAt, now)
  return scopes.filter((scope) => wanted.includes(scope))
}

/** @throws TokenRequestError */
export function checkExpiry(expiresAt: number | null, now: number): void {
  if (expiresAt === null || (Number.isSafeInteger(expiresAt) && expiresAt > now)) return
  throw new TokenRequestError('/expiresAt', 'must be a time to come.')
}

/** @throws TokenRequestError */
export function checkOverlap(overlapMs: number): void {
  if (Number.isSafeInteger(overlapMs) && overlapMs >= 0 && overlapMs <= overlapMsMax) return
  throw new TokenRequestError('/overlapMs', `must be from 0 to ${overlapMsMax} milliseconds.`)
}
