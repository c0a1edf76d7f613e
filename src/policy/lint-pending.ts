/**
 * Settings that sensors are told of and that nothing of this version acts on yet. An entry goes when its setting takes
 * effect.
 */
import { canonicalJson } from '../protocol/canonical-json.ts'
import { compilePointer } from './json-pointer.ts'
import { warning, type LintFinding } from './lint-finding.ts'
import { standardProfile, type RedactionProfile } from './redaction-profile.ts'
import { standardToolPolicy, type ToolPolicy } from './tool-policy.ts'

const pending = [
  '/mcpToolPolicy/limits',
  '/mcpToolPolicy/pins',
  '/mcpToolPolicy/scan',
  '/mcpToolPolicy/listing',
  '/mcpToolPolicy/refusal',
  '/mcpToolPolicy/stale'
] as const

const standard = { mcpToolPolicy: standardToolPolicy, redactionProfile: standardProfile }

export function lintPending(documents: {
  readonly mcpToolPolicy: ToolPolicy
  readonly redactionProfile: RedactionProfile
}): LintFinding[] {
  return pending
    .filter((pointer) => {
      const at = compilePointer(pointer)
      return canonicalJson(at(documents)) !== canonicalJson(at(standard))
    })
    .map((pointer) =>
      warning(pointer, 'not_in_effect_yet', 'Sensors are told of this setting; nothing acts on it yet.')
    )
}
