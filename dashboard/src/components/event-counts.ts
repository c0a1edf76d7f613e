/** Reads members of an event's metadata. */
import type { EventBody } from '../../../src/protocol/api/reading-schema.ts'
import { formatName } from './format.ts'

/** A text in the metadata; undefined if it is not one. */
export function textOf(event: EventBody, name: string): string | undefined {
  const value = event.sensorMetadata[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A name of an event in display form. */
export function nameOf(event: EventBody, name: string): string | undefined {
  const value = textOf(event, name)
  return value === undefined ? undefined : formatName(value)
}

export function numberOf(event: EventBody, name: string): number | undefined {
  const value = event.sensorMetadata[name]
  return typeof value === 'number' ? value : undefined
}

/** The counts by kind in a member such as `entityCounts`, greatest first. */
export function countsOf(event: EventBody, name = 'entityCounts'): [kind: string, count: number][] {
  const counts = event.sensorMetadata[name]
  if (typeof counts !== 'object' || counts === null || Array.isArray(counts)) return []
  return Object.entries(counts)
    .filter((entry): entry is [string, number] => typeof entry[1] === 'number' && entry[1] > 0)
    .toSorted((a, b) => b[1] - a[1])
}
