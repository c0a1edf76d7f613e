/** The options of a policy hub, and its answers. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PolicyFrame } from './frame.ts'

export interface HubOptions {
  readonly frames: {
    /** The current policy of a workspace, read from the store. If it rejects, the stream is answered with 503. */
    current(workspaceId: string): Promise<PolicyFrame>
  }
  readonly limits?: Partial<HubLimits>
  readonly timings?: Partial<HubTimings>
  /** Uniform in [0, 1), for jitter. */
  readonly random?: () => number
}

interface HubLimits {
  /** Per process. */
  readonly streamsMax: number
  /** Several sensors may share a token. */
  readonly streamsPerTokenMax: number
}

export interface HubTimings {
  readonly heartbeatMs: number
  /** How long a client may leave a write unread. */
  readonly drainTimeoutMs: number
  /** Maximum lifetime of a stream; each is closed at a random moment in its last fifth. */
  readonly ageMaxMs: number
  /** How long clients are told to wait before they reconnect. */
  readonly retryMs: number
  /** Time between the end of a stream and the forced close of its connection. */
  readonly closeTimeoutMs: number
}

export const hubDefaults: { readonly limits: HubLimits; readonly timings: HubTimings } = {
  limits: { streamsMax: 10_000, streamsPerTokenMax: 1000 },
  timings: { heartbeatMs: 15_000, drainTimeoutMs: 30_000, ageMaxMs: 1_800_000, retryMs: 3000, closeTimeoutMs: 1000 }
}

/** Why streams end. `client`: the client or its connection went away first. */
export const closeReasons = ['client', 'revoked', 'workspace', 'stalled', 'age', 'drain'] as const
export type CloseReason = (typeof closeReasons)[number]

/**
 * Why a stream was not opened; the response is untouched. `too_many_streams`: the token's limit (429). `overloaded`:
 * the process's limit (503). `draining` (503). `store_unavailable`: there is no policy to send (503). `revoked_token`:
 * the token or its workspace was closed while the policy was read (401).
 */
export const refusalCodes = [
  'too_many_streams',
  'overloaded',
  'draining',
  'store_unavailable',
  'revoked_token'
] as const
export type RefusalCode = (typeof refusalCodes)[number]

export interface StreamRefusal {
  readonly code: RefusalCode
  /** Whole seconds for `Retry-After`, jittered so that clients refused together do not return together. */
  readonly retryAfterS?: number
}

export interface OpenOptions {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly workspaceId: string
  readonly tokenId: string
  /** Additional headers of the answer. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Totals since the start; `streams` is the current number. */
interface HubStats {
  readonly streams: number
  readonly framesSent: number
  /** Frames that a slow reader never got, because a newer one replaced them. */
  readonly framesCoalesced: number
  readonly closed: Readonly<Record<CloseReason, number>>
  readonly refused: Readonly<Record<RefusalCode, number>>
}

export interface PolicyHub {
  /**
   * Opens a stream, or returns why not; the caller answers a refusal. If the client has already gone, nothing is left
   * to do.
   */
  open(options: OpenOptions): Promise<StreamRefusal | undefined>
  /**
   * Sends a frame to every stream of a workspace. The same or an older sequence is ignored.
   * @throws RangeError if the frame's revision is malformed
   */
  publish(workspaceId: string, frame: PolicyFrame): 'published' | 'unchanged' | 'older'
  /** Ends the token's streams; streams that nobody reads end within `closeTimeoutMs` and a tick. */
  closeToken(tokenId: string): void
  closeWorkspace(workspaceId: string): void
  /** Workspaces that have streams, for polling their policy. */
  workspaces(): string[]
  stats(): HubStats
  /** Refuses new streams and closes the open ones spread over `spreadMs`. Resolves when none is left. */
  drain(options: { readonly spreadMs: number }): Promise<void>
}
