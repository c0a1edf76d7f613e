/** The way to another instance of this program, where a call does not go to a vendor yet: a sidecar before the service. */
import type { IncomingHttpHeaders } from 'node:http'
import type { CallRecord } from '../telemetry/report.ts'

export interface Hop {
  /**
   * What the next instance is told beside the call itself. It is sent as it is, so none of it is a client's own words.
   * @param record as far as it is filled when the decision stands
   * @param headers of the client's call
   */
  headersOf(record: CallRecord, headers: IncomingHttpHeaders): Iterable<readonly [name: string, value: string]>
  /** Adds what the next instance did with the call to the headers that our answer will carry. */
  takeOver(answer: IncomingHttpHeaders, headers: Record<string, string>): void
}
