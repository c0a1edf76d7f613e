/** Sensors as each said of itself last: `GET /api/sensors`. */
import { z } from 'zod'
import { timeText } from './session-schema.ts'

const sensorBody = z.object({
  /** Null for sensors that give no id. */
  sensorId: z.string().nullable(),
  tokenId: z.string().nullable(),
  platform: z.string().nullable(),
  sensorVersion: z.string().nullable(),
  /** How it stands to the policy, as it said last; `isSilent` says whether that still counts. */
  state: z.string().nullable(),
  isSilent: z.boolean(),
  policyRevision: z.string().nullable(),
  isCurrent: z.boolean(),
  /** How long ago the service confirmed its policy, when it spoke last. */
  policyAgeMs: z.number().nullable(),
  /** Events that wait in it, and events that it had to give up since its start. */
  spooled: z.number().nullable(),
  /** Why those that wait are not on its disk; null where they are, and of sensors that do not say. */
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
