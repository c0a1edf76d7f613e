import { formatAgo, formatExact, formatTime } from './format.ts'
import { useNow } from './use-now.ts'

/**
 * A point in time in the viewer's zone; its tooltip has the day, the zone and the UTC time. `ago` shows how long ago it
 * was.
 */
export function Time({ at, ago = false }: { readonly at: string | number; readonly ago?: boolean }) {
  const now = useNow()
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return <span>{String(at)}</span>
  return (
    <time dateTime={date.toISOString()} title={formatExact(date)} className="tabular nowrap">
      {ago ? formatAgo(date, soonest(date, now)) : formatTime(date, now)}
    </time>
  )
}

/**
 * The page's clock ticks every ten seconds, and the clocks of two machines differ: a recent time must not appear to be
 * in the future.
 */
function soonest(at: Date, now: Date): Date {
  const aheadMs = at.getTime() - now.getTime()
  return aheadMs > 0 && aheadMs < 15_000 ? at : now
}
