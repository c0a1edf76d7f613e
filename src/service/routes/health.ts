/** `/livez`: the process answers. `/readyz`: it may be sent traffic. */
import type { FastifyInstance } from 'fastify'
import type { Store } from '../../store/store.ts'
import type { EventWriter } from '../../telemetry/event-writer.ts'
import type { Lifecycle } from '../lifecycle.ts'
import { within } from '../../timing/within.ts'
import { isoTime } from '../../timing/iso-time.ts'

/** A store that takes longer than this to answer is not ready. */
const storeTimeoutMs = 2000

/** Whether the store answers in time, and without an error. */
const answersInTime = (store: Store): Promise<boolean> =>
  within(storeTimeoutMs, store.changeCounter()).catch(() => false)

export interface HealthDependencies {
  readonly store: Store
  readonly lifecycle: Lifecycle
  readonly events: Pick<EventWriter, 'state'>
  readonly maintenance: { readonly isStoreFull: boolean }
}

function recordingState({ failingSince, isQueueFull }: ReturnType<EventWriter['state']>): string {
  if (failingSince !== undefined) return `failing since ${isoTime(failingSince)}`
  return isQueueFull ? 'queue full' : 'ok'
}

export function registerHealth(app: FastifyInstance, to: HealthDependencies): void {
  const { store, lifecycle, events, maintenance } = to
  app.get('/livez', () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const needed = {
      draining: lifecycle.isDraining ? 'stopping' : 'ok',
      store: (await answersInTime(store)) ? 'ok' : 'failed'
    }
    // Shown without affecting readiness: model calls continue while nothing can be recorded, and the gap is written
    // later; while the store exceeds its limit, only events are refused.
    const shown = { recording: recordingState(events.state()), space: maintenance.isStoreFull ? 'full' : 'ok' }
    const isReady = Object.values(needed).every((state) => state === 'ok')
    const isWhole = Object.values(shown).every((state) => state === 'ok')
    const status = isReady ? (isWhole ? 'ok' : 'degraded') : 'unavailable'
    return reply.code(isReady ? 200 : 503).send({ status, checks: { ...needed, ...shown } })
  })
}
