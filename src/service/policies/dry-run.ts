/**
 * What a draft would have done: replays recorded metadata. Texts and arguments were never recorded, so a replay only
 * knows kinds and names. If the draft treats these like the policy that judged the call, the recorded outcome stands:
 * what was not recorded (the place of a value, the confidence of a finding, arguments) would have led to the same.
 */
import type { Finding, Scanner } from '../../detection/findings.ts'
import { atLeisure } from '../../ingress/cooperative.ts'
import { ClientGone } from '../../ingress/refusal/refused.ts'
import type { CompiledProfile } from '../../policy/redaction/decide.ts'
import { looseText } from '../../policy/redaction/text-place.ts'
import type { CompiledToolPolicy } from '../../policy/tools/decide.ts'
import { unknownServerId } from '../../policy/tools/servers.ts'
import { toolCallKind } from '../../protocol/events/event-schema.ts'
import { allRows } from '../../store/all-rows.ts'
import type { Store, StoredEvent } from '../../store/store.ts'

export interface Draft {
  readonly profile: CompiledProfile
  readonly tools: CompiledToolPolicy
  readonly kinds: Scanner['kinds']
}

/** Events with one outcome that would get another. */
interface DryRunChange {
  readonly of: 'model_calls' | 'tool_calls'
  readonly was: string
  readonly wouldBe: string
  readonly events: number
  /** Kinds of entities, or names of tools, by the number of these events in which they occur; the 20 most frequent. */
  readonly by: Readonly<Record<string, number>>
  /** Request IDs of some of them, to look up. */
  readonly examples: readonly string[]
}

interface DryRunReport {
  readonly from: number
  readonly to: number
  readonly events: number
  readonly unchanged: number
  /** Whether there were more events than a replay examines; the newest were examined. */
  readonly isCut: boolean
  readonly changes: readonly DryRunChange[]
}

/** The policy by which an event was judged, as far as it is known. */
export type PolicyOfRevision = (revision: string | null) => Promise<Draft>

/** Most events that one replay examines. */
export const lookedAtMax = 100_000
/** Events examined per turn. */
const pageRows = 250
const examplesMax = 10
const namesMax = 20

interface Tally {
  readonly change: Omit<DryRunChange, 'by' | 'events' | 'examples'>
  events: number
  readonly by: Map<string, number>
  readonly examples: string[]
}

/**
 * Replays the events of a workspace that arrived in `from..to`, newest first.
 * @param isGone asked for each event: whether nobody waits for the report any more
 * @throws StoreError, ClientGone
 */
export async function dryRun(
  store: Pick<Store, 'findEvents'>,
  range: { readonly workspaceId: string; readonly from: number; readonly to: number },
  draft: Draft,
  policyOf: PolicyOfRevision,
  isGone: () => boolean = () => false
): Promise<DryRunReport> {
  const tallies = new Map<string, Tally>()
  let lookedAt = 0
  let events = 0
  let unchanged = 0
  let isCut = false
  for await (const event of allRows((query) => store.findEvents(query), { ...range, limit: pageRows })) {
    if (lookedAt % pageRows === 0) await atLeisure()
    if (isGone()) throw new ClientGone()
    // Events that cannot be replayed count as well: a workspace may hold millions of them.
    if (lookedAt++ === lookedAtMax) {
      isCut = true
      break
    }
    const replay = isReplayable(event) ? replayed(event, draft, await policyOf(event.policyRevision)) : undefined
    if (replay === undefined) continue
    events++
    if (replay.was === replay.wouldBe) unchanged++
    else count(tallies, replay, event)
  }
  const changes = [...tallies.values()].toSorted((a, b) => b.events - a.events).map(changeOf)
  return { from: range.from, to: range.to, events, unchanged, isCut, changes }
}

const modelCallKind = 'ingress_proxy'

export interface Replay {
  readonly of: DryRunChange['of']
  readonly was: string
  readonly wouldBe: string
  readonly names: readonly string[]
}

const isReplayable = ({ kind, origin }: StoredEvent): boolean =>
  kind === toolCallKind || (kind === modelCallKind && origin === 'service')

/**
 * The recorded outcome of an event, and the draft's; undefined if an event cannot be replayed. Without the policy of
 * `then`, the event is judged only by what was recorded.
 */
export function replayed(event: StoredEvent, draft: Draft, then?: Draft): Replay | undefined {
  const { sensorMetadata: metadata, kind } = event
  const was = metadata['action']
  if (typeof was !== 'string' || !isReplayable(event)) return undefined
  if (kind === modelCallKind) {
    const names = [...namesIn(metadata['entityCounts']), ...namesIn(metadata['passedCounts'])]
    return { of: 'model_calls', was, wouldBe: modelCall(metadata, was, draft, then), names }
  }
  const tool = metadata['mcpToolName']
  if (typeof tool !== 'string') return undefined
  const server = typeof metadata['mcpServer'] === 'string' ? metadata['mcpServer'] : unknownServerId
  const effectOf = ({ tools }: Draft) => tools.decide({ server, tool, now: event.receivedAt }).effect
  const effect = effectOf(draft)
  if (then !== undefined && effectOf(then) === effect) return { of: 'tool_calls', was, wouldBe: was, names: [tool] }
  // A call for which consent was asked and not given is recorded as a block.
  const wouldBe = effect === 'allow' ? (was === 'mask' ? 'mask' : 'allow') : 'block'
  return { of: 'tool_calls', was, wouldBe, names: [tool] }
}

const namesIn = (counts: unknown): string[] =>
  typeof counts === 'object' && counts !== null ? Object.keys(counts) : []

const strictness = ['allow', 'mask', 'block']
const strictest = (actions: readonly string[]): string => strictness.findLast((one) => actions.includes(one)) ?? 'allow'
const milder = (a: string, b: string): string => (strictness.indexOf(a) < strictness.indexOf(b) ? a : b)

/**
 * The recorded outcome if both policies treat each kind the same; otherwise the strictest action for any kind, where a
 * kind that they treat the same leads to no more than was recorded.
 */
function modelCall(metadata: StoredEvent['sensorMetadata'], was: string, draft: Draft, then?: Draft): string {
  const acted = namesIn(metadata['entityCounts'])
  const passed = namesIn(metadata['passedCounts']).filter((name) => !acted.includes(name))
  const isSame = (name: string): boolean => then !== undefined && actionOn(name, then) === actionOn(name, draft)
  if (then !== undefined && [...acted, ...passed].every(isSame)) return was
  const wouldLead = (name: string, led: string): string => {
    const now = actionOn(name, draft)
    return isSame(name) ? milder(now, led) : now
  }
  return strictest([...acted.map((name) => wouldLead(name, was)), ...passed.map((name) => wouldLead(name, 'allow'))])
}

/** The action for a kind, assuming a certain finding in a user's text; an unknown kind is not found. */
function actionOn(name: string, { profile, kinds }: Draft): string {
  const kind = kinds.get(name)
  if (kind === undefined) return 'allow'
  const finding: Finding = { kind: name, group: kind.group, tier: kind.tier, confidence: 'strong', start: 0, end: 1 }
  return profile.decide(finding, looseText)
}

function count(tallies: Map<string, Tally>, { of, was, wouldBe, names }: Replay, event: StoredEvent): void {
  const key = `${of} ${was} ${wouldBe}`
  const known = tallies.get(key)
  const tally = known ?? { change: { of, was, wouldBe }, events: 0, by: new Map<string, number>(), examples: [] }
  if (known === undefined) tallies.set(key, tally)
  tally.events++
  for (const name of names) tally.by.set(name, (tally.by.get(name) ?? 0) + 1)
  if (event.requestId !== null && tally.examples.length < examplesMax) tally.examples.push(event.requestId)
}

function changeOf({ change, events, by, examples }: Tally): DryRunChange {
  const most = [...by].toSorted(([, a], [, b]) => b - a).slice(0, namesMax)
  return { ...change, events, by: Object.fromEntries(most), examples }
}
