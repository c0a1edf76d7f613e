/** Which sensors there are and how they are, by their own signs of life. Each sign replaces the one before. */
import { sensorHeartbeatKind, type SensorEvent } from '../../protocol/events/event-schema.ts'
import { StoreError, type SensorRecord, type Store } from '../../store/store.ts'
import type { Principal } from '../tokens/tokens.ts'

/** Signs that come together are one commit, however large the fleet is. */
const flushMs = 1000
/** Sensors whose sign may wait for a commit; what comes beyond them is noted with the sensor's next sign. */
const waitingMax = 20_000

export interface SensorRegistry {
  /** Notes a sign of life. It is on disk a second later, which is soon enough for what the next one replaces. */
  note(event: SensorEvent, principal: Principal, now: number): void
  /** Writes what waits. */
  close(): Promise<void>
}

export const isHeartbeat = ({ kind }: Pick<SensorEvent, 'kind'>): boolean => kind === sensorHeartbeatKind

export function createSensorRegistry(store: Pick<Store, 'putSensors'>): SensorRegistry {
  const waiting = new Map<string, SensorRecord>()
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  async function write(): Promise<void> {
    const sensors = [...waiting.values()]
    waiting.clear()
    if (sensors.length === 0) return
    try {
      await store.putSensors(sensors)
    } catch (error) {
      // The next sign of each comes within a minute; a store that fails is told of by what must not be lost.
      if (!(error instanceof StoreError)) throw error
    }
  }
  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    return (writing = writing.then(write))
  }
  return {
    note(event, { workspaceId, lineageId, tokenId }, now) {
      const { sensorId = '', kind: _kind, eventId: _eventId, requestId: _requestId, occurredAt: _at, ...report } = event
      const key = JSON.stringify([workspaceId, lineageId, sensorId])
      if (waiting.size >= waitingMax && !waiting.has(key)) return
      waiting.set(key, { workspaceId, lineageId, sensorId, tokenId, lastSeenAt: now, report })
      timer ??= setTimeout(() => void flush(), flushMs).unref()
    },
    close: flush
  }
}
