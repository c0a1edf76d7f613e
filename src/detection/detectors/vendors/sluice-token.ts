/** Sluice's own workspace tokens. */
import { base62Set } from '../../text/chars.ts'
import type { Detector } from '../../detector.ts'
import { keyDetector, type KeyForm } from '../../keys/fixed-key.ts'
import { filler } from '../../sample-text.ts'
import { endsInBase62Crc32, withBase62Crc32 } from '../../validators/crc32.ts'

const forms: KeyForm[] = [
  {
    prefix: 'svw_',
    set: base62Set,
    min: 46,
    max: 46,
    judge: (body) => (endsInBase62Crc32(body) ? 'certain' : 'medium')
  }
]

export const sluiceTokenDetectors: readonly Detector[] = [
  keyDetector(
    {
      id: 'workspace_token_svw',
      label: 'WORKSPACE_TOKEN',
      title: 'workspace token of this service',
      hits: () => ['svw_' + withBase62Crc32(filler(40)), `x-service-workspace-token: svw_${filler(46)}`],
      misses: () => ['svw_' + filler(45), 'svw_...', 'svw_' + filler(47)],
      source: 'Our own format: 8 characters id, 32 secret, 6 CRC-32, base62.'
    },
    forms
  )
]
