/** `GET /api/warnings`: what softens the rules that hold out of the box, for a banner on every page. */
import type { FastifyInstance } from 'fastify'
import type { LintCode } from '../../policy/lint-finding.ts'
import type { WarningsBody } from '../../protocol/system-schema.ts'
import { callerOf, type Access } from '../access.ts'
import { admission, type Lifecycle } from '../lifecycle.ts'
import type { PolicyDesk } from '../policy-desk.ts'
import { answered } from './answered.ts'
import { privately } from './session.ts'

export interface WarningsDependencies {
  readonly access: Access
  readonly lifecycle: Lifecycle
  readonly desk: PolicyDesk
  /** The switch that the server was started with. */
  readonly blockHighRisk: boolean
}

type Warnings = WarningsBody['warnings']

const softening: readonly LintCode[] = ['softens', 'wide_allow', 'allows_high_risk', 'trusts_server']
/** Rules expire, so a policy that stands still may come to say something else. */
const keptMs = 60_000

const blockingOff: Warnings[number] = {
  code: 'blocking_off',
  path: null,
  variable: 'SERVICE_INGRESS_BLOCK_HIGH_RISK',
  message: 'The server was started with blocking off: high-risk secrets are masked and the requests are forwarded.'
}

export function registerWarnings(app: FastifyInstance, to: WarningsDependencies): void {
  const known = new Map<string, { readonly revision: string; readonly at: number; readonly warnings: Warnings }>()
  app.get('/api/warnings', { onRequest: admission(to.lifecycle) }, async (request, reply) => {
    const { workspaceId } = await callerOf(to.access, request)
    const current = await answered(to.desk.current(workspaceId))
    const now = performance.now()
    let kept = known.get(workspaceId)
    if (kept?.revision !== current.revision || now - kept.at > keptMs) {
      const { findings } = await answered(to.desk.lint(workspaceId, current, true))
      const warnings = findings
        .filter(({ code }) => softening.includes(code))
        .map(({ code, path, message }) => ({ code, path, variable: null, message }))
      kept = { revision: current.revision, at: now, warnings }
      known.set(workspaceId, kept)
    }
    const body: WarningsBody = {
      revision: current.revision,
      warnings: [...(to.blockHighRisk ? [] : [blockingOff]), ...kept.warnings]
    }
    return await reply.headers(privately(request)).send(body)
  })
}
