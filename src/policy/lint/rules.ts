/** Finds rules of a tool policy that can never decide anything, or no longer do. */
import { covers, type Glob } from '../glob.ts'
import { error, info, warning, type LintFinding } from './finding.ts'
import { createHints } from './nearest-name.ts'
import type { RuleNames } from '../tools/rule-index.ts'
import { isStricter, namesOf } from '../tools/decide.ts'
import type { ToolPolicy, ToolRule } from '../tools/policy.ts'
import { unknownServerId } from '../tools/servers.ts'
import { utcTimeMs } from '../utc-time.ts'

const root = '/mcpToolPolicy/rules'

/** A tool that a sensor has reported. */
export interface ReportedTool {
  /** Id of its server; undefined if the report does not say, and then it could be any. */
  readonly server?: string
  readonly tool: string
}

export interface RuleLintContext {
  /** Milliseconds since 1970. */
  readonly now: number
  /** All tools ever reported; if there are none, globs that match none are not reported. */
  readonly reportedTools: readonly ReportedTool[]
  /** Client surfaces that labels may name; if there are none, surfaces are not checked. */
  readonly surfaces: readonly string[]
}

interface Entry extends RuleNames {
  readonly rule: ToolRule
  readonly path: string
}

type Hint = (name: string) => string

/** Comparisons of two globs, or of a glob with a name, before the lint gives up: about a second of work. */
const comparisonsMax = 3_000_000

/** @param policy valid by its schema */
export function lintRules(policy: ToolPolicy, context: RuleLintContext): LintFinding[] {
  const entries = policy.rules.map((rule, index): Entry => ({ rule, path: `${root}/${index}`, ...namesOf(rule) }))
  const serverIds = [...policy.servers.map(({ id }) => id), unknownServerId]
  const isSmall = globCount(entries) * serverIds.length <= comparisonsMax
  const serverHint = createHints(serverIds)
  const surfaceHint = createHints(context.surfaces)
  return [
    ...entries.flatMap((entry) => lintExpiry(entry, context.now)),
    ...(isSmall ? entries.flatMap((entry) => lintServers(entry, serverIds, serverHint)) : []),
    ...entries.flatMap((entry) => lintSurfaces(entry, context.surfaces, surfaceHint)),
    ...lintReach(entries),
    ...lintTools(entries, context.reportedTools),
    ...(policy.defaultEffect === 'allow' ? entries.flatMap(lintAllow) : []),
    ...(isSmall ? [] : [incomplete])
  ]
}

const incomplete = info(root, 'lint_incomplete', 'There are too many rules to compare each with every other.')

function globCount(entries: readonly RuleNames[]): number {
  return entries.reduce((sum, { servers, tools }) => sum + servers.length + tools.length, 0)
}

function lintExpiry({ rule, path }: Entry, now: number): LintFinding[] {
  if (rule.expiresAt === undefined || utcTimeMs(rule.expiresAt) > now) return []
  return [warning(`${path}/expiresAt`, 'expired_rule', 'The rule has expired and no longer matches anything.')]
}

/** A rule for servers that do not exist looks like protection but is none. */
function lintServers({ rule, servers, path }: Entry, ids: readonly string[], hint: Hint): LintFinding[] {
  const isList = Array.isArray(rule.server)
  const unmatched = servers.map((glob) => !ids.some((id) => glob.matches(id)))
  const isDead = unmatched.every(Boolean)
  return servers.flatMap((glob, index) => {
    if (!unmatched[index]) return []
    const message = `No server in \`servers\` has such an ID.${glob.literal === undefined ? '' : hint(glob.literal)}`
    const at = isList ? `${path}/server/${index}` : `${path}/server`
    return [isDead ? error(at, 'unknown_server', message) : warning(at, 'unknown_server', message)]
  })
}

function lintSurfaces({ rule, path }: Entry, surfaces: readonly string[], hint: Hint): LintFinding[] {
  if (surfaces.length === 0) return []
  return (rule.surface ?? []).flatMap((surface, index) => {
    if (surfaces.includes(surface)) return []
    return [warning(`${path}/surface/${index}`, 'no_effect', `No client has this surface.${hint(surface)}`)]
  })
}

/** Rules that another, unconditional rule always overrides or always equals. */
function lintReach(entries: readonly Entry[]): LintFinding[] {
  const wide = entries.filter(({ rule }) => isUnconditional(rule))
  const wideGlobs = globCount(wide)
  const findings: LintFinding[] = []
  let comparisons = 0
  for (const entry of entries) {
    comparisons += wideGlobs * Math.max(entry.servers.length, entry.tools.length)
    if (comparisons > comparisonsMax) return [...findings, incomplete]
    const over = wide.filter((one) => one !== entry && coversNames(one, entry))
    const stricter = over.find(({ rule }) => isStricter(rule.effect, entry.rule.effect))
    if (stricter) {
      const message = `The rule never decides: "${stricter.rule.id}" always matches too, and ${stricter.rule.effect} wins.`
      findings.push(error(entry.path, 'unreachable_rule', message))
      continue
    }
    const same = over.find((one) => one.rule.effect === entry.rule.effect && !isFirstOfTwins(entry, one))
    if (same) {
      const message = `The rule changes nothing: "${same.rule.id}" matches everything that it matches.`
      findings.push(warning(entry.path, 'redundant_rule', message))
    }
  }
  return findings
}

/** Of two rules that match the same, only one is reported. */
function isFirstOfTwins(entry: Entry, other: Entry): boolean {
  return isUnconditional(entry.rule) && entry.rule.id < other.rule.id && coversNames(entry, other)
}

/** Whether a rule matches every call of its tools, at any time. */
export function isUnconditional({ except, when, surface, annotations, expiresAt }: ToolRule): boolean {
  return except.length + when.length === 0 && !surface && !annotations && expiresAt === undefined
}

function coversNames(wide: RuleNames, narrow: RuleNames): boolean {
  return coversAll(wide.tools, narrow.tools) && coversAll(wide.servers, narrow.servers)
}

function coversAll(wide: readonly Glob[], narrow: readonly Glob[]): boolean {
  return narrow.every((one) => wide.some((other) => covers(other, one)))
}

function lintTools(entries: readonly Entry[], reported: readonly ReportedTool[]): LintFinding[] {
  if (reported.length === 0) return []
  if (globCount(entries) * reported.length > comparisonsMax) return [incomplete]
  return entries.flatMap(({ path, servers, tools }) => {
    const isSeen = reported.some(
      ({ server, tool }) =>
        tools.some((glob) => glob.matches(tool)) &&
        (server === undefined || servers.some((glob) => glob.matches(server)))
    )
    return isSeen ? [] : [warning(`${path}/tool`, 'unmatched_glob', 'The rule matches no tool that was ever reported.')]
  })
}

function lintAllow({ rule, path }: Entry): LintFinding[] {
  if (rule.effect !== 'allow') return []
  return [
    warning(
      path,
      'no_effect',
      'Calls that no rule matches are allowed anyway (`defaultEffect`), so the rule changes nothing.'
    )
  ]
}
