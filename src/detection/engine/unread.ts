/**
 * Texts within a text that are not read, since the layers of the text cost too much. Such a stretch is masked as a whole:
 * whatever it hides, nothing of it may pass.
 */
import { unreadKind } from '../custom/added-kinds.ts'
import type { Finding } from '../findings.ts'
import type { InnerScan } from './inner-scans.ts'
import type { Pace } from './pace.ts'

const { id, group, tier } = unreadKind
const unread = (start: number, end: number): Finding => ({ kind: id, group, tier, confidence: 'strong', start, end })

export const isUnread = ({ kind }: Finding): boolean => kind === id

/** The scan of a text of so many units that was not read. */
export function unreadScan(units: number): InnerScan {
  return { findings: [unread(0, units)], byContext: undefined }
}

/**
 * Adds what of some unread stretches no finding covers.
 * @param found disjoint and sorted; weak ones among them, which are never acted on, give way
 * @param stretches sorted; they may overlap
 */
export function* withUnread(
  found: Finding[],
  stretches: readonly Finding[],
  pace: Pace
): Generator<void, Finding[], void> {
  if (stretches.length === 0) return found
  const out: Finding[] = []
  let next = 0
  /** All before it is covered, or is not to be. */
  let from = 0
  for (const { start, end } of stretches) {
    for (; next < found.length && (found[next] as Finding).end <= start; next++) {
      out.push(found[next] as Finding)
      from = (found[next] as Finding).end
      if (pace.spend(1)) yield
    }
    from = Math.max(from, start)
    for (; next < found.length && (found[next] as Finding).start < end; next++) {
      const one = found[next] as Finding
      if (one.confidence === 'weak') continue
      if (one.start > from) out.push(unread(from, one.start))
      out.push(one)
      from = one.end
      if (pace.spend(1)) yield
    }
    if (from < end) out.push(unread(from, end))
    from = Math.max(from, end)
    if (pace.spend(1)) yield
  }
  for (; next < found.length; next++) {
    if ((found[next] as Finding).start >= from) out.push(found[next] as Finding)
    if (pace.spend(1)) yield
  }
  return out
}
