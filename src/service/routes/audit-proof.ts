/** `GET /api/audit/roots`: the signed roots. `GET /api/audit/verify`: whether chains and roots are intact. */
import type { KeyObject } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { auditPublicKey } from '../../config/audit-key.ts'
import { ClientGone, Refused } from '../../ingress/refusal/refused.ts'
import { responseHeaders } from '../../protocol/headers.ts'
import { verifyAudit, type AuditReport } from '../../store/audit/verify.ts'
import { callerOf } from '../access.ts'
import { reportBody, rootBody } from '../readings/audit-bodies.ts'
import { admission } from '../lifecycle.ts'
import type { AuditDependencies } from './audit.ts'
import { answered } from './answered.ts'
import { queryRules, readQuery } from './read-query.ts'

interface AuditProofDependencies extends AuditDependencies {
  readonly masterKey: KeyObject
  /** How many days audit rows are kept. */
  readonly auditDays: number
  /** Most rows that a verification over HTTP checks; the command line has no limit. */
  readonly verifyRowsMax?: number
}

/** About a minute of work beside traffic. */
const verifyRowsMaxDefault = 2_000_000
/** So few that hashing them delays other calls by no more than a millisecond or two. */
const pageRows = 100

const rootRules = {
  after: z
    .string('must be given once')
    .regex(/^\d{1,12}$/, 'must be the sequence of a root')
    .transform(Number)
    .default(0),
  limit: queryRules.limit
}

export function registerAuditProof(app: FastifyInstance, to: AuditProofDependencies): void {
  const onRequest = admission(to.lifecycle)
  app.get('/api/audit/roots', { onRequest }, async (request, reply) => {
    const { workspaceId } = await callerOf(to.access, request)
    const { after, limit } = readQuery(rootRules, request.query)
    const roots = await answered(to.store.auditRoots({ workspaceId, after, limit }))
    const next = roots.length === limit ? (roots.at(-1)?.sequence ?? null) : null
    const publicKey = auditPublicKey(to.masterKey, workspaceId).export({ format: 'pem', type: 'spki' })
    return reply.header(responseHeaders.requestId, request.id).send({ publicKey, roots: roots.map(rootBody), next })
  })

  let isVerifying = false
  app.get('/api/audit/verify', { onRequest }, async (request, reply) => {
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort(new ClientGone()))
    const { workspaceId } = await callerOf(to.access, request)
    readQuery({}, request.query)
    // A verification reads the whole audit trail: one at a time is as much as the store should handle besides its work.
    if (isVerifying) throw new Refused('overloaded')
    isVerifying = true
    try {
      await to.events.flush()
      const report = await answered(verifyBounded(to, workspaceId, gone)).catch((error: unknown) => {
        if (error instanceof ClientGone) return undefined
        throw error
      })
      if (!report) return reply.hijack()
      return await reply
        .header(responseHeaders.requestId, request.id)
        .header('cache-control', 'no-store')
        .send(reportBody(workspaceId, report))
    } finally {
      isVerifying = false
    }
  })
}

function verifyBounded(to: AuditProofDependencies, workspaceId: string, stop: AbortController): Promise<AuditReport> {
  const { store, masterKey, auditDays, verifyRowsMax = verifyRowsMaxDefault } = to
  return verifyAudit({
    store,
    workspaceId,
    publicKey: auditPublicKey(masterKey, workspaceId),
    auditDays,
    pageRows,
    signal: stop.signal,
    onProgress: (rows) => {
      if (rows > verifyRowsMax) stop.abort(new Refused('audit_too_large', { fill: { max: verifyRowsMax } }))
    }
  })
}
