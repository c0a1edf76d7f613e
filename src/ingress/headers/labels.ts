/** What a call says about itself in headers, and what can be inferred if it says nothing. */
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { modelIdLengthMax, parseLabels, parseModelId, requestHeaders, responseHeaders } from '../../protocol/headers.ts'
import { inferProvider } from '../../protocol/provider.ts'
import { parseSidecarHeader } from '../../protocol/sidecar-header.ts'
import { inferSurface } from '../../protocol/surface.ts'
import { unknownLabel, type Vocabularies } from '../../protocol/vocabularies.ts'
import type { CallRecord } from '../../telemetry/report.ts'
import type { UpstreamTarget } from '../../upstream/targets.ts'
import { Refused } from '../refusal/refused.ts'
import type { IngressRoute } from '../routes.ts'

/** One value of a header; the first if a client sent several. */
export function header(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name]
  const first = Array.isArray(value) ? value[0] : value
  return first === undefined ? undefined : asUtf8(first)
}

/** The runtime reads headers as Latin-1, but most clients write UTF-8. What is none stays as it is. */
function asUtf8(text: string): string {
  let i = 0
  while (i < text.length && text.charCodeAt(i) < 128) i++
  if (i === text.length) return text
  const bytes = Buffer.from(text, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : text
}

/** A new record of a call of which only the caller is known. */
export function openRecord(
  requestId: string,
  principal: { readonly tokenId: string; readonly workspaceId: string },
  route: IngressRoute
): CallRecord {
  return {
    requestId,
    workspaceId: principal.workspaceId,
    tokenId: principal.tokenId,
    occurredAt: Date.now(),
    route: route.route,
    dialect: route.dialect,
    outcome: 'refused',
    riskTier: 'none',
    entitiesMasked: 0,
    entityCounts: {},
    passedCounts: {},
    clientSurface: unknownLabel,
    modelProvider: unknownLabel
  }
}

interface LabelRules {
  readonly vocabularies: Vocabularies
  /** Replaces what a scan finds in a text by its kind. Everything that is recorded passes through it. */
  scrub(text: string): string
}

/**
 * Reads the label headers into the record. A label outside its vocabulary causes a warning, never a refusal, because a
 * label must not break a model call.
 * @throws Refused for a model id over the length that the specification sets as a limit
 */
export function readLabels(
  req: IncomingMessage,
  record: CallRecord,
  answerHeaders: Record<string, string>,
  { vocabularies, scrub }: LabelRules
): void {
  const labels = parseLabels((name) => header(req, name), vocabularies)
  record.clientSurface = header(req, requestHeaders.clientSurface)
    ? labels.clientSurface
    : inferSurface(header(req, requestHeaders.userAgent))
  record.modelProvider = labels.modelProvider
  if (labels.warnings.length > 0) answerHeaders[responseHeaders.warnings] = labels.warnings.join(' ')
  const modelId = parseModelId(header(req, requestHeaders.modelId))
  if (!modelId.ok) throw new Refused(modelId.code)
  if (modelId.modelId !== undefined) record.modelId = plain(scrub(modelId.modelId))
}

/**
 * Reads what a sidecar on the way reports about the call. The sidecar found it first, so it does not count as found
 * here.
 * @param kinds of the policy in force: a header could name anything
 */
export function readSidecar(req: IncomingMessage, record: CallRecord, kinds: ReadonlyMap<string, unknown>): void {
  const said = parseSidecarHeader(header(req, requestHeaders.sidecar), (kind) => kinds.has(kind))
  if (said) record.sidecar = said
}

/**
 * Control characters could steer whatever displays a record, and events of sensors may not hold them; half a surrogate
 * pair is not text.
 */
const plain = (name: string): string => name.toWellFormed().replaceAll(/\p{Cc}/gu, ' ')

/** Fills what the headers left open: the model from the body, the provider from the upstream or the model's name. */
export function inferLabels(
  record: CallRecord,
  target: UpstreamTarget,
  model: string | undefined,
  scrub: LabelRules['scrub']
): void {
  if (record.modelId === undefined && model !== undefined) {
    record.modelId = [...plain(scrub(model))].slice(0, modelIdLengthMax).join('')
  }
  if (record.modelProvider === unknownLabel) record.modelProvider = target.vendor ?? inferProvider(model)
}
