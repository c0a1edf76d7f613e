/** `POST /api/events`: takes one metadata-only sensor event and answers when it is on disk. */
import { timeOrderedId } from '../../telemetry/time-ordered-id.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ByteBudget } from '../../ingress/byte-budget.ts'
import { header } from '../../ingress/labels.ts'
import { readBody, type BodyLimits } from '../../ingress/read-body.ts'
import { Refused } from '../../ingress/refused.ts'
import { judgeEvent, type EventRules, type SensorEvent } from '../../protocol/event.ts'
import { toolCallKind } from '../../protocol/event-schema.ts'
import { parseModelId, requestHeaders, responseHeaders } from '../../protocol/headers.ts'
import type { Fault } from '../../protocol/problem.ts'
import type { EventWriter } from '../../telemetry/event-writer.ts'
import type { AuditEntry, WorkspaceEvent } from '../../store/store.ts'
import { authenticate } from '../access.ts'
import { admission, type Lifecycle } from '../lifecycle.ts'
import { sendProblem } from '../problem-answer.ts'
import type { Principal, TokenService } from '../tokens.ts'

export interface EventsDependencies {
  readonly tokens: TokenService
  readonly events: EventWriter
  readonly lifecycle: Lifecycle
  readonly limits: BodyLimits
  readonly budget: ByteBudget
  readonly rules: Pick<EventRules, 'vocabularies' | 'scrub'>
}

export function registerEvents(app: FastifyInstance, to: EventsDependencies): void {
  app.post('/api/events', { onRequest: admission(to.lifecycle) }, async (request, reply) => {
    const principal = await authenticate(to.tokens, request.headers, 'events:write')
    const body = await readJson(request, to)
    const judged = judgeEvent(body, { ...to.rules, fallback: fallbackOf(request) })
    void reply.header(responseHeaders.requestId, request.id)
    if (!judged.ok) return sendProblem(request, reply, new Refused(codeOf(judged.faults)), judged.faults)
    const stored = storedForm(judged.event, principal, request.id)
    const outcome = await recordDurably(to.events, stored)
    const warnings = judged.warnings.length > 0 ? { warnings: judged.warnings } : {}
    return reply.code(202).send({
      accepted: outcome === 'stored' ? 1 : 0,
      duplicates: outcome === 'duplicate' ? 1 : 0,
      rejected: 0,
      results: [
        {
          index: 0,
          status: outcome === 'stored' ? 'accepted' : 'duplicate',
          eventId: stored.event.eventId,
          ...warnings
        }
      ]
    })
  })
}

/** A code of its own where one fault stands alone; several faults are an invalid body. */
function codeOf(faults: readonly Fault[]): Fault['code'] {
  const [first] = faults
  return faults.length === 1 && first ? first.code : 'invalid_body'
}

async function readJson(request: FastifyRequest, to: EventsDependencies): Promise<unknown> {
  const contentType = request.headers['content-type'] ?? ''
  if (!/^application\/(?:[\w.-]+\+)?json *(?:;|$)/i.test(contentType)) throw new Refused('unsupported_media_type')
  const held = await readBody(request.raw, to.limits, to.budget)
  try {
    return JSON.parse(held.bytes.toString('utf8')) as unknown
  } catch {
    throw new Refused('invalid_json')
  } finally {
    held.release()
  }
}

/** What the headers say, for the fields that the event lacks. An over-long model id is left for the body's own rule. */
function fallbackOf(request: FastifyRequest): NonNullable<EventRules['fallback']> {
  const clientSurface = header(request.raw, requestHeaders.clientSurface)
  const modelProvider = header(request.raw, requestHeaders.modelProvider)
  const modelId = parseModelId(header(request.raw, requestHeaders.modelId))
  if (!modelId.ok) throw new Refused(modelId.code)
  return {
    requestId: request.id,
    ...(clientSurface ? { clientSurface } : {}),
    ...(modelProvider ? { modelProvider } : {}),
    ...(modelId.modelId === undefined ? {} : { modelId: modelId.modelId })
  }
}

/** The workspace event, with the sensor's fields under `sensorMetadata`, and its audit row where it tells of a decision. */
function storedForm(
  event: SensorEvent,
  principal: Principal,
  requestId: string
): { readonly event: WorkspaceEvent; readonly audit: AuditEntry | null } {
  const now = Date.now()
  const { workspaceId, tokenId } = principal
  const { kind, eventId, occurredAt, ...sensorMetadata } = event
  const shared = { workspaceId, requestId: event.requestId ?? requestId, tokenId }
  const isDecision = kind === toolCallKind || event.action !== undefined
  return {
    event: {
      ...shared,
      eventId: eventId ?? timeOrderedId(),
      kind,
      origin: 'sensor',
      occurredAt: occurredAt === undefined ? now : Date.parse(occurredAt),
      receivedAt: now,
      policyRevision: event.policyRevision ?? null,
      sensorMetadata: { kind, ...sensorMetadata }
    },
    audit: isDecision
      ? { ...shared, at: now, actor: `token:${tokenId}`, action: kind, detail: { ...sensorMetadata } }
      : null
  }
}

async function recordDurably(
  events: EventWriter,
  { event, audit }: ReturnType<typeof storedForm>
): Promise<'stored' | 'duplicate'> {
  try {
    return await events.recordDurably(event, audit)
  } catch (error) {
    throw new Refused((error as { code?: unknown }).code === 'overloaded' ? 'overloaded' : 'store_unavailable')
  }
}
