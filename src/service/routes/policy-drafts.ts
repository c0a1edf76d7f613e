/** Drafts: `POST /api/workspace/policy/lint`, `.../dry-run` and `POST /api/workspace/scan`. Nothing is stored. */
import type { FastifyInstance } from 'fastify'
import { ClientGone, Refused } from '../../ingress/refusal/refused.ts'
import type { DraftDocuments } from '../../policy/lint/lint.ts'
import { textOrigins, type TextOrigin, type TextPlace } from '../../policy/redaction/text-place.ts'
import type { RedactionProfile } from '../../policy/redaction/profile.ts'
import { readRedactionProfile } from '../../policy/revision.ts'
import { responseHeaders } from '../../protocol/headers.ts'
import type { Store } from '../../store/store.ts'
import { callerOf, type Access, type Caller } from '../access.ts'
import { dryRun } from '../policies/dry-run.ts'
import { admission, type Lifecycle } from '../lifecycle.ts'
import type { CompiledDraft } from '../policies/compile-draft.ts'
import type { Shown } from '../policies/playground.ts'
import { forReplay, replayedPolicies } from '../policies/replayed-policies.ts'
import type { PolicyRevisions } from '../policies/revisions.ts'
import { answered } from './answered.ts'
import { faultAt, lintFaults } from './policy.ts'
import { readJsonObject, type JsonReader } from './read-json.ts'
import { createStreamPlaces, inPlace, type StreamPlaces } from './stream-places.ts'
import { dayMs } from '../../timing/spans.ts'
import { isoTime } from '../../timing/iso-time.ts'

export interface DraftDependencies extends JsonReader {
  readonly access: Access
  readonly lifecycle: Lifecycle
  readonly store: Store
  readonly revisions: PolicyRevisions
  /** Limits how many judge policies at once, across all routes that do. */
  readonly judging: StreamPlaces
  /** Compiles a profile that passes its lint, as it would be enforced in a workspace. */
  compile(workspaceId: string, redactionProfile: unknown): CompiledDraft
  /** Scans a text with such a profile. */
  tryText(workspaceId: string, redactionProfile: unknown, text: string, place: TextPlace): Promise<Shown>
}

const daysMax = 30
/**
 * Replays at once, per process and per caller. Each holds up to eleven compiled policies and reads up to 100,000 events
 * (decision 160).
 */
const replaysMax = 8
const replaysOfCallerMax = 2
const textLengthMax = 1_000_000

export function registerPolicyDrafts(app: FastifyInstance, to: DraftDependencies): void {
  const onRequest = admission(to.lifecycle)
  const replaying = createStreamPlaces(replaysMax, replaysOfCallerMax, 'too_many_judgements')
  app.post('/api/workspace/policy/lint', { onRequest }, async (request, reply) => {
    const { workspaceId, key } = await callerOf(to.access, request)
    const { mcpToolPolicy, redactionProfile, confirm = false } = await readJsonObject(request, to)
    if (typeof confirm !== 'boolean') throw faultAt('/confirm', 'must be true or false')
    const lint = () => to.revisions.lint(workspaceId, { mcpToolPolicy, redactionProfile }, confirm)
    const report = await answered(inPlace(to.judging, key, lint))
    return reply.header(responseHeaders.requestId, request.id).send(report)
  })
  app.post('/api/workspace/policy/dry-run', { onRequest }, async (request, reply) => {
    const caller = await callerOf(to.access, request)
    const { workspaceId } = caller
    const { days = 7, ...draft } = await readJsonObject(request, to)
    if (!(Number.isInteger(days) && (days as number) >= 1 && (days as number) <= daysMax))
      throw faultAt('/days', `must be a whole number from 1 to ${daysMax}`)
    const documents = await publishable(to, caller, draft)
    const until = Date.now()
    const range = { workspaceId, from: until - (days as number) * dayMs, to: until }
    const isGone = (): boolean => reply.raw.destroyed
    const replay = async () =>
      await dryRun(
        to.store,
        range,
        forReplay(to, workspaceId, documents),
        await replayedPolicies(to, workspaceId),
        isGone
      )
    const report = await answered(inPlace(replaying, caller.key, replay)).catch(asGone)
    if (report === undefined) return reply.hijack()
    const times = { from: isoTime(report.from), to: isoTime(report.to) }
    return reply.header(responseHeaders.requestId, request.id).send({ ...report, ...times })
  })
  app.post('/api/workspace/scan', { onRequest }, async (request, reply) => {
    const caller = await callerOf(to.access, request)
    const body = await readJsonObject(request, to)
    const shown = await scan(body, caller, to)
    return reply.header(responseHeaders.requestId, request.id).header('cache-control', 'no-store').send(shown)
  })
}

/** There is nobody to answer. */
function asGone(error: unknown): undefined {
  if (!(error instanceof ClientGone)) throw error
}

async function scan(body: Record<string, unknown>, caller: Caller, to: DraftDependencies) {
  const { workspaceId, mayWritePolicy, key } = caller
  const { text, origin = 'user', redactionProfile } = body
  if (typeof text !== 'string') throw faultAt('/text', 'must be a string')
  if (text.length > textLengthMax) throw faultAt('/text', `must have at most ${textLengthMax} characters`)
  if (!textOrigins.includes(origin as TextOrigin)) throw faultAt('/origin', `must be one of ${textOrigins.join(', ')}`)
  const { redactionProfile: profile } = await publishable(to, caller, { redactionProfile })
  // Someone who may only read the policy could otherwise try guesses by the thousand until one matches an HMAC.
  const tried = mayWritePolicy ? profile : withoutHmacs(profile)
  const tryIt = () => to.tryText(workspaceId, tried, text, placeOf(origin as TextOrigin))
  return await inPlace(to.judging, key, tryIt)
}

/** The profile as a sensor enforces it, which has no key for HMACs: the values behind them are found. */
function withoutHmacs(redactionProfile: unknown): RedactionProfile {
  const profile = readRedactionProfile(redactionProfile)
  return { ...profile, allow: { ...profile.allow, hmacs: [] } }
}

/** Origins whose texts are masked by default, in the formats of all vendors. */
const maskedOrigins: readonly TextOrigin[] = ['system', 'user', 'document', 'tool_result']

const placeOf = (origin: TextOrigin): TextPlace => ({
  scope: maskedOrigins.includes(origin) ? 'masked' : 'watched',
  origin,
  isNewest: origin === 'user'
})

/** A draft in which omitted parts are as published. @throws Refused `policy_refused` */
async function publishable(
  to: Pick<DraftDependencies, 'revisions' | 'judging'>,
  { workspaceId, key }: Pick<Caller, 'workspaceId' | 'key'>,
  draft: Partial<DraftDocuments>
): Promise<DraftDocuments> {
  const current = await answered(to.revisions.current(workspaceId))
  const { mcpToolPolicy = current.mcpToolPolicy, redactionProfile = current.redactionProfile } = draft
  const documents = { mcpToolPolicy, redactionProfile }
  // Trying a policy needs no confirmation of what publishing it would do.
  const lint = () => to.revisions.lint(workspaceId, documents, true)
  const report = await answered(inPlace(to.judging, key, lint))
  if (!report.isPublishable) throw new Refused('policy_refused', { faults: lintFaults(report) })
  return documents
}
