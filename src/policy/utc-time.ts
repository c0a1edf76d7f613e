/** Points in time as written in documents. */
import { z } from 'zod'

/** RFC 3339 in UTC, `2026-12-31T00:00:00Z`. */
export const utcTimeSchema = z.iso.datetime()

/**
 * Milliseconds since 1970 of a time that the schema has accepted. Computed here because pure modules have no clock. The
 * day count is Howard Hinnant's `days_from_civil`.
 */
export function utcTimeMs(time: string): number {
  const at = (from: number, to: number): number => Number(time.slice(from, to))
  const month = at(5, 7)
  const year = at(0, 4) - (month <= 2 ? 1 : 0)
  const era = Math.floor(year / 400)
  const yearOfEra = year - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + at(8, 10) - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  const days = era * 146_097 + dayOfEra - 719_468
  const seconds = Number(time.slice(17, -1) || '0')
  return ((days * 24 + at(11, 13)) * 60 + at(14, 16)) * 60_000 + Math.round(seconds * 1000)
}
