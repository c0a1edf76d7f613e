/** The tool policy in compiled form: judges calls. */
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

/** A tool call as a sensor sees it before it is made. */
export interface ToolCall {
  /** Id of the server, from {@link CompiledToolPolicy.serverId}. */
  readonly server: string
  readonly tool: string
  /** The name as sent, if `tool` is another reading of it: exceptions of a rule apply to this name. */
  readonly sentAs?: string
  /** The parsed JSON arguments. */
  readonly arguments?: unknown
  /** The client surface; absent or `unknown` if it is not known. */
  readonly surface?: string
  readonly annotations?: ToolAnnotations
  /** Milliseconds since 1970. */
  readonly now: number
}

export interface ToolDecision {
  readonly effect: Effect
  /** The rule that decided; absent if none matched, or if `unknownServer` decided. */
  readonly ruleId?: string
  readonly reason?: string
  readonly riskTier?: Tier
}

export interface CompiledToolPolicy {
  /** In mode `observe`, a decision is reported but not enforced. */
  readonly mode: ToolPolicy['mode']
  /** The id of a server. Call it once, when a sensor starts. */
  serverId(identity: ServerIdentity): string
  /**
   * Judges a call. Of all matching rules, deny takes precedence over ask, and ask over allow; among rules of one
   * effect, the first by id is named. Neither the order of the rules nor their specificity matters.
   */
  decide(call: ToolCall): ToolDecision
  /** What calls of a tool may lead to, with any arguments. The arguments of `call` are ignored. */
  outlook(call: ToolCall): ToolOutlook
}

/** The least and the most strict effect of calls of a tool; equal if no rule examines arguments. */
export interface ToolOutlook {
  readonly mildest: ToolDecision
  readonly strictest: ToolDecision
}

interface CompiledRule extends RuleNames {
  readonly decision: ToolDecision
  readonly except: readonly RuleNames[]
  /** Milliseconds since 1970, or Infinity. */
  readonly expiresAtMs: number
  /** The weakest judgement with which the rule matches. */
  readonly least: Judgement
  /** All tests except the conditions on arguments. */
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
  // In order of precedence, so that rules after the best match need not be judged.
  const rules = policy.rules.toSorted(byPrecedence).map(compileRule)
  const index = indexRules(rules)
  const listed = new Set(policy.servers.map(({ id }) => id))
  const byDefault: ToolDecision = Object.freeze({ effect: policy.defaultEffect })
  const toUnknown: ToolDecision | undefined =
    policy.unknownServer === 'judge'
      ? undefined
      : Object.freeze({ effect: policy.unknownServer, reason: 'The server is not listed in the policy.' })

  // One function for all calls, with its input in a variable: a closure per call would be garbage.
  let call = noCall
  let server = ''
  let best = 0
  const visit = (number: number): void => {
    if (number < best && matches(rules[number] as CompiledRule, server, call)) best = number
  }

  const atLeastToUnknown = (decision: ToolDecision, where: string): ToolDecision =>
    toUnknown === undefined || where !== unknownServerId ? decision : stricter(decision, toUnknown)

  return {
    mode: policy.mode,
    serverId: compileServers(policy.servers),
    decide(judged) {
      call = judged
      server = listed.has(judged.server) ? judged.server : unknownServerId
      best = rules.length
      index.candidates(server, judged.tool, visit)
      // Nothing of a call may outlive it, neither here nor in the engine, which keeps the last text that matched.
      call = noCall
      constantText.test('-')
      return atLeastToUnknown(rules[best]?.decision ?? byDefault, server)
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
      const mildest = certain === undefined ? decisions.reduce(milder) : (rules[certain] as CompiledRule).decision
      return {
        mildest: atLeastToUnknown(mildest, where),
        strictest: atLeastToUnknown(decisions.reduce(stricter), where)
      }
    }
  }
}

const milder = (one: ToolDecision, other: ToolDecision): ToolDecision =>
  isStricter(one.effect, other.effect) ? other : one
/** The one that lets less pass; the first if both let the same pass. */
export const stricter = (one: ToolDecision, other: ToolDecision): ToolDecision =>
  isStricter(other.effect, one.effect) ? other : one

/** Whether the first effect lets less pass than the second. */
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

/** Whether the rule could match a call of the tool. */
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
