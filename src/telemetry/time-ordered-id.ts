/**
 * UUIDs of version 7 (RFC 9562): the first 48 bits are milliseconds, so ids created one after another are adjacent in
 * an index. With random ids, each row of a batch would dirty different pages.
 */
import { randomUUID } from 'node:crypto'

/** The first 48 bits as text, shared by ids of the same moment. */
let prefix = { at: -1, text: '' }

function prefixOf(at: number): string {
  if (at !== prefix.at) {
    const time = at.toString(16).padStart(12, '0')
    prefix = { at, text: `${time.slice(0, 8)}-${time.slice(8)}-7` }
  }
  return prefix.text
}

/** @returns a new id for an event or a request that the service itself names */
export function timeOrderedId(): string {
  // The runtime caches random bytes for its UUIDs of version 4; their variant and random bits serve here too.
  return prefixOf(Date.now()) + randomUUID().slice(15)
}
