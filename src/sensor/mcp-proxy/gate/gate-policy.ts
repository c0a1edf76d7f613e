/** A streamed policy, compiled to the form that the gate enforces. */
import type { Scanner } from '../../../detection/findings.ts'
import type { PolicyFrame } from '../../../policy-stream/subscriber.ts'
import { compileLookAlikes, type LookAlikes } from '../../../policy/tools/look-alikes.ts'
import type { ValueDigest } from '../../../policy/redaction/placeholder.ts'
import { createProfileScanner } from '../../../policy/redaction/profile-scanner.ts'
import { compileProfile, type CompiledProfile } from '../../../policy/redaction/decide.ts'
import { readRedactionProfile, readToolPolicy } from '../../../policy/revision.ts'
import { compileToolPolicy, type CompiledToolPolicy } from '../../../policy/tools/decide.ts'
import type { ToolPolicy } from '../../../policy/tools/policy.ts'
import type { CompilingParts } from '../../service-link.ts'
import type { ToolDigests } from './tool-definition.ts'

export interface GatePolicy {
  readonly revision: string
  /** The tool policy as it was published, with its defaults. */
  readonly document: ToolPolicy
  readonly tools: CompiledToolPolicy
  readonly lookAlikes: LookAlikes
  readonly scanner: Scanner
  /** Decides about findings in arguments. */
  readonly profile: CompiledProfile
  /** Decides about findings in what a server sends: what would block is masked, since the call has already happened. */
  readonly answerProfile: CompiledProfile
  readonly digest: ValueDigest
  /** The definition that the policy lists as trusted. */
  pinOf(serverId: string, tool: string): ToolDigests | undefined
}

const pinKey = (serverId: string, tool: string): string => JSON.stringify([serverId, tool])

/** @throws Error for documents that this version does not know; the subscriber then keeps the previous policy */
export function compileGatePolicy(
  { revision, mcpToolPolicy, redactionProfile }: Pick<PolicyFrame, 'revision' | 'mcpToolPolicy' | 'redactionProfile'>,
  { digest, detectors }: CompilingParts
): GatePolicy {
  const document = readToolPolicy(mcpToolPolicy)
  const parsed = readRedactionProfile(redactionProfile)
  // The server's block switch has already been applied to the documents that it streams.
  const profile = compileProfile(parsed, { blockHighRisk: true })
  const pins = new Map(
    document.pins.tools.map(({ server, tool, ...digests }) => [pinKey(server, tool), digests as ToolDigests])
  )
  return {
    revision,
    document,
    pinOf: (serverId, tool) => pins.get(pinKey(serverId, tool)),
    tools: compileToolPolicy(document),
    lookAlikes: compileLookAlikes(document),
    scanner: createProfileScanner(parsed, { detectors }),
    profile,
    answerProfile: {
      ...profile,
      decide(finding, place) {
        const action = profile.decide(finding, place)
        return action === 'block' && place.scope !== 'sealed' ? 'mask' : action
      }
    },
    digest
  }
}
