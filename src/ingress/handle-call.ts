/**
 * One model call, from the first header to the last byte of the answer: authenticate, read, scan, decide, forward,
 * relay, report. Start reading at `handleCall`; everything else is a step of it.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { Scanner } from '../detection/findings.ts'
import { dialects } from '../dialects/index.ts'
import { createPlaceholders, type ValueDigest } from '../policy/redaction/placeholder.ts'
import type { CompiledProfile } from '../policy/redaction/decide.ts'
import { responseHeaders } from '../protocol/headers.ts'
import type { PassedContext } from '../protocol/trace-context.ts'
import type { Vocabularies } from '../protocol/vocabularies.ts'
import { errorFrames, errorName } from '../telemetry/error-frames.ts'
import { traceFields, type CallRecord } from '../telemetry/report.ts'
import type { CallTrace, Telemetry, TraceContext } from '../telemetry/tracing.ts'
import type { UpstreamAnswer } from '../upstream/exchange.ts'
import type { TargetedRoute, UpstreamTarget } from '../upstream/targets.ts'
import { writeRefusal, writeRefusalAnswer } from './refusal/answer.ts'
import type { ByteBudget } from './body/byte-budget.ts'
import type { CleanSections } from './body/clean-sections.ts'
import { callUpstream, type UpstreamCall, type UpstreamWay } from './call-upstream.ts'
import type { Client, OpenCalls } from './client.ts'
import { atEndOfTurn, runInSteps } from './cooperative.ts'
import { forwardableHeaders, forwardableQuery } from './headers/forward-headers.ts'
import type { Hop } from './hop.ts'
import { createModelReader } from './answer/model.ts'
import { inferLabels, openRecord, readLabels, readSidecar } from './headers/labels.ts'
import { letGo, noBytes } from './body/let-go.ts'
import { passOn } from './answer/pass-on.ts'
import { readBody, type BodyLimits, type HeldBody } from './body/read-body.ts'
import { redactBody, type BodyBounds, type RedactedBody } from './body/redact-body.ts'
import { createRedactor, screenText, type Redactor } from './body/redact-texts.ts'
import { asRefused, ClientGone, Refused } from './refusal/refused.ts'
import { createRestorePlan, type RestoreRules } from './restore/plan.ts'
import type { RestorePlan } from './restore/text.ts'
import type { IngressRoute } from './routes.ts'
import { continueTrace, readTrace } from './headers/trace.ts'
import { decide, screen } from './verdict.ts'

/** Who calls, as far as the hot path is concerned. */
export interface IngressPrincipal {
  readonly tokenId: string
  readonly workspaceId: string
  /** Whether the token may call models. If not, the caller is still known, and the attempt is recorded. */
  readonly mayCall: boolean
}

/** The policy of a workspace at one revision. */
export interface IngressPolicy {
  readonly revision: string
  readonly profile: CompiledProfile
  /** Finds the built-in kinds and those of the profile. */
  readonly scanner: Scanner
  readonly digest: ValueDigest
  /** Set if masked values are restored in answers. */
  readonly restore?: RestoreRules | undefined
}

export interface IngressDependencies extends UpstreamWay {
  /** @throws Refused if the caller cannot be identified, synchronously or as a rejection */
  authenticate(headers: IncomingHttpHeaders): IngressPrincipal | Promise<IngressPrincipal>
  /** @throws Refused if the workspace's policy is not available */
  policyOf(workspaceId: string): IngressPolicy | Promise<IngressPolicy>
  readonly limits: BodyLimits & BodyBounds
  readonly budget: ByteBudget
  /** If set, parts of bodies in which an earlier call found nothing to act on are not scanned in full again. */
  readonly cleanSections?: CleanSections | undefined
  readonly vocabularies: Vocabularies
  /** Masks what a scan finds in a text that is recorded. */
  scrub(text: string): string
  /** @param headers of the call, on which the credential may depend */
  targetOf(route: TargetedRoute, headers: IncomingHttpHeaders): UpstreamTarget
  /** Set if the upstream is another instance of Sluice; see {@link Hop}. */
  readonly hop?: Hop
  /** Where a call is while it is under way. */
  readonly calls: OpenCalls
  /** How long a client may leave its answer unread. */
  readonly stallTimeoutMs: number
  /** How long a stream may be silent before a keep-alive frame is sent. */
  readonly keepAliveMs: number
  /** Takes the record of each finished call, once. Never throws and never waits. */
  report(record: CallRecord): void
  /** If set, a call is forwarded only once this has put the decision on disk; see `SERVICE_AUDIT_MODE`. */
  readonly commitDecision?: ((record: CallRecord) => Promise<void>) | undefined
  /** If set, receives spans, log records and metrics. */
  readonly telemetry?: Telemetry | undefined
  /** How much of the trace context is passed to the next hop. */
  readonly passedContext: PassedContext
  readonly log: Logger
}

/**
 * Handles one call. Never rejects: whatever happens is answered, recorded once, and finished when the promise settles.
 * @param requestId a UUID, the client's or a new one
 */
export async function handleCall(
  req: IncomingMessage,
  res: ServerResponse,
  route: IngressRoute,
  requestId: string,
  to: IngressDependencies
): Promise<void> {
  const parent = readTrace(req.headers, to.scrub)
  const trace = to.telemetry?.beginCall({ method: route.method, route: route.route, requestId, parent })
  const client = to.calls.watch(res)
  const call: Call = { req, res, client, route, requestId, headers: {}, trace, context: trace?.context ?? parent }
  const started = performance.now()
  try {
    await carryOut(call, to)
  } catch (error) {
    answerFailure(error, call, to.log)
  }
  if (call.record) call.record.durationMs = performance.now() - started
  trace?.end(call.record, res.statusCode)
  if (call.record) to.report(call.record)
}

/** A call in progress. */
interface Call {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  /** Whether the client is still there. */
  readonly client: Client
  readonly route: IngressRoute
  readonly requestId: string
  readonly trace: CallTrace | undefined
  /** The call's place in a trace: our own span, or if there is none the client's. */
  readonly context: TraceContext | undefined
  /** Sluice's own headers for the answer, whoever gives it. */
  readonly headers: Record<string, string>
  /** Set if the policy words refusals as an answer of the model. */
  refuseAs?: { readonly model: string; readonly stream: boolean }
  /** What will be reported; absent until the caller is known, because only authenticated calls are recorded. */
  record?: CallRecord
}

async function carryOut(call: Call, to: IngressDependencies): Promise<void> {
  const { req, route } = call
  // Calls that arrive in one turn are authenticated, read, scanned and sent as a batch, and so are their answers.
  await atEndOfTurn()
  const principal = await to.authenticate(req.headers)
  const record = (call.record = openRecord(call.requestId, principal, route))
  if (call.context) record.traceId = call.context.traceId
  if (call.trace) record.spanId = call.trace.context.spanId
  if (!principal.mayCall) throw new Refused('missing_scope', { fill: { scope: 'ingress:write' } })
  const policy = await to.policyOf(principal.workspaceId)
  const { profile } = policy
  record.policyRevision = call.headers[responseHeaders.policyRevision] = policy.revision
  readLabels(req, record, call.headers, to)
  readSidecar(req, record, policy.scanner.kinds)
  // Whoever masked restores: behind a sidecar, that is the sidecar.
  const restoreRules = record.sidecar === undefined ? policy.restore : undefined
  const target = to.targetOf(route, req.headers)
  if (!target.configured) throw new Refused('upstream_not_configured')

  const placeholders = createPlaceholders(profile.placeholder, policy.digest)
  const redactor = createRedactor(policy.scanner, profile, placeholders, {
    isRestored: restoreRules !== undefined,
    keepsHigh: restoreRules?.hasEditors
  })
  const held =
    route.method === 'GET'
      ? nothingHeld
      : await readBody(req, bodyLimits(to.limits, profile.limits.bodyBytesMax), to.budget, principal.tokenId)
  try {
    record.requestBytes = held.wireBytes
    const body =
      route.method === 'GET' ? noBody(call, redactor, record) : await redact(held, call, redactor, record, to)
    record.stream = body.stream
    if (body.mediaParts > 0) record.mediaParts = body.mediaParts
    record.unknownBlocks = body.unknownBlocks
    inferLabels(record, target, body.model, to.scrub)
    if (profile.blockAs === 'refusal' && route.answersText)
      call.refuseAs = { model: record.modelId ?? 'unknown', stream: body.stream }
    const headers = screen(forwardableHeaders(route.upstream, req.headers), 'header', redactor)
    const query = screen(forwardableQuery(req.url ?? ''), 'query parameter', redactor)
    decide(redactor, record, call.headers)
    if (to.commitDecision) await commitOrRefuse(record, to.commitDecision)
    const answer = await forward(call, target, { query, headers, body }, record, to)
    held.release()
    await atEndOfTurn()
    await relay(answer, call, target, createRestorePlan(restoreRules, redactor.restorable, body.wantsJson), record, to)
  } finally {
    held.release()
  }
}

const nothingHeld: HeldBody = { bytes: noBytes, wireBytes: 0, release: () => {} }

/** A request for models has no body; the model's name in its path is scanned, since it is forwarded. */
function noBody({ route: { modelId }, headers }: Call, redactor: Redactor, record: CallRecord): RedactedBody {
  if (modelId !== undefined && !screenText(modelId, 'the name of the model in the path', redactor)) {
    decide(redactor, record, headers)
    throw new Refused('not_found')
  }
  return { bytes: noBytes, stream: false, model: modelId, mediaParts: 0, unknownBlocks: 0, wantsJson: false }
}

/** A workspace may set a lower body limit than the server; it applies both before and after decompression. */
function bodyLimits(limits: BodyLimits, bytesMax = Infinity): BodyLimits {
  return {
    ...limits,
    bodyBytesMax: Math.min(limits.bodyBytesMax, bytesMax),
    inflatedBytesMax: Math.min(limits.inflatedBytesMax, bytesMax)
  }
}

async function redact(
  held: HeldBody,
  { route, client }: Call,
  redactor: Redactor,
  record: CallRecord,
  to: IngressDependencies
): Promise<RedactedBody> {
  const started = performance.now()
  const { bytes } = held
  held.bytes = noBytes
  const dialect = dialects[route.dialect]
  const clean = to.cleanSections?.of(redactor.scanner, record.tokenId, dialect.name, bytes.length)
  const work = redactBody(bytes, dialect, redactor, to.limits, clean)
  const body = await runInSteps(
    work,
    bytes.length,
    () => client.isGone,
    () => new ClientGone()
  )
  record.scanMs = performance.now() - started
  if (clean) record.knownBytes = clean.knownBytes
  // Masking produced a buffer of its own.
  if (body.bytes !== bytes) letGo(bytes)
  return body
}

/** @throws Refused if the decision is not on disk */
async function commitOrRefuse(record: CallRecord, commit: (record: CallRecord) => Promise<void>): Promise<void> {
  try {
    await commit(record)
  } catch {
    // The writer reports what failed. It may even have written the row, which does no harm.
    throw new Refused('audit_unavailable')
  }
}

/** Sends the masked request on, in the call's trace. @returns the answer, once it begins */
function forward(
  call: Call,
  target: UpstreamTarget,
  request: UpstreamCall & { readonly headers: Map<string, string> },
  record: CallRecord,
  to: IngressDependencies
): Promise<UpstreamAnswer> {
  const { headers } = request
  for (const [name, value] of to.hop?.headersOf(record, call.req.headers) ?? []) headers.set(name, value)
  const { origin, method, isService = false } = target
  const context = call.trace?.beginUpstream({ origin, method, isService }) ?? call.context
  if (context) for (const [name, value] of continueTrace(context, to.passedContext)) headers.set(name, value)
  return callUpstream(to, target, request, record, call.client)
}

/** Passes the answer on to the client. */
async function relay(
  answer: UpstreamAnswer,
  call: Call,
  { isService = false }: UpstreamTarget,
  restore: RestorePlan | undefined,
  record: CallRecord,
  to: IngressDependencies
): Promise<void> {
  to.hop?.takeOver(answer.headers, call.headers)
  const { stallTimeoutMs, keepAliveMs } = to
  const modelReader = call.trace && !isService ? createModelReader(to.scrub) : undefined
  const options = { stallTimeoutMs, keepAliveMs, restore, modelReader }
  try {
    await passOn(answer, call, dialects[call.route.dialect], record, call.client, options)
  } catch (error) {
    answer.dismiss()
    throw error
  }
}

function answerFailure(error: unknown, call: Call, log: Logger): void {
  const { req, res, requestId, record, client } = call
  if (error instanceof ClientGone || res.destroyed) {
    if (record && client.reason) record.errorCode = client.reason.code
    else if (record) record.outcome = 'abandoned'
    res.destroy()
    return
  }
  const refused = asRefused(error)
  if (record) record.errorCode = refused.code
  // The name only: the message of an unforeseen error may quote what a client sent.
  if (refused.code === 'internal_error')
    log.error(
      { requestId, ...traceFields(call.record ?? {}), error: [errorName(error), ...errorFrames(error, 8)].join('\n') },
      'ingress call failed'
    )
  const dialect = dialects[call.route.dialect]
  const { refuseAs } = call
  if (refused.code === 'high_risk_content_blocked' && refuseAs && dialect.refusalAnswer)
    writeRefusalAnswer(res, dialect.refusalAnswer, refused, requestId, { ...refuseAs, headers: call.headers })
  else writeRefusal(req, res, dialect, refused, requestId, call.headers)
}
