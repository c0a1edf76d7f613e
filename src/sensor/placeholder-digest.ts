/** What the placeholders of a sensor are made of. */
import { createSecretKey, hkdfSync } from 'node:crypto'
import { createShortHmac } from '../config/short-hmac.ts'
import type { ValueDigest } from '../policy/redaction/placeholder.ts'

/**
 * The digest of a sensor. Its key derives from the sensor's own token, so that a value has one placeholder over restarts,
 * and in every sensor that has this token.
 */
export function placeholderDigest(token: string): ValueDigest {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', token, '', 'sluice/1/sensor-placeholder', 32)))
  return createShortHmac(key).bytes
}
