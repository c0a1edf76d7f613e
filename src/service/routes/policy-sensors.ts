/** `GET /api/workspace/policy/sensors`: which revision each sensor enforces, as it reported within the last day. */
import type { FastifyInstance } from 'fastify'
import { sequenceOf, type EffectivePolicy } from '../../policy/revision.ts'
import { responseHeaders } from '../../protocol/headers.ts'
import type { Store } from '../../store/store.ts'
import { callerOf, type Access } from '../access.ts'
import { admission, type Lifecycle } from '../lifecycle.ts'
import { sensorPolicies, type Acknowledgement, type SensorPolicy } from '../readings/policy-sensors.ts'
import { answered } from './answered.ts'
import { dayMs } from '../../timing/spans.ts'
import { isoTime } from '../../timing/iso-time.ts'

interface PolicySensorsDependencies {
  readonly access: Access
  readonly lifecycle: Lifecycle
  readonly store: Pick<Store, 'eventSeries' | 'findEvents'>
  /** The policy of a workspace as enforced and streamed, read from the store. */
  effective(workspaceId: string): Promise<EffectivePolicy>
}

export function registerPolicySensors(app: FastifyInstance, to: PolicySensorsDependencies): void {
  app.get('/api/workspace/policy/sensors', { onRequest: admission(to.lifecycle) }, async (request, reply) => {
    const { workspaceId } = await callerOf(to.access, request)
    const until = Date.now()
    const range = { workspaceId, from: until - dayMs, to: until + 1 }
    const { revision } = await answered(to.effective(workspaceId))
    const { sensors, isCut } = await answered(sensorPolicies(to.store, range))
    const shown = sensors.map((sensor) => sensorBody(sensor, sequenceOf(revision)))
    return reply
      .header(responseHeaders.requestId, request.id)
      .send({ revision, from: isoTime(range.from), sensors: shown, isCut })
  })
}

/**
 * @param current sequence of the policy in force. Its hash may differ between instances with different block switches.
 */
function sensorBody({ applied, rejected, ...sensor }: SensorPolicy, current: number | undefined) {
  const isCurrent = current !== undefined && sequenceOf(applied?.revision ?? '') === current
  return { ...sensor, isCurrent, applied: acknowledgementBody(applied), rejected: acknowledgementBody(rejected) }
}

const acknowledgementBody = (one: Acknowledgement | null) => one && { ...one, at: isoTime(one.at) }
