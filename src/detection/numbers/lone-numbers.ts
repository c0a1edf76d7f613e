/** Numbers about which nothing is known but that they stand alone on a line. */
import type { Detector } from '../detector.ts'

/**
 * The same detectors without their eyes for lone numbers. A line of a form that is nothing but nine digits is likely
 * somebody's number, and who searches files wants to see it. In the traffic of agents lone numbers are sizes, counts,
 * dates and times, nearly each of which fits the loose check of some country: there a number must be named, or written
 * in a form of its own.
 */
export function withoutLoneNumbers(detectors: readonly Detector[]): Detector[] {
  return detectors
    .map((detector) => ({ ...detector, anchors: detector.anchors.filter((anchor) => !('line' in anchor)) }))
    .filter(({ anchors }) => anchors.length > 0)
}
