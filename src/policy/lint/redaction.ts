/** Checks a redaction profile that is valid by its schema. */
import { addedKinds } from '../../detection/custom/added-kinds.ts'
import { compileCustomPattern } from '../../detection/custom/patterns.ts'
import type { Detector } from '../../detection/detector.ts'
import type { Kind, Tier } from '../../detection/findings.ts'
import { policyBounds } from '../bounds.ts'
import { lintAllowList, patternMessage } from './allow-list.ts'
import { error, warning, type LintFinding } from './finding.ts'
import { createHints } from './nearest-name.ts'
import { lintProfileSecrets } from './secrets.ts'
import { checkPatternSize, patternWeight } from '../pattern.ts'
import { plainScanner } from '../redaction/profile-scanner.ts'
import { restores, type RedactionProfile } from '../redaction/profile.ts'
import { maskedOrigins } from '../redaction/text-place.ts'

const root = '/redactionProfile'
const addedTiers = new Map(addedKinds.map(({ id, tier }) => [id, tier]))
type Custom = RedactionProfile['custom'][number]

interface RedactionLintContext {
  /** The built-in kinds. */
  readonly detectors: readonly Detector[]
  /** The server's own switch. */
  readonly blockHighRisk: boolean
}

/** @param profile valid by its schema */
export function lintRedaction(profile: RedactionProfile, context: RedactionLintContext): LintFinding[] {
  const kinds = plainScanner(context.detectors).kinds
  return [
    ...lintPatterns(profile, kinds),
    ...lintKinds(profile, kinds),
    ...lintAllowList(profile, context.detectors),
    ...lintDenyWords(profile),
    ...lintProfileSecrets(profile, context.detectors),
    ...lintEffect(profile, context),
    ...softeningOfRedaction(profile, context.detectors)
  ]
}

function lintPatterns(profile: RedactionProfile, kinds: ReadonlyMap<string, Kind>): LintFinding[] {
  const patterns = [...profile.custom.map(({ pattern }) => pattern), ...profile.allow.patterns]
  const weight = patterns.reduce((sum, pattern) => sum + patternWeight(pattern), 0)
  if (weight > policyBounds.documentPatternWeightMax) {
    return [error(`${root}/custom`, 'too_large', 'All patterns together are too large to search for.')]
  }
  const ids = profile.custom.map(({ id }) => id)
  return profile.custom.flatMap((custom, index) => {
    const path = `${root}/custom/${index}`
    if (ids.indexOf(custom.id) < index)
      return [error(`${path}/id`, 'duplicate_id', 'Another custom pattern has this ID.')]
    if (kinds.has(custom.id) || addedTiers.has(custom.id))
      return [error(`${path}/id`, 'kind_exists', 'A built-in kind has this ID.')]
    return lintPattern(custom, path)
  })
}

function lintPattern(custom: Custom, path: string): LintFinding[] {
  const { id, pattern, group, tier, tests } = custom
  try {
    checkPatternSize(pattern)
    const compiled = compileCustomPattern({ id, pattern, group, tier })
    const finds = (text: string): boolean => {
      let count = 0
      compiled.eachMatch(text, 0, text.length, () => count++)
      return count > 0
    }
    return [
      ...tests.match.flatMap((text, index) =>
        finds(text) ? [] : [error(`${path}/tests/match/${index}`, 'failing_test', 'The pattern finds nothing in it.')]
      ),
      ...tests.noMatch.flatMap((text, index) =>
        finds(text)
          ? [error(`${path}/tests/noMatch/${index}`, 'failing_test', 'The pattern finds something in it.')]
          : []
      ),
      ...(compiled.literals.length === 0 ? [warning(`${path}/pattern`, 'slow_pattern', slowPattern)] : [])
    ]
  } catch (cause) {
    return [error(`${path}/pattern`, 'invalid_pattern', patternMessage(cause))]
  }
}

const slowPattern = 'The pattern contains no literal of two letters or more, so every text is searched from end to end.'

function lintKinds(profile: RedactionProfile, kinds: ReadonlyMap<string, Kind>): LintFinding[] {
  const known = [...kinds.keys(), ...addedTiers.keys(), ...profile.custom.map(({ id }) => id)]
  const isKnown = new Set(known)
  const hint = createHints(known)
  return Object.keys(profile.actions.kinds)
    .filter((kind) => !isKnown.has(kind))
    .map((kind) => error(`${root}/actions/kinds/${kind}`, 'unknown_kind', `No kind has this ID.${hint(kind)}`))
}

function lintDenyWords({ deny }: RedactionProfile): LintFinding[] {
  const known = new Set<string>()
  return deny.flatMap((word, index) => {
    const folded = word.toLowerCase()
    if (known.has(folded))
      return [warning(`${root}/deny/${index}`, 'duplicate_value', 'The word is already in the list.')]
    known.add(folded)
    return []
  })
}

/** Settings that have no effect because of others. */
function lintEffect(profile: RedactionProfile, context: RedactionLintContext): LintFinding[] {
  const { actions, mode, blockHighRisk, blockAs, restore, placeholder } = profile
  const wanted = [
    ...Object.entries(actions.groups).map(([name, action]) => ({ path: `${root}/actions/groups/${name}`, action })),
    ...Object.entries(actions.kinds).map(([name, action]) => ({ path: `${root}/actions/kinds/${name}`, action }))
  ]
  const findings: LintFinding[] = []
  const cannotBlock = !blockHighRisk || !context.blockHighRisk
  const why = blockHighRisk ? 'blocking is turned off on this server' : '`blockHighRisk` is off'
  for (const { path, action } of wanted)
    if (action === 'block' && cannotBlock) findings.push(warning(path, 'no_effect', `It masks, because ${why}.`))
  if (blockAs === 'refusal' && cannotBlock)
    findings.push(warning(`${root}/blockAs`, 'no_effect', `Nothing is blocked, because ${why}.`))
  if (mode === 'observe' && wanted.some(({ action }) => action !== 'allow'))
    findings.push(
      warning(`${root}/actions`, 'no_effect', 'In mode `observe`, actions apply only to high-risk findings.')
    )
  if (restore.enabled === true && placeholder === 'typed')
    findings.push(
      error(
        `${root}/restore/enabled`,
        'no_effect',
        'A typed placeholder does not say which value it replaced, so it cannot be restored.'
      )
    )
  if (!restores(profile) && (restore.tools.length !== 1 || restore.tools[0] !== '*'))
    findings.push(warning(`${root}/restore/tools`, 'no_effect', 'Restore is off.'))
  if (!restores(profile) && restore.files !== undefined && restore.files.length > 0)
    findings.push(warning(`${root}/restore/files`, 'no_effect', 'Restore is off.'))
  return findings
}

/** Settings that let more leave than the preset would. */
export function softeningOfRedaction(profile: RedactionProfile, detectors: readonly Detector[]): LintFinding[] {
  const { kinds } = plainScanner(detectors)
  const { mode, blockHighRisk, scopes, actions } = profile
  const soft = (path: string, message: string): LintFinding => warning(`${root}${path}`, 'softens', message)
  const tierOf = (kind: string): Tier | undefined =>
    kinds.get(kind)?.tier ?? addedTiers.get(kind) ?? profile.custom.find(({ id }) => id === kind)?.tier
  return [
    ...(mode === 'observe'
      ? [soft('/mode', 'Personal data leaves unmasked: medium and low findings are only counted.')]
      : []),
    ...(blockHighRisk ? [] : [soft('/blockHighRisk', 'Requests with high-risk values are masked and forwarded.')]),
    ...[...maskedOrigins, ...(restores(profile) ? (['assistant'] as const) : [])]
      .filter((part) => scopes[part] === 'watched')
      .map((part) => soft(`/scopes/${part}`, `Personal data in "${part}" leaves unmasked.`)),
    ...Object.entries(actions.groups)
      .filter(([, action]) => action === 'allow')
      .map(([group]) => soft(`/actions/groups/${group}`, `Findings of the group "${group}" leave unmasked.`)),
    ...Object.entries(actions.kinds)
      .filter(([kind, action]) => action === 'allow' && tierOf(kind) !== 'low')
      .map(([kind]) =>
        soft(`/actions/kinds/${kind}`, `Findings of "${kind}" (tier ${tierOf(kind) ?? 'medium'}) leave unmasked.`)
      )
  ]
}
