/** The relay's own errors as JSON-RPC messages. Each says in full sentences what happened and what to do. */

/**
 * From the range that JSON-RPC leaves to implementations; MCP's own begin at -32020, and SDKs use -32000 and -32001
 * like this.
 */
export const errorCodes = {
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  /** The connection to the server is gone. */
  connectionClosed: -32_000,
  /** The server did not answer in time; over HTTP also: the session is not known. */
  timeout: -32_001
} as const

export interface RelayError {
  readonly code: number
  readonly message: string
  /** The case, for programs: `error.data.code`. */
  readonly name: string
  /** Whether the same call may succeed later. */
  readonly retryable: boolean
}

/** @param id of the request as written; omitted if unknown, as MCP demands */
export function errorMessage(id: string | undefined, { code, message, name, retryable }: RelayError): Buffer {
  const error = JSON.stringify({ code, message, data: { code: name, retryable } })
  const bytes = Buffer.from(`{"jsonrpc":"2.0",${id === undefined ? '' : `"id":${id},`}"error":${error}}`)
  sentences.set(bytes, message)
  return bytes
}

const sentences = new WeakMap<Uint8Array, string>()

/** What a message of the relay's own says; undefined if the server wrote the message, however much it looks like one. */
export function relaySentence(message: Uint8Array): string | undefined {
  return sentences.get(message)
}

/** The message that tells a server that the request with this id is no longer wanted. */
export function cancelledMessage(id: string, reason: string): Buffer {
  const params = `{"requestId":${id},"reason":${JSON.stringify(reason)}}`
  return Buffer.from(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":${params}}`)
}

export const tooLarge = (bytesMax: number): RelayError => ({
  code: errorCodes.invalidRequest,
  message: `A message of more than ${bytesMax} bytes was not passed on. SERVICE_MCP_MESSAGE_BYTES_MAX sets the bound.`,
  name: 'message_too_large',
  retryable: false
})

/** What follows for a client; whoever makes no other call needs to be told something else. */
export const startsAgain = ' It is started again with the next call.'

export const stopped = (how: string): RelayError => ({
  code: errorCodes.connectionClosed,
  message: `The MCP server ${how} before it answered.${startsAgain}`,
  name: 'downstream_stopped',
  retryable: true
})

/** What a system's error code means where a program is started; the code itself is searchable. */
const startFaults: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such program, or no such folder to start it in',
  EACCES: 'its file may not be executed',
  E2BIG: 'an argument or a variable is too long for the system'
}

/** @param code of the error with which a start failed */
export const notStartable = (code: string): RelayError => {
  const meaning = startFaults[code]
  return notStarted(meaning === undefined ? code : `${meaning} (${code})`)
}

export const notStarted = (why: string): RelayError => ({
  code: errorCodes.connectionClosed,
  message: `The MCP server could not be started: ${why}.`,
  name: 'downstream_not_started',
  retryable: true
})

export const unanswered = (timeoutMs: number): RelayError => ({
  code: errorCodes.timeout,
  message: `The MCP server was silent for ${timeoutMs} ms and did not answer. SERVICE_MCP_REQUEST_TIMEOUT_MS sets the bound.`,
  name: 'downstream_timeout',
  retryable: true
})

export const unreachable = (why: string): RelayError => ({
  code: errorCodes.connectionClosed,
  message: `The MCP server cannot be reached: ${why}.`,
  name: 'downstream_unreachable',
  retryable: true
})

export const closing: RelayError = {
  code: errorCodes.connectionClosed,
  message: 'The proxy is stopping.',
  name: 'proxy_stopping',
  retryable: true
}

export const unjudged: RelayError = {
  code: errorCodes.internal,
  message: 'The proxy could not judge this message, so it was not passed on.',
  name: 'unjudged',
  retryable: false
}
