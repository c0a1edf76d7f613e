/** The revisions of a workspace's policy: lint, publishing, comparing. The API and the command line share it. */
import { createHash } from 'node:crypto'
import type { Scanner } from '../../detection/findings.ts'
import type { PolicyChange } from '../../policy/diff/diff.ts'
import { error, type LintFinding } from '../../policy/lint/finding.ts'
import type { ReportedTool } from '../../policy/lint/rules.ts'
import type { DraftDocuments, LintContext, LintReport } from '../../policy/lint/lint.ts'
import { effectivePolicy, type PolicyDocuments } from '../../policy/revision.ts'
import { revisionNote } from '../../protocol/api/policy-schema.ts'
import { toolCallKind } from '../../protocol/events/event-schema.ts'
import {
  auditActions,
  otherValue,
  StoreError,
  type AuditEntry,
  type PolicyRevision,
  type Store
} from '../../store/store.ts'
import { highRiskIn } from '../high-risk-in.ts'
import type { OwnCredentials } from '../own-credentials.ts'
import { PolicyHistory } from './history.ts'
import { keptByRevision } from './kept-by-revision.ts'
import { judgements, type JudgeContext, type PolicyJudge, type PreparedRevision } from './judging.ts'
import { dayMs } from '../../timing/spans.ts'

/** Who publishes, for the audit trail. */
export interface Author {
  /** `token:<id>`, or the name of an administrative surface such as `cli`. */
  readonly actor: string
  readonly tokenId: string | null
  readonly requestId: string | null
}

interface PublishRequest {
  readonly workspaceId: string
  readonly draft: DraftDocuments
  readonly note: string
  /** The author wants the policy although it blocks everyone from every tool. */
  readonly confirm: boolean
  /** Id or sequence of the revision on which the author's changes are based; undefined publishes over any revision. */
  readonly basedOn: string | undefined
}

/** `refused`: the lint found errors. `conflict`: somebody else published in the meantime. */
export type PublishOutcome =
  | { readonly is: 'published'; readonly revision: PolicyRevision; readonly report: LintReport }
  | { readonly is: 'refused'; readonly report: LintReport }
  | { readonly is: 'conflict'; readonly current: PolicyRevision }
  | { readonly is: 'unchanged'; readonly current: PolicyRevision; readonly report: LintReport }

/** How many days back reported tools are compared with globs. */
const reportedDays = 30

const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex')

/** @returns the note as stored, or what is wrong with it */
function readNote(typed: string, scanner: Scanner | undefined): { readonly note: string } | { readonly fault: string } {
  const read = revisionNote.safeParse(typed)
  if (!read.success) return { fault: `The note ${read.error.issues[0]?.message}.` }
  // Someone who ends a false alarm has the value at hand, and a note can never be removed from the audit trail.
  const secret = highRiskIn(read.data, scanner)
  if (secret === undefined) return { note: read.data }
  return { fault: `The note contains a value (${secret}). Notes are kept forever: remove it.` }
}

const noteRefused = (fault: string): LintReport => ({
  findings: [error('/note', 'invalid_value', fault)],
  leftOut: 0,
  isPublishable: false,
  needsConfirm: false
})

/** The revisions of every workspace in one store. */
export class PolicyRevisions extends PolicyHistory {
  readonly #store: Store
  readonly #context: Pick<LintContext, 'surfaces' | 'blockHighRisk'>
  readonly #judge: PolicyJudge
  readonly #own: Pick<OwnCredentials, 'scanner' | 'values'> | undefined
  /** What a revision lets pass beyond the defaults. */
  readonly softenings: (policy: PolicyRevision) => Promise<LintFinding[]>

  /**
   * @param context what the server knows: its surfaces and its block switch
   * @param own the service's credentials, which must stand in no document and in no note
   * @param judge where drafts are linted; by default in this thread, if nobody else has to wait
   */
  constructor(
    store: Store,
    context: Pick<LintContext, 'surfaces' | 'blockHighRisk'>,
    own?: Pick<OwnCredentials, 'scanner' | 'values'>,
    judge: PolicyJudge = judgements
  ) {
    super(store)
    this.#store = store
    this.#context = context
    this.#own = own
    this.#judge = judge
    this.softenings = keptByRevision(({ mcpToolPolicy, redactionProfile }) =>
      judge.softenings({ mcpToolPolicy, redactionProfile })
    )
  }

  /** @throws StoreError */
  async lint(workspaceId: string, draft: DraftDocuments, confirm: boolean): Promise<LintReport> {
    return await this.#judge.lint(draft, await this.#contextOf(workspaceId, confirm))
  }

  /** @throws StoreError */
  async publish(request: PublishRequest, author: Author): Promise<PublishOutcome> {
    const { workspaceId, draft, confirm, basedOn } = request
    const read = readNote(request.note, this.#own?.scanner)
    if ('fault' in read) return { is: 'refused', report: noteRefused(read.fault) }
    const { note } = read
    const current = await this.current(workspaceId)
    const context = await this.#contextOf(workspaceId, confirm)
    const { report, prepared } = await this.#judge.prepare(draft, context, current)
    if (prepared === undefined) return { is: 'refused', report }
    if (basedOn !== undefined && !namesOf(current).includes(basedOn)) return { is: 'conflict', current }
    if (prepared.changes === 0) return { is: 'unchanged', current, report }
    const revision: PolicyRevision = {
      workspaceId,
      sequence: current.sequence + 1,
      revision: prepared.id,
      ...prepared.documents,
      author: author.actor,
      note,
      publishedAt: Date.now()
    }
    try {
      await this.#store.insertPolicyRevision(revision, auditOf(revision, current, prepared, author))
    } catch (error) {
      if (!(error instanceof StoreError && error.code === 'conflict')) throw error
      return { is: 'conflict', current: await this.current(workspaceId) }
    }
    return { is: 'published', revision, report }
  }

  /** Publishes the documents of an earlier revision again. @returns undefined if there is no such revision */
  async rollBack(
    request: Omit<PublishRequest, 'draft'> & { readonly to: string },
    author: Author
  ): Promise<PublishOutcome | undefined> {
    const { to, ...rest } = request
    const earlier = await this.find(request.workspaceId, to)
    return earlier && (await this.publish({ ...rest, draft: earlier }, author))
  }

  diff(before: PolicyDocuments, after: PolicyDocuments): Promise<PolicyChange[]> {
    return this.#judge.diff(before, after)
  }

  async #contextOf(workspaceId: string, confirm: boolean): Promise<JudgeContext> {
    const tools = await reportedTools(this.#store, workspaceId)
    return { now: Date.now(), reportedTools: tools, confirm, ...this.#context, credentials: this.#own?.values ?? [] }
  }
}

/**
 * Everything that identifies a revision: its sequence, its id, and the id of its effective form if a server does not
 * block.
 */
function namesOf(revision: PolicyRevision): string[] {
  const effective = effectivePolicy(revision, { blockHighRisk: false }, sha256Hex)
  return [String(revision.sequence), revision.revision, effective.revision]
}

/**
 * Tools that sensors have reported recently. Events name the sandbox behind a tool and not the server that rules use.
 * @returns none if there are too many to list: then a lint does not check tools
 */
async function reportedTools(store: Store, workspaceId: string): Promise<ReportedTool[]> {
  const to = Date.now()
  const range = { from: to - reportedDays * dayMs, to, step: 'day' } as const
  try {
    const points = await store.eventSeries({ workspaceId, dimension: 'mcpToolName', kind: toolCallKind, ...range })
    const tools = [...new Set(points.map(({ value }) => value))]
    return tools.includes(otherValue) ? [] : tools.map((tool) => ({ tool }))
  } catch (error) {
    if (error instanceof RangeError) return []
    throw error
  }
}

/** The audit detail: which revision, replacing which, by whom, why, and whether more may pass than before. */
function auditOf(
  revision: PolicyRevision,
  before: PolicyRevision,
  { changes, softens }: PreparedRevision,
  { actor, tokenId, requestId }: Author
): AuditEntry {
  const { workspaceId, note, publishedAt: at } = revision
  const detail = { revision: revision.revision, previous: before.revision, note, changes, softens }
  return { workspaceId, at, requestId, tokenId, actor, action: auditActions.policyPublished, detail }
}
