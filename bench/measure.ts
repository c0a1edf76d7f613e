/** Summary figures of samples. */

/** Latencies of one kind of call, in milliseconds. */
export interface Latency {
  readonly count: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

/** The quantile at `share` (0 to 1) by nearest rank. `sorted` must be ascending and not empty. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] as number
}

export function latencyOf(samplesMs: readonly number[]): Latency {
  if (samplesMs.length === 0) return { count: 0, p50Ms: Number.NaN, p99Ms: Number.NaN, maxMs: Number.NaN }
  const sorted = samplesMs.toSorted((a, b) => a - b)
  return {
    count: sorted.length,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    maxMs: quantile(sorted, 1)
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 === 1
    ? (sorted[half] as number)
    : ((sorted[half - 1] ?? Number.NaN) + (sorted[half] as number)) / 2
}
