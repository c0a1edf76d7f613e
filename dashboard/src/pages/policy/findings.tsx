import { UnstyledButton } from '@mantine/core'
import type { PolicyLintFinding } from '../../../../src/protocol/api/policy-schema.ts'
import { StateBadge } from '../../components/badges.tsx'

const states = { error: 'bad', warning: 'warn', info: 'quiet' } as const

/** The service's findings on a draft, each with its position. */
export function FindingList({
  findings,
  onShow
}: {
  readonly findings: readonly PolicyLintFinding[]
  /** Shows the position in the editor. */
  readonly onShow?: (path: string) => void
}) {
  return (
    <ul className="findings" aria-label="Remarks of the service on the draft">
      {findings.map((finding, place) => (
        <li key={place}>
          <StateBadge state={states[finding.severity]}>{finding.severity}</StateBadge> {finding.message}{' '}
          {onShow && finding.path !== '' ? (
            <UnstyledButton className="mono link-button" onClick={() => onShow(finding.path)}>
              {finding.path}
            </UnstyledButton>
          ) : (
            <span className="mono dimmed">{finding.path}</span>
          )}
        </li>
      ))}
    </ul>
  )
}
