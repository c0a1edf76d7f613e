/** What a scan of files tells, whatever form it is written in. */
import { tiers, type Finding, type Tier } from '../../detection/findings.ts'
import { compileProfile } from '../../policy/redaction/decide.ts'
import { standardProfile, type FindingAction } from '../../policy/redaction/profile.ts'
import { looseText } from '../../policy/redaction/text-place.ts'

/** Which findings are told, and what the service would do about them. */
export interface Judge {
  readonly isReported: (finding: Finding) => boolean
  readonly action: (finding: Finding) => FindingAction
}

/**
 * Judges by the standard profile.
 * @param tierMin the lowest tier that is told; nothing hides a finding when it is undefined
 */
export function createJudge(tierMin: Tier | undefined): Judge {
  const profile = compileProfile(standardProfile, { blockHighRisk: true })
  const rankMin = tierMin === undefined ? 0 : tiers.indexOf(tierMin)
  return {
    isReported: ({ tier, confidence }) =>
      tierMin === undefined || (confidence !== 'weak' && tiers.indexOf(tier) >= rankMin),
    action: (finding) => profile.decide(finding, looseText)
  }
}

/** A finding and its place in a file. Lines and columns count from 1, columns in UTF-16 units. */
export interface LocatedFinding extends Finding {
  /** The path as it was given or walked to. */
  readonly file: string
  readonly title: string
  readonly action: FindingAction
  readonly line: number
  readonly column: number
  readonly endLine: number
  /** The column after the last unit. */
  readonly endColumn: number
  /** The line with this and every other finding masked, cut to a readable length. */
  readonly excerpt: string
}

/** Counts of a whole scan. */
export interface Summary {
  /** Files of text that were scanned. */
  files: number
  /** UTF-16 units of them. */
  units: number
  findings: number
  /** Findings on lines that carry a comment which allows them. */
  allowed: number
  /** Binary files, which are left out. */
  binary: number
  /** Files and folders that could not be read. */
  failed: number
}

/** Writes a scan in one form. */
export interface Reporter {
  file(findings: readonly LocatedFinding[]): Promise<void>
  end(summary: Summary): Promise<void>
}
