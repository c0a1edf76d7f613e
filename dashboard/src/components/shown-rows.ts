import { useState } from 'react'

/** Few enough to be there at once; a table of hundreds makes a page wait for rows that nobody sees yet. */
const rowsAtOnce = 50

/** Pages that are asked for one after the other, as `useInfiniteQuery` gives them. */
interface Pages {
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  fetchNextPage(): unknown
}

/**
 * The first of rows that are here, and how a table shows more of them: those that are here first, then the next page where
 * there is one. Nothing where there are no more than those.
 */
export function useShownRows<Row>(all: readonly Row[], pages?: Pages) {
  const [max, setMax] = useState(rowsAtOnce)
  const hasPages = pages?.hasNextPage === true
  const more = {
    has: all.length > max || hasPages,
    isLoading: pages?.isFetchingNextPage === true,
    load: (): void => {
      setMax(max + rowsAtOnce * 4)
      if (all.length <= max && hasPages) pages.fetchNextPage()
    }
  }
  return { rows: all.slice(0, max), more: all.length > rowsAtOnce || hasPages ? more : undefined }
}
