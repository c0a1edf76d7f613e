/** Drafts, publishing and history of a workspace's policy: what the API and the command line have in common. */
import { createHash } from 'node:crypto'
import { diffPolicies, type PolicyChange } from '../policy/diff.ts'
import type { ReportedTool } from '../policy/lint-rules.ts'
import { lintPolicy, type DraftDocuments, type LintContext, type LintReport } from '../policy/lint.ts'
import { parseDocument } from '../policy/lint-schema.ts'
import { revisionId, sequenceOf, type PolicyDocuments } from '../policy/revision.ts'
import { auditActions, StoreError, type AuditEntry, type PolicyRevision, type Store } from '../store/store.ts'

/** Who publishes, and how that stands in the audit. */
export interface Author {
  /** `token:<id>`, or the name of an administrative surface such as `cli`. */
  readonly actor: string
  readonly tokenId: string | null
  readonly requestId: string | null
}

export interface PublishRequest {
  readonly workspaceId: string
  readonly draft: DraftDocuments
  readonly note: string
  /** The author wants the policy although it locks everybody out of every tool. */
  readonly confirm: boolean
  /** Sequence of the revision that the author started from; undefined publishes over whatever stands. */
  readonly basedOn: number | undefined
}

/** `refused`: the lint found errors. `conflict`: somebody else published meanwhile. */
export type PublishOutcome =
  | { readonly is: 'published'; readonly revision: PolicyRevision; readonly report: LintReport }
  | { readonly is: 'refused'; readonly report: LintReport }
  | { readonly is: 'conflict'; readonly current: PolicyRevision }
  | { readonly is: 'unchanged'; readonly current: PolicyRevision; readonly report: LintReport }

export const noteLengthMax = 500
/** How far back tools are looked for that a glob could match. */
const reportedDays = 30
const dayMs = 86_400_000

const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex')

export class PolicyDesk {
  readonly #store: Store
  readonly #context: Pick<LintContext, 'surfaces' | 'blockHighRisk'>

  /** @param context what the server knows: its surfaces and its block switch */
  constructor(store: Store, context: Pick<LintContext, 'surfaces' | 'blockHighRisk'>) {
    this.#store = store
    this.#context = context
  }

  /** @throws StoreError */
  async lint(workspaceId: string, draft: DraftDocuments, confirm: boolean): Promise<LintReport> {
    return lintPolicy(draft, {
      now: Date.now(),
      reportedTools: await reportedTools(this.#store, workspaceId),
      confirm,
      ...this.#context
    })
  }

  /** @throws StoreError */
  async publish(request: PublishRequest, author: Author): Promise<PublishOutcome> {
    const { workspaceId, draft, note, confirm, basedOn } = request
    const report = await this.lint(workspaceId, draft, confirm)
    if (!report.isPublishable) return { is: 'refused', report }
    const current = await this.current(workspaceId)
    if (basedOn !== undefined && basedOn !== current.sequence) return { is: 'conflict', current }
    const documents = withDefaults(draft)
    if (diffPolicies(current, documents).length === 0) return { is: 'unchanged', current, report }
    const revision = revisionOf(workspaceId, current.sequence + 1, documents, author, note)
    try {
      await this.#store.insertPolicyRevision(revision, auditOf(revision, current, author))
    } catch (error) {
      if (!(error instanceof StoreError && error.code === 'conflict')) throw error
      return { is: 'conflict', current: await this.current(workspaceId) }
    }
    return { is: 'published', revision, report }
  }

  /** Publishes the documents of an earlier revision anew. @returns undefined where there is no such revision */
  async rollBack(
    request: Omit<PublishRequest, 'draft'> & { readonly to: string },
    author: Author
  ): Promise<PublishOutcome | undefined> {
    const { to, ...rest } = request
    const earlier = await this.find(request.workspaceId, to)
    return earlier && (await this.publish({ ...rest, draft: earlier }, author))
  }

  /** @throws StoreError `unavailable` also where the workspace has none, which cannot be while it exists */
  async current(workspaceId: string): Promise<PolicyRevision> {
    const revision = await this.#store.currentPolicyRevision(workspaceId)
    if (revision === undefined) throw new StoreError('unavailable', 'The workspace has no policy.')
    return revision
  }

  /** @param revision an id, or a sequence alone */
  async find(workspaceId: string, revision: string): Promise<PolicyRevision | undefined> {
    const sequence = /^[1-9]\d{0,14}$/.test(revision) ? Number(revision) : sequenceOf(revision)
    if (sequence === undefined) return undefined
    const [found] = await this.#store.listPolicyRevisions({ workspaceId, before: sequence + 1, limit: 1 })
    if (found?.sequence !== sequence) return undefined
    // Of an effective policy, whose hash differs, the sequence still names the revision.
    return found
  }

  history(workspaceId: string, page: { readonly limit: number; readonly before?: number | undefined }) {
    return this.#store.listPolicyRevisions({ workspaceId, ...page })
  }

  diff(before: PolicyDocuments, after: PolicyDocuments): PolicyChange[] {
    return diffPolicies(before, after)
  }
}

/** Tools that sensors have reported of late. Events name the sandbox behind a tool and not the server that rules know. */
async function reportedTools(store: Store, workspaceId: string): Promise<ReportedTool[]> {
  const to = Date.now()
  const from = to - reportedDays * dayMs
  const points = await store.eventSeries({ workspaceId, dimension: 'mcpToolName', step: 'day', from, to })
  return [...new Set(points.map(({ value }) => value))].map((tool) => ({ tool }))
}

/** The documents as they are kept: what the author left out has its default, so that a later version reads the same. */
function withDefaults(draft: DraftDocuments): PolicyDocuments {
  const read = (name: keyof DraftDocuments): PolicyDocuments['mcpToolPolicy'] => {
    const parsed = parseDocument(name, draft[name])
    if (!('document' in parsed)) throw new TypeError('A policy was published that its lint refuses.')
    return JSON.parse(JSON.stringify(parsed.document)) as PolicyDocuments['mcpToolPolicy']
  }
  return { mcpToolPolicy: read('mcpToolPolicy'), redactionProfile: read('redactionProfile') }
}

function revisionOf(
  workspaceId: string,
  sequence: number,
  documents: PolicyDocuments,
  { actor }: Author,
  note: string
): PolicyRevision {
  const revision = revisionId(sequence, documents, sha256Hex)
  return { workspaceId, sequence, revision, ...documents, author: actor, note, publishedAt: Date.now() }
}

/** What the audit keeps: which revision, over which, by whom, why, and whether more may pass than before. */
function auditOf(revision: PolicyRevision, before: PolicyRevision, { actor, tokenId, requestId }: Author): AuditEntry {
  const changes = diffPolicies(before, revision)
  const detail = {
    revision: revision.revision,
    previous: before.revision,
    note: revision.note,
    changes: changes.length,
    softens: changes.some(({ softens }) => softens)
  }
  const { workspaceId, publishedAt: at } = revision
  return { workspaceId, at, requestId, tokenId, actor, action: auditActions.policyPublished, detail }
}
