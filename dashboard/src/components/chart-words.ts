/** Formats the times of a chart. */

const dayMs = 86_400_000
const time = { hour: '2-digit', minute: '2-digit', hour12: false } as const
const day = { month: 'short', day: 'numeric' } as const

const hourAndMinute = new Intl.DateTimeFormat(undefined, time)
const monthAndDay = new Intl.DateTimeFormat(undefined, day)
const dayAndTime = new Intl.DateTimeFormat(undefined, { ...day, ...time })
/** Records are counted by days that begin at midnight UTC: in the viewer's zone they could have another date. */
const utcDay = new Intl.DateTimeFormat(undefined, { ...day, timeZone: 'UTC' })
const utcWeekday = new Intl.DateTimeFormat(undefined, { ...day, weekday: 'short', timeZone: 'UTC' })

/** Whether the steps are whole days, which are UTC days. */
export const isByDay = (stepMs: number): boolean => stepMs >= dayMs

/** Midnights show their day, so that adjacent days can be told apart. */
export function tickText(at: number, stepMs: number): string {
  const date = new Date(at)
  if (isByDay(stepMs)) return utcDay.format(date)
  const isMidnight = date.getHours() === 0 && date.getMinutes() === 0
  return (isMidnight ? monthAndDay : hourAndMinute).format(date)
}

/** The start of a step as text. */
export const stepText = (at: number, stepMs: number): string =>
  isByDay(stepMs) ? `${utcWeekday.format(at)} (UTC)` : dayAndTime.format(at)
