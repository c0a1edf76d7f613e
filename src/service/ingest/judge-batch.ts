/** Validates the events of one request, each separately, with pauses in which the process serves others. */
import type { Candidate } from '../../protocol/events/event-batch.ts'
import { judgeEvent, type EventRules, type SensorEvent } from '../../protocol/events/event.ts'
import { isUuid } from '../../protocol/headers.ts'
import type { Fault } from '../../protocol/problem.ts'
import type { AppendBatch, AuditEntry, WorkspaceEvent } from '../../store/store.ts'
import { timeOrderedId } from '../../telemetry/time-ordered-id.ts'
import { isHeartbeat } from '../readings/sensors.ts'
import type { Principal } from '../tokens/tokens.ts'
import { toWorkspaceEvent } from './workspace-event.ts'

/** The result for one event of the request, before anything is stored. */
export type Verdict =
  | {
      readonly ok: true
      readonly eventId: string
      readonly warnings: readonly string[]
      /** Set for a heartbeat, which has no record of its own. */
      readonly isHeartbeat?: true
    }
  | { readonly ok: false; readonly eventId?: string; readonly faults: readonly Fault[] }

export interface JudgedBatch {
  /** One for each candidate, in order. */
  readonly verdicts: readonly Verdict[]
  /** The records of the valid events, in order. */
  readonly records: AppendBatch
  readonly heartbeats: readonly SensorEvent[]
}

interface BatchContext {
  readonly principal: Principal
  readonly requestId: string
  /** When the request arrived, in milliseconds since 1970. */
  readonly now: number
  readonly rules: EventRules
}

/** Work between two pauses, in milliseconds. */
const pauseEveryMs = 0.5

export function* judgeBatch(
  candidates: readonly Candidate[],
  context: BatchContext
): Generator<void, JudgedBatch, void> {
  const { principal, requestId, now, rules } = context
  const verdicts: Verdict[] = []
  const events: WorkspaceEvent[] = []
  const audit: AuditEntry[] = []
  const heartbeats: SensorEvent[] = []
  let pausedAt = performance.now()
  for (const candidate of candidates) {
    if (performance.now() - pausedAt > pauseEveryMs) {
      yield
      pausedAt = performance.now()
    }
    const judged = candidate.ok ? judgeEvent(candidate.value, rules) : { ok: false as const, faults: [candidate.fault] }
    if (!judged.ok) {
      verdicts.push({ ok: false, faults: judged.faults, ...idOf(candidate) })
      continue
    }
    if (isHeartbeat(judged.event)) {
      heartbeats.push(judged.event)
      const { eventId = timeOrderedId() } = judged.event
      verdicts.push({ ok: true, eventId, warnings: judged.warnings, isHeartbeat: true })
      continue
    }
    const stored = toWorkspaceEvent(judged.event, principal, requestId, now)
    if (stored.audit) audit.push({ ...stored.audit, eventIndex: events.length })
    events.push(stored.event)
    verdicts.push({ ok: true, eventId: stored.event.eventId, warnings: [...judged.warnings, ...stored.warnings] })
  }
  return { verdicts, records: { events, audit }, heartbeats }
}

/** The id of a refused event, if it is well-formed, so that its sender can identify it. */
function idOf(candidate: Candidate): { eventId?: string } {
  if (!candidate.ok || typeof candidate.value !== 'object' || candidate.value === null) return {}
  const { eventId } = candidate.value as { readonly eventId?: unknown }
  return typeof eventId === 'string' && isUuid(eventId) ? { eventId: eventId.toLowerCase() } : {}
}
