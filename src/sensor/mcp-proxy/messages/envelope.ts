/** What the relay must know to route a message: its kind, its id, its method. */
import { eachMember, lastMember, rawOf, textOf, type Span } from './json-members.ts'

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
    if (key === 'id') id = idIn(message, { from, to: end() })
    else if (key === 'method') method = textOf(message, { from, to: end() })
    else if (key === 'result' || key === 'error') outcome = key
    return id !== undefined && (method !== undefined || outcome !== undefined)
  })
  return envelopeOf(id, method, outcome)
}

/**
 * Reads the envelope of a message of which only the first and the last bytes are left. The SDKs for TypeScript and
 * Python write the id as the last member, others as one of the first.
 */
export function readCutEnvelope(beginning: Uint8Array, ending: Uint8Array): Envelope {
  const { kind, id, method, isError } = readEnvelope(beginning)
  const last = id === undefined ? lastMember(ending, 'id') : undefined
  const outcome = kind === 'response' ? (isError === true ? 'error' : 'result') : undefined
  return envelopeOf(id ?? (last && idIn(ending, last)), method, outcome)
}

function idIn(message: Uint8Array, span: Span): string | undefined {
  const raw = span.to - span.from <= idBytesMax ? rawOf(message, span) : undefined
  return raw === 'null' ? undefined : raw
}

function envelopeOf(
  id: string | undefined,
  method: string | undefined,
  outcome: 'result' | 'error' | undefined
): Envelope {
  if (method !== undefined) return id === undefined ? { kind: 'notification', method } : { kind: 'request', id, method }
  if (outcome === undefined) return { kind: 'unreadable', ...(id !== undefined && { id }) }
  return { kind: 'response', isError: outcome === 'error', ...(id !== undefined && { id }) }
}
