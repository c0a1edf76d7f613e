/** Times in answers, logs and the terminal: ISO 8601 in UTC, with milliseconds. */

/**
 * @param ms milliseconds since 1970
 * @throws RangeError for a time that no date has
 */
export const isoTime = (ms: number): string => new Date(ms).toISOString()

/** The same; null for what has not happened. */
export const isoTimeOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms))
