/** Formats numbers and times for people. All times are in the viewer's zone. */

const count = new Intl.NumberFormat('en')
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const byteUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** Characters that reverse text or are invisible, so that one name could pass for another. */
const unseen = /[\p{Bidi_Control}\u00ad\u200b\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]/gu

/**
 * A name or a note that somebody else wrote (of a tool, a model, a sensor, a token), with invisible characters escaped.
 */
export const formatName = (name: string): string =>
  name.replaceAll(unseen, (sign) => `[U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`)

const names = new Intl.Collator('en', { numeric: true })

/** Natural sort order of names: numbers in them are compared as numbers. */
export const compareNames = (a: string, b: string): number => names.compare(a, b)

export const formatCount = (value: number): string => count.format(value)

/** Short form from ten thousand on: 12.3K. */
export const formatCompact = (value: number): string =>
  Math.abs(value) < 10_000 ? count.format(value) : compact.format(value)

/** @param share from 0 to 1; null if there is nothing to divide by */
export function formatShare(share: number | null): string {
  if (share === null) return '–'
  const percent = share * 100
  if (percent > 0 && percent < 0.1) return '< 0.1 %'
  return `${percent.toFixed(percent < 10 && percent > 0 ? 1 : 0)} %`
}

export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  for (; value >= 1024 && unit < byteUnits.length - 1; unit++) value /= 1024
  return `${value >= 100 || unit === 0 ? value.toFixed(0) : value.toFixed(1)} ${byteUnits[unit]}`
}

/** @param ms milliseconds */
export function formatDuration(ms: number): string {
  if (ms < 1) return `${ms.toFixed(2)} ms`
  if (ms < 1000) return `${ms.toFixed(ms < 10 ? 1 : 0)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  // Rounded first, so that no unit reaches 60.
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
  const hours = Math.round(minutes / 60)
  return `${Math.floor(hours / 24)} days ${hours % 24} h`
}

const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false
})
const dayAndClock = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false
})
const yearAndDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short', hour12: false })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long', hour12: false })

/** Today as a time of day, other days with their date, other years with their year. */
export function formatTime(at: Date, now: Date = new Date()): string {
  if (at.toDateString() === now.toDateString()) return clock.format(at)
  return (at.getFullYear() === now.getFullYear() ? dayAndClock : yearAndDay).format(at)
}

/** The day, the time and the zone, for a tooltip. */
export const formatExact = (at: Date): string => `${exact.format(at)} (${at.toISOString()})`

const spans: readonly [unit: Intl.RelativeTimeFormatUnit, ms: number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000]
]
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })

/** `3 min ago`, `in 2 days`. */
export function formatAgo(at: Date, now: Date = new Date()): string {
  const span = at.getTime() - now.getTime()
  for (const [unit, ms] of spans) if (Math.abs(span) >= ms) return relative.format(Math.trunc(span / ms), unit)
  return 'now'
}

/** A code word for people: `tool_call_enforcement` becomes `Tool call enforcement`. */
export function formatWord(word: string): string {
  const words = formatWords(word)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The same within a sentence: `sensorId` becomes `sensor ID`. */
export const formatWords = (word: string): string =>
  word
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase()
    .replaceAll(/\bid\b/g, 'ID')
