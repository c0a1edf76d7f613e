/** What all sessions of a gate share. */
import type { Logger } from 'pino'
import type { EventInput } from '../../spool/reporter.ts'
import type { TraceContext } from '../../../protocol/trace-context.ts'
import type { ConsentStates } from './consent.ts'
import type { GatePolicy } from './gate-policy.ts'
import type { PolicyAge } from './judge-call.ts'
import type { OpenCall } from './open-call.ts'

export interface GateContext {
  /** The policy in force; undefined if there is none, and then nothing passes. */
  policy(): GatePolicy | undefined
  age(): PolicyAge
  /** Resolves when there is a policy, or has been none for long enough; undefined if there is nothing to wait for. */
  policyWait(): Promise<void> | undefined
  /** Why there is no policy, as the end of a sentence. */
  problem(): string
  /**
   * @param trace of the call that the event is about, as the client sent it
   * @param failure how the server failed at the call, for OpenTelemetry: `tool_error`, or the code of its error
   */
  report(event: EventInput, trace?: TraceContext, failure?: string): void
  readonly consent: ConsentStates
  /** Calls that wait for their answer, oldest first. */
  readonly openCalls: Set<OpenCall>
  readonly surface: string | undefined
  /** Longest wait for the answer to a question. */
  readonly askTimeoutMs: number
  readonly log: Pick<Logger, 'warn' | 'debug'>
  /** Milliseconds of a monotonic clock. */
  nowMs(): number
  /** Milliseconds since 1970. */
  wallMs(): number
}
