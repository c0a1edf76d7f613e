/** What a request says about itself besides its arguments: its revision, its client's capabilities, its trace. */
import { nodeKind, type JsonIndex } from '../../../dialects/json/json-index.ts'
import { parseTraceContext, type TraceContext } from '../../../protocol/trace-context.ts'
import { metaKeys, statelessRevision } from '../messages/protocol-names.ts'
import { keysBelow, membersOf, textOf } from './members.ts'

/**
 * Members that decide how a server treats a request and where its progress goes: each must have exactly one reading.
 */
const decisiveKeys = [metaKeys.version, metaKeys.clientCapabilities, 'progressToken'] as const
const traceKeys = ['traceparent', 'tracestate'] as const

export interface RequestMeta {
  /** The revision that the request itself names, as those without sessions do. */
  readonly revision: string | undefined
  /** Whether its client can ask a person. */
  readonly canElicit: boolean
  readonly trace: TraceContext | undefined
}

const nothing: RequestMeta = { revision: undefined, canElicit: false, trace: undefined }

/**
 * @param params node of the parameters, or -1
 * @returns undefined if two servers could read different values. One process serves the requests of many clients: a
 *   second `progressToken` could send the progress of this request to another client
 */
export function* readMeta(index: JsonIndex, params: number): Generator<void, RequestMeta | undefined, void> {
  const found = params < 0 ? [-1] : membersOf(index, params, ['_meta'])
  const meta = found?.[0]
  if (meta === undefined) return undefined
  if (meta < 0) return nothing
  const decisive = membersOf(index, meta, decisiveKeys)
  if (decisive === undefined || (yield* keysBelow(index, meta)).isDoubled) return undefined
  const [revision, capabilities] = decisive as [number, number]
  const [traceparent, tracestate] = membersOf(index, meta, traceKeys) ?? []
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
  // Clients of 2025-06-18 only know forms, and may have settings of their own here.
  return isEmpty || index.find(elicitation, 'url') < 0
}

const revisionPattern = /^\d{4}-\d{2}-\d{2}$/

/** @param revision as the client wrote it; what is not a date counts as older */
export function isStateless(revision: string | undefined): boolean {
  return revision !== undefined && revisionPattern.test(revision) && revision >= statelessRevision
}
