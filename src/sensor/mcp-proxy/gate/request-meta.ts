/** What a request says of itself beside its arguments: its revision, what its client can do, the trace it belongs to. */
import { nodeKind, type JsonIndex } from '../../../dialects/json/json-index.ts'
import { parseTraceContext, type TraceContext } from '../../../protocol/trace-context.ts'
import { membersOf, textOf } from './members.ts'

const metaKeys = [
  'io.modelcontextprotocol/protocolVersion',
  'io.modelcontextprotocol/clientCapabilities',
  'traceparent',
  'tracestate'
] as const

export interface RequestMeta {
  /** The revision that the request names for itself, as those without sessions do. */
  readonly revision: string | undefined
  /** Whether its client can put a question to a person. */
  readonly canElicit: boolean
  readonly trace: TraceContext | undefined
}

const nothing: RequestMeta = { revision: undefined, canElicit: false, trace: undefined }

/** @param meta node of `_meta`, or -1. Where it can be read in two ways it says nothing */
export function readMeta(index: JsonIndex, meta: number): RequestMeta {
  const members = meta < 0 ? undefined : membersOf(index, meta, metaKeys)
  if (members === undefined) return nothing
  const [revision, capabilities, traceparent, tracestate] = members as [number, number, number, number]
  return {
    revision: textOf(index, revision, 128),
    canElicit: canElicit(index, capabilities),
    trace: parseTraceContext(textOf(index, traceparent, 256), textOf(index, tracestate, 4096))
  }
}

/** @param capabilities node of the client's capabilities, or -1. An empty `elicitation` means forms */
export function canElicit(index: JsonIndex, capabilities: number): boolean {
  const elicitation = capabilities < 0 ? -1 : index.find(capabilities, 'elicitation')
  if (elicitation < 0 || index.kind(elicitation) !== nodeKind.object) return false
  const isEmpty = (index.nexts[elicitation] as number) === elicitation + 1
  const form = index.find(elicitation, 'form')
  if (form >= 0) return index.kind(form) === nodeKind.object
  // Clients of 2025-06-18 know forms alone and may name settings of theirs.
  return isEmpty || index.find(elicitation, 'url') < 0
}

/** From this revision on there are no sessions, and headers repeat what the body says. */
export const statelessRevision = '2026-07-28'

const revisionPattern = /^\d{4}-\d{2}-\d{2}$/

/** @param revision as the client wrote it; what is no date is an older one */
export function isStateless(revision: string | undefined): boolean {
  return revision !== undefined && revisionPattern.test(revision) && revision >= statelessRevision
}
