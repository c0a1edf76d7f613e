import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditOf } from '../../store/contract/samples.contract.ts'
import { auditFormats, auditRowBody, reportBody } from './audit-bodies.ts'

test('an impossible time is shown as a number, and hides no row', () => {
  for (const at of [8.64e15 + 1, Number.NaN]) {
    const row = { ...auditOf({ at }), sequence: 1 }
    assert.equal(auditRowBody(row).at, String(at))
    assert.ok(auditFormats.csv.line(row).startsWith(`1,${at},`))
  }
})

test('a report shows days as dates, and each fault with its sentence', () => {
  const issue = { fault: 'row_changed', writerId: 'w', writerSequence: 3, day: 20_400 } as const
  const unsealed = { rows: 2, since: 0 }
  const counts = { rows: 1, writers: 1, roots: 0, expiredRows: 0, unsealed, sealed: null, issuesLeftOut: 0 }
  const body = reportBody('acme', { ok: false, ...counts, issues: [issue] })
  assert.equal(body.unsealed.since, '1970-01-01T00:00:00.000Z')
  assert.deepEqual(body.issues, [
    {
      fault: 'row_changed',
      writerId: 'w',
      writerSequence: 3,
      day: '2025-11-08',
      message: 'The row was changed: its hash does not match its content.'
    }
  ])
})
