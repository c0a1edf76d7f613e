/** What a request says of itself beside its arguments: its revision, what its client can do, the trace it belongs to. */
import type { IncomingHttpHeaders } from 'node:http'
import { nodeKind, type JsonIndex } from '../../../dialects/json-index.ts'
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

export function isStateless(revision: string | undefined): boolean {
  return revision !== undefined && revisionPattern.test(revision) && revision >= statelessRevision
}

const mirrored: Readonly<Record<string, 'name' | 'uri'>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri'
}

/**
 * Compares the headers of a request with its body. Whoever routes by a header and whoever acts on the body must see one
 * and the same call.
 * @returns what is wrong, as a sentence without any value
 */
export function headerFault(
  headers: IncomingHttpHeaders,
  { index, method, params }: { readonly index: JsonIndex; readonly method: string; readonly params: number },
  meta: RequestMeta
): string | undefined {
  const [version, named, name] = ['mcp-protocol-version', 'mcp-method', 'mcp-name'].map((key) => single(headers[key]))
  const isRequired = meta.revision === statelessRevision || (version === statelessRevision && method !== 'initialize')
  if (version !== undefined && meta.revision !== undefined && version !== meta.revision)
    return 'Header mismatch: MCP-Protocol-Version is not the version of the body.'
  if (isRequired && (version === undefined || named === undefined))
    return 'Header mismatch: MCP-Protocol-Version and Mcp-Method must be sent.'
  if (named !== undefined && named !== method) return 'Header mismatch: Mcp-Method is not the method of the body.'
  const field = mirrored[method]
  if (field === undefined) return undefined
  if (name === undefined) return isRequired ? 'Header mismatch: Mcp-Name must be sent.' : undefined
  const value = params < 0 ? undefined : textOf(index, index.find(params, field), 65_536)
  return decodeHeader(name) === value ? undefined : `Header mismatch: Mcp-Name is not the ${field} of the body.`
}

const single = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value

/** Undoes the form in which a header carries what is not plain ASCII: `=?base64?...?=`. */
export function decodeHeader(value: string): string {
  const encoded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value)?.[1]
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8')
}

/** Headers that repeat arguments (`x-mcp-header` of a tool's schema), decoded. */
export function argumentHeaders(headers: IncomingHttpHeaders): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith('mcp-param-') && value !== undefined ? [decodeHeader(single(value) as string)] : []
  )
}
