import { Button, Group, List, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { auditReportSchema, type AuditReportBody } from '../../../../src/protocol/api/reading-schema.ts'
import { get } from '../../api/client.ts'
import { StateBadge } from '../../components/badges.tsx'
import { ErrorBox } from '../../components/error-box.tsx'
import { formatCount } from '../../components/format.ts'
import { Icon } from '../../components/icons.tsx'
import { Section } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'

const issuesShown = 20

/** Verifies every chain and every signed root on demand. */
export function AuditVerification() {
  const verify = useMutation({ mutationFn: () => get('/api/audit/verify', auditReportSchema) })
  return (
    <Section
      title="Proof"
      about="Checks the hash chain of every row and the signature of every root."
      controls={
        <Button
          variant="default"
          size="sm"
          leftSection={<Icon name="seal" size={16} />}
          loading={verify.isPending}
          onClick={() => verify.mutate()}
        >
          Verify
        </Button>
      }
    >
      <div aria-live="polite">
        <ErrorBox error={verify.error} title="The audit could not be verified" />
        {verify.data ? <Report report={verify.data} /> : null}
        {verify.data || verify.error ? null : (
          <Text size="sm" c="dimmed">
            Not verified yet on this visit. A copy of the roots kept elsewhere proves even more: see the audit guide.
          </Text>
        )}
      </div>
    </Section>
  )
}

function Report({ report }: { readonly report: AuditReportBody }) {
  const { ok, rows, roots, writers, expiredRows, unsealed, sealed, issues, issuesLeftOut } = report
  const left = issues.length - issuesShown + issuesLeftOut
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <StateBadge state={ok ? 'good' : 'bad'}>{ok ? 'intact' : 'broken'}</StateBadge>
        <Text size="sm">
          {formatCount(rows)} rows of {formatCount(writers)} {writers === 1 ? 'writer' : 'writers'},{' '}
          {formatCount(roots)} {roots === 1 ? 'signed root' : 'signed roots'}
          {expiredRows > 0 ? `, ${formatCount(expiredRows)} rows expired by retention` : ''}.{' '}
          {sealed ? (
            <>
              Sealed up to <Time at={sealed.at} />.
            </>
          ) : (
            'No root is signed yet.'
          )}{' '}
          {unsealed.rows > 0
            ? `${formatCount(unsealed.rows)} newer rows wait for their seal, which comes within a minute.`
            : ''}
        </Text>
      </Group>
      {issues.length === 0 ? null : (
        <List size="sm">
          {issues.slice(0, issuesShown).map((issue, place) => (
            <List.Item key={place}>
              <span className="mono">{issue.fault}</span> {issue.message}
            </List.Item>
          ))}
          {left > 0 ? <List.Item>and {formatCount(left)} more</List.Item> : null}
        </List>
      )}
    </Stack>
  )
}
