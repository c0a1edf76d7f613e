/** Builds the application with all routes from the service's parts. */
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import type { Secret } from '../config/secret.ts'
import { version } from '../config/version.ts'
import { createByteBudget, reservedOf } from '../ingress/body/byte-budget.ts'
import { cleanSectionsOf } from '../ingress/body/clean-sections.ts'
import type { OpenCalls } from '../ingress/client.ts'
import type { IngressDependencies, IngressPrincipal } from '../ingress/handle-call.ts'
import { commitDecision, reportIngressCall } from '../telemetry/report.ts'
import { timeOrderedId } from '../telemetry/time-ordered-id.ts'
import type { Telemetry } from '../telemetry/tracing.ts'
import { createUpstreamPlaces, reservedPlaces } from '../upstream/places.ts'
import { upstreamTargets, type UpstreamTargets } from '../upstream/targets.ts'
import { authenticate } from './access.ts'
import { registerAdministration } from './administration.ts'
import { createApp } from './app.ts'
import { createDashboard } from './dashboard.ts'
import { createRateLimit } from './ingest/rate-limit.ts'
import type { Lifecycle } from './lifecycle.ts'
import { connectSources } from './metrics-sources.ts'
import type { Parts } from './parts.ts'
import { PolicyRevisions } from './policies/revisions.ts'
import { createJudgeThread, waitingMax, waitingOfTokenMax } from './policies/judge.ts'
import { createSensorRegistry } from './readings/sensors.ts'
import { registerAuditProof } from './routes/audit-proof.ts'
import { registerAudit } from './routes/audit.ts'
import { registerEventExport } from './routes/event-export.ts'
import { registerEventReads } from './routes/event-reads.ts'
import { registerEventTail } from './routes/event-tail.ts'
import { createEventIntake, registerEvents, type EventsDependencies } from './routes/events.ts'
import { registerHealth } from './routes/health.ts'
import { createIngress } from './routes/ingress.ts'
import { registerMetrics } from './routes/metrics.ts'
import { registerPolicyDrafts, type DraftDependencies } from './routes/policy-drafts.ts'
import { registerPolicySensors } from './routes/policy-sensors.ts'
import { registerPolicyStream } from './routes/policy-stream.ts'
import { registerPolicy } from './routes/policy.ts'
import { registerSensors } from './routes/sensors.ts'
import { createStreamPlaces } from './routes/stream-places.ts'
import { readTls } from './tls.ts'
import { followUpstreamKeys } from './upstream-keys.ts'
import { grants, type Principal } from './tokens/tokens.ts'

/** What the routes need. */
interface EndpointParts extends Parts {
  readonly lifecycle: Lifecycle
  /** The model calls under way. */
  readonly calls: OpenCalls
  readonly telemetry: Telemetry | undefined
}

/**
 * Creates the application with all its routes.
 * @param undo disposes of what was created only for the routes
 */
export function createEndpoints(config: Config, parts: EndpointParts, undo: AsyncDisposableStack): FastifyInstance {
  const { accounts, access, lifecycle, store, log, metrics, events, masterKey } = parts
  const targetOf = upstreamTargets(config, followUpstreamKeys(config, log, knowCredential(parts), undo))
  const ingress = ingressDependencies(config, parts, targetOf)
  const ingest = eventsDependencies(config, parts, ingress, undo)
  const { tls } = config.listen
  const app = createApp({
    log,
    tls: tls && readTls(tls),
    trustedProxies: config.signIn.trustedProxies,
    dashboard: createDashboard({ isSecure: accounts.cookie.isSecure }),
    uploadTimeoutMs: config.ingress.uploadTimeoutMs,
    ahead: [createEventIntake(ingest), createIngress(ingress, lifecycle)]
  })
  registerHealth(app, { store, lifecycle, events, maintenance: parts.maintenance })
  registerEvents(app, ingest)
  registerAudit(app, { access, store, lifecycle, events })
  registerEventReads(app, { access, store, lifecycle, events })
  registerEventExport(app, { access, store, lifecycle, events })
  registerEventTail(app, { access, store, lifecycle, metrics })
  const revisions = registerPolicies(app, config, { ...parts, targetOf, budget: ingress.budget }, undo)
  registerAuditProof(app, { access, store, lifecycle, events, masterKey, auditDays: config.retention.auditDays })
  if (config.metrics) {
    const { blockHighRisk } = config
    const { queueMax } = config.events
    const { budget } = ingress
    const from = { store, events, queueMax, lifecycle, budget, version: version(), blockHighRisk, revisions }
    connectSources(metrics, from)
    registerMetrics(app, metrics)
  }
  return app
}

/** @returns a function that has prompts and records searched for one more credential */
function knowCredential({ own, policies }: EndpointParts): (credential: Secret) => void {
  return (credential) => {
    own.add(credential)
    policies.useDetectors(own.detectors)
  }
}

/**
 * Registers the routes for writing, testing and streaming policies, and those of the dashboard, which lint drafts as
 * well.
 */
function registerPolicies(
  app: FastifyInstance,
  config: Config,
  parts: EndpointParts & Pick<IngressDependencies, 'budget'> & { readonly targetOf: UpstreamTargets },
  undo: AsyncDisposableStack
): PolicyRevisions {
  const { access, accounts, lifecycle, store, tokens, hub, budget, own } = parts
  const { compile, effective, allowKey } = parts.policies
  const { blockHighRisk } = config
  const judge = createJudgeThread()
  undo.defer(() => judge.close())
  const revisions = new PolicyRevisions(
    store,
    { surfaces: [...config.vocabularies.surfaces], blockHighRisk },
    own,
    judge
  )
  const tryText: DraftDependencies['tryText'] = (workspaceId, redactionProfile, text, place) =>
    judge.try({
      text,
      place,
      redactionProfile,
      blockHighRisk,
      allowKey: allowKey(workspaceId),
      credentials: own.values
    })
  const bodies = { limits: adminBodyLimits(config), budget }
  const judging = createStreamPlaces(waitingMax, waitingOfTokenMax, 'too_many_judgements')
  registerPolicy(app, { access, lifecycle, revisions, judging, effective, ...bodies })
  registerPolicyDrafts(app, { access, lifecycle, store, revisions, judging, compile, tryText, ...bodies })
  registerPolicySensors(app, { access, lifecycle, store, effective })
  registerSensors(app, { access, lifecycle, store, effective })
  registerPolicyStream(app, { tokens, lifecycle, hub })
  registerAdministration(app, {
    ...parts,
    ...accounts,
    ...bodies,
    config,
    revisions,
    judging,
    compile,
    tryText,
    allowKey,
    version: version()
  })
  return revisions
}

function eventsDependencies(
  config: Config,
  { tokens, store, events, lifecycle, log, metrics, maintenance }: EndpointParts,
  ingress: IngressDependencies,
  undo: AsyncDisposableStack
): EventsDependencies {
  const sensors = createSensorRegistry(store)
  undo.defer(() => sensors.close())
  return {
    tokens,
    sensors,
    events,
    lifecycle,
    log,
    metrics,
    isStoreFull: () => maintenance.isStoreFull,
    budget: ingress.budget,
    limits: {
      bodyBytesMax: config.events.bodyBytesMax,
      inflatedBytesMax: config.events.inflatedBytesMax,
      uploadTimeoutMs: config.ingress.uploadTimeoutMs,
      batchMax: config.events.batchMax
    },
    rate: createRateLimit(config.events.perSecondMax, () => performance.now()),
    rules: ingress
  }
}

/** Two documents of the maximum size, and a text to be tried. */
const adminBodyBytesMax = 4 * 1024 * 1024

const adminBodyLimits = ({ ingress: { uploadTimeoutMs } }: Config) => ({
  bodyBytesMax: adminBodyBytesMax,
  inflatedBytesMax: adminBodyBytesMax,
  uploadTimeoutMs
})

function ingressDependencies(config: Config, parts: EndpointParts, targetOf: UpstreamTargets): IngressDependencies {
  const { tokens, policies, events, metrics, dispatcher, log, own, telemetry, calls } = parts
  const { bytesInFlightMax } = config.ingress
  const { connectionsMax, connectTimeoutMs, idleTimeoutMs } = config.upstream
  return {
    authenticate: (headers) => {
      const principal = authenticate(tokens, headers, undefined)
      return principal instanceof Promise ? principal.then(asCaller) : asCaller(principal)
    },
    policyOf: policies.policyOf,
    scrub: own.scrub,
    limits: config.ingress,
    budget: createByteBudget(bytesInFlightMax, reservedOf(bytesInFlightMax, config.ingress)),
    cleanSections: cleanSectionsOf(config.ingress),
    vocabularies: config.vocabularies,
    targetOf,
    dispatcher,
    places: createUpstreamPlaces(connectionsMax, reservedPlaces(connectionsMax)),
    calls,
    // Time for two attempts to connect; a client that reads nothing is held for as long as a silent upstream.
    startTimeoutMs: connectTimeoutMs * 2,
    stallTimeoutMs: idleTimeoutMs,
    keepAliveMs: config.ingress.keepAliveMs,
    report: (record) => reportIngressCall(record, { events, metrics, log, newId: timeOrderedId }),
    commitDecision: config.strictAudit ? (record) => commitDecision(record, events) : undefined,
    telemetry,
    passedContext: config.passedContext,
    log
  }
}

const asCaller = ({ tokenId, workspaceId, scopes }: Principal): IngressPrincipal => ({
  tokenId,
  workspaceId,
  mayCall: grants(scopes, 'ingress:write')
})
