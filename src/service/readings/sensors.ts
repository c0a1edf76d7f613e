/** Which sensors there are and their state, by their own heartbeats. Each heartbeat replaces the one before. */
import { sensorHeartbeatKind, type SensorEvent } from '../../protocol/events/event-schema.ts'
import { StoreError, type SensorRecord, type Store } from '../../store/store.ts'
import type { Principal } from '../tokens/tokens.ts'

/** Heartbeats within this time share one commit, however large the fleet is. */
const flushMs = 1000
/** Sensors whose heartbeat may wait for a commit; beyond that, a sensor's next heartbeat is recorded. */
const waitingMax = 20_000
/** Limit per token lineage within the total, so that no token can displace sensors of other tokens and workspaces. */
const waitingOfLineageMax = 5000

export interface SensorRegistry {
  /**
   * Records a heartbeat. It is on disk a second later, which is soon enough for something that the next one replaces.
   */
  note(event: SensorEvent, principal: Principal, now: number): void
  /** Writes what is waiting. */
  close(): Promise<void>
}

export const isHeartbeat = ({ kind }: Pick<SensorEvent, 'kind'>): boolean => kind === sensorHeartbeatKind

export function createSensorRegistry(store: Pick<Store, 'putSensors'>): SensorRegistry {
  const waiting = new Map<string, SensorRecord>()
  const waitingOf = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  async function write(): Promise<void> {
    const sensors = [...waiting.values()]
    waiting.clear()
    waitingOf.clear()
    if (sensors.length === 0) return
    try {
      await store.putSensors(sensors)
    } catch (error) {
      // Each sensor's next heartbeat comes within a minute; a failing store is reported by what must not be lost.
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
      const others = waitingOf.get(lineageId) ?? 0
      if (!waiting.has(key)) {
        if (waiting.size >= waitingMax || others >= waitingOfLineageMax) return
        waitingOf.set(lineageId, others + 1)
      }
      waiting.set(key, { workspaceId, lineageId, sensorId, tokenId, lastSeenAt: now, report })
      timer ??= setTimeout(() => void flush(), flushMs).unref()
    },
    close: flush
  }
}
