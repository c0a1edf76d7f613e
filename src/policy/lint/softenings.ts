/** What a policy that is in force lets pass beyond the rules that hold out of the box. */
import type { Detector } from '../../detection/detector.ts'
import { builtInDetectors } from '../../detection/detectors/index.ts'
import { policyBounds } from '../bounds.ts'
import { lintAllowList } from './allow-list.ts'
import type { LintFinding } from './finding.ts'
import { softeningOfRedaction } from './redaction.ts'
import { parseDocument } from './schema.ts'
import { softeningOfTools } from './tools.ts'
import type { DraftDocuments } from './lint.ts'

/**
 * The findings of a lint that say that more passes. They hang on the documents alone, not on the time or on the tools that
 * were seen; and a policy whose every rule has a finding of its own does not push them out, as it does in a lint.
 * @param detectors default: all that are built in
 */
export function findSoftenings(
  { mcpToolPolicy, redactionProfile }: DraftDocuments,
  detectors: readonly Detector[] = builtInDetectors
): LintFinding[] {
  const tools = parseDocument('mcpToolPolicy', mcpToolPolicy)
  const profile = parseDocument('redactionProfile', redactionProfile)
  const findings = [
    ...('document' in profile
      ? [...softeningOfRedaction(profile.document, detectors), ...lintAllowList(profile.document, detectors)]
      : []),
    ...('document' in tools ? softeningOfTools(tools.document) : [])
  ]
  // A pattern that cannot be compiled lets nothing pass.
  return findings.filter(({ code }) => code !== 'invalid_pattern').slice(0, policyBounds.lintFindingsMax)
}
