/** What a sensor searches texts for. */
import { credentialValues } from '../config/credential-values.ts'
import type { Secret } from '../config/secret.ts'
import { withValues } from '../detection/custom/known-values.ts'
import type { Detector } from '../detection/detector.ts'
import { trafficDetectors } from '../detection/detectors/traffic.ts'

/**
 * The built-in kinds for traffic, and the sensor's own credentials, which may have no recognisable form. A scanner is
 * compiled for each list that this returns, so call it once.
 */
export function sensorDetectors(credentials: readonly Secret[]): readonly Detector[] {
  return withValues(trafficDetectors, credentialValues(credentials))
}
