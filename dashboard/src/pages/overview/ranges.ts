/** The ranges that the overview can show. */
export const ranges = {
  '1h': { label: '1 hour', before: 'the hour before', step: 'minute', spanMs: 3_600_000, refetchMs: 10_000 },
  '24h': { label: '24 hours', before: 'the day before', step: 'hour', spanMs: 86_400_000, refetchMs: 15_000 },
  '7d': { label: '7 days', before: 'the week before', step: 'hour', spanMs: 604_800_000, refetchMs: 60_000 },
  '30d': { label: '30 days', before: 'the 30 days before', step: 'day', spanMs: 2_592_000_000, refetchMs: 60_000 }
} as const

export type RangeName = keyof typeof ranges
export const rangeNames = Object.keys(ranges) as RangeName[]
export const defaultRange: RangeName = '24h'

export const isRange = (text: string | null): text is RangeName => text !== null && Object.hasOwn(ranges, text)
