/** The service's findings on a draft. */
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { PolicyLintBody } from '../../../../src/protocol/api/policy-schema.ts'
import { useMay } from '../../api/session.ts'
import { readText } from './documents.ts'
import { lintQuery } from './policy-queries.ts'

const pauseMs = 350

export interface Lint {
  /** Undefined before the first answer, for text that is not a policy, and for people who may not try drafts. */
  readonly report: PolicyLintBody | undefined
  /** Whether the report is about the current text. */
  readonly isCurrent: boolean
  readonly error: Error | null
}

/** Asks the service to lint a draft, a moment after its last change. */
export function useLint(text: string): Lint {
  const may = useMay('policy:try')
  const [settled] = useDebouncedValue(text, pauseMs)
  const read = readText(settled)
  const isPolicy = 'documents' in read
  const { data, error, isFetching } = useQuery({
    ...lintQuery(settled, isPolicy ? read.documents : { mcpToolPolicy: {}, redactionProfile: {} }),
    enabled: may && isPolicy
  })
  return { report: isPolicy ? data : undefined, isCurrent: settled === text && !isFetching, error }
}
