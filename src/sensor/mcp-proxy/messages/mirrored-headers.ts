/**
 * The headers that revision 2026-07-28 requires beside a message on HTTP (Streamable HTTP, "Request Metadata"): a
 * client on stdio does not send them, so the bridge to HTTP derives them from the message.
 */
import { headerParametersOf, namesHeaders, type HeaderParameter } from './header-parameters.ts'
import { findMember, textOf } from './json-members.ts'
import { metaKeys, namedBy } from './protocol-names.ts'

const toolsMax = 20_000

/** The parameters of each tool that are mirrored, learned from the lists that pass. */
export class MirroredHeaders {
  readonly #tools = new Map<string, readonly HeaderParameter[]>()

  /** Learns from an answer, which is only parsed if it mentions such headers at all. */
  learn(answer: Uint8Array): void {
    if (!namesHeaders(answer)) return
    const { result } = parse(answer) as { result?: { tools?: unknown } }
    if (!Array.isArray(result?.tools)) return
    for (const tool of result.tools as { name?: unknown; inputSchema?: unknown }[]) {
      if (typeof tool?.name !== 'string') continue
      if (this.#tools.size < toolsMax) this.#tools.set(tool.name, headerParametersOf(tool.inputSchema))
    }
  }

  /** The headers of a request. Empty for revisions before 2026-07-28, whose messages do not name the revision. */
  of(message: Uint8Array, method: string | undefined): Record<string, string> {
    const span = findMember(message, ['params', '_meta', metaKeys.version])
    const version = span && textOf(message, span)
    if (version === undefined || method === undefined) return {}
    const headers: Record<string, string> = {
      'mcp-protocol-version': encodeHeader(version),
      'mcp-method': encodeHeader(method)
    }
    const key = namedBy[method]
    if (key === undefined) return headers
    const nameSpan = findMember(message, ['params', key])
    const name = nameSpan && textOf(message, nameSpan)
    if (name === undefined) return headers
    headers['mcp-name'] = encodeHeader(name)
    const parameters = method === 'tools/call' ? this.#tools.get(name) : undefined
    if (!parameters?.length) return headers
    const { params } = parse(message) as { params?: { arguments?: unknown } }
    for (const { path, header } of parameters) {
      const value = path.reduce<unknown>(
        (at, one) => (at as Record<string, unknown> | undefined)?.[one],
        params?.arguments
      )
      if (['string', 'number', 'boolean'].includes(typeof value)) headers[header] = encodeHeader(String(value))
    }
    return headers
  }
}

function parse(message: Uint8Array): object {
  try {
    const value: unknown = JSON.parse(Buffer.from(message.buffer, message.byteOffset, message.byteLength).toString())
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

/** A value as a header carries it: unchanged, or in base64 if it would not survive or could be taken for base64. */
export function encodeHeader(value: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/.test(value)
  const looksEncoded = value.startsWith('=?base64?') && value.endsWith('?=')
  return isPlain && !looksEncoded ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`
}
