/**
 * W3C Trace Context (https://www.w3.org/TR/trace-context/): `traceparent` and `tracestate` as they come from anybody.
 * What is not of the standard's form is dropped, because a header about traces must not break a call.
 */

/** Where a call stands in a trace. */
export interface TraceContext {
  /** 32 hexadecimal digits in lower case, not all zero. */
  readonly traceId: string
  /** Of the span that the next hop's spans hang below: 16 hexadecimal digits in lower case, not all zero. */
  readonly spanId: string
  readonly isSampled: boolean
  /** The list of the tracing systems on the way, as it came. What stands in it is theirs and may name a person. */
  readonly state?: string
}

export const traceHeaders = { parent: 'traceparent', state: 'tracestate' } as const

/**
 * How much of it the next hop is told. `traceparent`: two random numbers and a flag. `full`: `tracestate` as well, in
 * which the client's tracing systems write what they like, a user's id among it.
 */
export const passedContexts = ['off', 'traceparent', 'full'] as const
export type PassedContext = (typeof passedContexts)[number]

/** A later version of the standard may append fields, which begin with another dash. */
const parentPattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const parentLengthMax = 128
const invalidVersion = 'ff'
const sampledFlag = 1

/** The standard asks that at least 512 characters be passed on, and allows 32 members. */
const stateLengthMax = 512
const stateMembersMax = 32
const stateMemberPattern =
  /^(?:[a-z][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/

/** Whether a text is a trace id. */
export function isTraceId(text: string): boolean {
  return /^[0-9a-f]{32}$/i.test(text) && !/^0+$/.test(text)
}

/**
 * Reads the two headers.
 * @param parent `traceparent`
 * @param state `tracestate`; dropped alone where it is malformed
 * @returns undefined where there is no `traceparent`, or one that is not of the standard's form
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
  // Empty members are allowed and mean nothing.
  const named = members.filter((member) => member !== '')
  const isGood = named.length > 0 && named.length <= stateMembersMax && named.every((m) => stateMemberPattern.test(m))
  return isGood ? named.join(',') : undefined
}

/** Writes `traceparent`, in the version that everybody reads. */
export function formatTraceParent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}
