/** `/api/workspace/policy`: the policy in force, its history, and publishing. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Refused } from '../../ingress/refusal/refused.ts'
import { revisionNote } from '../../protocol/api/policy-schema.ts'
import { requestHeaders, responseHeaders } from '../../protocol/headers.ts'
import type { Fault } from '../../protocol/problem.ts'
import type { EffectivePolicy } from '../../policy/revision.ts'
import type { LintReport } from '../../policy/lint/lint.ts'
import { sequenceOf } from '../../policy/revision.ts'
import type { PolicyRevision } from '../../store/store.ts'
import { callerOf, type Access, type Caller } from '../access.ts'
import { admission, type Lifecycle } from '../lifecycle.ts'
import type { Author, PolicyRevisions, PublishOutcome } from '../policies/revisions.ts'
import { answered } from './answered.ts'
import { readJsonObject, type JsonReader } from './read-json.ts'
import { queryRules, readQuery } from './read-query.ts'
import { inPlace, type StreamPlaces } from './stream-places.ts'
import { isoTime } from '../../timing/iso-time.ts'

interface PolicyDependencies extends JsonReader {
  readonly access: Access
  readonly lifecycle: Lifecycle
  readonly revisions: PolicyRevisions
  /** Limits how many judge policies at once, across all routes that do. */
  readonly judging: StreamPlaces
  /** The policy of a workspace as enforced and streamed, read from the store. */
  effective(workspaceId: string): Promise<EffectivePolicy>
}

const base = '/api/workspace/policy'

export function registerPolicy(app: FastifyInstance, to: PolicyDependencies): void {
  const onRequest = admission(to.lifecycle)
  app.get(base, { onRequest }, async (request, reply) => {
    const { workspaceId } = await callerOf(to.access, request)
    const { revision, mcpToolPolicy, redactionProfile } = await answered(to.effective(workspaceId))
    void reply
      .header(responseHeaders.requestId, request.id)
      .header('etag', `"${revision}"`)
      .header('cache-control', 'private, no-cache')
    const known = etagsOf(request.headers['if-none-match'])
    if (known.includes(revision) || known.includes('*')) return reply.code(304).send()
    return reply.send({ revision, mcpToolPolicy, redactionProfile })
  })
  app.put(base, { onRequest }, async (request, reply) => {
    const caller = await callerOf(to.access, request)
    const basedOn = readIfMatch(request)
    const { mcpToolPolicy, redactionProfile, ...more } = await readJsonObject(request, to)
    const { note, confirm } = readBodyFields(more)
    const draft = { mcpToolPolicy, redactionProfile }
    const { workspaceId } = caller
    const wanted = { workspaceId, draft, note, confirm, basedOn }
    const publish = () => to.revisions.publish(wanted, authorOf(caller, request))
    const outcome = await answered(inPlace(to.judging, caller.key, publish))
    return await answerPublish(to, outcome, request, reply)
  })
  app.post(`${base}/rollback`, { onRequest }, async (request, reply) => {
    const caller = await callerOf(to.access, request)
    const basedOn = readIfMatch(request)
    const { revision, ...more } = await readJsonObject(request, to)
    if (typeof revision !== 'string') throw faultAt('/revision', 'must be the ID or the sequence of a revision')
    const { workspaceId } = caller
    const wanted = { workspaceId, to: revision, basedOn, ...readBodyFields(more) }
    const rollBack = () => to.revisions.rollBack(wanted, authorOf(caller, request))
    const outcome = await answered(inPlace(to.judging, caller.key, rollBack))
    if (outcome === undefined) throw faultAt('/revision', 'is not a revision of this workspace')
    return await answerPublish(to, outcome, request, reply)
  })
  registerHistory(app, to)
}

function registerHistory(app: FastifyInstance, to: PolicyDependencies): void {
  const onRequest = admission(to.lifecycle)
  const pageRules = { limit: queryRules.limit, before: queryRules.text(40).optional() }
  app.get(`${base}/revisions`, { onRequest }, async (request, reply) => {
    const { workspaceId } = await callerOf(to.access, request)
    const { limit, before } = readQuery(pageRules, request.query)
    const sequence = before === undefined ? undefined : sequenceIn(before)
    if (before !== undefined && sequence === undefined)
      throw faultAt('/before', 'must be the ID or the sequence of a revision')
    const revisions = await answered(to.revisions.history(workspaceId, { limit, before: sequence }))
    const next = revisions.length < limit ? null : String(revisions.at(-1)?.sequence)
    return reply
      .header(responseHeaders.requestId, request.id)
      .send({ revisions: revisions.map(revisionHead), next: next === '1' ? null : next })
  })
  app.get<{ Params: { revision: string } }>(`${base}/revisions/:revision`, { onRequest }, async (request, reply) => {
    const { workspaceId } = await callerOf(to.access, request)
    const { revision } = request.params
    const found = await answered(
      revision === 'current' ? to.revisions.current(workspaceId) : to.revisions.find(workspaceId, revision)
    )
    if (found === undefined) throw new Refused('not_found', { fill: { what: 'revision' } })
    const { mcpToolPolicy, redactionProfile } = found
    return reply
      .header(responseHeaders.requestId, request.id)
      .send({ ...revisionHead(found), mcpToolPolicy, redactionProfile })
  })
  const diffRules = { from: queryRules.text(40), to: queryRules.text(40).optional() }
  app.get(`${base}/diff`, { onRequest }, async (request, reply) => {
    const { workspaceId, key } = await callerOf(to.access, request)
    const asked = readQuery(diffRules, request.query)
    const earlier = await answered(to.revisions.find(workspaceId, asked.from))
    if (earlier === undefined) throw faultAt('/from', 'is not a revision of this workspace')
    const later = await answered(
      asked.to === undefined ? to.revisions.current(workspaceId) : to.revisions.find(workspaceId, asked.to)
    )
    if (later === undefined) throw faultAt('/to', 'is not a revision of this workspace')
    const changes = await inPlace(to.judging, key, () => to.revisions.diff(earlier, later))
    return reply
      .header(responseHeaders.requestId, request.id)
      .send({ from: earlier.revision, to: later.revision, changes })
  })
}

/** A revision without its documents. */
function revisionHead({ sequence, revision, author, note, publishedAt }: PolicyRevision) {
  return { sequence, revision, author, note, publishedAt: isoTime(publishedAt) }
}

async function answerPublish(
  to: Pick<PolicyDependencies, 'effective'>,
  outcome: PublishOutcome,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply> {
  if (outcome.is === 'refused') throw new Refused('policy_refused', { faults: lintFaults(outcome.report) })
  if (outcome.is === 'conflict')
    throw new Refused('policy_conflict', { headers: { etag: `"${outcome.current.revision}"` } })
  const revision = outcome.is === 'published' ? outcome.revision : outcome.current
  // Once answered, the policy is in force here. If this fails, it is published all the same.
  if (outcome.is === 'published') await to.effective(revision.workspaceId).catch(() => undefined)
  return reply
    .code(outcome.is === 'published' ? 201 : 200)
    .header(responseHeaders.requestId, request.id)
    .header('etag', `"${revision.revision}"`)
    .send({ ...revisionHead(revision), unchanged: outcome.is === 'unchanged', findings: outcome.report.findings })
}

/** The errors of a lint as places of a problem. */
export function lintFaults({ findings }: LintReport): Fault<string>[] {
  return findings
    .filter(({ severity }) => severity === 'error')
    .map(({ path, code, message }) => ({ path, code, message }))
}

export function authorOf({ actor, tokenId }: Caller, request: FastifyRequest): Author {
  return { actor, tokenId, requestId: request.id }
}

export const faultAt = (path: string, rule: string): Refused =>
  new Refused('invalid_value', { faults: [{ path, code: 'invalid_value', message: `${path} ${rule}.` }] })

const bodyFields = z.strictObject({
  note: revisionNote.default(''),
  confirm: z.boolean('must be true or false').default(false)
})

/** The fields of a body besides the documents. */
function readBodyFields(rest: Record<string, unknown>): { readonly note: string; readonly confirm: boolean } {
  const read = bodyFields.safeParse(rest)
  if (read.success) return read.data
  const faults = read.error.issues.map(({ code, path, message }): Fault<string> => {
    if (code === 'unrecognized_keys')
      return {
        path: '',
        code: 'unknown_key',
        message: 'The body can only have mcpToolPolicy, redactionProfile, note and confirm.'
      }
    return { path: `/${String(path[0])}`, code: 'invalid_value', message: `/${String(path[0])} ${message}.` }
  })
  throw new Refused('invalid_value', { faults })
}

/** The revisions in a conditional header, including weak ones. */
function etagsOf(header: string | undefined): string[] {
  return (header ?? '').split(',').map((tag) =>
    tag
      .trim()
      .replace(/^W\//, '')
      .replace(/^"(.*)"$/, '$1')
  )
}

const sequenceIn = (revision: string): number | undefined =>
  /^[1-9]\d{0,14}$/.test(revision) ? Number(revision) : sequenceOf(revision)

/**
 * The revision named by `If-Match`. Without that header two authors could unknowingly overwrite each other's changes,
 * so it is required; `*` overwrites on purpose.
 * @throws Refused `precondition_required`, `invalid_header`
 */
function readIfMatch(request: FastifyRequest): string | undefined {
  const header = request.headers[requestHeaders.ifMatch]
  if (typeof header !== 'string' || header.trim() === '') throw new Refused('precondition_required')
  if (header.trim() === '*') return undefined
  const [tag = '', ...others] = etagsOf(header)
  if (sequenceIn(tag) === undefined || others.length > 0) {
    const rule = 'one revision of the policy, as its etag or its number, or * for whatever is in force'
    throw new Refused('invalid_header', { fill: { name: requestHeaders.ifMatch, rule } })
  }
  return tag
}
