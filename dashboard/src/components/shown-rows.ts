import { useState } from 'react'

/** Few enough to render at once; a table of hundreds would delay the page for rows that nobody sees yet. */
const rowsAtOnce = 50

/** Pages that are loaded one after the other, as `useInfiniteQuery` provides them. */
interface Pages {
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  fetchNextPage(): unknown
}

/**
 * The first of the loaded rows, and how a table shows more: first the loaded ones, then the next page, if any. `more`
 * is absent if there is nothing else to show.
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
