/** What the relay must know to route a message: its kind, its id, its method. */
import { eachMember, rawOf, textOf } from './json-members.ts'

export interface Envelope {
  readonly kind: 'request' | 'notification' | 'response' | 'unreadable'
  /** The id as written, without surrounding white space: `1`, `"a"`. Also absent if it is `null`. */
  readonly id?: string
  readonly method?: string
  /** Set for a response that is an error. */
  readonly isError?: boolean
}

/** A longer id is not tracked. */
const idBytesMax = 1024

/**
 * Reads the envelope of a message. Reads no further than needed: if an answer begins with its id, its result is not
 * parsed.
 */
export function readEnvelope(message: Uint8Array): Envelope {
  let id: string | undefined
  let method: string | undefined
  let outcome: 'result' | 'error' | undefined
  eachMember(message, 0, (key, from, end) => {
    if (key === 'id') {
      const to = end()
      const raw = to - from <= idBytesMax ? rawOf(message, { from, to }) : undefined
      id = raw === 'null' ? undefined : raw
    } else if (key === 'method') method = textOf(message, { from, to: end() })
    else if (key === 'result' || key === 'error') outcome = key
    return id !== undefined && (method !== undefined || outcome !== undefined)
  })
  if (method !== undefined) return id === undefined ? { kind: 'notification', method } : { kind: 'request', id, method }
  if (outcome === undefined) return { kind: 'unreadable', ...(id !== undefined && { id }) }
  return { kind: 'response', isError: outcome === 'error', ...(id !== undefined && { id }) }
}
