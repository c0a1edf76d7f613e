import { Button, List, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import {
  auditReportSchema,
  type AuditReportBody,
  type AuditRowBody
} from '../../../../src/protocol/api/reading-schema.ts'
import { send } from '../../api/client.ts'
import { StateBadge } from '../../components/badges.tsx'
import { ErrorBox } from '../../components/error-box.tsx'
import { formatCount } from '../../components/format.ts'
import { Section } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'

/** Whether the audit rows of this request are unchanged: verifies every chain and every signed root. */
export function AuditProof({ rows }: { readonly rows: readonly AuditRowBody[] }) {
  const verify = useMutation({
    mutationFn: async () => (await send('GET', '/api/audit/verify', auditReportSchema)).body
  })
  return (
    <Section title="Audit" about={rows.length === 1 ? '1 row of this request' : `${rows.length} rows of this request`}>
      <Stack gap="xs" align="flex-start">
        {verify.data ? <Verdict report={verify.data} rows={rows} /> : null}
        <ErrorBox error={verify.error} />
        <Button variant="default" size="xs" loading={verify.isPending} onClick={() => verify.mutate()}>
          {verify.data ? 'Verify again' : 'Verify the audit'}
        </Button>
        {verify.data ? null : (
          <Text size="xs" c="dimmed">
            Checks the hash chain of every row and the signature of every root. This takes a moment in a large audit.
          </Text>
        )}
      </Stack>
    </Section>
  )
}

function Verdict({ report, rows }: { readonly report: AuditReportBody; readonly rows: readonly AuditRowBody[] }) {
  const sequences = new Set(rows.map(({ sequence }) => sequence))
  const ofThis = report.issues.filter(({ sequence }) => typeof sequence === 'number' && sequences.has(sequence))
  const sealedAt = report.sealed ? Date.parse(report.sealed.at) : 0
  const isSealed = rows.every(({ at }) => Date.parse(at) <= sealedAt)
  if (report.ok) {
    return (
      <>
        <StateBadge state="good">Whole</StateBadge>
        <Text size="sm">
          {formatCount(report.rows)} rows are as they were written.{' '}
          {isSealed && report.sealed ? (
            <>
              The rows of this request are sealed by a signed root of <Time at={report.sealed.at} />.
            </>
          ) : (
            'The newest rows are not sealed yet; they will be within a minute.'
          )}
        </Text>
      </>
    )
  }
  return (
    <>
      <StateBadge state="bad">Broken</StateBadge>
      <Text size="sm">
        {ofThis.length > 0
          ? 'Rows of this request were changed:'
          : 'The audit was changed, but not in the rows of this request:'}
      </Text>
      <List size="sm">
        {(ofThis.length > 0 ? ofThis : report.issues.slice(0, 5)).map((issue, place) => (
          <List.Item key={place}>{issue.message}</List.Item>
        ))}
      </List>
    </>
  )
}
