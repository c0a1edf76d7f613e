import { useInfiniteQuery } from '@tanstack/react-query'
import { useMay } from '../../api/session.ts'
import { formatName } from '../../components/format.ts'
import { tokensQuery } from './tokens-queries.ts'

/** A token's label, in brackets after its id, for those who may see tokens; nothing for others. */
export function TokenLabel({ id }: { readonly id: string }) {
  const enabled = useMay('tokens:manage')
  const { data } = useInfiniteQuery({ ...tokensQuery, enabled })
  const label = data?.pages.flatMap(({ tokens }) => tokens).find((token) => token.id === id)?.label
  return label === undefined || label === '' ? null : <span className="wrap"> ({formatName(label)})</span>
}
