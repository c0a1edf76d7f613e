/** What the service consists of behind its routes: the store, what is kept in it, the policies, the events. */
import type { KeyObject } from 'node:crypto'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { assertMasterKeyFits, loadMasterKey } from '../config/master-key.ts'
import { createPolicyHub, type PolicyHub } from '../policy-stream/hub.ts'
import { openStore } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import { createEventWriter, type EventWriter } from '../telemetry/event-writer.ts'
import { createMetrics, type Metrics } from '../telemetry/metrics.ts'
import { logRecording } from '../telemetry/recording-log.ts'
import { createUpstreamDispatcher } from '../upstream/client.ts'
import type { Access } from './access.ts'
import { createAccounts, type Accounts } from './accounts/accounts.ts'
import type { EventExporter, ExporterOptions, ExporterTimings } from './otlp-out/exporter.ts'
import { OwnCredentials } from './own-credentials.ts'
import { createPolicySource, type PolicySource } from './policies/policies.ts'
import { createTokenService, type TokenService } from './tokens/tokens.ts'
import { createAuditSealer, type AuditSealer } from './upkeep/audit-sealer.ts'
import { createMaintenance, type Maintenance } from './upkeep/maintenance.ts'
import { defaultWorkspaceId } from '../protocol/workspace-id.ts'
import { ensureWorkspace } from './workspaces.ts'

export interface Parts {
  readonly log: Logger
  readonly store: Store
  readonly masterKey: KeyObject
  /** Whether this start created the default workspace. */
  readonly isFirstStart: boolean
  readonly own: OwnCredentials
  readonly metrics: Metrics
  readonly maintenance: Maintenance
  readonly sealer: AuditSealer
  readonly tokens: TokenService
  readonly accounts: Accounts
  readonly access: Access
  readonly policies: PolicySource
  readonly hub: PolicyHub
  readonly events: EventWriter
  readonly dispatcher: ReturnType<typeof createUpstreamDispatcher>
}

/**
 * Opens the store and creates everything that works with it. Upkeep and sealing begin when the service listens.
 * @param options.exportTimings for tests: faster exports to a collector
 * @param undo closes everything again, in reverse order
 * @throws Error if the store cannot be opened, or the master key does not match it
 */
export async function openParts(
  config: Config,
  { log, exportTimings }: { readonly log: Logger; readonly exportTimings?: ExporterTimings | undefined },
  undo: AsyncDisposableStack
): Promise<Parts> {
  const masterKey = await loadMasterKey({ configured: config.masterKey?.reveal(), dataDir: config.dataDir })
  const opening = openStore(config)
  // Compiled while the threads of the store start.
  const own = new OwnCredentials(config, masterKey)
  own.scrub('')
  const store = await opening
  undo.defer(() => store.close())
  await assertMasterKeyFits(store, masterKey)
  const { created: isFirstStart } = await ensureWorkspace(store, defaultWorkspaceId, 'service')
  if (config.signIn.oidc) await ensureWorkspace(store, config.signIn.oidc.workspaceId, 'service')
  const metrics = createMetrics((kind) => own.scanner.kinds.get(kind)?.tier)
  const maintenance = createMaintenance({ store, retention: config.retention, log, metrics })
  undo.defer(() => maintenance.close())
  // Closed after the event writer, so that the last root covers what it wrote last.
  const sealer = createAuditSealer({ store, masterKey, auditDays: config.retention.auditDays, log, metrics })
  undo.defer(() => sealer.close())
  const tokens = await createTokenService({ store, masterKey, own: () => own })
  undo.defer(() => tokens.close())
  const accounts = undo.use(await createAccounts({ store, masterKey, config, log }))
  const access: Access = { tokens, sessions: accounts.sessions, cookie: accounts.cookie }
  const kept = { log, store, masterKey, isFirstStart, own, metrics, maintenance, sealer, tokens, accounts, access }
  const { policies, hub } = await openPolicies(config, kept, undo)
  const events = createEventWriter(store, { queueMax: config.events.queueMax, reports: logRecording(log) })
  const exporter = await startExport(config, { store, metrics, log, timings: exportTimings })
  // Closed after the event writer, so that what it wrote last is sent as well.
  undo.defer(() => exporter?.close())
  undo.defer(async () => void (await events.close()))
  const dispatcher = createUpstreamDispatcher(config)
  undo.defer(() => dispatcher.destroy())
  return { ...kept, policies, hub, events, dispatcher }
}

/** The policies of the workspaces, and the streams that send them to sensors. */
async function openPolicies(
  { blockHighRisk, policyStream: { heartbeatMs, ...limits } }: Config,
  parts: Pick<Parts, 'log' | 'store' | 'masterKey' | 'metrics' | 'tokens' | 'own'>,
  undo: AsyncDisposableStack
): Promise<Pick<Parts, 'policies' | 'hub'>> {
  const { log, store, masterKey, metrics, tokens, own } = parts
  const policies = createPolicySource({
    store,
    masterKey,
    blockHighRisk,
    detectors: own.detectors,
    onFailure: (workspaceId) =>
      log.error({ workspaceId }, 'the policy could not be loaded; the last one stays in force')
  })
  undo.defer(() => policies.close())
  await policies.policyOf(defaultWorkspaceId)
  const hub = createPolicyHub({ frames: { current: policies.effective }, limits, timings: { heartbeatMs } })
  policies.onPolicy((workspaceId, policy) => hub.publish(workspaceId, policy))
  undo.defer(tokens.onRevoked((tokenId) => hub.closeToken(tokenId)))
  metrics.onScrape(() => metrics.set('streams', hub.stats().streams, { kind: 'policy' }))
  return { policies, hub }
}

/** Exports events to a collector if one is configured; otherwise none of that code is loaded. */
async function startExport(
  { eventsOtlp, vocabularies, genAiAttributes: genAi }: Config,
  parts: Omit<ExporterOptions, 'config' | 'vocabularies' | 'genAi'>
): Promise<EventExporter | undefined> {
  if (!eventsOtlp) return undefined
  const { startEventExporter } = await import('./otlp-out/exporter.ts')
  return startEventExporter({ config: eventsOtlp, vocabularies, genAi, ...parts })
}
