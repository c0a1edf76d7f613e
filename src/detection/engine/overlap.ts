/** Resolves overlaps: which of several findings at one place stays. */
import { confidences, tiers, type Finding } from '../findings.ts'

const tierRank = new Map(tiers.map((tier, rank) => [tier, rank]))
const confidenceRank = new Map(confidences.map((confidence, rank) => [confidence, rank]))

/**
 * Kinds that recognise a value only by its surroundings. If a kind that recognises the value itself finds it as well,
 * that one wins, even if it covers less or says that the value is public by design.
 */
const genericKinds: ReadonlySet<string> = new Set([
  'named_service_key',
  'env_assignment_secret',
  'json_yaml_secret_field',
  'password_in_prose',
  'message_password',
  'unnamed_password',
  'placed_password',
  'access_literal',
  'compared_secret',
  'bearer_token',
  'session_cookie',
  'generic_high_entropy'
])

/**
 * Kinds that yield to an assignment and, among each other, the later ones to the earlier: a message, a place, a
 * comparison, a call, a sentence, an unnamed word.
 */
const yielding = [
  'message_password',
  'placed_password',
  'compared_secret',
  'access_literal',
  'password_in_prose',
  'unnamed_password'
]
const yieldRank = new Map(yielding.map((kind, rank) => [kind, rank + 1]))

/** Whether only the surroundings of a value reveal it. */
export function isGeneric({ kind }: Finding): boolean {
  return genericKinds.has(kind)
}

/** Whether a finding is a high-risk secret that needed no name, possibly an unsure one. */
export function tellsItself(finding: Finding): boolean {
  return finding.tier === 'high' && finding.confidence === 'medium' && isSpecificSecret(finding)
}

function isSpecificSecret(finding: Finding): boolean {
  return finding.group === 'secret' && !genericKinds.has(finding.kind)
}

/**
 * Compares two findings. Weak ones yield to all others, and generic secrets to specific ones; then the longest wins,
 * the riskier, the surer, the earlier. A sentence yields to an assignment, so that the result does not depend on the
 * order of the search.
 */
function precedence(a: Finding, b: Finding): number {
  return (
    Number(a.confidence === 'weak') - Number(b.confidence === 'weak') ||
    (a.group === 'secret' && b.group === 'secret' ? Number(isSpecificSecret(b)) - Number(isSpecificSecret(a)) : 0) ||
    b.end - b.start - (a.end - a.start) ||
    (tierRank.get(b.tier) as number) - (tierRank.get(a.tier) as number) ||
    (confidenceRank.get(b.confidence) as number) - (confidenceRank.get(a.confidence) as number) ||
    a.start - b.start ||
    (yieldRank.get(a.kind) ?? 0) - (yieldRank.get(b.kind) ?? 0)
  )
}

function inOrder(a: Finding, b: Finding): number {
  return a.start - b.start || b.end - a.end
}

function isInOrder(findings: readonly Finding[]): boolean {
  for (let i = 1; i < findings.length; i++)
    if (inOrder(findings[i - 1] as Finding, findings[i] as Finding) > 0) return false
  return true
}

/**
 * Sorts findings by start and keeps one wherever several overlap. Clusters of touching findings are resolved
 * separately, so that the cost stays n log n.
 */
export function resolveOverlaps(findings: Finding[]): Finding[] {
  if (findings.length < 2) return findings
  const sorted = isInOrder(findings) ? findings : findings.toSorted(inOrder)
  const out: Finding[] = []
  let cluster: Finding[] = []
  let clusterEnd = -1
  for (const finding of sorted) {
    if (finding.start >= clusterEnd && cluster.length > 0) {
      settle(cluster, out)
      cluster = []
    }
    cluster.push(finding)
    clusterEnd = Math.max(clusterEnd, finding.end)
  }
  settle(cluster, out)
  return out
}

/**
 * Each finding that is kept removes its neighbours on both sides; since those that are kept are disjoint, each is
 * removed only a few times. They are appended one by one: a cluster may hold more than a call can have arguments.
 */
function settle(cluster: readonly Finding[], out: Finding[]): void {
  if (cluster.length === 1) {
    out.push(cluster[0] as Finding)
    return
  }
  if (cluster.length === 2) {
    const [first, second] = cluster as [Finding, Finding]
    out.push(precedence(first, second) <= 0 ? first : second)
    return
  }
  const endMax: number[] = []
  for (const finding of cluster) endMax.push(Math.max(finding.end, endMax.at(-1) ?? 0))
  const struck = new Uint8Array(cluster.length)
  const kept = new Uint8Array(cluster.length)
  const order = cluster
    .map((_, index) => index)
    .sort((a, b) => precedence(cluster[a] as Finding, cluster[b] as Finding))
  for (const index of order) {
    if (struck[index] === 1) continue
    kept[index] = 1
    const { start, end } = cluster[index] as Finding
    for (let i = index + 1; i < cluster.length && (cluster[i] as Finding).start < end; i++) struck[i] = 1
    for (let i = index - 1; i >= 0 && (endMax[i] as number) > start; i--) {
      if ((cluster[i] as Finding).end > start) struck[i] = 1
    }
  }
  for (const [index, finding] of cluster.entries()) if (kept[index] === 1) out.push(finding)
}
