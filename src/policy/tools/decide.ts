/** The tool policy in the form in which calls are judged. */
import type { Tier } from '../../detection/findings.ts'
import { compileConditions } from './judge-arguments.ts'
import { compileGlob, type Glob } from '../glob.ts'
import { indexRules, type RuleNames } from './rule-index.ts'
import { allOf, judge, maybe, no, yes, type Judgement } from './three-valued.ts'
import {
  annotationNames,
  effects,
  type Effect,
  type ToolAnnotations,
  type ToolPolicy,
  type ToolRule
} from './policy.ts'
import { compileServers, unknownServerId, type ServerIdentity } from './servers.ts'
import { utcTimeMs } from '../utc-time.ts'

/** A call of a tool, as a sensor sees it before it happens. */
export interface ToolCall {
  /** Id of the server, from {@link CompiledToolPolicy.serverId}. */
  readonly server: string
  readonly tool: string
  /** The name as it was sent, where `tool` is another reading of it: what a rule leaves out by that name it leaves out. */
  readonly sentAs?: string
  /** The arguments as JSON gave them. */
  readonly arguments?: unknown
  /** The client surface; absent or `unknown` where it is not known. */
  readonly surface?: string
  readonly annotations?: ToolAnnotations
  /** Milliseconds since 1970. */
  readonly now: number
}

export interface ToolDecision {
  readonly effect: Effect
  /** The rule that decided; absent where none matched, or where it was decided by `unknownServer`. */
  readonly ruleId?: string
  readonly reason?: string
  readonly riskTier?: Tier
}

export interface CompiledToolPolicy {
  /** In mode `observe` a decision is reported and not enforced. */
  readonly mode: ToolPolicy['mode']
  /** Names a server once, when a sensor starts. */
  serverId(identity: ServerIdentity): string
  /**
   * Judges a call. Of all rules that match, deny wins over ask over allow, and among those of one effect the first by
   * id is named: neither the order of the rules nor how closely they fit plays a part.
   */
  decide(call: ToolCall): ToolDecision
  /** What calls of a tool may lead to, whatever their arguments. Those of `call` play no part. */
  outlook(call: ToolCall): ToolOutlook
}

/** The least and the most that calls of a tool may lead to; the same where no rule looks at arguments. */
export interface ToolOutlook {
  readonly mildest: ToolDecision
  readonly strictest: ToolDecision
}

interface CompiledRule extends RuleNames {
  readonly decision: ToolDecision
  readonly except: readonly RuleNames[]
  /** Milliseconds since 1970, or Infinity. */
  readonly expiresAtMs: number
  /** The least judgement with which the rule matches. */
  readonly least: Judgement
  /** All but the conditions on arguments. */
  readonly outerTest: (call: ToolCall) => Judgement
  readonly test: (call: ToolCall) => Judgement
  readonly looksAtArguments: boolean
}

const noCall: ToolCall = Object.freeze({ server: '', tool: '', now: 0 })
const constantText = /^-$/

/**
 * Compiles a tool policy.
 * @throws PatternError for what a lint refuses
 */
export function compileToolPolicy(policy: ToolPolicy): CompiledToolPolicy {
  // In the order in which they win, so that a rule behind the best one so far need not be judged.
  const rules = policy.rules.toSorted(byPrecedence).map(compileRule)
  const index = indexRules(rules)
  const listed = new Set(policy.servers.map(({ id }) => id))
  const byDefault: ToolDecision = Object.freeze({ effect: policy.defaultEffect })
  const toUnknown: ToolDecision | undefined =
    policy.unknownServer === 'judge'
      ? undefined
      : Object.freeze({ effect: policy.unknownServer, reason: 'The server is not listed in the policy.' })

  // One function for all calls, and what it works on: a closure for each call would be garbage.
  let call = noCall
  let server = ''
  let best = 0
  const visit = (number: number): void => {
    if (number < best && matches(rules[number] as CompiledRule, server, call)) best = number
  }

  const atLeastToUnknown = (decision: ToolDecision): ToolDecision => {
    if (toUnknown === undefined || server !== unknownServerId) return decision
    return isStricter(toUnknown.effect, decision.effect) ? toUnknown : decision
  }

  return {
    mode: policy.mode,
    serverId: compileServers(policy.servers),
    decide(judged) {
      call = judged
      server = listed.has(judged.server) ? judged.server : unknownServerId
      best = rules.length
      index.candidates(server, judged.tool, visit)
      // Nothing of a call may outlive it: neither here nor in the engine, which keeps the last text that matched.
      call = noCall
      constantText.test('-')
      const decision = rules[best]?.decision ?? byDefault
      return atLeastToUnknown(decision)
    },
    outlook(judged) {
      const where = listed.has(judged.server) ? judged.server : unknownServerId
      const found = new Set<number>()
      index.candidates(where, judged.tool, (number) => {
        if (applies(rules[number] as CompiledRule, where, judged)) found.add(number)
      })
      const numbers = [...found].toSorted((a, b) => a - b)
      const certain = numbers.find((number) => !rules[number]?.looksAtArguments)
      const possible = numbers.filter((number) => certain === undefined || number <= certain)
      const decisions = possible.map((number) => (rules[number] as CompiledRule).decision)
      if (certain === undefined) decisions.push(byDefault)
      server = where
      const mildest = certain === undefined ? decisions.reduce(milder) : (rules[certain] as CompiledRule).decision
      return { mildest: atLeastToUnknown(mildest), strictest: atLeastToUnknown(decisions.reduce(stricter)) }
    }
  }
}

const milder = (one: ToolDecision, other: ToolDecision): ToolDecision =>
  isStricter(one.effect, other.effect) ? other : one
const stricter = (one: ToolDecision, other: ToolDecision): ToolDecision =>
  isStricter(other.effect, one.effect) ? other : one

/** Whether one effect lets less pass than another. */
export function isStricter(one: Effect, other: Effect): boolean {
  return effects.indexOf(one) < effects.indexOf(other)
}

function byPrecedence(a: ToolRule, b: ToolRule): number {
  return effects.indexOf(a.effect) - effects.indexOf(b.effect) || (a.id < b.id ? -1 : 1)
}

/** The globs of a rule or an exception. */
export function namesOf({ server, tool }: Pick<ToolRule, 'server' | 'tool'>): RuleNames {
  return { servers: [server].flat().map(compileGlob), tools: [tool].flat().map(compileGlob) }
}

function compileRule(rule: ToolRule): CompiledRule {
  const { id, effect, reason, riskTier, expiresAt, surface, annotations, when } = rule
  const onArguments = compileConditions(when)
  const outer = [
    ...(surface ? [onSurface(new Set(surface))] : []),
    ...(annotations ? [onAnnotations(annotations)] : [])
  ]
  return {
    ...namesOf(rule),
    except: rule.except.map(namesOf),
    expiresAtMs: expiresAt === undefined ? Infinity : utcTimeMs(expiresAt),
    least: effect === 'allow' ? yes : maybe,
    decision: Object.freeze({
      effect,
      ruleId: id,
      ...(reason !== undefined && { reason }),
      ...(riskTier !== undefined && { riskTier })
    }),
    outerTest: allOf<ToolCall>(outer),
    test: allOf<ToolCall>([...outer, ...(when.length > 0 ? [(call: ToolCall) => onArguments(call.arguments)] : [])]),
    looksAtArguments: when.length > 0
  }
}

function onSurface(surfaces: ReadonlySet<string>): (call: ToolCall) => Judgement {
  return ({ surface }) => {
    if (surfaces.has(surface ?? 'unknown')) return yes
    return surface === undefined || surface === 'unknown' ? maybe : no
  }
}

function onAnnotations(wanted: NonNullable<ToolRule['annotations']>): (call: ToolCall) => Judgement {
  const names = annotationNames.filter((name) => wanted[name] !== undefined)
  return allOf(
    names.map((name) => ({ annotations }: ToolCall): Judgement => {
      const told = annotations?.[name]
      return told === undefined ? maybe : judge(told === wanted[name])
    })
  )
}

function matches(rule: CompiledRule, server: string, call: ToolCall): boolean {
  return isFor(rule, server, call) && rule.test(call) >= rule.least
}

/** Whether the rule matches some call of the tool. */
function applies(rule: CompiledRule, server: string, call: ToolCall): boolean {
  return isFor(rule, server, call) && rule.outerTest(call) >= rule.least
}

function isFor(rule: CompiledRule, server: string, call: ToolCall): boolean {
  if (!isNamed(rule, server, call.tool) || call.now >= rule.expiresAtMs) return false
  for (const exception of rule.except) {
    if (isNamed(exception, server, call.tool)) return false
    if (call.sentAs !== undefined && isNamed(exception, server, call.sentAs)) return false
  }
  return true
}

function isNamed({ servers, tools }: RuleNames, server: string, tool: string): boolean {
  return isAmong(tools, tool) && isAmong(servers, server)
}

function isAmong(globs: readonly Glob[], name: string): boolean {
  for (const glob of globs) if (glob.matches(name)) return true
  return false
}
