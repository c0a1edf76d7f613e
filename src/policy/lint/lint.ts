/** Checks a policy before it is published. */
import type { Detector } from '../../detection/detector.ts'
import { builtInDetectors } from '../../detection/detectors/index.ts'
import { policyBounds } from '../bounds.ts'
import { pointerTo } from '../json-pointer.ts'
import { lintRedaction } from './redaction.ts'
import { parseDocument } from './schema.ts'
import { lintTools } from './tools.ts'
import type { ReportedTool } from './rules.ts'
import { error, type LintFinding, type Severity } from './finding.ts'

/** What the lint knows besides the documents. */
export interface LintContext {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly reportedTools?: readonly ReportedTool[]
  /** Client surfaces that labels may name. */
  readonly surfaces?: readonly string[]
  /** The server's own switch. Default: true. */
  readonly blockHighRisk?: boolean
  /** The author wants the policy although it blocks everyone from every tool. */
  readonly confirm?: boolean
  /** Default: all built-in ones. */
  readonly detectors?: readonly Detector[]
}

export interface LintReport {
  /** Errors first, then warnings. At most 200. */
  readonly findings: readonly LintFinding[]
  /** Number of findings that were left out. */
  readonly leftOut: number
  /** Whether no finding is an error. */
  readonly isPublishable: boolean
  /** Whether a confirmation is all that is missing. */
  readonly needsConfirm: boolean
}

/** The documents as an author submits them. */
export interface DraftDocuments {
  readonly mcpToolPolicy: unknown
  readonly redactionProfile: unknown
}

/**
 * Checks two documents. Takes bounded time for any input, and never throws because of its contents.
 * @param draft JSON values; whoever parsed them has limited the size of their text
 */
export function lintPolicy(draft: DraftDocuments, context: LintContext): LintReport {
  const { detectors = builtInDetectors, blockHighRisk = true, confirm = false } = context
  const tools = parseDocument('mcpToolPolicy', draft.mcpToolPolicy)
  const profile = parseDocument('redactionProfile', draft.redactionProfile)
  return reportOf([
    ...('findings' in tools
      ? tools.findings
      : lintTools(tools.document, {
          now: context.now,
          reportedTools: context.reportedTools ?? [],
          surfaces: context.surfaces ?? [],
          confirm,
          detectors
        })),
    ...('findings' in profile ? profile.findings : lintRedaction(profile.document, { detectors, blockHighRisk }))
  ])
}

/**
 * Checks a policy as text: an object with the two documents.
 * @returns the report, and the documents if the text is JSON of this form
 */
export function lintPolicyText(
  text: string,
  context: LintContext
): { readonly report: LintReport; readonly draft?: DraftDocuments } {
  const unitsMax = policyBounds.documentUnitsMax * 2
  if (text.length > unitsMax) {
    return { report: reportOf([error('', 'too_large', `The policy has more than ${unitsMax} characters.`)]) }
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (fault) {
    return { report: reportOf([error('', 'invalid_type', `The policy is not JSON${placeOf(fault)}.`)]) }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { report: reportOf([error('', 'invalid_type', 'The policy is not an object.')]) }
  }
  const { mcpToolPolicy, redactionProfile, ...others } = value as Record<string, unknown>
  const draft = { mcpToolPolicy, redactionProfile }
  const unknownNames = Object.keys(others).slice(0, policyBounds.lintFindingsMax)
  if (unknownNames.length === 0) return { report: lintPolicy(draft, context), draft }
  const message = 'A policy has only `mcpToolPolicy` and `redactionProfile`.'
  const findings = unknownNames.map((name) => error(pointerTo('', [name]), 'unknown_key', message))
  return { report: reportOf([...findings, ...lintPolicy(draft, context).findings]), draft }
}

/**
 * The position at which a text stops being JSON. No more of the engine's message is used, because it quotes the text.
 */
function placeOf(fault: unknown): string {
  const place = /\(line (\d+) column (\d+)\)$/.exec(fault instanceof Error ? fault.message : '')
  return place ? ` from line ${place[1]}, column ${place[2]} on` : ''
}

const ranks: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 }

function reportOf(all: readonly LintFinding[]): LintReport {
  const sorted = all.toSorted((a, b) => ranks[a.severity] - ranks[b.severity])
  const errors = sorted.filter(({ severity }) => severity === 'error')
  return {
    findings: sorted.slice(0, policyBounds.lintFindingsMax),
    leftOut: Math.max(0, sorted.length - policyBounds.lintFindingsMax),
    isPublishable: errors.length === 0,
    needsConfirm: errors.length > 0 && errors.every(({ code }) => code === 'self_lockout')
  }
}
