/** Judges a policy before it is published. */
import type { Detector } from '../../detection/detector.ts'
import { builtInDetectors } from '../../detection/detectors/index.ts'
import { policyBounds } from '../bounds.ts'
import { pointerTo } from '../json-pointer.ts'
import { lintRedaction } from './redaction.ts'
import { parseDocument } from './schema.ts'
import { lintTools } from './tools.ts'
import type { ReportedTool } from './rules.ts'
import { error, type LintFinding, type Severity } from './finding.ts'

/** What is known beside the documents. */
export interface LintContext {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly reportedTools?: readonly ReportedTool[]
  /** Client surfaces that labels may have. */
  readonly surfaces?: readonly string[]
  /** The server's own switch; on where nothing is said. */
  readonly blockHighRisk?: boolean
  /** The author wants the policy although it locks everybody out of every tool. */
  readonly confirm?: boolean
  /** Default: all that are built in. */
  readonly detectors?: readonly Detector[]
}

export interface LintReport {
  /** Errors first, then by place. At most 200. */
  readonly findings: readonly LintFinding[]
  /** Findings beyond these. */
  readonly leftOut: number
  /** Whether no finding is an error. */
  readonly isPublishable: boolean
  /** Whether the one thing that stands in the way is a confirmation. */
  readonly needsConfirm: boolean
}

/** The documents as an author hands them in. */
export interface DraftDocuments {
  readonly mcpToolPolicy: unknown
  readonly redactionProfile: unknown
}

/**
 * Judges two documents. Takes bounded time, whatever they are, and never throws for what stands in them.
 * @param draft JSON values; the text that they were read from is bounded by whoever reads it
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
 * Judges a policy as text, an object with the two documents.
 * @returns the report, and the documents where the text is JSON of this form
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

/** Where a text stops being JSON. The engine's message is not repeated beyond it: it quotes the text. */
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
