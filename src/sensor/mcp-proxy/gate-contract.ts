/** What the relay of the MCP proxy and its gate say to each other: the relay moves bytes, the gate judges them. */
import type { IncomingHttpHeaders } from 'node:http'

/** One downstream server as the proxy reaches it: never by the name that it gives itself. */
export interface ServerIdentity {
  /** The key of `mcp.json`, where there is one. */
  readonly name?: string
  readonly url?: string
  readonly command?: readonly string[]
}

/** How the client of one session is connected. */
export interface GateConnection {
  readonly transport: 'stdio' | 'http'
  /** Takes a notification of the gate's own to the client; absent where there is no way for one. */
  readonly notify?: (message: Uint8Array) => void
}

/** What happens to one message. All fields absent: it is dropped. */
export interface Step {
  /** Goes on to the other side; the very same array when untouched. */
  readonly forward?: Uint8Array
  /** Goes back to who sent it: a refusal as a result, a JSON-RPC error, an answer made here. */
  readonly reply?: Uint8Array
  /** HTTP status of the reply where it is not 200. */
  readonly status?: number
  /**
   * Revision 2025-11-25: this request goes to the client first (elicitation/create), on the stream of the call. The client's answer
   * comes through `fromClient` like any message (its step is empty) and resolves `then` with what happens to the call.
   */
  readonly ask?: { readonly question: Uint8Array; readonly then: Promise<Step> }
}

/** The body of an HTTP error. */
export interface ErrorWords {
  readonly bytes: Uint8Array
  readonly isJson: boolean
}

/** Judges the messages of one client connection: a stdio pair, an HTTP session, or one stateless request. */
export interface GateSession {
  /**
   * Bytes of exactly one JSON-RPC message (one line, one body, the data of one server-sent event).
   * @param http headers that the client sent with it, lower case
   */
  fromClient(message: Uint8Array, http?: IncomingHttpHeaders): Step | Promise<Step>
  fromServer(message: Uint8Array): Step | Promise<Step>
  /**
   * What a server on HTTP says beside a status that is an error, where it is no answer to a request.
   * @param id JSON of the request that it ends
   * @returns what the client may have of it; undefined where that is nothing
   */
  errorWords(words: ErrorWords, id?: string): Uint8Array | undefined | Promise<Uint8Array | undefined>
  /** Whether the client was told to expect notifications that the server did not offer, and wants a stream for them. */
  readonly promisesNews?: boolean
  close(): void
}

/** One gate a process: policy, limits, pins and events of all its sessions. */
export interface Gate {
  open(server: ServerIdentity, connection: GateConnection): GateSession
  close(): Promise<void>
}
