/** How the bar of a value is divided. */

export interface BarSegment {
  readonly part: 'block' | 'mask' | 'allow' | 'other'
  readonly value: number
}

/**
 * Segments that add up to the value, without empty ones. What no decision was made about, such as the list of a server's
 * tools, is a segment as well: without it, a value that was counted would have an empty bar.
 * @param value what the whole bar stands for
 * @param parts the decisions among it, in drawing order
 */
export function segmentsOf(value: number, parts: readonly BarSegment[] = []): readonly BarSegment[] {
  const decided = parts.reduce((sum, part) => sum + part.value, 0)
  return [...parts, { part: 'other', value: value - decided } as const].filter((segment) => segment.value > 0)
}
