/** Members of an event's metadata, which hold what a sensor said of them. */
import type { EventBody } from '../../../src/protocol/api/reading-schema.ts'
import { formatName } from './format.ts'

/** A text of the metadata; undefined for what is none. */
export function textOf(event: EventBody, name: string): string | undefined {
  const value = event.sensorMetadata[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A name of an event as it is shown. */
export function nameOf(event: EventBody, name: string): string | undefined {
  const value = textOf(event, name)
  return value === undefined ? undefined : formatName(value)
}

export function numberOf(event: EventBody, name: string): number | undefined {
  const value = event.sensorMetadata[name]
  return typeof value === 'number' ? value : undefined
}

/** Counts by kind of a member such as `entityCounts`, the greatest first. */
export function countsOf(event: EventBody, name = 'entityCounts'): [kind: string, count: number][] {
  const counts = event.sensorMetadata[name]
  if (typeof counts !== 'object' || counts === null || Array.isArray(counts)) return []
  return Object.entries(counts)
    .filter((entry): entry is [string, number] => typeof entry[1] === 'number' && entry[1] > 0)
    .toSorted((a, b) => b[1] - a[1])
}
