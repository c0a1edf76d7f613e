/** Sources of metrics that are only read during a scrape. */
import type { ByteBudget } from '../ingress/body/byte-budget.ts'
import type { Store } from '../store/store.ts'
import type { EventWriter } from '../telemetry/event-writer.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { within } from '../timing/within.ts'
import type { PolicyRevisions } from './policies/revisions.ts'
import type { Lifecycle } from './lifecycle.ts'

/** Workspaces whose policy has a series of its own: a limit on labels. */
const workspacesShown = 20
/** Most workspaces that are counted. */
const workspacesMax = 1000
/** Anyone who reaches the port may scrape, but the store is queried no more often than this. */
const storeAskedMs = 15_000
/** If the store takes longer, its metrics keep their values. */
const storeTimeoutMs = 1000

interface MetricSources {
  readonly store: Store
  readonly events: Pick<EventWriter, 'counters' | 'state'>
  readonly queueMax: number
  readonly lifecycle: Pick<Lifecycle, 'inFlight'>
  readonly budget: Pick<ByteBudget, 'taken'>
  readonly version: string
  /** The server's block switch. */
  readonly blockHighRisk: boolean
  readonly revisions: Pick<PolicyRevisions, 'softenings'>
}

/** Connects the sources to the metrics. */
export function connectSources(metrics: Metrics, from: MetricSources): void {
  metrics.set('build', 1, { version: from.version })
  metrics.set('queueMax', from.queueMax)
  metrics.onScrape(() => {
    const { recorded, duplicates, gapsWritten, gapsPending, queued, unrecordable, failures } = from.events.counters()
    metrics.raiseTo('recorded', recorded)
    metrics.raiseTo('duplicates', duplicates)
    metrics.raiseTo('gaps', gapsWritten)
    metrics.raiseTo('unrecordable', unrecordable)
    metrics.raiseTo('commitFailures', failures)
    metrics.set('gapsPending', gapsPending)
    metrics.set('queued', queued)
    metrics.set('recordingFailing', from.events.state().failingSince === undefined ? 0 : 1)
    metrics.set('inFlight', from.lifecycle.inFlight)
    metrics.set('bytesInFlight', from.budget.taken)
  })
  let askedAt = -Infinity
  metrics.onScrape(async () => {
    if (performance.now() - askedAt < storeAskedMs) return
    askedAt = performance.now()
    await within(storeTimeoutMs, gatherWorkspaces(metrics, from))
  })
}

async function gatherWorkspaces(
  metrics: Metrics,
  { store, revisions, blockHighRisk }: Pick<MetricSources, 'store' | 'revisions' | 'blockHighRisk'>
): Promise<void> {
  const workspaces = await store.listWorkspaces({ limit: workspacesMax })
  const shown = await Promise.all(workspaces.slice(0, workspacesShown).map(({ id }) => store.currentPolicyRevision(id)))
  const policies = shown.filter((policy) => policy !== undefined)
  metrics.set('workspaces', workspaces.length)
  metrics.clear('policySequence')
  for (const { workspaceId, sequence } of policies) metrics.set('policySequence', sequence, { workspace: workspaceId })
  const softenings = await Promise.all(policies.map(revisions.softenings))
  metrics.clear('policySoftenings')
  for (const [index, { workspaceId }] of policies.entries()) {
    const count = (softenings[index]?.length ?? 0) + (blockHighRisk ? 0 : 1)
    metrics.set('policySoftenings', count, { workspace: workspaceId })
  }
}
