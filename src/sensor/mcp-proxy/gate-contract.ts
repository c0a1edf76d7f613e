/** The contract between the MCP proxy's relay, which moves bytes, and its gate, which judges them. */
import type { IncomingHttpHeaders } from 'node:http'

/** A downstream server, identified by how the proxy reaches it and never by the name that it gives itself. */
export interface ServerIdentity {
  /** Its key in `mcp.json`, if there is one. */
  readonly name?: string
  readonly url?: string
  readonly command?: readonly string[]
}

/** How the client of one session is connected. */
export interface GateConnection {
  readonly transport: 'stdio' | 'http'
  /** Sends a notification of the gate's own to the client; absent if there is no channel for it. */
  readonly notify?: (message: Uint8Array) => void
}

/** What happens to one message. If all fields are absent, it is dropped. */
export interface Step {
  /** Passed to the other side; the very same array if unchanged. */
  readonly forward?: Uint8Array
  /** Returned to the sender: a refusal as a tool result, a JSON-RPC error, or an answer made here. */
  readonly reply?: Uint8Array
  /** HTTP status of the reply if it is not 200. */
  readonly status?: number
  /**
   * Revision 2025-11-25: this request (elicitation/create) first goes to the client, on the stream of the call. The
   * client's reply arrives through `fromClient` like any message (its step is empty), and `then` resolves with what
   * happens to the call.
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
   * Judges a client's message.
   * @param message the bytes of exactly one JSON-RPC message (one line, one body, the data of one server-sent event)
   * @param http the client's headers, in lower case
   */
  fromClient(message: Uint8Array, http?: IncomingHttpHeaders): Step | Promise<Step>
  fromServer(message: Uint8Array): Step | Promise<Step>
  /**
   * Masks the body that a server on HTTP sends with an error status if it does not answer a request.
   * @param id of the request that it ends, as JSON
   * @returns what may be passed to the client; undefined if nothing may
   */
  errorWords(words: ErrorWords, id?: string): Uint8Array | undefined | Promise<Uint8Array | undefined>
  /** Whether the client was promised notifications that the server does not offer, and needs a stream for them. */
  readonly promisesNews?: boolean
  close(): void
}

/** One gate per process: policy, limits, pins and events of all its sessions. */
export interface Gate {
  open(server: ServerIdentity, connection: GateConnection): GateSession
  close(): Promise<void>
}
