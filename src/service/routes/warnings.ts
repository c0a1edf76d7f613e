/** `GET /api/warnings`: what softens the default rules, for a banner on every page. */
import type { FastifyInstance } from 'fastify'
import type { WarningsBody } from '../../protocol/api/system-schema.ts'
import type { PolicyRevision } from '../../store/store.ts'
import { callerOf, type Access } from '../access.ts'
import { admission, type Lifecycle } from '../lifecycle.ts'
import type { PolicyRevisions } from '../policies/revisions.ts'
import { answered } from './answered.ts'
import { privately } from './session.ts'

export interface WarningsDependencies {
  readonly access: Access
  readonly lifecycle: Lifecycle
  readonly revisions: PolicyRevisions
  /** The switch with which the server was started. */
  readonly blockHighRisk: boolean
}

type Warnings = WarningsBody['warnings']

const blockingOff: Warnings[number] = {
  code: 'blocking_off',
  path: null,
  variable: 'SERVICE_INGRESS_BLOCK_HIGH_RISK',
  message:
    'The server was started with blocking turned off: high-risk secrets are masked, and the requests are forwarded.'
}

export function registerWarnings(app: FastifyInstance, to: WarningsDependencies): void {
  const warningsOf = keptByRevision(async (policy) =>
    (await to.revisions.softenings(policy)).map(({ code, path, message }) => ({ code, path, variable: null, message }))
  )
  app.get('/api/warnings', { onRequest: admission(to.lifecycle) }, async (request, reply) => {
    const { workspaceId } = await callerOf(to.access, request)
    const current = await answered(to.revisions.current(workspaceId))
    const softenings = await answered(warningsOf(current))
    const body: WarningsBody = {
      revision: current.revision,
      warnings: [...(to.blockHighRisk ? [] : [blockingOff]), ...softenings]
    }
    return await reply.headers(privately(request)).send(body)
  })
}

/**
 * Caches the findings of the newest revision of each workspace. The documents of a revision never change, and every
 * open page asks once a minute, so each is examined once; concurrent requests wait for the same result.
 */
export function keptByRevision<Found>(
  find: (policy: PolicyRevision) => Promise<Found>
): (policy: PolicyRevision) => Promise<Found> {
  const kept = new Map<string, { readonly revision: string; readonly found: Promise<Found> }>()
  return (policy) => {
    const { workspaceId, revision } = policy
    const known = kept.get(workspaceId)
    if (known?.revision === revision) return known.found
    const found = find(policy)
    kept.set(workspaceId, { revision, found })
    // The next request tries again.
    found.catch(() => {
      if (kept.get(workspaceId)?.found === found) kept.delete(workspaceId)
    })
    return found
  }
}
