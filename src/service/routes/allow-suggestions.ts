/** `POST /api/workspace/policy/allow-suggestions`: rules that would end a false alarm, each linted and replayed. */
import type { KeyObject } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { Refused } from '../../ingress/refusal/refused.ts'
import type { LintFinding } from '../../policy/lint/finding.ts'
import { editPolicy } from '../../policy/policy-edit.ts'
import { readRedactionProfile, readToolPolicy, type PolicyDocuments } from '../../policy/revision.ts'
import type { TextPlace } from '../../policy/redaction/text-place.ts'
import { suggestionRequest, type Suggestion, type SuggestionsBody } from '../../protocol/api/suggestion-schema.ts'
import type { Store, StoredEvent } from '../../store/store.ts'
import { callerOf, type Access } from '../access.ts'
import { kindsOf, proposals, type FoundValue, type Proposal } from '../policies/allow-suggestions.ts'
import { allowHmac } from '../policies/allow-hmac.ts'
import type { CompiledDraft } from '../policies/compile-draft.ts'
import { compareDrafts } from '../policies/compare-drafts.ts'
import { forReplay } from '../policies/replayed-policies.ts'
import { admission, type Lifecycle } from '../lifecycle.ts'
import type { Shown } from '../policies/playground.ts'
import type { PolicyRevisions } from '../policies/revisions.ts'
import { answered } from './answered.ts'
import { readBodyAs } from './read-body-as.ts'
import type { JsonReader } from './read-json.ts'
import { privately } from './session.ts'
import { inPlace, type StreamPlaces } from './stream-places.ts'
import { dayMs } from '../../timing/spans.ts'
import { isoTime } from '../../timing/iso-time.ts'

export interface SuggestionDependencies extends JsonReader {
  readonly access: Access
  readonly lifecycle: Lifecycle
  readonly store: Pick<Store, 'eventsAfter' | 'findEvents'>
  readonly revisions: PolicyRevisions
  /** Limits how many judge policies at once. */
  readonly judging: StreamPlaces
  /** The key of a workspace's allow list. */
  allowKey(workspaceId: string): KeyObject
  compile(workspaceId: string, redactionProfile: unknown): CompiledDraft
  tryText(workspaceId: string, redactionProfile: unknown, text: string, place: TextPlace): Promise<Shown>
}

const place: TextPlace = { scope: 'masked', origin: 'user', isNewest: true }

export function registerAllowSuggestions(app: FastifyInstance, to: SuggestionDependencies): void {
  const path = '/api/workspace/policy/allow-suggestions'
  app.post(path, { onRequest: admission(to.lifecycle) }, async (request, reply) => {
    const { workspaceId, key } = await callerOf(to.access, request)
    const { sequence, value, days } = await readBodyAs(suggestionRequest, request, to)
    const event = await answered(eventAt(to.store, workspaceId, sequence))
    if (event === undefined) throw new Refused('not_found', { fill: { what: 'event' } })
    const current = await answered(to.revisions.current(workspaceId))
    const found = value === undefined ? [] : await findIn(to, workspaceId, current, value)
    const proposed = proposals({
      event,
      found,
      profile: readRedactionProfile(current.redactionProfile),
      tools: readToolPolicy(current.mcpToolPolicy),
      hmacOf: (text) => allowHmac(text, to.allowKey(workspaceId))
    })
    const until = Date.now()
    const range = { workspaceId, from: until - days * dayMs, to: until }
    const body: SuggestionsBody = {
      sequence,
      kinds: [...new Set([...kindsOf(event), ...found.map(({ kind }) => kind)])],
      revision: current.revision,
      suggestions: await inPlace(to.judging, key, () => judged(to, range, current, proposed))
    }
    return await reply.headers(privately(request)).send(body)
  })
}

/** The event with exactly this sequence. */
async function eventAt(
  store: Pick<Store, 'eventsAfter'>,
  workspaceId: string,
  sequence: number
): Promise<StoredEvent | undefined> {
  const [event] = await store.eventsAfter({ workspaceId, sequence: sequence - 1, limit: 1 })
  return event?.sequence === sequence ? event : undefined
}

/** What the policy in force finds in a pasted text and acts on. */
async function findIn(
  to: Pick<SuggestionDependencies, 'tryText'>,
  workspaceId: string,
  { redactionProfile }: PolicyDocuments,
  text: string
): Promise<FoundValue[]> {
  const { findings } = await to.tryText(workspaceId, redactionProfile, text, place)
  const acted = findings.filter(({ action }) => action !== 'allow')
  const byValue = new Map(
    acted.map(({ kind, group, tier, start, end }) => {
      const value = text.slice(start, end)
      return [value, { kind, value, isSecret: group === 'secret' || tier === 'high' }]
    })
  )
  return [...byValue.values()]
}

/** Each suggestion with the findings of the lint, and with a replay if records can answer it. */
async function judged(
  to: SuggestionDependencies,
  range: { readonly workspaceId: string; readonly from: number; readonly to: number },
  current: PolicyDocuments,
  proposed: readonly Proposal[]
): Promise<Suggestion[]> {
  const { workspaceId } = range
  const before = await answered(to.revisions.lint(workspaceId, current, true))
  const known = new Set(before.findings.map(({ path, code }) => `${code} ${path}`))
  const edited: (Proposal &
    Pick<Suggestion, 'isPublishable'> & { policy: PolicyDocuments; findings: LintFinding[] })[] = []
  // One after another: others wait for the same judge.
  for (const proposal of proposed) {
    const policy = editPolicy(current, proposal.edits)
    const { findings, isPublishable } = await answered(to.revisions.lint(workspaceId, policy, true))
    const news = findings.filter(({ path, code }) => !known.has(`${code} ${path}`))
    edited.push({ ...proposal, policy, isPublishable, findings: news })
  }
  const replayed = edited.filter(({ isReplayable, isPublishable }) => isReplayable && isPublishable)
  const drafts = replayed.map(({ policy }) => forReplay(to, workspaceId, policy))
  const report = await answered(compareDrafts(to.store, range, forReplay(to, workspaceId, current), drafts))
  const times = { from: isoTime(range.from), to: isoTime(range.to) }
  return edited.map(({ by, title, explanation, edits, policy, findings, isPublishable }, index) => {
    const replay = report.drafts[replayed.indexOf(edited[index] as (typeof edited)[number])]
    const { events, isCut } = report
    return {
      by,
      title,
      explanation,
      edits: edits as Suggestion['edits'],
      policy: policy as unknown as Suggestion['policy'],
      findings: findings.map(({ severity, code, path, message }) => ({ severity, code, path, message })),
      isPublishable,
      preview: replay === undefined ? null : { ...times, events, isCut, ...replay }
    }
  })
}
