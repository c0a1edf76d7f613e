/** Workspace tokens, as admins see and create them: `/api/tokens`. */
import { z } from 'zod'
import { scopes } from '../scopes.ts'
import { timeText } from './session-schema.ts'

const tokenBody = z.object({
  id: z.string(),
  /** Shared by a token and those into which it was rotated. */
  lineageId: z.string(),
  label: z.string(),
  scopes: z.array(z.enum(scopes)),
  state: z.enum(['active', 'expired', 'revoked']),
  createdAt: timeText,
  expiresAt: timeText.nullable(),
  revokedAt: timeText.nullable(),
  /** Updated about every half minute. */
  lastUsedAt: timeText.nullable()
})

/** `GET /api/tokens?after=`: in the order of creation or last change; `next` is the `after` of the next page. */
export const tokensBody = z.object({ tokens: z.array(tokenBody), next: z.string().nullable() })

const expiresAt = timeText.nullable().optional().describe('Null for a token that does not expire.')

/** `POST /api/tokens`. Without `scopes` the token gets those that an agent or a sensor needs. */
export const newTokenRequest = z.strictObject({
  label: z.string('must be a string'),
  scopes: z.array(z.string('must be a string'), 'must be a list').optional(),
  expiresAt
})

/**
 * `POST /api/tokens/:id/rotate`. Without `expiresAt`, the new token gets the lifetime that the old one was created
 * with.
 */
export const rotateTokenRequest = z.strictObject({
  /** How long the old token remains valid beside the new one; a day by default, 0 ends it at once. */
  overlapMs: z.int('must be a whole number').optional(),
  expiresAt
})

/** Answer to both. The token is shown only here. */
export const madeTokenBody = z.object({ token: z.string(), summary: tokenBody })

/** Answer to `DELETE /api/tokens/:id`. */
export const revokedTokenBody = z.object({ id: z.string(), status: z.enum(['revoked', 'already_revoked']) })

export type TokenBody = z.output<typeof tokenBody>
export type TokensBody = z.output<typeof tokensBody>
export type NewTokenRequest = z.output<typeof newTokenRequest>
export type RotateTokenRequest = z.output<typeof rotateTokenRequest>
export type MadeTokenBody = z.output<typeof madeTokenBody>
