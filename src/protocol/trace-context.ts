/**
 * W3C Trace Context (https://www.w3.org/TR/trace-context/): `traceparent` and `tracestate` from untrusted clients.
 * Malformed headers are dropped, because a tracing header must not break a call.
 */

/** A call's position in a trace. */
export interface TraceContext {
  /** 32 hexadecimal digits in lower case, not all zero. */
  readonly traceId: string
  /** The span that is the parent of the next hop's spans: 16 hexadecimal digits in lower case, not all zero. */
  readonly spanId: string
  readonly isSampled: boolean
  /** The members of other tracing systems, as received. Their contents are arbitrary and may name a person. */
  readonly state?: string
}

export const traceHeaders = { parent: 'traceparent', state: 'tracestate' } as const

/**
 * How much of it is passed to the next hop. `traceparent`: two random numbers and a flag. `full`: `tracestate` as well,
 * in which the client's tracing systems may write anything, a user's id for instance.
 */
export const passedContexts = ['off', 'traceparent', 'full'] as const
export type PassedContext = (typeof passedContexts)[number]

/** A later version of the standard may append fields, after another dash. */
const parentPattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const parentLengthMax = 128
const invalidVersion = 'ff'
const sampledFlag = 1

/** The standard requires that at least 512 characters be forwarded, and allows 32 members. */
const stateLengthMax = 512
const stateMembersMax = 32
const stateMemberPattern =
  /^(?:[a-z][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/

/** Whether a text is a trace id. */
export function isTraceId(text: string): boolean {
  return /^[0-9a-f]{32}$/i.test(text) && !/^0+$/.test(text)
}

/**
 * Parses the two headers.
 * @param parent `traceparent`
 * @param state `tracestate`; dropped on its own if malformed
 * @returns undefined if there is no `traceparent`, or it is malformed
 */
export function parseTraceContext(parent: string | undefined, state?: string): TraceContext | undefined {
  if (parent === undefined || parent.length > parentLengthMax) return undefined
  const [, version, traceId = '', spanId = '', flags = '', rest] = parentPattern.exec(parent) ?? []
  if (version === undefined || version === invalidVersion || (version === '00' && rest !== undefined)) return undefined
  if (!isTraceId(traceId) || /^0+$/.test(spanId)) return undefined
  const isSampled = (Number.parseInt(flags, 16) & sampledFlag) === sampledFlag
  const known = parseState(state)
  return { traceId, spanId, isSampled, ...(known === undefined ? {} : { state: known }) }
}

function parseState(text: string | undefined): string | undefined {
  if (text === undefined || text.length > stateLengthMax) return undefined
  const members = text.split(',').map((member) => member.trim())
  // Empty members are allowed and have no meaning.
  const named = members.filter((member) => member !== '')
  const isGood = named.length > 0 && named.length <= stateMembersMax && named.every((m) => stateMemberPattern.test(m))
  return isGood ? named.join(',') : undefined
}

/** Formats `traceparent`, in the version that everyone can parse. */
export function formatTraceParent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}
