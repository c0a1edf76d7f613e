/** `GET /api/sensors`: the sensors of a workspace, by their latest heartbeats. */
import type { FastifyInstance } from 'fastify'
import { sequenceOf, type EffectivePolicy } from '../../policy/revision.ts'
import { sensorHeartbeatMs } from '../../protocol/events/event-schema.ts'
import { responseHeaders } from '../../protocol/headers.ts'
import { rowsMax, type SensorRecord, type Store } from '../../store/store.ts'
import { callerOf, type Access } from '../access.ts'
import { admission, type Lifecycle } from '../lifecycle.ts'
import { answered } from './answered.ts'
import { isoTime } from '../../timing/iso-time.ts'

interface SensorsDependencies {
  readonly access: Access
  readonly lifecycle: Lifecycle
  readonly store: Pick<Store, 'listSensors'>
  /** The policy of a workspace as enforced and streamed, read from the store. */
  effective(workspaceId: string): Promise<EffectivePolicy>
}

/** A sensor that missed three heartbeats in a row is silent. */
const silentMs = 3.5 * sensorHeartbeatMs

export function registerSensors(app: FastifyInstance, to: SensorsDependencies): void {
  app.get('/api/sensors', { onRequest: admission(to.lifecycle) }, async (request, reply) => {
    const { workspaceId } = await callerOf(to.access, request)
    const { revision } = await answered(to.effective(workspaceId))
    const found = await answered(to.store.listSensors({ workspaceId, limit: rowsMax }))
    const now = Date.now()
    const sensors = found.map((sensor) => sensorBody(sensor, { now, current: sequenceOf(revision) }))
    return reply
      .header(responseHeaders.requestId, request.id)
      .send({ revision, sensors, isCut: found.length === rowsMax })
  })
}

/**
 * @param at.current sequence of the policy in force. Its hash may differ between instances with different block
 *   switches.
 */
function sensorBody(
  { sensorId, tokenId, firstSeenAt, lastSeenAt, report }: SensorRecord & { readonly firstSeenAt: number },
  at: { readonly now: number; readonly current: number | undefined }
) {
  const text = (field: string): string | null => (typeof report[field] === 'string' ? report[field] : null)
  const number = (field: string): number | null => (typeof report[field] === 'number' ? report[field] : null)
  const policyRevision = text('policyRevision')
  return {
    sensorId: sensorId === '' ? null : sensorId,
    tokenId,
    platform: text('platform'),
    sensorVersion: text('sensorVersion'),
    /** The state that it last reported; `isSilent` says whether that is still current. */
    state: text('policyState'),
    isSilent: at.now - lastSeenAt > silentMs,
    policyRevision,
    isCurrent: at.current !== undefined && sequenceOf(policyRevision ?? '') === at.current,
    policyAgeMs: number('policyAgeMs'),
    spooled: number('spooled'),
    spoolProblem: text('spoolProblem'),
    dropped: number('dropped'),
    firstSeenAt: isoTime(firstSeenAt),
    lastSeenAt: isoTime(lastSeenAt)
  }
}
