/** What a policy subscriber is made of, and what it says. */
import type { Dispatcher } from 'undici'
import type { PolicyFrame } from './frame.ts'
import type { PolicyState } from './freshness.ts'
import type { RejectReason } from './judge.ts'
import type { FileFault } from './policy-file.ts'

export interface SubscriberOptions<Compiled> {
  /** The service's address; see {@link serviceBase}. */
  readonly target: string
  /** Workspace token with the scope `policy:read`. */
  readonly token: string
  /** Where the last policy is kept over restarts. Without it a restarted sensor has none until the service answers. */
  readonly file?: string | undefined
  /** Makes of the documents what the program enforces. What it throws refuses the policy, and the old one stays. */
  readonly validate: (frame: PolicyFrame) => Compiled
  /** Whether a revision names its documents. */
  readonly verify?: (frame: PolicyFrame) => boolean
  /** Called at each change of state, problem, fault or transport. */
  readonly onState?: (status: SubscriberStatus) => void
  /** Called with each policy that comes into force, the one from the file included. */
  readonly onPolicy?: (policy: AppliedPolicy<Compiled>) => void
  /** Takes acknowledgements on their way to `POST /api/events`. */
  readonly report?: (event: PolicyAcknowledgement) => void
  /** For the sensor's own log; a code that holds no value of the policy. */
  readonly onWarning?: (code: SubscriberWarning) => void
  /** Further headers of every request, such as a client surface. */
  readonly headers?: Readonly<Record<string, string>>
  readonly timings?: Partial<SubscriberTimings>
  /** Most characters of a policy. */
  readonly frameCharsMax?: number
  /** Connections to use, for a proxy or a certificate authority of one's own. Without it the settings of `HTTP(S)_PROXY` count. */
  readonly dispatcher?: Dispatcher | undefined
  readonly clock?: SubscriberClock
  /** Uniform in [0, 1), for jitter. */
  readonly random?: () => number
}

export interface SubscriberClock {
  /** Milliseconds on a clock that never jumps. */
  readonly monotonicMs: () => number
  /** The time of day in milliseconds since 1970, which may jump. */
  readonly wallMs: () => number
}

export interface SubscriberTimings {
  readonly backoffMinMs: number
  readonly backoffMaxMs: number
  /** Longest silence of an open stream, and longest silence under which a policy counts as fresh. */
  readonly watchdogMs: number
  /** The service speaks at once on a new stream; where nothing comes through for this long, something holds it back. */
  readonly firstByteMs: number
  readonly pollMs: number
  readonly pollTimeoutMs: number
  /** While polling: from one try of the stream to the next. */
  readonly streamRetryMs: number
  /** After 401, 403 or an address that does not exist. */
  readonly refusedRetryMs: number
  /** Greatest age at which a policy that the service no longer confirms is enforced; `Infinity` for any. */
  readonly staleAgeMaxMs: number
  /** How often the file learns that its policy was confirmed again. */
  readonly fileRefreshMs: number
  /** How often `report` is told again of a policy that stays in force, or stays refused: the service looks back one day. */
  readonly reportMs: number
}

export const subscriberDefaults: SubscriberTimings = {
  backoffMinMs: 1000,
  backoffMaxMs: 30_000,
  watchdogMs: 45_000,
  firstByteMs: 15_000,
  pollMs: 15_000,
  pollTimeoutMs: 10_000,
  streamRetryMs: 300_000,
  refusedRetryMs: 60_000,
  staleAgeMaxMs: 7 * 86_400_000,
  fileRefreshMs: 300_000,
  reportMs: 21_600_000
}

/** How the service was last reached. */
export type Transport = 'stream' | 'poll'

/**
 * What keeps the policy from being confirmed. `unauthorized`: 401. `forbidden`: 403. `not_found`: the target is not
 * this service, or too old. `unavailable`: the service is overloaded, stopping or failing. `unreachable`: no connection,
 * or one that broke. `untrusted`: the service's certificate is not trusted here. `silent`: a connection on which nothing
 * comes. `rejected`: the service's policy was refused.
 */
export type SubscriberProblem =
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'unavailable'
  | 'unreachable'
  | 'untrusted'
  | 'silent'
  | 'rejected'

export interface SubscriberStatus {
  readonly state: PolicyState
  /** Of the policy at hand, enforced or expired. */
  readonly revision: string | undefined
  /** Since the service last confirmed it. */
  readonly ageMs: number | undefined
  readonly problem: SubscriberProblem | undefined
  /** Beside `unreachable` and `untrusted`: the code of the runtime, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`. */
  readonly fault: string | undefined
  readonly transport: Transport
}

export interface AppliedPolicy<Compiled> {
  readonly frame: PolicyFrame
  readonly compiled: Compiled
}

/** The fields of an event that acknowledges a policy. For `policy_applied`, `reasonCode` says where it came from. */
export type PolicyAcknowledgement =
  | {
      readonly kind: 'policy_applied'
      readonly policyRevision: string
      readonly reasonCode: Transport | 'file'
    }
  | {
      readonly kind: 'policy_rejected'
      readonly policyRevision?: string
      readonly reasonCode: RejectReason | UnusedFile
    }

/**
 * Why the file of the last policy is not used. `file_rejected`: its policy is refused as one from the wire would be.
 * `file_expired`: the service has not confirmed it for longer than `staleAgeMaxMs`, or the time of day was set forward.
 */
export type UnusedFile = `file_${FileFault | 'rejected' | 'expired'}`

/** `file_not_written`: the last policy will not outlive a restart. `callback_failed`: a callback threw. */
export type SubscriberWarning = UnusedFile | 'file_not_written' | 'callback_failed'

export interface PolicySubscriber<Compiled> extends AsyncDisposable {
  readonly status: SubscriberStatus
  /** The policy to enforce. Undefined in the states `unresolved` and `expired`: then nothing may be let through. */
  readonly policy: AppliedPolicy<Compiled> | undefined
  /** Resolves with the first policy that comes into force. Rejects when the subscriber is closed without one. */
  ready(): Promise<AppliedPolicy<Compiled>>
  /** Says that the service was just reached by other means, so that a wait for the next try is cut short. */
  retryNow(): void
  /** Ends the stream and writes the file a last time. */
  close(): Promise<void>
}
