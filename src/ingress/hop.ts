/** What differs if the upstream is another instance of Sluice and not a vendor: a sidecar in front of the service. */
import type { IncomingHttpHeaders } from 'node:http'
import type { CallRecord } from '../telemetry/report.ts'

export interface Hop {
  /**
   * Headers for the next instance, in addition to the call itself. They are sent unchecked, so none may hold a client's
   * own words.
   * @param record as complete as it is once the decision is made
   * @param headers of the client's call
   */
  headersOf(record: CallRecord, headers: IncomingHttpHeaders): Iterable<readonly [name: string, value: string]>
  /** Adds what the next instance did with the call to the headers of our answer. */
  takeOver(answer: IncomingHttpHeaders, headers: Record<string, string>): void
}
