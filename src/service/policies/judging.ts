/**
 * The slow work on policies: linting a draft, comparing two, trying one on a text. Everything is a function of its
 * arguments, so that it can run in a separate thread (`judge.ts`) or in this one, as in a command.
 */
import { createHash, type KeyObject } from 'node:crypto'
import { trafficDetectors } from '../../detection/detectors/traffic.ts'
import { diffPolicies, type PolicyChange } from '../../policy/diff/diff.ts'
import type { LintFinding } from '../../policy/lint/finding.ts'
import { parseDocument } from '../../policy/lint/schema.ts'
import { findSoftenings } from '../../policy/lint/softenings.ts'
import { lintPolicy, type DraftDocuments, type LintContext, type LintReport } from '../../policy/lint/lint.ts'
import { revisionId, type PolicyDocument, type PolicyDocuments } from '../../policy/revision.ts'
import type { TextPlace } from '../../policy/redaction/text-place.ts'
import { compileDraft } from './compile-draft.ts'
import { showFindings, type Shown } from './playground.ts'

/** The context of a lint, in a form that can be passed to another thread. */
export type JudgeContext = Omit<LintContext, 'detectors'>

export interface PreparedRevision {
  readonly id: string
  readonly documents: PolicyDocuments
  /** Number of semantic differences from the revision in force; if there are none, there is nothing to publish. */
  readonly changes: number
  /** Whether one of them lets more pass. */
  readonly softens: boolean
}

export interface Preparation {
  readonly report: LintReport
  /** Undefined if the report says that the draft cannot be published. */
  readonly prepared?: PreparedRevision
}

export interface Trial {
  readonly text: string
  readonly place: TextPlace
  /** A profile that passes its lint. */
  readonly redactionProfile: unknown
  readonly allowKey: KeyObject
  readonly blockHighRisk: boolean
}

const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex')

export const judgements = {
  lint: async (draft: DraftDocuments, context: JudgeContext): Promise<LintReport> => lintPolicy(draft, context),

  softenings: async (policy: PolicyDocuments): Promise<LintFinding[]> => findSoftenings(policy),

  /** Lints a draft and prepares it to follow the revision in force. */
  prepare: async (
    draft: DraftDocuments,
    context: JudgeContext,
    current: PolicyDocuments & { readonly sequence: number }
  ): Promise<Preparation> => {
    const report = lintPolicy(draft, context)
    if (!report.isPublishable) return { report }
    const documents = withDefaults(draft)
    const changes = diffPolicies(current, documents)
    const softens = changes.some((change) => change.softens)
    const id = revisionId(current.sequence + 1, documents, sha256Hex)
    return { report, prepared: { id, documents, changes: changes.length, softens } }
  },

  diff: async (before: PolicyDocuments, after: PolicyDocuments): Promise<PolicyChange[]> => diffPolicies(before, after),

  /** Keeps nothing of the text. */
  try: async ({ text, place, redactionProfile, allowKey, blockHighRisk }: Trial): Promise<Shown> => {
    const options = { allowKey, blockHighRisk, detectors: trafficDetectors }
    return await showFindings(text, place, compileDraft(redactionProfile, options))
  }
}

/** Judges policies, in this thread or another. */
export type PolicyJudge = typeof judgements

/** The documents as stored: omitted settings get their defaults, so that a later version reads the same. */
function withDefaults(draft: DraftDocuments): PolicyDocuments {
  const read = (name: keyof DraftDocuments): PolicyDocument => {
    const parsed = parseDocument(name, draft[name])
    if (!('document' in parsed)) throw new TypeError('A policy was published that its lint refuses.')
    return JSON.parse(JSON.stringify(parsed.document)) as PolicyDocument
  }
  return { mcpToolPolicy: read('mcpToolPolicy'), redactionProfile: read('redactionProfile') }
}
