/** `GET /api/warnings`: what softens the default rules, for a banner on every page. */
import type { FastifyInstance } from 'fastify'
import type { WarningsBody } from '../../protocol/api/system-schema.ts'
import { callerOf, type Access } from '../access.ts'
import { admission, type Lifecycle } from '../lifecycle.ts'
import type { PolicyRevisions } from '../policies/revisions.ts'
import { answered } from './answered.ts'
import { privately } from './session.ts'

interface WarningsDependencies {
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
  app.get('/api/warnings', { onRequest: admission(to.lifecycle) }, async (request, reply) => {
    const { workspaceId } = await callerOf(to.access, request)
    const current = await answered(to.revisions.current(workspaceId))
    const softenings = await answered(to.revisions.softenings(current))
    const body: WarningsBody = {
      revision: current.revision,
      warnings: [
        ...(to.blockHighRisk ? [] : [blockingOff]),
        ...softenings.map(({ code, path, message }) => ({ code, path, variable: null, message }))
      ]
    }
    return await reply.headers(privately(request)).send(body)
  })
}
