/** Whether the headers of an HTTP request agree with its body (revision 2026-07-28). */
import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import { nodeKind, type JsonIndex } from '../../../dialects/json/json-index.ts'
import type { HeaderParameter } from '../messages/header-parameters.ts'
import { textOf } from './members.ts'
import { namedBy, statelessRevision } from '../messages/protocol-names.ts'
import type { RequestMeta } from './request-meta.ts'

/** More than a header can have. */
const valueBytesMax = 65_536

/** Those of extensions may be absent: not every client of the revision knows that they are repeated. */
const nameRequired: readonly string[] = ['tools/call', 'prompts/get', 'resources/read']

/**
 * Compares the headers of a request with its body. Whoever routes by a header and whoever acts on the body must see the
 * same call.
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
  const field = namedBy[method]
  if (field === undefined) return undefined
  if (name === undefined)
    return isRequired && nameRequired.includes(method) ? 'Header mismatch: Mcp-Name must be sent.' : undefined
  const value = params < 0 ? undefined : textOf(index, index.find(params, field), valueBytesMax)
  return decodeHeader(name) === value ? undefined : `Header mismatch: Mcp-Name is not the ${field} of the body.`
}

/**
 * Compares the headers that repeat arguments with the arguments.
 * @param args node of the arguments, or -1
 * @returns what is wrong, as a sentence without any value
 */
export function parameterFault(
  headers: IncomingHttpHeaders,
  index: JsonIndex,
  args: number,
  parameters: readonly HeaderParameter[]
): string | undefined {
  for (const { path, header } of parameters) {
    const node = path.reduce((at, key) => (at < 0 ? -1 : index.find(at, key)), args)
    const sent = single(headers[header])
    if (isSame(index, node, sent)) continue
    const what = sent === undefined ? 'must be sent' : 'is not the argument of the body'
    return `Header mismatch: ${header} ${what}.`
  }
  return undefined
}

const decimal = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/

function isSame(index: JsonIndex, node: number, sent: string | undefined): boolean {
  const kind = node < 0 ? nodeKind.null : index.kind(node)
  // A router must not act on a header value that the call does not have.
  if (kind === nodeKind.null) return sent === undefined
  const value = sent === undefined ? undefined : decodeHeader(sent)
  switch (kind) {
    case nodeKind.string:
      return value !== undefined && value === textOf(index, node, valueBytesMax)
    case nodeKind.number:
      return value !== undefined && decimal.test(value) && Number(value) === Number(index.raw(node))
    case nodeKind.true:
    case nodeKind.false:
      return value === String(kind === nodeKind.true)
    default:
      return sent === undefined
  }
}

const single = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value

const [encodedStart, encodedEnd] = ['=?base64?', '?=']

/**
 * Decodes the form in which a header carries non-ASCII text: `=?base64?...?=`.
 * @returns undefined if the content is not text in this form
 */
function decodeHeader(value: string): string | undefined {
  if (!value.startsWith(encodedStart) || !value.endsWith(encodedEnd)) return value
  const encoded = value.slice(encodedStart.length, -encodedEnd.length)
  const bytes = Buffer.from(encoded, 'base64')
  return isUtf8(bytes) && bytes.toString('base64') === encoded ? bytes.toString('utf8') : undefined
}

/** Headers that repeat arguments (`x-mcp-header` in a tool's schema), decoded if possible. */
export function argumentHeaders(headers: IncomingHttpHeaders): string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const text = name.startsWith('mcp-param-') ? single(value) : undefined
    return text === undefined ? [] : [decodeHeader(text) ?? text]
  })
}
