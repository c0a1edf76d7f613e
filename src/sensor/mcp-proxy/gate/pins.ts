/** Whether the definition of a tool is the trusted one. */
import type { Effect, ToolPolicy } from '../../../policy/tools/policy.ts'
import type { GatePolicy } from './gate-policy.ts'
import { changedComponents } from './pin-store.ts'
import type { KnownTool, ServerState } from './server-state.ts'
import type { PinnedComponent } from './tool-definition.ts'

/** A component that differs from the trusted one. */
export interface Drift {
  readonly tool: string
  /** The component, or what happened to the tool as a whole. */
  readonly what: PinnedComponent | 'added' | 'removed'
  readonly before?: string | undefined
  readonly after?: string | undefined
}

export interface Standing {
  /** The minimum effect of a call. */
  readonly effect: Effect
  readonly reasonCode: 'definition_changed' | 'definition_unknown' | 'tool_added' | undefined
  readonly drifts: readonly Drift[]
}

const trusted: Standing = Object.freeze({ effect: 'allow', reasonCode: undefined, drifts: [] })

/**
 * The status of a tool under the policy's pins.
 * @param tool as the server last defined it; undefined if it was in no list yet
 */
export function standingOf(
  policy: Pick<GatePolicy, 'document' | 'pinOf'>,
  serverId: string,
  name: string,
  tool: KnownTool | undefined,
  server: ServerState
): Standing {
  const { pins } = policy.document
  if (pins.mode === 'off') return trusted
  const listed = policy.pinOf(serverId, name)
  const seen = pins.mode === 'strict' ? undefined : server.pins.of(name)
  if (tool === undefined)
    return pins.mode === 'strict' ? { effect: pins.onChange, reasonCode: 'definition_unknown', drifts: [] } : trusted
  if (listed === undefined && seen === undefined) {
    if (pins.mode === 'first-use' && !server.pins.isWhole && !server.pins.isLate(name)) return trusted
    const effect = pins.mode === 'strict' ? pins.onChange : pins.onNew
    return { effect, reasonCode: 'tool_added', drifts: [{ tool: name, what: 'added' }] }
  }
  const drifts = tool.digests.flatMap((digests) =>
    changedComponents(listed, seen, digests).map((what): Drift => {
      return { tool: name, what, before: listed?.[what] ?? seen?.[what], after: digests[what] }
    })
  )
  return drifts.length === 0 ? trusted : { effect: pins.onChange, reasonCode: 'definition_changed', drifts }
}

/** Trusts what is seen for the first time, and what the policy lets pass. */
export function trustSeen(
  { pins }: ToolPolicy,
  server: ServerState,
  seen: readonly { readonly name: string; readonly tool: KnownTool; readonly standing: Standing }[]
): void {
  if (pins.mode !== 'first-use') return
  for (const { name, tool, standing } of seen) {
    const digests = tool.digests[0]
    if (digests === undefined || standing.effect !== 'allow') continue
    const isKnown = server.pins.of(name) !== undefined && !server.pins.isPartial(name)
    if (!isKnown || standing.reasonCode !== undefined) server.pins.trust(name, digests)
  }
}
