/** How the times of a chart are written. */

const dayMs = 86_400_000
const time = { hour: '2-digit', minute: '2-digit', hour12: false } as const
const day = { month: 'short', day: 'numeric' } as const

const hourAndMinute = new Intl.DateTimeFormat(undefined, time)
const monthAndDay = new Intl.DateTimeFormat(undefined, day)
const dayAndTime = new Intl.DateTimeFormat(undefined, { ...day, ...time })
/** Records are counted by days that begin at midnight UTC: in the zone of a viewer they would have another date. */
const utcDay = new Intl.DateTimeFormat(undefined, { ...day, timeZone: 'UTC' })
const utcWeekday = new Intl.DateTimeFormat(undefined, { ...day, weekday: 'short', timeZone: 'UTC' })

/** Whether the steps are whole days, which are those of UTC. */
export const isByDay = (stepMs: number): boolean => stepMs >= dayMs

/** Midnights say their day, so that two days beside each other are told apart. */
export function tickText(at: number, stepMs: number): string {
  const date = new Date(at)
  if (isByDay(stepMs)) return utcDay.format(date)
  const isMidnight = date.getHours() === 0 && date.getMinutes() === 0
  return (isMidnight ? monthAndDay : hourAndMinute).format(date)
}

/** When a step begins. */
export const stepText = (at: number, stepMs: number): string =>
  isByDay(stepMs) ? `${utcWeekday.format(at)} (UTC)` : dayAndTime.format(at)
