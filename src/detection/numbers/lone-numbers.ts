/** The detectors without those anchors that find a number because it fills its line. */
import type { Detector } from '../detector.ts'

/**
 * The same detectors without their `line` anchors. In a file, a line of nine digits is likely to be a personal number,
 * and whoever scans files wants to see it. In the traffic of agents, such lines are sizes, counts, dates and times,
 * nearly all of which pass the weak check of some country. There a number must be named, or written in an unmistakable
 * form (decision 7).
 */
export function withoutLoneNumbers(detectors: readonly Detector[]): Detector[] {
  return detectors
    .map((detector) => ({ ...detector, anchors: detector.anchors.filter((anchor) => !('line' in anchor)) }))
    .filter(({ anchors }) => anchors.length > 0)
}
