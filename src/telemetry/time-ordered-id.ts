/**
 * UUIDs of version 7 (RFC 9562): the first 48 bits are milliseconds, so ids that are made one after another stand
 * beside each other in an index. With random ones each row of a batch dirties pages of its own.
 */
import { randomUUID } from 'node:crypto'

/** The first 48 bits as text, which many ids of one moment share. */
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
  // The runtime keeps random bytes in stock for its UUIDs of version 4; their variant and random bits serve here too.
  return prefixOf(Date.now()) + randomUUID().slice(15)
}
