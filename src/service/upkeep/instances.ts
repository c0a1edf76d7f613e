/** Which instances write to the store, by the heads of their hash chains, for operators. */
import type { HealthBody } from '../../protocol/api/system-schema.ts'
import type { AuditHead } from '../../store/store.ts'
import { everyMs, lostAfterMs } from './audit-sealer.ts'
import { isoTime } from '../../timing/iso-time.ts'

/** How long the loss of an instance is shown. */
const newsMs = 86_400_000
/** A heartbeat later than this counts as missed. */
const silentMs = 1.5 * everyMs

/**
 * Instances that write, and those that were lost recently; those that closed in order are not listed.
 * @param about.writerId of this instance
 * @param about.sealedAt of the newest root; 0 if there is none
 */
export function instancesIn(
  heads: readonly AuditHead[],
  { writerId: own, sealedAt, now }: { readonly writerId: string; readonly sealedAt: number; readonly now: number }
): HealthBody['instances'] {
  return heads.flatMap((head): HealthBody['instances'] => {
    const { writerId, closedAt, isLost } = head
    const known = {
      writerId,
      isThis: writerId === own,
      startedAt: isoTime(head.startedAt),
      lastAt: isoTime(head.lastAt)
    }
    if (closedAt === null || known.isThis) {
      const isSilent = !known.isThis && head.lastAt < now - silentMs
      if (!isSilent) return [{ ...known, state: 'open', lostAt: null, isSealed: null }]
      return [{ ...known, state: 'silent', lostAt: isoTime(head.lastAt + lostAfterMs), isSealed: null }]
    }
    if (!isLost || closedAt < now - newsMs) return []
    return [{ ...known, state: 'lost', lostAt: isoTime(closedAt), isSealed: sealedAt >= closedAt }]
  })
}
