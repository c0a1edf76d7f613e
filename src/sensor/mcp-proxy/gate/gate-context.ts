/** What all sessions of a gate work with. */
import type { Logger } from 'pino'
import type { EventInput } from '../../spool/reporter.ts'
import type { TraceContext } from '../../../protocol/trace-context.ts'
import type { ConsentStates } from './consent.ts'
import type { GatePolicy } from './gate-policy.ts'
import type { PolicyAge } from './judge-call.ts'
import type { OpenCall } from './open-call.ts'

export interface GateContext {
  /** The policy in force; undefined where there is none, and then nothing passes. */
  policy(): GatePolicy | undefined
  age(): PolicyAge
  /** Resolves when there is a policy, or was none for long enough; undefined where there is nothing to wait for. */
  policyWait(): Promise<void> | undefined
  /** Why there is no policy, as the end of a sentence. */
  problem(): string
  /** @param trace in which the client makes the call that the event is about */
  report(event: EventInput, trace?: TraceContext): void
  readonly consent: ConsentStates
  /** Calls that wait for their answer, in the order in which they began. */
  readonly openCalls: Set<OpenCall>
  readonly surface: string | undefined
  /** Longest wait for the answer to a question. */
  readonly askTimeoutMs: number
  readonly log: Pick<Logger, 'warn' | 'debug'>
  /** Of a clock that never jumps. */
  nowMs(): number
  /** Milliseconds since 1970. */
  wallMs(): number
}
