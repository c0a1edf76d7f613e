/** A two-way connection to one MCP server over any transport: a child's pipes, HTTP, or in this process. */

export interface Downstream {
  /** Sends one client message. Never throws; the outcome of a request is reported by `onMessage`. */
  send(message: Uint8Array): void
  /** Whether so much is queued that the client should not be read for now. */
  readonly isFull: boolean
  /** Client requests without an answer yet. */
  readonly openRequests: number
  /** The client sends nothing more. Resolves when everything has ended, by force after `graceMs`. */
  close(graceMs: number): Promise<void>
}

export interface DownstreamEvents {
  /**
   * One message for the client: the server's, or an error for a request that got no answer. If a promise is returned,
   * the server is not read any further until it resolves.
   */
  onMessage(message: Uint8Array): Promise<void> | undefined
  /** `isFull` is false again. */
  onDrain(): void
}

/** Creates the connection to a server; it opens with the first message. */
export type OpenDownstream = (events: DownstreamEvents) => Downstream
