/** Checks a tool policy that is valid by its schema. */
import type { Detector } from '../../detection/detector.ts'
import { policyBounds } from '../bounds.ts'
import { patternMessage } from './allow-list.ts'
import { error, info, warning, type LintFinding } from './finding.ts'
import { isUnconditional, lintRules, type RuleLintContext } from './rules.ts'
import { lintToolSecrets } from './secrets.ts'
import { compileArgumentPattern, patternWeight } from '../pattern.ts'
import { conditionsAt } from '../tools/condition.ts'
import type { ToolPolicy, ToolRule } from '../tools/policy.ts'

const root = '/mcpToolPolicy'

interface ToolLintContext extends RuleLintContext {
  /** The author knows that nobody can call any tool, and wants it. */
  readonly confirm: boolean
  /** The built-in kinds. */
  readonly detectors: readonly Detector[]
}

/** @param policy valid by its schema */
export function lintTools(policy: ToolPolicy, context: ToolLintContext): LintFinding[] {
  const rules = lintRules(policy, context)
  const dead = new Set(
    rules
      .filter(({ code }) => code === 'unreachable_rule' || code === 'expired_rule')
      .map(({ path }) => ruleNumber(path))
  )
  return [
    ...lintIds(policy),
    ...lintCommands(policy),
    ...lintPatterns(policy.rules),
    ...rules,
    ...lintLockout(policy, dead, context),
    ...lintPins(policy),
    ...lintToolSecrets(policy, context.detectors),
    ...softeningOfTools(policy)
  ]
}

const ruleNumber = (path: string): number => Number(path.split('/')[3])

function lintIds({ rules, servers }: ToolPolicy): LintFinding[] {
  return [
    ...duplicates(rules, `${root}/rules`, 'Another rule has this ID.'),
    ...duplicates(servers, `${root}/servers`, 'Another server has this ID.')
  ]
}

/** A command with a wildcard for any number of words in the middle matches no server, so its rules match nothing. */
function lintCommands({ servers }: ToolPolicy): LintFinding[] {
  return servers.flatMap(({ command = [] }, index) =>
    command.slice(0, -1).flatMap((word, at) => {
      const message =
        'Only the last word can be `**`, which matches any further words; here it matches exactly one word.'
      return word === '**' ? [warning(`${root}/servers/${index}/command/${at}`, 'no_effect', message)] : []
    })
  )
}

function duplicates(list: readonly { readonly id: string }[], path: string, message: string): LintFinding[] {
  const known = new Set<string>()
  return list.flatMap(({ id }, index) => {
    if (known.has(id)) return [error(`${path}/${index}/id`, 'duplicate_id', message)]
    known.add(id)
    return []
  })
}

function lintPatterns(rules: readonly ToolRule[]): LintFinding[] {
  const patterns = rules.flatMap(({ when }, index) =>
    [...conditionsAt(when, `${root}/rules/${index}/when`)].flatMap(([path, { matches: pattern }]) =>
      pattern === undefined ? [] : [{ path: `${path}/matches`, pattern }]
    )
  )
  const weight = patterns.reduce((sum, { pattern }) => sum + patternWeight(pattern), 0)
  if (patterns.length > policyBounds.argumentPatternsMax || weight > policyBounds.documentPatternWeightMax) {
    return [error(`${root}/rules`, 'too_large', 'There are too many patterns, or together they are too large.')]
  }
  return patterns.flatMap(({ path, pattern }) => {
    try {
      compileArgumentPattern(pattern)
      return []
    } catch (cause) {
      return [error(path, 'invalid_pattern', patternMessage(cause))]
    }
  })
}

/** A pin that no call can match guards nothing. */
function lintPins({ pins, servers }: ToolPolicy): LintFinding[] {
  const ids = new Set(servers.map(({ id }) => id))
  const known = new Set<string>()
  return pins.tools.flatMap(({ server, tool }, index) => {
    const path = `${root}/pins/tools/${index}`
    const key = JSON.stringify([server, tool])
    const isDouble = known.has(key)
    known.add(key)
    return [
      ...(ids.has(server) || server === 'unknown'
        ? []
        : [error(`${path}/server`, 'unknown_server', 'No server in `servers` has this ID.')]),
      ...(isDouble ? [error(`${path}/tool`, 'duplicate_id', 'Another pin is for this tool.')] : [])
    ]
  })
}

/**
 * A policy under which nobody can call any tool is nearly always a mistake, and hard to notice before it is in force.
 */
function lintLockout(policy: ToolPolicy, dead: ReadonlySet<number>, { confirm }: ToolLintContext): LintFinding[] {
  const { mode, defaultEffect, rules, servers, unknownServer, pins } = policy
  if (mode === 'observe') return []
  const say = confirm ? warning : error
  const lockout = (path: string, message: string): LintFinding =>
    say(`${root}${path}`, 'self_lockout', confirm ? message : `${message} Confirm it if you intend that.`)
  const isOpen = rules.some(({ effect }, index) => effect !== 'deny' && !dead.has(index))
  return [
    ...(defaultEffect === 'deny' && !isOpen
      ? [lockout('/defaultEffect', 'Every tool call is denied: no rule in force allows or asks.')]
      : []),
    ...rules.flatMap((rule, index) =>
      isForEverything(rule) && rule.effect === 'deny'
        ? [lockout(`/rules/${index}`, 'Every tool call is denied: the rule matches all servers and tools.')]
        : []
    ),
    ...(unknownServer === 'deny' && servers.length === 0
      ? [lockout('/unknownServer', 'Every tool call is denied: no server is listed.')]
      : []),
    ...(pins.mode === 'strict' && pins.onChange === 'deny' && pins.tools.length === 0
      ? [lockout('/pins/mode', 'Every tool call is denied: no tool definition is pinned.')]
      : [])
  ]
}

function isForEverything(rule: ToolRule): boolean {
  const isAny = (globs: string | readonly string[]): boolean => [globs].flat().includes('*')
  return isAny(rule.server) && isAny(rule.tool) && isUnconditional(rule)
}

/** Settings that let calls, or their contents, pass beyond the defaults. */
export function softeningOfTools({ mode, scan, rules, pins }: ToolPolicy): LintFinding[] {
  const soft = (path: string, message: string): LintFinding => warning(`${root}${path}`, 'softens', message)
  return [
    ...(mode === 'observe'
      ? [soft('/mode', 'Every tool call passes; what would have been denied is only reported.')]
      : []),
    ...(scan.arguments ? [] : [soft('/scan/arguments', 'Tool arguments are not masked.')]),
    ...(scan.results ? [] : [soft('/scan/results', 'Tool results are not masked.')]),
    ...(pins.mode !== 'off' && pins.onChange === 'allow'
      ? [soft('/pins/onChange', 'A tool whose definition changed can still be called; the change is only reported.')]
      : []),
    ...rules.flatMap(({ effect, annotations }, index) =>
      effect === 'allow' && annotations
        ? [
            info(
              `${root}/rules/${index}/annotations`,
              'trusts_server',
              'The rule trusts what the server declares about its tool.'
            )
          ]
        : []
    )
  ]
}
