/** The audit trail in API answers, exports and the terminal. */
import { csvRecord } from '../../protocol/csv.ts'
import { jsonLine } from '../../protocol/json-line.ts'
import { auditFaults, type AuditIssue } from '../../store/audit/issues.ts'
import type { AuditReport } from '../../store/audit/verify.ts'
import type { AuditRoot, AuditRow } from '../../store/store.ts'
import { exportTypes, type ExportFormat } from '../routes/export-answer.ts'
import { dayMs } from '../../timing/spans.ts'

/** A time that somebody has changed to an impossible one is shown as a number. */
function time(at: number): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? String(at) : date.toISOString()
}

/** A row in an API answer, with its time in ISO 8601. */
export function auditRowBody(row: AuditRow) {
  const { sequence, at, requestId, tokenId, actor, action, detail } = row
  return { sequence, at: time(at), requestId, tokenId, actor, action, detail }
}

/** The formats of an export: one JSON object per line, or a table with the detail as JSON in the last column. */
export const auditFormats = {
  jsonl: { type: exportTypes.jsonl, first: '', line: (row) => `${jsonLine(auditRowBody(row))}\n` },
  csv: {
    type: exportTypes.csv,
    first: csvRecord(['sequence', 'at', 'action', 'actor', 'requestId', 'tokenId', 'detail']),
    line: ({ sequence, at, action, actor, requestId, tokenId, detail }) =>
      csvRecord([sequence, time(at), action, actor, requestId, tokenId, JSON.stringify(detail)])
  }
} as const satisfies Record<string, ExportFormat<AuditRow>>

/** A root in the form in which a copy is stored and used for verification. */
export function rootBody({ workspaceId, sequence, sealedAt, payload, hash, signature }: AuditRoot): AuditRoot {
  return { workspaceId, sequence, sealedAt, payload, hash, signature }
}

function issueBody({ day, ...issue }: AuditIssue) {
  const message = auditFaults[issue.fault]
  return { ...issue, ...(day === undefined ? {} : { day: time(day * dayMs).slice(0, 10) }), message }
}

/** The result of a verification, with a sentence for each fault. */
export function reportBody(workspaceId: string, report: AuditReport) {
  const { ok, rows, writers, roots, expiredRows, unsealed, sealed, issues, issuesLeftOut } = report
  return {
    workspaceId,
    ok,
    rows,
    writers,
    roots,
    expiredRows,
    unsealed: { rows: unsealed.rows, since: unsealed.since === null ? null : time(unsealed.since) },
    sealed: sealed && { ...sealed, at: time(sealed.at) },
    issues: issues.map(issueBody),
    issuesLeftOut
  }
}
