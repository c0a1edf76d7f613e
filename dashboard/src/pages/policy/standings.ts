/** The state of each sensor with regard to the policy in force. */
import { sequenceOf } from '../../../../src/policy/revision.ts'
import type { PolicySensorsBody } from '../../../../src/protocol/api/policy-schema.ts'

export type Standing = 'current' | 'behind' | 'refused'
type Sensor = PolicySensorsBody['sensors'][number]
export type SensorStanding = Sensor & { readonly standing: Standing }

/** Each sensor with its state. A sensor that refused an earlier revision has not reported on this one yet. */
export function standingsOf({ revision, sensors }: Pick<PolicySensorsBody, 'revision' | 'sensors'>): SensorStanding[] {
  const current = sequenceOf(revision)
  const refuses = ({ rejected }: Sensor): boolean =>
    // A policy that was too malformed to identify may be the one in force.
    rejected !== null && (rejected.revision === null || sequenceOf(rejected.revision) === current)
  return sensors.map((sensor) => ({
    ...sensor,
    standing: refuses(sensor) ? 'refused' : sensor.isCurrent ? 'current' : 'behind'
  }))
}

export function countStandings(body: Pick<PolicySensorsBody, 'revision' | 'sensors'>): Record<Standing, number> {
  const counts = { current: 0, behind: 0, refused: 0 }
  for (const { standing } of standingsOf(body)) counts[standing]++
  return counts
}
