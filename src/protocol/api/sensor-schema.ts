/** Sensors by their latest heartbeats: `GET /api/sensors`. */
import { z } from 'zod'
import { timeText } from './session-schema.ts'

const sensorBody = z.object({
  /** Null for sensors without an id. */
  sensorId: z.string().nullable(),
  tokenId: z.string().nullable(),
  platform: z.string().nullable(),
  sensorVersion: z.string().nullable(),
  /** The policy state that it last reported; `isSilent` says whether that is still current. */
  state: z.string().nullable(),
  isSilent: z.boolean(),
  policyRevision: z.string().nullable(),
  isCurrent: z.boolean(),
  /** Time since the service confirmed its policy, as of its last heartbeat. */
  policyAgeMs: z.number().nullable(),
  /** Events waiting in the sensor, and events that it has dropped since its start. */
  spooled: z.number().nullable(),
  /** Why waiting events are not on its disk; null if they are, and for sensors that do not say. */
  spoolProblem: z.string().nullable(),
  dropped: z.number().nullable(),
  firstSeenAt: timeText,
  lastSeenAt: timeText
})

export const sensorsBody = z.object({
  /** The policy in force. */
  revision: z.string(),
  sensors: z.array(sensorBody),
  /** Whether there are more than are listed. */
  isCut: z.boolean()
})

export type SensorBody = z.output<typeof sensorBody>
export type SensorsBody = z.output<typeof sensorsBody>
