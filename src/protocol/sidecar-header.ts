/**
 * `x-service-sidecar`: what a sidecar found and did before it forwarded a call. Counts and names from our own tables,
 * never text: `action=mask; tier=medium; masked=2; revision=7-9f2b61c07de51a84; entities=email:1,phone:1`.
 */
import { tiers, type Tier } from '../detection/findings.ts'
import { sequenceOf } from '../policy/revision.ts'
import { actions, entityKindPattern } from './events/event-schema.ts'

export interface SidecarCounts {
  readonly action: (typeof actions)[number]
  readonly riskTier: Tier
  readonly entitiesMasked: number
  /** By kind, as named in the sidecar's policy. */
  readonly entityCounts: Readonly<Record<string, number>>
  readonly policyRevision?: string
}

/** A longer header is not one of ours. */
const headerLengthMax = 4096
const kindsMax = 32
const countPattern = /^[0-9]{1,9}$/

/** The name for kinds that the reader does not know, so that a header cannot carry words into a record. */
export const otherKinds = 'other'

/** Formats the header. Kinds beyond the limit are counted together. */
export function formatSidecarHeader(counts: SidecarCounts): string {
  const named = Object.entries(counts.entityCounts)
  const rest = named.slice(kindsMax - 1).reduce((sum, [, count]) => sum + count, 0)
  const listed = named.length <= kindsMax ? named : [...named.slice(0, kindsMax - 1), [otherKinds, rest] as const]
  const parts = [`action=${counts.action}`, `tier=${counts.riskTier}`, `masked=${counts.entitiesMasked}`]
  if (counts.policyRevision !== undefined) parts.push(`revision=${counts.policyRevision}`)
  if (listed.length > 0) parts.push(`entities=${listed.map(([kind, count]) => `${kind}:${count}`).join(',')}`)
  return parts.join('; ')
}

/**
 * Parses the header.
 * @param isKind whether the reader knows a kind; others are counted as {@link otherKinds}
 * @returns undefined if there is none, or it is malformed
 */
export function parseSidecarHeader(
  text: string | undefined,
  isKind: (kind: string) => boolean
): SidecarCounts | undefined {
  if (text === undefined || text.length > headerLengthMax) return undefined
  const fields = new Map(text.split(/; ?/).map((part) => part.split('=', 2) as [string, string | undefined]))
  const action = actions.find((one) => one === fields.get('action'))
  const riskTier = tiers.find((one) => one === fields.get('tier'))
  const masked = fields.get('masked') ?? ''
  const entityCounts = parseCounts(fields.get('entities') ?? '', isKind)
  if (action === undefined || riskTier === undefined || !countPattern.test(masked) || !entityCounts) return undefined
  const revision = fields.get('revision')
  return {
    action,
    riskTier,
    entitiesMasked: Number(masked),
    entityCounts,
    ...(revision !== undefined && sequenceOf(revision) !== undefined ? { policyRevision: revision } : {})
  }
}

function parseCounts(text: string, isKind: (kind: string) => boolean): Record<string, number> | undefined {
  const counts = new Map<string, number>()
  const entries = text === '' ? [] : text.split(',')
  if (entries.length > kindsMax) return undefined
  for (const entry of entries) {
    const [kind = '', count = ''] = entry.split(':', 2)
    if (!entityKindPattern.test(kind) || !countPattern.test(count)) return undefined
    const name = isKind(kind) ? kind : otherKinds
    counts.set(name, (counts.get(name) ?? 0) + Number(count))
  }
  return Object.fromEntries(counts)
}
