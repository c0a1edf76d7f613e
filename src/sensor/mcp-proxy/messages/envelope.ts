/** What the relay must know of a message to bring it to its place: its kind, its id, its method. */
import { eachMember, rawOf, textOf } from './json-members.ts'

export interface Envelope {
  readonly kind: 'request' | 'notification' | 'response' | 'unreadable'
  /** The id as it is written, white space around it excluded: `1`, `"a"`. Absent also where it is `null`. */
  readonly id?: string
  readonly method?: string
  /** Set of a response that is an error. */
  readonly isError?: boolean
}

/** An id of a sane length; a longer one is kept in no book. */
const idBytesMax = 1024

/** Reads the envelope of one message. It looks no further than it must: of an answer that begins with its id, the result is not walked. */
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
