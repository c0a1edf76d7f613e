/** Finds secrets in a policy: every sensor reads it, and the history keeps it permanently. */
import type { Detector } from '../../detection/detector.ts'
import { plainScanner } from '../redaction/profile-scanner.ts'
import type { RedactionProfile } from '../redaction/profile.ts'
import { conditionsAt, type Condition } from '../tools/condition.ts'
import type { ToolPolicy } from '../tools/policy.ts'
import { error, warning, type LintFinding } from './finding.ts'

/** A text of a document, with the JSON pointer to it. */
type Told = readonly [path: string, text: string | undefined]

const exposed = 'It is a high-risk value, and everybody who can read the policy sees it.'

/**
 * Secrets among allowed values, and patterns that match only a secret, are errors, because its HMAC would serve as
 * well; all others are warnings.
 */
export function lintProfileSecrets(
  { allow, deny, custom }: RedactionProfile,
  detectors: readonly Detector[]
): LintFinding[] {
  const root = '/redactionProfile'
  const allowed = [...listed(`${root}/allow/values`, allow.values), ...listed(`${root}/allow/patterns`, allow.patterns)]
  const others = [
    ...listed(`${root}/deny`, deny),
    ...custom.flatMap(({ title, pattern, tests }, index): Told[] => [
      [`${root}/custom/${index}/title`, title],
      [`${root}/custom/${index}/pattern`, pattern],
      ...listed(`${root}/custom/${index}/tests/match`, tests.match),
      ...listed(`${root}/custom/${index}/tests/noMatch`, tests.noMatch)
    ])
  ]
  return [
    ...secretsAmong(allowed, detectors).map((path) =>
      error(path, 'secret_in_document', `${exposed} List its HMAC under \`allow.hmacs\` instead.`)
    ),
    ...secretsAmong(others, detectors).map((path) => warning(path, 'secret_in_document', exposed))
  ]
}

/**
 * The address and the command line of a server are copied from a configuration that has its credential beside them, and
 * the server is recognised without it: a secret there is an error. In a rule it is a warning.
 */
export function lintToolSecrets(
  { servers, rules, refusal }: ToolPolicy,
  detectors: readonly Detector[]
): LintFinding[] {
  const root = '/mcpToolPolicy'
  const ofServers = servers.flatMap(({ url, command }, index): Told[] => [
    [`${root}/servers/${index}/url`, url],
    [`${root}/servers/${index}/command`, command?.join(' ')]
  ])
  const others = [
    [`${root}/refusal/message`, refusal.message] as const,
    ...rules.flatMap(({ reason, when }, index): Told[] => [
      [`${root}/rules/${index}/reason`, reason],
      ...[...conditionsAt(when, `${root}/rules/${index}/when`)].flatMap(ofCondition)
    ])
  ]
  return [
    ...secretsAmong(ofServers, detectors).map((path) => error(path, 'secret_in_document', withoutCredential)),
    ...secretsAmong(others, detectors).map((path) => warning(path, 'secret_in_document', exposed))
  ]
}

const withoutCredential =
  'It contains a high-risk value, and everybody who can read the policy sees it. Remove it: the query of an address is ignored, and `*` matches any word of a command.'

const ofCondition = ([path, { equals, in: values = [], matches }]: readonly [string, Condition]): Told[] => [
  [`${path}/equals`, textOf(equals)],
  ...values.map((value, place): Told => [`${path}/in/${place}`, textOf(value)]),
  [`${path}/matches`, matches]
]

const textOf = (value: Condition['equals']): string | undefined => (typeof value === 'string' ? value : undefined)

const listed = (path: string, texts: readonly string[]): Told[] =>
  texts.map((text, index) => [`${path}/${index}`, text])

/** @returns the paths of texts in which a high-risk value is certain */
function secretsAmong(told: readonly Told[], detectors: readonly Detector[]): string[] {
  const scanner = plainScanner(detectors)
  const isSecret = (text: string): boolean =>
    scanner
      .scan(text)
      .some(({ tier, confidence }) => tier === 'high' && confidence !== 'medium' && confidence !== 'weak')
  return told.flatMap(([path, text]) => (text !== undefined && isSecret(text) ? [path] : []))
}
