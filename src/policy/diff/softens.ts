/** Whether a difference between two policies lets more pass. In doubt it does: a reviewer is to be warned. */
import { addedKinds } from '../../detection/custom/added-kinds.ts'
import { builtInDetectors } from '../../detection/detectors/index.ts'
import type { RawChange } from './diff.ts'
import type { FindingAction } from '../redaction/profile.ts'

type Judge = (change: RawChange) => boolean

/** Judges a change by an order from lax to strict; a missing value counts as `unset`. */
function weakens(order: readonly unknown[], unset?: unknown): Judge {
  return ({ before = unset, after = unset }) => order.indexOf(after) < order.indexOf(before)
}

const always: Judge = () => true
const never: Judge = () => false
const removal: Judge = ({ kind }) => kind === 'removed'
const addition: Judge = ({ kind }) => kind !== 'removed'
const change: Judge = ({ kind }) => kind !== 'added'
const higherBound: Judge = ({ before, after }) => Number(after ?? Infinity) > Number(before ?? Infinity)
const strictness = weakens(['allow', 'ask', 'deny'])

/** By the first two names after the document's; the name of a list covers everything in it. */
const judges: Readonly<Record<string, Judge>> = {
  'redactionProfile/preset': weakens(['coding-agents', 'standard']),
  'redactionProfile/mode': weakens(['observe', 'enforce']),
  'redactionProfile/blockHighRisk': weakens([false, true]),
  'redactionProfile/actions': judgeAction,
  'redactionProfile/scopes': judgeScope,
  'redactionProfile/custom': judgeCustom,
  'redactionProfile/deny': change,
  'redactionProfile/allow': addition,
  'redactionProfile/placeholder': never,
  'redactionProfile/restore': judgeRestore,
  'redactionProfile/blockAs': never,
  'redactionProfile/limits': higherBound,
  'mcpToolPolicy/mode': weakens(['observe', 'enforce']),
  'mcpToolPolicy/defaultEffect': strictness,
  'mcpToolPolicy/unknownServer': weakens(['judge', 'ask', 'deny']),
  'mcpToolPolicy/servers': always,
  'mcpToolPolicy/rules': judgeRule,
  'mcpToolPolicy/limits': higherBound,
  'mcpToolPolicy/pins': judgePin,
  'mcpToolPolicy/scan': weakens([false, true]),
  'mcpToolPolicy/listing': never,
  'mcpToolPolicy/refusal': never,
  'mcpToolPolicy/stale': (raw) => (raw.steps[2] === 'effect' ? weakens(['keep', 'ask', 'deny']) : higherBound)(raw)
}

/** @returns true also if the effect of a change is unknown */
export function softens(raw: RawChange): boolean {
  return (judges[raw.steps.slice(0, 2).join('/')] ?? always)(raw)
}

const actionOrder: readonly FindingAction[] = ['allow', 'mask', 'block']
const tiersOfKinds = new Map([...builtInDetectors, ...addedKinds].map(({ id, tier }) => [id, tier]))

/** For a kind, the preset's action follows from its tier; for a group it may be anything. */
function judgeAction({ steps, before, after }: RawChange): boolean {
  const tier = steps[2] === 'kinds' ? (tiersOfKinds.get(steps[3] as string) ?? 'medium') : undefined
  const preset = tier === 'high' ? 'block' : tier === 'medium' ? 'mask' : tier === undefined ? undefined : 'allow'
  const rank = (action: unknown, whenUnset: number): number =>
    action === undefined ? whenUnset : actionOrder.indexOf(action as FindingAction)
  const known = preset === undefined ? undefined : actionOrder.indexOf(preset)
  return rank(after, known ?? 0) < rank(before, known ?? 2)
}

/** More editing tools get values of the high tier. Without a list of its own, the preset may name some. */
function judgeRestore({ steps, kind, after }: RawChange): boolean {
  if (steps[2] !== 'files') return false
  return steps.length > 3 ? kind !== 'removed' : !(Array.isArray(after) && after.length === 0)
}

function judgeScope({ steps, before, after }: RawChange): boolean {
  const isMasked = ['system', 'user', 'document', 'tool_result'].includes(steps[2] as string)
  return weakens(['watched', 'masked'], isMasked ? 'masked' : 'watched')({ steps, kind: 'changed', before, after })
}

function judgeCustom(raw: RawChange): boolean {
  const setting = raw.steps[3]
  if (setting === undefined) return removal(raw)
  if (setting === 'tier') return weakens(['low', 'medium', 'high'])(raw)
  return setting === 'pattern' || setting === 'group'
}

/** What narrows a rule depends on its effect; a change inside a rule is judged by the worse case. */
function judgeRule({ steps, kind, before, after }: RawChange): boolean {
  const setting = steps[3]
  if (setting === undefined) {
    const { effect } = (before ?? after) as { effect?: unknown }
    return kind === 'added' ? effect === 'allow' : effect !== 'allow'
  }
  if (setting === 'effect') return strictness({ steps, kind, before, after })
  return setting !== 'reason' && setting !== 'riskTier'
}

function judgePin(raw: RawChange): boolean {
  const setting = raw.steps[2]
  if (setting === 'mode') return weakens(['off', 'first-use', 'strict'])(raw)
  return setting === 'onChange' || setting === 'onNew' ? strictness(raw) : addition(raw)
}
