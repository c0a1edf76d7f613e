/** Values that an operator allows: a finding of one is dropped. */
import type { RE2JS } from 're2js'
import { compileRe2 } from './patterns.ts'
import type { Detector } from '../detector.ts'

export interface AllowList {
  readonly values?: readonly string[]
  /** Keyed hashes of values, so that the policy need not contain the values themselves. Requires `hash`. */
  readonly hmacs?: readonly string[]
  /** The keyed hash with which `hmacs` were made. */
  hash?(value: string): string
  /** Drops `email_address` findings at these domains and their subdomains. */
  readonly emailDomains?: readonly string[]
  /** RE2 patterns. A value is allowed if a pattern matches all of it. */
  readonly patterns?: readonly string[]
}

/** Whether a finding of this detector with this value is dropped. */
type Allows = (detector: Pick<Detector, 'id'>, value: string) => boolean

/** A value that a built-in high-risk kind must keep finding; see {@link allowedSamples}. */
export interface Sample {
  readonly kind: string
  readonly value: string
}

/** Thrown for an allow list that cannot be used. The message names the entry and the rule, never a value. */
export class AllowListError extends Error {
  /** JSON pointer to the offending entry. */
  readonly path: string

  constructor(path: string, rule: string) {
    super(`The allow list is refused at ${path}: ${rule}.`)
    this.name = 'AllowListError'
    this.path = path
  }
}

/**
 * Compiles an allow list.
 * @param samples values that no pattern may allow; called only if there are patterns
 * @throws AllowListError if a pattern does not compile or would allow a sample, or if `hmacs` come without `hash`
 */
export function compileAllowList(list: AllowList, samples: () => readonly Sample[]): Allows {
  const values = new Set(list.values)
  const hmacs = new Set(list.hmacs)
  const hash = list.hash
  if (hmacs.size > 0 && hash === undefined) throw new AllowListError('/hmacs', 'no hash function is given')
  const domains = (list.emailDomains ?? []).map((domain) => domain.toLowerCase())
  const patterns = compileAllowPatterns(list.patterns ?? [])
  patterns.forEach((pattern, index) => {
    const [sample] = allowedBy(pattern, samples())
    if (sample !== undefined)
      throw new AllowListError(`/patterns/${index}`, `it would let a value of the kind ${sample.kind} pass`)
  })
  return ({ id }, value) =>
    values.has(value) ||
    (id === 'email_address' && isOfDomain(value, domains)) ||
    patterns.some((pattern) => matchesWhole(pattern, value)) ||
    (hmacs.size > 0 && hash !== undefined && hmacs.has(hash(value)))
}

function compileAllowPatterns(patterns: readonly string[]): RE2JS[] {
  return patterns.map((pattern, index) => compileRe2(pattern, (rule) => new AllowListError(`/patterns/${index}`, rule)))
}

/**
 * The samples that a pattern would allow. The policy lint shows them before a policy is published.
 * @throws AllowListError if the pattern does not compile
 */
export function allowedSamples(pattern: string, samples: readonly Sample[]): Sample[] {
  return allowedBy(compileAllowPatterns([pattern])[0] as RE2JS, samples)
}

function allowedBy(pattern: RE2JS, samples: readonly Sample[]): Sample[] {
  return samples.filter(({ value }) => matchesWhole(pattern, value))
}

function matchesWhole(pattern: RE2JS, value: string): boolean {
  const matches = pattern.testExact(value)
  pattern.re2().reset()
  return matches
}

function isOfDomain(address: string, domains: readonly string[]): boolean {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  return domains.some((one) => domain === one || domain.endsWith('.' + one))
}
