import { useInfiniteQuery, useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { auditPageSchema } from '../../../../src/protocol/api/reading-schema.ts'
import { get } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import { formatName } from '../../components/format.ts'
import { tokensQuery } from './tokens-queries.ts'

/** A token's label, in brackets after its id; nothing if it has none. */
export function TokenLabel({ id }: { readonly id: string }) {
  const label = useTokenLabels().get(id) ?? ''
  return label === '' ? null : <span className="wrap"> ({formatName(label)})</span>
}

const rowsMax = 1000

/** The newest tokens that were made, as the audit tells everybody who may read it. */
const madeQuery = (action: 'token_created' | 'token_rotated') => ({
  queryKey: ['audit', 'token-labels', action],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    get('/api/audit', auditPageSchema, { query: { action, limit: rowsMax }, signal }),
  staleTime: 60_000
})

/** Labels of tokens by id: from the list for those who manage tokens, from the audit for others. */
export function useTokenLabels(): ReadonlyMap<string, string> {
  const mayList = useMay('tokens:manage')
  const enabled = useMay('audit:read') && !mayList
  const listed = useInfiniteQuery({ ...tokensQuery, enabled: mayList })
  const made = useQueries({
    queries: [
      { ...madeQuery('token_created'), enabled },
      { ...madeQuery('token_rotated'), enabled }
    ]
  })
  const pages = listed.data?.pages
  const [created, rotated] = made.map(({ data }) => data?.rows)
  return useMemo(() => {
    const tokens = pages?.flatMap((page) => page.tokens) ?? []
    const details = [...(created ?? []), ...(rotated ?? [])].map(({ detail }) => detail)
    return new Map(
      [...tokens, ...details].flatMap(({ id, label }) =>
        typeof id === 'string' && typeof label === 'string' ? [[id, label] as const] : []
      )
    )
  }, [pages, created, rotated])
}
