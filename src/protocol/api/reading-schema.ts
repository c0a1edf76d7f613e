/**
 * Recorded data in API form: events, counts over time, audit rows and their proof. The reading routes answer with these
 * shapes, and the dashboard parses them.
 */
import { z } from 'zod'

const timeText = z.string()

/**
 * An event of `GET /api/events` and of the tail. Its metadata has the names of the sensor event, plus more for calls.
 */
export const eventBodySchema = z.object({
  /** Rises in the order of arrival. */
  sequence: z.int(),
  eventId: z.string(),
  kind: z.string(),
  origin: z.enum(['service', 'sensor']),
  requestId: z.string().nullable(),
  tokenId: z.string().nullable(),
  occurredAt: timeText,
  receivedAt: timeText,
  policyRevision: z.string().nullable(),
  sensorMetadata: z.record(z.string(), z.json())
})

/** `GET /api/events`. `next` is the cursor of the next page, null at the end. */
export const eventPageSchema = z.object({ events: z.array(eventBodySchema), next: z.string().nullable() })

/** Events of one step, one value of the dimension, one kind and one action (empty if the events have none). */
const seriesPointSchema = z.object({
  at: timeText,
  value: z.string(),
  kind: z.string(),
  action: z.string(),
  events: z.number(),
  entitiesMasked: z.number()
})

/** `GET /api/events/series` */
export const seriesSchema = z.object({
  by: z.string(),
  step: z.enum(['minute', 'hour', 'day', 'all']),
  from: timeText,
  to: timeText,
  points: z.array(seriesPointSchema)
})

const auditRowSchema = z.object({
  sequence: z.int(),
  at: timeText,
  requestId: z.string().nullable(),
  tokenId: z.string().nullable(),
  actor: z.string(),
  action: z.string(),
  detail: z.record(z.string(), z.json())
})

/** `GET /api/audit` */
export const auditPageSchema = z.object({ rows: z.array(auditRowSchema), next: z.string().nullable() })

/** `GET /api/audit/verify` */
export const auditReportSchema = z.object({
  workspaceId: z.string(),
  ok: z.boolean(),
  rows: z.int(),
  writers: z.int(),
  roots: z.int(),
  expiredRows: z.int(),
  /** Rows that no signed root covers yet, and since when. */
  unsealed: z.object({ rows: z.int(), since: timeText.nullable() }),
  sealed: z.looseObject({ at: timeText }).nullable(),
  issues: z.array(z.looseObject({ fault: z.string(), message: z.string() })),
  issuesLeftOut: z.int()
})

export type EventBody = z.output<typeof eventBodySchema>
export type SeriesPoint = z.output<typeof seriesPointSchema>
export type AuditRowBody = z.output<typeof auditRowSchema>
export type AuditReportBody = z.output<typeof auditReportSchema>
