import { useState } from 'react'

/** Few enough to be there at once; a table of hundreds makes a page wait for rows that nobody sees yet. */
const rowsAtOnce = 50

/** The first of rows that are all here, and how a table shows more of them; nothing where there are no more than those. */
export function useShownRows<Row>(all: readonly Row[]) {
  const [max, setMax] = useState(rowsAtOnce)
  const more = { has: all.length > max, isLoading: false, load: () => setMax(max + rowsAtOnce * 4) }
  return { rows: all.slice(0, max), more: all.length > rowsAtOnce ? more : undefined }
}
