/** `GET /api/events`: a page of events. `GET /api/events/series`: counts over time, for plots. */
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { responseHeaders } from '../../protocol/headers.ts'
import { kindPattern } from '../../protocol/events/event-schema.ts'
import { rollupDimensions, type SeriesQuery, type Store } from '../../store/store.ts'
import type { EventWriter } from '../../telemetry/event-writer.ts'
import { callerOf, type Access } from '../access.ts'
import { admission, type Lifecycle } from '../lifecycle.ts'
import { answered, badQuery } from './answered.ts'
import { eventBody, readEventQuery } from './event-query.ts'
import { queryRules, readQuery } from './read-query.ts'
import { dayMs, hourMs, minuteMs } from '../../timing/spans.ts'
import { isoTime } from '../../timing/iso-time.ts'

export interface ReadDependencies {
  readonly access: Access
  readonly store: Store
  readonly lifecycle: Lifecycle
  readonly events: Pick<EventWriter, 'flush'>
}

export function registerEventReads(app: FastifyInstance, to: ReadDependencies): void {
  const onRequest = admission(to.lifecycle)
  app.get('/api/events', { onRequest }, async (request, reply) => {
    const caller = await callerOf(to.access, request)
    const query = readEventQuery(request.query, caller)
    // A record may still wait for a commit; this makes it visible to someone who asks right after a call.
    await to.events.flush()
    const { rows, next } = await answered(to.store.findEvents(query))
    return reply.header(responseHeaders.requestId, request.id).send({ events: rows.map(eventBody), next })
  })
  app.get('/api/events/series', { onRequest }, async (request, reply) => {
    const { workspaceId } = await callerOf(to.access, request)
    const query = { workspaceId, ...readSeriesQuery(request.query, Date.now()) }
    const points = await answered(to.store.eventSeries(query))
    const { dimension, step, from, to: until } = query
    const body = { by: dimension, step, from: isoTime(from), to: isoTime(until) }
    const shown = points.map((point) => ({ ...point, at: isoTime(point.at) }))
    return reply.header(responseHeaders.requestId, request.id).send({ ...body, points: shown })
  })
}

const stepMs = { minute: minuteMs, hour: hourMs, day: dayMs } as const
/** Most steps of one series. */
const stepsMax = 2000

const seriesRules = {
  by: z.enum(rollupDimensions, `must be one of ${rollupDimensions.join(', ')}`).default('total'),
  step: z.enum(['minute', 'hour', 'day', 'all'], 'must be minute, hour, day or all').default('hour'),
  from: queryRules.time,
  to: queryRules.time,
  kind: z.string('must be given once').regex(kindPattern, `must be of the form ${kindPattern.source}`).optional()
}

/** @throws Refused `invalid_value` */
function readSeriesQuery(query: unknown, now: number): Omit<SeriesQuery, 'workspaceId'> {
  const { by, step, from = now - 7 * stepMs.day, to = now, kind } = readQuery(seriesRules, query)
  if (from >= to) throw badQuery('/from', 'The query parameter from must lie before to.')
  if (step !== 'all' && (to - from) / stepMs[step] > stepsMax) {
    throw badQuery('/step', `The query parameter step is too short: the range would have more than ${stepsMax} steps.`)
  }
  return { dimension: by, step, from, to, kind }
}
