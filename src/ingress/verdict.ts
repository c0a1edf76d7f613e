/** Puts the outcome of a scan into the record, the answer's headers and a refusal. */
import { responseHeaders } from '../protocol/headers.ts'
import type { CallRecord } from '../telemetry/report.ts'
import { forwardedLengthMax } from './headers/forward-headers.ts'
import { screenText, type Redactor } from './body/redact-texts.ts'
import { Refused } from './refusal/refused.ts'

/**
 * Scans headers and query parameters that are to be forwarded. A value with a finding is left out, because a
 * placeholder would be meaningless there.
 */
export function screen(forwarded: Map<string, string>, what: string, redactor: Redactor): Map<string, string> {
  for (const [name, value] of forwarded) {
    if (value.length > forwardedLengthMax) {
      throw new Refused('invalid_header', { fill: { name, rule: `at most ${forwardedLengthMax} characters` } })
    }
    if (!screenText(value, `${what} ${name}`, redactor)) forwarded.delete(name)
  }
  return forwarded
}

/** Puts the outcome of the scan into the record and the answer's headers. @throws Refused if it blocks */
export function decide({ tally, scanner }: Redactor, record: CallRecord, headers: Record<string, string>): void {
  record.action = tally.action
  record.riskTier = tally.riskTier
  record.entitiesMasked = tally.action === 'mask' ? tally.masked : 0
  record.entityCounts = tally.entityCounts
  record.passedCounts = tally.passedCounts
  headers[responseHeaders.action] = tally.action
  headers[responseHeaders.entitiesMasked] = String(record.entitiesMasked)
  headers[responseHeaders.riskTier] = tally.riskTier
  if (tally.action !== 'block') return
  record.outcome = 'blocked'
  const named = tally.reasons.map(({ kind, place }) => `${scanner.kinds.get(kind)?.title ?? kind} in ${place}`)
  if (tally.reasonsLeftOut > 0) named.push(`${tally.reasonsLeftOut} more`)
  throw new Refused('high_risk_content_blocked', { fill: { findings: named.join(', ') } })
}
