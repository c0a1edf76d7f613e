/**
 * The slow work on policies: linting a draft, comparing two, trying one on a text. Everything is a function of its
 * arguments, so that it can run in a separate thread (`judge.ts`) or in this one, as in a command.
 */
import { createHash, type KeyObject } from 'node:crypto'
import type { Detector } from '../../detection/detector.ts'
import { builtInDetectors } from '../../detection/detectors/index.ts'
import { withValues } from '../../detection/custom/known-values.ts'
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
export type JudgeContext = Omit<LintContext, 'detectors'> & {
  /** Values that are secrets beside what the built-in kinds find: the service's own credentials. */
  readonly credentials?: readonly string[]
}

export interface PreparedRevision {
  readonly id: string
  readonly documents: PolicyDocuments
  /** Number of semantic differences from the revision in force; if there are none, there is nothing to publish. */
  readonly changes: number
  /** Whether one of them lets more pass. */
  readonly softens: boolean
}

interface Preparation {
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
  /** As in a context. */
  readonly credentials?: readonly string[]
}

const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex')

export const judgements = {
  lint: async (draft: DraftDocuments, context: JudgeContext): Promise<LintReport> =>
    lintPolicy(draft, withKinds(context)),

  softenings: async (policy: PolicyDocuments): Promise<LintFinding[]> => findSoftenings(policy),

  /** Lints a draft and prepares it to follow the revision in force. */
  prepare: async (
    draft: DraftDocuments,
    context: JudgeContext,
    current: PolicyDocuments & { readonly sequence: number }
  ): Promise<Preparation> => {
    const report = lintPolicy(draft, withKinds(context))
    if (!report.isPublishable) return { report }
    const documents = withDefaults(draft)
    const changes = diffPolicies(current, documents)
    const softens = changes.some((change) => change.softens)
    const id = revisionId(current.sequence + 1, documents, sha256Hex)
    return { report, prepared: { id, documents, changes: changes.length, softens } }
  },

  diff: async (before: PolicyDocuments, after: PolicyDocuments): Promise<PolicyChange[]> => diffPolicies(before, after),

  /** Keeps nothing of the text. */
  try: async ({ text, place, redactionProfile, allowKey, blockHighRisk, credentials }: Trial): Promise<Shown> => {
    const options = { allowKey, blockHighRisk, detectors: trafficKinds.with(credentials) }
    return await showFindings(text, place, compileDraft(redactionProfile, options))
  }
}

/** Kinds together with those of the last credentials. A scanner of theirs is compiled once for each list. */
class KindsWithCredentials {
  readonly #builtIn: readonly Detector[]
  #last: { readonly credentials: string; readonly detectors: readonly Detector[] } | undefined

  constructor(builtIn: readonly Detector[]) {
    this.#builtIn = builtIn
  }

  with(credentials: readonly string[] = []): readonly Detector[] {
    if (credentials.length === 0) return this.#builtIn
    const key = JSON.stringify(credentials)
    if (this.#last?.credentials !== key)
      this.#last = { credentials: key, detectors: withValues(this.#builtIn, credentials) }
    return this.#last.detectors
  }
}

const trafficKinds = new KindsWithCredentials(trafficDetectors)
const documentKinds = new KindsWithCredentials(builtInDetectors)

const withKinds = ({ credentials, ...context }: JudgeContext): LintContext => ({
  ...context,
  detectors: documentKinds.with(credentials)
})

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
