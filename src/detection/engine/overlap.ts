/** Resolves overlaps: which of several findings at one place stays. */
import { confidences, tiers, type Finding } from '../findings.ts'
import { backslashSet, runEnd } from '../text/chars.ts'
import type { Pace } from './pace.ts'
import { sortInSteps } from './sort-in-steps.ts'

const tierRank = new Map(tiers.map((tier, rank) => [tier, rank]))
const confidenceRank = new Map(confidences.map((confidence, rank) => [confidence, rank]))

/**
 * Kinds that recognise a value only by its surroundings. If a kind that recognises the value itself finds it as well,
 * that one wins, even if it covers less or says that the value is public by design.
 */
const genericKinds: ReadonlySet<string> = new Set([
  'named_service_key',
  'common_service_key',
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

function isWeak({ confidence }: Finding): boolean {
  return confidence === 'weak'
}

/**
 * How much a specific secret counts: 0 if it is weak, 2 if it blocks. A match of that form hardly happens by chance, so
 * it counts for more than anything around it: an address may begin with a token, `ghp_...@github.com`.
 */
function rankOf(specific: Finding): number {
  if (isWeak(specific)) return 0
  return specific.tier === 'high' && (specific.confidence === 'strong' || specific.confidence === 'certain') ? 2 : 1
}

/** The least rank of a specific secret to which anything else yields where they overlap. */
function yieldsTo(other: Finding): number {
  if (other.group !== 'secret') return 2
  return isWeak(other) ? 0 : 1
}

/**
 * Compares two findings. Weak ones yield to all others; then the longest wins, the riskier, the surer, the earlier. A
 * sentence yields to an assignment, so that the result does not depend on the order of the search. That specific
 * secrets go before others is no part of it: it holds between these alone, so a sentence longer than an address, which
 * is longer than a key, which beats the sentence, would be no order.
 */
function precedence(a: Finding, b: Finding): number {
  return (
    Number(isWeak(a)) - Number(isWeak(b)) ||
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

/**
 * Sorts findings by start and keeps one wherever several overlap. Clusters of touching findings are resolved
 * separately, so that the cost stays n log n.
 * @param text what the findings were found in
 */
export function* overlapsInSteps(text: string, findings: Finding[], pace: Pace): Generator<void, Finding[], void> {
  if (findings.length < 2) return findings
  const sorted = yield* sortInSteps(findings, inOrder, pace)
  const out: Finding[] = []
  let cluster: Finding[] = []
  let clusterEnd = -1
  let lastStart = -1
  /** Where those of the cluster end that start before the last one. */
  let endBefore = -1
  for (const finding of sorted) {
    const { start } = finding
    if (start >= clusterEnd && cluster.length > 0) {
      if (cluster.length < 3) settle(cluster, out)
      else yield* settleMany(cluster, out, pace)
      cluster = []
      if (pace.spend(unitsPerCluster)) yield
    } else if (isRepeated(finding, cluster)) continue
    if (start === lastStart) clusterEnd = endAtLine(text, cluster, clusterEnd, endBefore, finding)
    else endBefore = clusterEnd
    lastStart = start
    cluster.push(finding)
    clusterEnd = Math.max(clusterEnd, finding.end)
  }
  yield* settleMany(cluster, out, pace)
  return out
}
const unitsPerCluster = 8

/** Whether a text within the text, or several of them, showed again what is in a cluster already. */
function isRepeated({ start, end, kind, tier, confidence }: Finding, cluster: readonly Finding[]): boolean {
  for (let i = cluster.length - 1; i >= 0; i--) {
    const other = cluster[i] as Finding
    if (other.start !== start || other.end !== end) return false
    if (other.kind === kind && other.confidence === confidence && other.tier === tier) return true
  }
  return false
}

/**
 * Removes what a kind found in a string as it is written, where the text within ends it with its line:
 * `docker login -u ops -p X\\ndocker pull`. Of findings with the same start the longer one comes first.
 * @param endBefore where those end that start earlier
 * @returns where the cluster ends now
 */
function endAtLine(text: string, cluster: Finding[], clusterEnd: number, endBefore: number, own: Finding): number {
  const letter = runEnd(text, own.end, backslashSet, backslashesMax)
  if (letter === own.end || !breakLetters.includes(text.charAt(letter))) return clusterEnd
  let end = endBefore
  for (let i = cluster.length - 1; i >= 0; i--) {
    const other = cluster[i] as Finding
    if (other.start !== own.start) break
    if (other.kind === own.kind && other.end > own.end) cluster.splice(i, 1)
    else end = Math.max(end, other.end)
  }
  return end
}
/** With more of them, the escape is one of many layers. */
const backslashesMax = 16
/** Letters of escaped line breaks. */
const breakLetters = 'nr'

/** Settles a cluster of one or two. */
function settle([first, second]: readonly Finding[], out: Finding[]): void {
  if (first !== undefined) out.push(second === undefined || wins(first, second) ? first : second)
}

/** Whether the first of two findings that overlap stays. */
function wins(first: Finding, second: Finding): boolean {
  const isFirst = isSpecificSecret(first)
  if (isFirst !== isSpecificSecret(second)) {
    const [specific, other] = isFirst ? [first, second] : [second, first]
    if (rankOf(specific) >= yieldsTo(other)) return isFirst
  }
  return precedence(first, second) <= 0
}

/**
 * Settles a cluster of any size. What is no specific secret yields to those that would stay without it: personal data
 * first, and then generic secrets. All that is left is settled by {@link precedence}. Those that stay are appended one
 * by one: a cluster may hold more than a call can have arguments.
 */
function* settleMany(cluster: readonly Finding[], out: Finding[], pace: Pace): Generator<void, void, void> {
  if (cluster.length < 3) return settle(cluster, out)
  let specific = false
  for (const finding of cluster) {
    specific ||= isSpecificSecret(finding)
    if (pace.spend(1)) yield
  }
  const struck = new Uint8Array(cluster.length)
  if (specific) {
    yield* strikeReplaced(cluster, (finding) => finding.group !== 'secret', struck, pace)
    yield* strikeReplaced(cluster, isGeneric, struck, pace)
  }
  const kept = yield* keptOf(cluster, struck, pace)
  for (let index = 0; index < cluster.length; index++) {
    if (kept[index] === 1) out.push(cluster[index] as Finding)
    if (pace.spend(1)) yield
  }
}

/**
 * Which findings of a cluster stay by {@link precedence}, as 1 or 0 for each; those that are struck do not take part.
 * Each finding that is kept strikes its neighbours on both sides; since those that are kept are disjoint, each is
 * struck only a few times.
 */
function* keptOf(cluster: readonly Finding[], out: Uint8Array, pace: Pace): Generator<void, Uint8Array, void> {
  const struck = Uint8Array.from(out)
  const endMax: number[] = []
  const indexes: number[] = []
  for (const finding of cluster) {
    indexes.push(endMax.length)
    endMax.push(Math.max(finding.end, endMax.at(-1) ?? 0))
    if (pace.spend(1)) yield
  }
  const byPrecedence = (a: number, b: number): number => precedence(cluster[a] as Finding, cluster[b] as Finding)
  const kept = new Uint8Array(cluster.length)
  for (const index of yield* sortInSteps(indexes, byPrecedence, pace)) {
    if (struck[index] === 1) continue
    kept[index] = 1
    const { start, end } = cluster[index] as Finding
    let last = index + 1
    for (; last < cluster.length && (cluster[last] as Finding).start < end; last++) struck[last] = 1
    let first = index - 1
    for (; first >= 0 && (endMax[first] as number) > start; first--) {
      if ((cluster[first] as Finding).end > start) struck[first] = 1
    }
    if (pace.spend(last - first)) yield
  }
  return kept
}

/**
 * Strikes those findings of a sort that overlap a specific secret to which they yield. Generic secrets are settled last,
 * so they take no part. The specific secrets that stay are disjoint, so the nearest on each side decide.
 */
function* strikeReplaced(
  cluster: readonly Finding[],
  isOfSort: (finding: Finding) => boolean,
  struck: Uint8Array,
  pace: Pace
): Generator<void, void, void> {
  const absent = Uint8Array.from(struck)
  let isAny = false
  for (const [index, finding] of cluster.entries()) {
    const isOne = isOfSort(finding)
    isAny ||= isOne
    if (isOne || isGeneric(finding)) absent[index] = 1
    if (pace.spend(1)) yield
  }
  if (!isAny) return
  const stay = yield* keptOf(cluster, absent, pace)
  for (const step of [1, -1]) {
    /** The nearest specific secrets of at least each rank. */
    const nearest: (Finding | undefined)[] = [undefined, undefined, undefined]
    for (let index = step > 0 ? 0 : cluster.length - 1; index >= 0 && index < cluster.length; index += step) {
      const finding = cluster[index] as Finding
      if (stay[index] === 1 && isSpecificSecret(finding)) nearest.fill(finding, 0, rankOf(finding) + 1)
      else if (isOfSort(finding)) {
        const other = nearest[yieldsTo(finding)]
        if (other !== undefined && other.start < finding.end && finding.start < other.end) struck[index] = 1
      }
      if (pace.spend(1)) yield
    }
  }
}
