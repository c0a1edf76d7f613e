/** `GET /api/tools`: tools by server, the policy's verdict on them, and the outcomes of calls. */
import type { FastifyInstance } from 'fastify'
import { readToolPolicy } from '../../policy/revision.ts'
import type { ToolsBody } from '../../protocol/api/system-schema.ts'
import type { Store } from '../../store/store.ts'
import type { EventWriter } from '../../telemetry/event-writer.ts'
import { callerOf, type Access } from '../access.ts'
import { admission, type Lifecycle } from '../lifecycle.ts'
import type { PolicyRevisions } from '../policies/revisions.ts'
import { toolInventory } from '../readings/tool-inventory.ts'
import { answered, badQuery } from './answered.ts'
import { queryRules, readQuery } from './read-query.ts'
import { privately } from './session.ts'
import { dayMs } from '../../timing/spans.ts'
import { isoTime } from '../../timing/iso-time.ts'

export interface ToolsDependencies {
  readonly access: Access
  readonly lifecycle: Lifecycle
  readonly store: Pick<Store, 'eventSeries' | 'findEvents'>
  readonly events: Pick<EventWriter, 'flush'>
  readonly revisions: PolicyRevisions
}

const daysMax = 31

export function registerTools(app: FastifyInstance, to: ToolsDependencies): void {
  app.get('/api/tools', { onRequest: admission(to.lifecycle) }, async (request, reply) => {
    const { workspaceId } = await callerOf(to.access, request)
    const now = Date.now()
    const query = readQuery({ from: queryRules.time, to: queryRules.time }, request.query)
    const { from = now - 7 * dayMs, to: until = now + 1 } = query
    if (from >= until) throw badQuery('/from', 'The query parameter from must lie before to.')
    if (until - from > daysMax * dayMs) throw badQuery('/from', `The range must not be longer than ${daysMax} days.`)
    await to.events.flush()
    const { mcpToolPolicy } = await answered(to.revisions.current(workspaceId))
    const policy = readToolPolicy(mcpToolPolicy)
    const found = await answered(toolInventory(to.store, { workspaceId, from, to: until }, policy))
    const range = { from: isoTime(from), to: isoTime(until) }
    const body: ToolsBody = { ...range, ...found }
    return await reply.headers(privately(request)).send(body)
  })
}
