/** The digest from which a sensor's placeholders are made. */
import { createSecretKey, hkdfSync } from 'node:crypto'
import { createShortHmac } from '../config/short-hmac.ts'
import type { ValueDigest } from '../policy/redaction/placeholder.ts'

/**
 * The digest of a sensor. Its key is derived from the sensor's own token, so that a value has one placeholder across
 * restarts, and in every sensor with this token.
 */
export function placeholderDigest(token: string): ValueDigest {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', token, '', 'sluice/1/sensor-placeholder', 32)))
  return createShortHmac(key).bytes
}
