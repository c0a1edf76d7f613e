/** Whether a difference between two policies lets more pass. In doubt it does: a reviewer is to be warned. */
import { addedKinds } from '../../detection/custom/added-kinds.ts'
import { builtInDetectors } from '../../detection/detectors/index.ts'
import type { Kind } from '../../detection/findings.ts'
import type { RawChange } from './diff.ts'
import { maskedOrigins, type TextOrigin } from '../redaction/text-place.ts'

/** A document before and after the change; of any form if this version cannot read it. */
type DocumentPair = readonly [before: unknown, after: unknown]

type Judge = (change: RawChange) => boolean

/**
 * Judges a change by an order from lax to strict. A missing value counts as `unset`; where that is not known, as the
 * strictest that may have been in force before, and the laxest that may be after.
 */
function weakens(order: readonly unknown[], unsetBefore?: unknown, unsetAfter = unsetBefore): Judge {
  return ({ before = unsetBefore, after = unsetAfter }: RawChange): boolean =>
    order.indexOf(after) < order.indexOf(before)
}

const always: Judge = () => true
const never: Judge = () => false
const removal: Judge = ({ kind }) => kind === 'removed'
const addition: Judge = ({ kind }) => kind !== 'removed'
const change: Judge = ({ kind }) => kind !== 'added'
const higherBound: Judge = ({ before, after }) => Number(after ?? Infinity) > Number(before ?? Infinity)
const strictness = weakens(['allow', 'ask', 'deny'])

/** By the first two names after the document's; the name of a list covers everything in it. */
const judges: Readonly<Record<string, (change: RawChange, documents: DocumentPair) => boolean>> = {
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
export function softens(raw: RawChange, documents: DocumentPair): boolean {
  return (judges[raw.steps.slice(0, 2).join('/')] ?? always)(raw, documents)
}

const builtInKinds = new Map<unknown, Partial<Kind>>(
  [...builtInDetectors, ...addedKinds].map((kind) => [kind.id, kind])
)

/** Without an action of its own, a kind has that of its group or else of the preset; a group may have any. */
function judgeAction(raw: RawChange, [before, after]: DocumentPair): boolean {
  const actions = ['allow', 'mask', 'block']
  const [, , by, name] = raw.steps
  if (by !== 'kinds') return weakens(actions, 'block', 'allow')(raw)
  return weakens(actions, actionWithout(name, before), actionWithout(name, after))(raw)
}

/** The action for a kind in a profile that names none for it. */
function actionWithout(id: unknown, profile: unknown): unknown {
  const { actions, custom } = Object(profile) as { actions?: { groups?: Record<string, unknown> }; custom?: unknown }
  const customKinds = Array.isArray(custom) ? (custom as (Partial<Kind> | null)[]) : []
  const { group, tier = 'medium' } = builtInKinds.get(id) ?? customKinds.find((kind) => kind?.id === id) ?? {}
  const ofGroup = group === undefined ? undefined : actions?.groups?.[group]
  return ofGroup ?? (tier === 'high' ? 'block' : tier === 'medium' ? 'mask' : 'allow')
}

/** More editing tools get values of the high tier. Without a list of its own, the preset may name some. */
function judgeRestore({ steps, kind, after }: RawChange): boolean {
  if (steps[2] !== 'files') return false
  return steps.length > 3 ? kind !== 'removed' : !(Array.isArray(after) && after.length === 0)
}

/** The assistant's texts are masked by default if values are restored. */
function judgeScope(raw: RawChange): boolean {
  const origin = raw.steps[2] as TextOrigin
  const order = ['watched', 'masked'] as const
  if (origin === 'assistant') return weakens(order, 'masked', 'watched')(raw)
  return weakens(order, (maskedOrigins as readonly TextOrigin[]).includes(origin) ? 'masked' : 'watched')(raw)
}

function judgeCustom(raw: RawChange): boolean {
  const setting = raw.steps[3]
  if (setting === undefined) return removal(raw)
  if (setting === 'tier') return weakens(['low', 'medium', 'high'])(raw)
  return setting === 'pattern' || setting === 'group'
}

/** What narrows a rule depends on its effect; a change inside a rule is judged by the worse case. */
function judgeRule(raw: RawChange): boolean {
  const { steps, kind, before, after } = raw
  const setting = steps[3]
  if (setting === undefined) {
    const { effect } = (before ?? after) as { effect?: unknown }
    return kind === 'added' ? effect === 'allow' : effect !== 'allow'
  }
  if (setting === 'effect') return strictness(raw)
  return setting !== 'reason' && setting !== 'riskTier'
}

function judgePin(raw: RawChange): boolean {
  const setting = raw.steps[2]
  if (setting === 'mode') return weakens(['off', 'first-use', 'strict'])(raw)
  return setting === 'onChange' || setting === 'onNew' ? strictness(raw) : addition(raw)
}
