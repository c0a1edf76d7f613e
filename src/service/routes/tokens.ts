/** `/api/tokens`: the tokens of the workspace, for its admins. A token is shown only in the answer that creates it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refused } from '../../ingress/refusal/refused.ts'
import * as schemas from '../../protocol/api/token-schema.ts'
import { callerOf, type Access } from '../access.ts'
import { admission, type Lifecycle } from '../lifecycle.ts'
import { TokenRequestError, type MadeToken, type TokenSummary } from '../tokens/tokens.ts'
import { answered } from './answered.ts'
import { readBodyAs } from './read-body-as.ts'
import type { JsonReader } from './read-json.ts'
import { readQuery } from './read-query.ts'
import { privately } from './session.ts'
import { z } from 'zod'
import { isoTime, isoTimeOrNull } from '../../timing/iso-time.ts'

interface TokenRouteDependencies extends JsonReader {
  readonly access: Access
  readonly lifecycle: Lifecycle
}

type ById = { Params: { id: string } }

const overlapMsDefault = 86_400_000
const listRules = {
  after: z
    .string('must be given once')
    .regex(/^\d{1,15}$/, 'must be the next of the page before')
    .transform(Number)
    .default(0)
}

export function registerTokens(app: FastifyInstance, to: TokenRouteDependencies): void {
  const onRequest = admission(to.lifecycle)
  const { access } = to
  const { tokens } = access
  app.get('/api/tokens', { onRequest }, async (request, reply) => {
    const { workspaceId } = await callerOf(access, request)
    const { after } = readQuery(listRules, request.query)
    const page = await answered(tokens.list(workspaceId, after))
    const body: schemas.TokensBody = {
      tokens: page.tokens.map(tokenBody),
      next: page.next === null ? null : String(page.next)
    }
    return await reply.headers(privately(request)).send(body)
  })
  app.post('/api/tokens', { onRequest }, async (request, reply) => {
    const { workspaceId, actor } = await callerOf(access, request)
    const { label, scopes, expiresAt } = await readBodyAs(schemas.newTokenRequest, request, to)
    const wish = { workspaceId, label, scopes, expiresAt: readTime(expiresAt) }
    const made = await answered(tokens.create(wish, actor, request.id).catch(asRefusal))
    return answerMade(made, request, reply)
  })
  app.post<ById>('/api/tokens/:id/rotate', { onRequest }, async (request, reply) => {
    const { workspaceId, actor } = await callerOf(access, request)
    const { overlapMs = overlapMsDefault, expiresAt } = await readBodyAs(schemas.rotateTokenRequest, request, to)
    const wish = { workspaceId, id: request.params.id, overlapMs, expiresAt: readTime(expiresAt) }
    const made = await answered(tokens.rotate(wish, actor, request.id).catch(asRefusal))
    if (made === 'not_found') throw new Refused('not_found', { fill: { what: 'token' } })
    return answerMade(made, request, reply)
  })
  app.delete<ById>('/api/tokens/:id', { onRequest }, async (request, reply) => {
    const { workspaceId, actor } = await callerOf(access, request)
    const { id } = request.params
    const status = await answered(tokens.revoke({ workspaceId, id }, actor, request.id))
    if (status === 'not_found') throw new Refused('not_found', { fill: { what: 'token' } })
    return await reply.headers(privately(request)).send({ id, status })
  })
}

const readTime = (text: string | null | undefined): number | null | undefined =>
  typeof text === 'string' ? Date.parse(text) : text

function answerMade({ token, summary }: MadeToken, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const body: schemas.MadeTokenBody = { token, summary: tokenBody(summary) }
  return reply.code(201).headers(privately(request)).send(body)
}

function tokenBody(token: TokenSummary): schemas.TokenBody {
  const { id, lineageId, label, scopes, createdAt, expiresAt, revokedAt, lastUsedAt } = token
  const isExpired = expiresAt !== null && expiresAt <= Date.now()
  return {
    id,
    lineageId,
    label,
    scopes: [...scopes],
    state: revokedAt !== null ? 'revoked' : isExpired ? 'expired' : 'active',
    createdAt: isoTime(createdAt),
    expiresAt: isoTimeOrNull(expiresAt),
    revokedAt: isoTimeOrNull(revokedAt),
    lastUsedAt: isoTimeOrNull(lastUsedAt)
  }
}

/** Converts an invalid request to a refusal that names its field and the rule. */
function asRefusal(error: unknown): never {
  if (!(error instanceof TokenRequestError)) throw error
  throw new Refused('invalid_value', { faults: [{ path: error.path, code: 'invalid_value', message: error.message }] })
}
