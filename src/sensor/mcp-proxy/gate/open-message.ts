/** One JSON-RPC message, parsed as far as judging it requires. */
import { isUtf8 } from 'node:buffer'
import { BodyError } from '../../../dialects/json/body-error.ts'
import { indexJson, nodeKind, type JsonIndex } from '../../../dialects/json/json-index.ts'
import { decoderOver } from '../../../ingress/body/decode-utf8.ts'
import { isLookAlike, membersOf, textOf } from './members.ts'
import { shallowMembers, textAt, type Member } from './shallow.ts'

/** Deeper or larger messages are refused: no agent sends them. */
const bounds = { depthMax: 256, valuesMax: 1_000_000 }
const idUnitsMax = 256
const methodBytesMax = 1024

/** The id of a request: its JSON as written, and a key that tells 1 from "1". */
export interface MessageId {
  readonly json: string
  readonly key: string
}

/**
 * Why a message cannot be judged. `not_json`: not JSON in UTF-8 within the limits. `batch`: an array. `not_rpc`: not a
 * JSON-RPC 2.0 message. `ambiguous`: two parsers may read two different messages.
 */
export type MessageFault = 'not_json' | 'batch' | 'not_rpc' | 'ambiguous'

/** A client's message. */
export interface ClientMessage {
  readonly index: JsonIndex
  readonly id: MessageId | undefined
  /** Absent in a response. */
  readonly method: string | undefined
  /** Node of the object, or -1. */
  readonly params: number
}

/** A server's message, of which only the outermost members are read. */
export interface ServerMessage {
  readonly id: MessageId | undefined
  readonly method: string | undefined
  /** Set if the answer is an error. */
  readonly isError: boolean
}

export type Opened<Message> =
  | { readonly message: Message; readonly fault?: undefined }
  | { readonly fault: MessageFault; readonly id?: MessageId }

const names = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'] as const

/** The bytes as a buffer over the same memory. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Indexes a message in full; undefined if it is not JSON in UTF-8 within the limits. Yields in large ones. */
export function* indexMessage(bytes: Buffer): Generator<void, JsonIndex | undefined, void> {
  if (!isUtf8(bytes)) return undefined
  try {
    return yield* indexJson(bytes, { ...bounds, decodeUtf8: decoderOver(bytes) })
  } catch (error) {
    if (error instanceof BodyError) return undefined
    throw error
  }
}

/** Parses a client's message in full, since a more lenient server must not find a different message in it. */
export function* openClientMessage(bytes: Buffer): Generator<void, Opened<ClientMessage>, void> {
  const index = yield* indexMessage(bytes)
  if (index === undefined) return faulty('not_json', bytes)
  const kind = index.kind(index.root)
  if (kind !== nodeKind.object) return { fault: kind === nodeKind.array ? 'batch' : 'not_rpc' }
  const members = membersOf(index, index.root, names)
  if (members === undefined) return faulty('ambiguous', bytes)
  const [version, idNode, methodNode, params, result, error] = members as [
    number,
    number,
    number,
    number,
    number,
    number
  ]
  const id = idNode < 0 ? undefined : idOf(index.raw(idNode), textOf(index, idNode, idUnitsMax * 6))
  const fault = (what: MessageFault): Opened<ClientMessage> => ({ fault: what, ...(id && { id }) })
  if (textOf(index, version) !== '2.0' || (idNode >= 0 && id === undefined)) return fault('not_rpc')
  const isResponse = result >= 0 || error >= 0
  if (methodNode < 0)
    return isResponse && id ? { message: { index, id, method: undefined, params: -1 } } : fault('not_rpc')
  const method = textOf(index, methodNode, methodBytesMax)
  if (method === undefined) return fault('not_rpc')
  if (isResponse) return fault('ambiguous')
  if (params >= 0 && index.kind(params) !== nodeKind.object) return fault('not_rpc')
  return { message: { index, id, method, params } }
}

/**
 * On a pipe, only its id tells a client which of its requests was refused; without it, the client would wait forever.
 */
function faulty(fault: MessageFault, bytes: Buffer): Opened<never> {
  const [only, other] = isUtf8(bytes) ? (shallowMembers(bytes) ?? []).filter(({ key }) => key === 'id') : []
  if (only === undefined || other !== undefined) return { fault }
  const id = idOf(bytes.toString('utf8', only.start, only.end), textMember(bytes, only))
  return { fault, ...(id && { id }) }
}

/** Parses a server's message in one pass over its bytes. */
export function openServerMessage(bytes: Buffer): Opened<ServerMessage> {
  if (!isUtf8(bytes)) return { fault: 'not_json' }
  const members = shallowMembers(bytes)
  if (members === undefined) return { fault: bytes[0] === 0x5b ? 'batch' : 'not_json' }
  const found: (Member | undefined)[] = names.map(() => undefined)
  for (const member of members) {
    const at = names.indexOf(member.key as (typeof names)[number])
    if (at >= 0 ? found[at] !== undefined : isLookAlike(member.key, names)) return { fault: 'ambiguous' }
    if (at >= 0) found[at] = member
  }
  const [version, idMember, methodMember, , result, error] = found
  const id = idMember && idOf(bytes.toString('utf8', idMember.start, idMember.end), textMember(bytes, idMember))
  const isResponse = result !== undefined || error !== undefined
  const method = methodMember && textMember(bytes, methodMember)
  if (version === undefined || textMember(bytes, version) !== '2.0') return { fault: 'not_rpc' }
  if (methodMember === undefined)
    return isResponse ? { message: { id, method: undefined, isError: error !== undefined } } : { fault: 'not_rpc' }
  return isResponse ? { fault: 'ambiguous' } : { message: { id, method: method ?? '', isError: false } }
}

function textMember(bytes: Buffer, { start, end }: Member): string | undefined {
  return bytes[start] === 0x22 && end - start <= methodBytesMax ? textAt(bytes, start, end) : undefined
}

/** The id of a request as the relay knows it: by its JSON only. */
export function idOfJson(json: string): MessageId | undefined {
  const bytes = Buffer.from(json)
  return idOf(json, bytes[0] === 0x22 ? textAt(bytes, 0, bytes.length) : undefined)
}

/** An integer or a short text; any other id might be written differently by the two sides. */
function idOf(json: string, text: string | undefined): MessageId | undefined {
  if (text !== undefined) return text.length <= idUnitsMax ? { json, key: `"${text}` } : undefined
  return /^(?:0|-?[1-9][0-9]{0,15})$/.test(json) ? { json, key: json } : undefined
}
