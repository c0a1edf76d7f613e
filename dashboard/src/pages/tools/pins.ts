/** Approving a server's changed definition of a tool: the digests of what changed become a pin in the policy. */
import type { PolicyDocuments } from '../../../../src/policy/revision.ts'
import { entriesAt, valueAt, withValue, type Documents } from '../policy/documents.ts'

/** Components of a definition that a pin lists, by the sensor's reason code for a change. */
const components: Readonly<Record<string, string>> = {
  title_changed: 'title',
  description_changed: 'description',
  input_schema_changed: 'inputSchema',
  output_schema_changed: 'outputSchema',
  annotations_changed: 'annotations'
}

export interface Drift {
  readonly reasonCode: string | null
  /** SHA-256 of the current definition; null if it no longer exists. */
  readonly after: string | null
}

/** What changed, in words. */
export const driftWords: Readonly<Record<string, string>> = {
  title_changed: 'title',
  description_changed: 'description',
  input_schema_changed: 'schema of its arguments',
  output_schema_changed: 'schema of its result',
  annotations_changed: 'annotations',
  tool_added: 'new tool',
  tool_removed: 'no longer there'
}

/** Whether a pin can accept the change. A tool that was added or removed has no digest to pin. */
export const isApprovable = ({ reasonCode }: Drift): boolean => Object.hasOwn(components, reasonCode ?? '')

/** The servers that the policy lists; only they can have pins. */
export const listedServers = (policy: PolicyDocuments): readonly unknown[] =>
  entriesAt(policy, ['mcpToolPolicy', 'servers']).map(({ id }) => id)

const path = ['mcpToolPolicy', 'pins', 'tools']

/** The policy with the changed components of a tool pinned in their current form; the rest of its pin is kept. */
export function withPin(policy: PolicyDocuments, server: string, tool: string, drifts: readonly Drift[]): Documents {
  const pins = entriesAt(policy, path)
  const isOf = (pin: Record<string, unknown>): boolean => pin['server'] === server && pin['tool'] === tool
  const pin: Record<string, unknown> = { ...pins.find(isOf), server, tool }
  for (const { reasonCode, after } of drifts) {
    const component = components[reasonCode ?? '']
    if (component === undefined) continue
    if (after === null) delete pin[component]
    else pin[component] = after
  }
  const pinned = withValue(policy, path, [...pins.filter((one) => !isOf(one)), pin])
  // With the mode off, the pin would be a promise that is not kept.
  const mode = valueAt(pinned, ['mcpToolPolicy', 'pins', 'mode']) ?? 'off'
  return mode === 'off' ? withValue(pinned, ['mcpToolPolicy', 'pins', 'mode'], 'first-use') : pinned
}
