/** A connection to one MCP server on which messages go both ways, whatever carries it: a child's pipes, HTTP, this process. */

export interface Downstream {
  /** Sends one message of the client's. Never throws; what becomes of a request is told by `onMessage`. */
  send(message: Uint8Array): void
  /** Whether so much waits to be taken that the client should not be read for now. */
  readonly isFull: boolean
  /** Requests of the client that have no answer yet. */
  readonly openRequests: number
  /** The client sends nothing more. Resolves when all is over, after `graceMs` at the latest by force. */
  close(graceMs: number): Promise<void>
}

export interface DownstreamEvents {
  /**
   * One message for the client: the server's, or an error for one of the client's requests that got no answer. A promise
   * is waited for before more of the server is read.
   */
  onMessage(message: Uint8Array): Promise<void> | undefined
  /** `isFull` is false again. */
  onDrain(): void
}

/** Makes the connection to a server; it opens with the first message. */
export type OpenDownstream = (events: DownstreamEvents) => Downstream
