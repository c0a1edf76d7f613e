/** The options of a policy subscriber, and what it reports. */
import type { Dispatcher } from 'undici'
import type { PolicyFrame } from './frame.ts'
import type { PolicyState } from './freshness.ts'
import type { RejectReason } from './judge.ts'
import type { FileFault } from './policy-file.ts'

export interface SubscriberOptions<Compiled> {
  /** The service's URL; see {@link serviceBase}. */
  readonly target: string
  /** Workspace token with the scope `policy:read`. */
  readonly token: string
  /**
   * Where the last policy is kept across restarts. Without it, a restarted sensor has none until the service answers.
   */
  readonly file?: string | undefined
  /**
   * Compiles the documents to what the program enforces. If it throws, the policy is rejected and the old one stays.
   */
  readonly validate: (frame: PolicyFrame) => Compiled
  /** Called at each change of state, problem, fault or transport. */
  readonly onState?: (status: SubscriberStatus) => void
  /** Called with each policy that takes effect, including the one from the file. */
  readonly onPolicy?: (policy: AppliedPolicy<Compiled>) => void
  /** Receives acknowledgements, which are to be sent to `POST /api/events`. */
  readonly report?: (event: PolicyAcknowledgement) => void
  /** For the sensor's own log; a code that holds no value of the policy. */
  readonly onWarning?: (code: SubscriberWarning) => void
  readonly timings?: Partial<SubscriberTimings>
  /** Connections to use, for a custom proxy or certificate authority. Default: as `HTTP(S)_PROXY` says. */
  readonly dispatcher?: Dispatcher | undefined
  readonly clock?: SubscriberClock
  /** Uniform in [0, 1), for jitter. */
  readonly random?: () => number
}

export interface SubscriberClock {
  /** Milliseconds of a monotonic clock. */
  readonly monotonicMs: () => number
  /** The time of day in milliseconds since 1970, which may jump. */
  readonly wallMs: () => number
}

export interface SubscriberTimings {
  readonly backoffMinMs: number
  readonly backoffMaxMs: number
  /** How long an open stream may be silent, and how long a policy counts as fresh without confirmation. */
  readonly watchdogMs: number
  /**
   * The service sends something at once on a new stream; if nothing arrives for this long, the stream is being held
   * back.
   */
  readonly firstByteMs: number
  readonly pollMs: number
  readonly pollTimeoutMs: number
  /** Interval between attempts to use the stream while polling. */
  readonly streamRetryMs: number
  /** After 401, 403 or a URL that does not exist. */
  readonly refusedRetryMs: number
  /** Maximum age at which an unconfirmed policy is enforced; `Infinity` for any. */
  readonly staleAgeMaxMs: number
  /** How often the file is updated with the last confirmation. */
  readonly fileRefreshMs: number
  /** How often `report` repeats that a policy is still in force, or still rejected: the service looks back one day. */
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
 * What prevents the policy from being confirmed. `unauthorized`: 401. `forbidden`: 403. `not_found`: the target is not
 * this service, or too old. `unavailable`: the service is overloaded, stopping or failing. `unreachable`: no
 * connection, or one that broke. `untrusted`: the service's certificate is not trusted here. `silent`: a connection on
 * which nothing arrives. `rejected`: the service's policy was rejected.
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
  /** Of the last policy, enforced or expired. */
  readonly revision: string | undefined
  /** Milliseconds since the service last confirmed it. */
  readonly ageMs: number | undefined
  readonly problem: SubscriberProblem | undefined
  /** The runtime's error code for `unreachable` and `untrusted`, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`. */
  readonly fault: string | undefined
  readonly transport: Transport
}

export interface AppliedPolicy<Compiled> {
  readonly frame: PolicyFrame
  readonly compiled: Compiled
}

/** The fields of an event that acknowledges a policy. For `policy_applied`, `reasonCode` is its source. */
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
 * Why the file of the last policy is not used. `file_rejected`: its policy is rejected like one from the network would
 * be. `file_expired`: the service has not confirmed it for longer than `staleAgeMaxMs`, or the time of day was set
 * forward.
 */
export type UnusedFile = `file_${FileFault | 'rejected' | 'expired'}`

/** `file_not_written`: the last policy will not survive a restart. `callback_failed`: a callback threw. */
export type SubscriberWarning = UnusedFile | 'file_not_written' | 'callback_failed'

export interface PolicySubscriber<Compiled> extends AsyncDisposable {
  readonly status: SubscriberStatus
  /** The policy to enforce. Undefined in the states `unresolved` and `expired`: then nothing may pass. */
  readonly policy: AppliedPolicy<Compiled> | undefined
  /** Resolves with the first policy that takes effect. Rejects if the subscriber is closed before there is one. */
  ready(): Promise<AppliedPolicy<Compiled>>
  /** Reports that the service was just reached by other means, which shortens a wait for the next attempt. */
  retryNow(): void
  /** Ends the stream and writes the file one last time. */
  close(): Promise<void>
}
