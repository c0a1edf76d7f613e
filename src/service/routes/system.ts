/**
 * `GET /api/settings`, `GET /api/system/health`, `POST /api/system/upstream-check`: the installation, for its
 * operators.
 */
import type { FastifyInstance } from 'fastify'
import type { Dispatcher } from 'undici'
import type { Config } from '../../config/config.ts'
import type { HealthBody, SettingsBody } from '../../protocol/api/system-schema.ts'
import { modelsPath } from '../../protocol/ingress-routes.ts'
import type { Store } from '../../store/store.ts'
import type { EventWriter } from '../../telemetry/event-writer.ts'
import type { UpstreamTargets } from '../../upstream/targets.ts'
import { callerOf, type Access } from '../access.ts'
import type { AuditSealer } from '../upkeep/audit-sealer.ts'
import { instancesIn } from '../upkeep/instances.ts'
import { admission, type Lifecycle } from '../lifecycle.ts'
import { minuteRollupDays, type Maintenance } from '../upkeep/maintenance.ts'
import { within } from '../../timing/within.ts'
import { checkedUpstreams, checkUpstreams, describeUpstream } from '../upstream-check.ts'
import { answered } from './answered.ts'
import { privately } from './session.ts'
import { dayMs } from '../../timing/spans.ts'
import { isoTime } from '../../timing/iso-time.ts'

export interface SystemDependencies {
  readonly access: Access
  readonly lifecycle: Lifecycle
  readonly config: Config
  readonly version: string
  readonly store: Store
  readonly events: Pick<EventWriter, 'counters' | 'state'>
  readonly maintenance: Pick<Maintenance, 'isStoreFull' | 'lastReport' | 'lastReportAt'>
  readonly sealer: Pick<AuditSealer, 'isWell'>
  readonly targetOf: UpstreamTargets
  readonly dispatcher: Dispatcher
}

const storeTimeoutMs = 2000

export function registerSystem(app: FastifyInstance, to: SystemDependencies): void {
  const onRequest = admission(to.lifecycle)
  const startedAt = Date.now()
  app.get('/api/settings', { onRequest }, async (request, reply) => {
    await callerOf(to.access, request)
    return await reply.headers(privately(request)).send(settings(to))
  })
  app.get('/api/system/health', { onRequest }, async (request, reply) => {
    const { workspaceId } = await callerOf(to.access, request)
    return await reply.headers(privately(request)).send(await health(to, workspaceId, startedAt))
  })
  app.post('/api/system/upstream-check', { onRequest }, async (request, reply) => {
    await callerOf(to.access, request)
    const upstreams = await checkUpstreams(to.targetOf, to.dispatcher)
    return await reply.headers(privately(request)).send({ upstreams })
  })
}

const engineOf = ({ database }: Config): 'postgres' | 'sqlite' => (database ? 'postgres' : 'sqlite')

function settings({ config, version, maintenance }: SystemDependencies): SettingsBody {
  const { eventDays, auditDays, storeBytesMax } = config.retention
  const report = maintenance.lastReport
  const oldestDay = report?.oldestEventDay ?? null
  return {
    version,
    engine: engineOf(config),
    retention: { eventDays, auditDays, minuteRollupDays, bytesMax: storeBytesMax === 0 ? null : storeBytesMax },
    store: {
      measuredAt: maintenance.lastReportAt === undefined ? null : isoTime(maintenance.lastReportAt),
      bytes: report?.bytes ?? null,
      fill: report && storeBytesMax > 0 ? report.bytes / storeBytesMax : null,
      oldestEventAt: oldestDay === null ? null : isoTime(oldestDay * dayMs),
      isFull: maintenance.isStoreFull
    },
    variables: config.settings.map((setting) => ({ ...setting }))
  }
}

async function health(to: SystemDependencies, workspaceId: string, startedAt: number): Promise<HealthBody> {
  const { config, events, maintenance, sealer, store, targetOf, version } = to
  const readMs = await timeOfRead(store)
  const { queued, gapsWritten, gapsPending, unrecordable } = events.counters()
  const { failingSince, isQueueFull } = events.state()
  const isRecording = failingSince === undefined && !isQueueFull
  // Without its store there is nothing more to query.
  const root = readMs === null ? undefined : await answered(store.lastAuditRoot(workspaceId))
  const heads = readMs === null ? [] : await answered(store.auditHeads(workspaceId))
  return {
    ok: readMs !== null && isRecording && sealer.isWell && !maintenance.isStoreFull,
    version,
    startedAt: isoTime(startedAt),
    store: { engine: engineOf(config), ok: readMs !== null, readMs, isFull: maintenance.isStoreFull },
    recording: {
      ok: isRecording,
      queued,
      queueMax: config.events.queueMax,
      lost: gapsWritten + gapsPending + unrecordable
    },
    sealing: { ok: sealer.isWell, sequence: root?.sequence ?? null, sealedAt: root ? isoTime(root.sealedAt) : null },
    upstreams: checkedUpstreams.map((dialect) =>
      describeUpstream(dialect, targetOf({ route: modelsPath, method: 'GET', upstream: dialect }))
    ),
    instances: instancesIn(heads, { writerId: store.writerId, sealedAt: root?.sealedAt ?? 0, now: Date.now() })
  }
}

async function timeOfRead(store: Pick<Store, 'changeCounter'>): Promise<number | null> {
  const startedAt = performance.now()
  const isInTime = await within(storeTimeoutMs, store.changeCounter()).catch(() => false)
  return isInTime ? Math.round((performance.now() - startedAt) * 10) / 10 : null
}
