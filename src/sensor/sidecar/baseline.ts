/** The profile that a sidecar enforces, if configured, before it has ever received a policy. */
import { createHash } from 'node:crypto'
import type { IngressPolicy } from '../../ingress/handle-call.ts'
import type { RedactionProfile } from '../../policy/redaction/profile.ts'
import { canonicalJson } from '../../protocol/canonical-json.ts'
import type { CompilingParts } from '../service-link.ts'
import { compileFrame } from './policy.ts'

/** Compiles a baseline. Its revision is `baseline-` and 16 hex characters, which no policy of a service has. */
export function compileBaseline(profile: RedactionProfile, parts: CompilingParts): IngressPolicy {
  const hash = createHash('sha256').update(canonicalJson(profile)).digest('hex').slice(0, 16)
  return compileFrame({ revision: `baseline-${hash}`, mcpToolPolicy: {}, redactionProfile: profile }, parts)
}
