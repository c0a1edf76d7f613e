/** What the policy in force lets pass beyond the defaults. */
import { builtInDetectors } from '../../detection/detectors/index.ts'
import { policyBounds } from '../bounds.ts'
import { lintAllowList } from './allow-list.ts'
import type { LintFinding } from './finding.ts'
import { softeningOfRedaction } from './redaction.ts'
import { parseDocument } from './schema.ts'
import { softeningOfTools } from './tools.ts'
import type { DraftDocuments } from './lint.ts'

/**
 * The lint findings that say that more passes. They depend only on the documents, not on the time or on the tools seen;
 * and other findings cannot crowd them out, as they can in a lint.
 */
export function findSoftenings({ mcpToolPolicy, redactionProfile }: DraftDocuments): LintFinding[] {
  const tools = parseDocument('mcpToolPolicy', mcpToolPolicy)
  const profile = parseDocument('redactionProfile', redactionProfile)
  const findings = [
    ...('document' in profile
      ? [
          ...softeningOfRedaction(profile.document, builtInDetectors),
          ...lintAllowList(profile.document, builtInDetectors)
        ]
      : []),
    ...('document' in tools ? softeningOfTools(tools.document) : [])
  ]
  // An invalid pattern lets nothing pass.
  return findings.filter(({ code }) => code !== 'invalid_pattern').slice(0, policyBounds.lintFindingsMax)
}
