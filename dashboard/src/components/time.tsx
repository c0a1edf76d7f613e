import { formatAgo, formatExact, formatTime } from './format.ts'
import { useNow } from './use-now.ts'

/** A moment in the viewer's zone; its title says the day, the zone and the UTC time. `ago` shows how long it is past. */
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

/** The page's clock ticks every ten seconds, and two machines' clocks differ: what has just been is not to come. */
function soonest(at: Date, now: Date): Date {
  const aheadMs = at.getTime() - now.getTime()
  return aheadMs > 0 && aheadMs < 15_000 ? at : now
}
