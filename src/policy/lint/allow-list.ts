/** Warns about values that an allow list lets pass although its author may not have meant to. */
import { AllowListError, allowedSamples } from '../../detection/custom/allow-list.ts'
import { CustomPatternError } from '../../detection/custom/patterns.ts'
import type { Detector } from '../../detection/detector.ts'
import { samplesOf } from '../../detection/scanner.ts'
import { error, warning, type LintFinding } from './finding.ts'
import { checkPatternSize, PatternError, withoutQuotes } from '../pattern.ts'
import { plainScanner } from '../redaction/profile-scanner.ts'
import type { RedactionProfile } from '../redaction/profile.ts'

const root = '/redactionProfile'

/** Mail providers that give anyone an address. */
const publicMailHosts = [
  'gmail.com',
  'outlook.com',
  'hotmail.com',
  'yahoo.com',
  'icloud.com',
  'gmx.de',
  'proton.me',
  'qq.com'
]

/**
 * Finds patterns that are invalid or let a sample of a detector pass, and domains at which anyone can have an address.
 */
export function lintAllowList({ allow }: RedactionProfile, detectors: readonly Detector[]): LintFinding[] {
  const path = `${root}/allow`
  return [
    ...allow.patterns.flatMap((pattern, index) => {
      const at = `${path}/patterns/${index}`
      try {
        checkPatternSize(pattern)
        const [high] = allowedSamples(pattern, samplesOf(detectors))
        if (high) return [error(at, 'allows_high_risk', `It would let a value of the kind ${high.kind} pass.`)]
        const passed = new Set(allowedSamples(pattern, mediumSamples(detectors)).map(({ kind }) => kind))
        if (passed.size === 0) return []
        return [warning(at, 'wide_allow', `It lets ordinary values of ${nameSome([...passed])} pass.`)]
      } catch (cause) {
        return [error(at, 'invalid_pattern', patternMessage(cause))]
      }
    }),
    ...allow.emailDomains.flatMap((domain, index) =>
      !domain.includes('.') || publicMailHosts.includes(domain.toLowerCase())
        ? [warning(`${path}/emailDomains/${index}`, 'wide_allow', 'Anybody can get an address in this domain.')]
        : []
    )
  ]
}

function nameSome(names: readonly string[]): string {
  const [first, second, ...others] = names
  if (second === undefined) return `the kind ${first}`
  return others.length === 0
    ? `the kinds ${first} and ${second}`
    : `${first}, ${second} and ${others.length} more kinds`
}

const ordinarySamples = new WeakMap<readonly Detector[], readonly { kind: string; value: string }[]>()

/** Samples from the tests of medium-tier kinds, scanned once they are needed: most policies have no pattern. */
function mediumSamples(detectors: readonly Detector[]) {
  const known = ordinarySamples.get(detectors)
  if (known !== undefined) return known
  const scanner = plainScanner(detectors)
  const list = detectors
    .filter(({ tier }) => tier === 'medium')
    .flatMap(({ id, hits }) =>
      hits().flatMap((hit) =>
        scanner
          .scan(hit)
          .filter(({ kind }) => kind === id)
          .map(({ start, end }) => ({ kind: id, value: hit.slice(start, end) }))
      )
    )
  ordinarySamples.set(detectors, list)
  return list
}

/** Why a pattern is refused, without quoting it, whichever check refused it. @throws any other error */
export function patternMessage(cause: unknown): string {
  if (cause instanceof CustomPatternError) return `The pattern cannot be used: ${withoutQuotes(cause.rule)}.`
  if (cause instanceof PatternError) return `The pattern cannot be used: ${cause.message}.`
  if (!(cause instanceof AllowListError)) throw cause
  const rule = cause.message.slice(cause.message.indexOf(': ') + 2).replace(/\.$/, '')
  return `The pattern cannot be used: ${withoutQuotes(rule)}.`
}
