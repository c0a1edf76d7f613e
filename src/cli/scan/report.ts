/** The results of a scan of files, independent of the output format. */
import { tiers, type Finding, type Tier } from '../../detection/findings.ts'
import { compileProfile } from '../../policy/redaction/decide.ts'
import { standardProfile, type FindingAction } from '../../policy/redaction/profile.ts'
import { looseText } from '../../policy/redaction/text-place.ts'

/** Which findings are reported, and what the service would do about them. */
export interface Judge {
  readonly isReported: (finding: Finding) => boolean
  readonly action: (finding: Finding) => FindingAction
}

/**
 * Judges by the standard profile.
 * @param tierMin the lowest tier that is reported; if undefined, all findings are
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

/** A finding and its position in a file. Lines and columns count from 1, columns in UTF-16 code units. */
export interface LocatedFinding extends Finding {
  /** The path as given or found. */
  readonly file: string
  readonly title: string
  readonly action: FindingAction
  readonly line: number
  readonly column: number
  readonly endLine: number
  /** The column after the last code unit. */
  readonly endColumn: number
  /** The line with this and every other finding masked, cut to a readable length. */
  readonly excerpt: string
}

/** Totals of a scan. */
export interface Summary {
  /** Text files that were scanned. */
  files: number
  /** Their UTF-16 code units. */
  units: number
  findings: number
  /** Findings on lines with a comment that allows them. */
  allowed: number
  /** Binary files, which are skipped. */
  binary: number
  /** Files and folders that could not be read. */
  failed: number
}

/** Writes the results in one format. */
export interface Reporter {
  file(findings: readonly LocatedFinding[]): Promise<void>
  end(summary: Summary): Promise<void>
}
