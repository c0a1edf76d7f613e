/** Which policy each sensor enforces, according to the events in which sensors acknowledge policies. */
import type { Store, StoredEvent } from '../../store/store.ts'
import { readRareEvents } from './rare-events.ts'

/** The kinds of event with which a sensor reports that it accepted a policy, or kept its old one. */
const kinds = { applied: 'policy_applied', rejected: 'policy_rejected' } as const

export interface Acknowledgement {
  /** Null if a frame was too malformed to tell. */
  readonly revision: string | null
  /** Where the policy came from, or why it was rejected. */
  readonly reasonCode: string | null
  /** When the service received it, in milliseconds since 1970. */
  readonly at: number
}

export interface SensorPolicy {
  /** Null for sensors without an id; all such sensors of one token count as one. */
  readonly sensorId: string | null
  readonly tokenId: string | null
  readonly platform: string | null
  readonly sensorVersion: string | null
  /** The newest policy that it applied; null if it reported none in this time. */
  readonly applied: Acknowledgement | null
  /** The newest policy that it rejected, if it has not applied one since. */
  readonly rejected: Acknowledgement | null
}

interface SensorPolicies {
  /** Most recently heard first. */
  readonly sensors: readonly SensorPolicy[]
  /** Whether there were more sensors, or more events, than are examined. */
  readonly isCut: boolean
}

const sensorsMax = 1000

type Reader = Pick<Store, 'eventSeries' | 'findEvents'>

interface Range {
  readonly workspaceId: string
  readonly from: number
  readonly to: number
}

/** Reads what sensors acknowledged in `from..to`. @throws StoreError */
export async function sensorPolicies(store: Reader, range: Range): Promise<SensorPolicies> {
  const [applied, rejected] = await Promise.all([
    newest(store, range, kinds.applied),
    newest(store, range, kinds.rejected)
  ])
  const sensors = [...new Set([...applied.bySensor.keys(), ...rejected.bySensor.keys()])]
    .map((key) => sensorOf(applied.bySensor.get(key), rejected.bySensor.get(key)))
    .toSorted((a, b) => lastHeard(b) - lastHeard(a))
  return {
    sensors: sensors.slice(0, sensorsMax),
    isCut: applied.isCut || rejected.isCut || sensors.length > sensorsMax
  }
}

interface Newest {
  readonly bySensor: ReadonlyMap<string, StoredEvent>
  readonly isCut: boolean
}

/** The newest event of a kind for each sensor. */
async function newest(store: Reader, range: Range, kind: string): Promise<Newest> {
  const bySensor = new Map<string, StoredEvent>()
  const isCut = await readRareEvents(store, { ...range, kind, origin: 'sensor' }, (events) => {
    for (const event of events) {
      const key = sensorKey(event)
      if (!bySensor.has(key)) bySensor.set(key, event)
    }
    return bySensor.size <= sensorsMax
  })
  return { bySensor, isCut }
}

/**
 * A sensor chooses its own id, so the same id under another token is another sensor, unless that token was rotated into
 * it.
 */
const sensorKey = (event: StoredEvent): string => `${event.lineageId ?? ''} ${text(event, 'sensorId') ?? ''}`

function sensorOf(applied: StoredEvent | undefined, rejected: StoredEvent | undefined): SensorPolicy {
  const isRefusing = rejected !== undefined && (applied === undefined || applied.sequence < rejected.sequence)
  const latest = (isRefusing ? rejected : applied) as StoredEvent
  return {
    sensorId: text(latest, 'sensorId'),
    tokenId: latest.tokenId,
    platform: text(latest, 'platform'),
    sensorVersion: text(latest, 'sensorVersion'),
    applied: acknowledgement(applied),
    rejected: isRefusing ? acknowledgement(rejected) : null
  }
}

const acknowledgement = (event: StoredEvent | undefined): Acknowledgement | null =>
  event === undefined
    ? null
    : { revision: event.policyRevision, reasonCode: text(event, 'reasonCode'), at: event.receivedAt }

const lastHeard = ({ applied, rejected }: SensorPolicy): number => Math.max(applied?.at ?? 0, rejected?.at ?? 0)

function text({ sensorMetadata }: StoredEvent, field: string): string | null {
  const value = sensorMetadata[field]
  return typeof value === 'string' ? value : null
}
