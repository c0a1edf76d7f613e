/** Values that an operator wants to stand as they are. */
import type { RE2JS } from 're2js'
import { compileRe2 } from './patterns.ts'
import type { Detector } from '../detector.ts'

export interface AllowList {
  readonly values?: readonly string[]
  /** Keyed hashes of values, so that a policy need not carry them; they need `hash`. */
  readonly hmacs?: readonly string[]
  /** The keyed hash that `hmacs` were made with. */
  hash?(value: string): string
  /** E-mail addresses of these domains and their subdomains. */
  readonly emailDomains?: readonly string[]
  /** RE2 patterns that match the whole value. */
  readonly patterns?: readonly string[]
}

/** Whether a finding is dropped. */
export type Allows = (detector: Pick<Detector, 'id'>, value: string) => boolean

/** A value that a high-risk built-in kind must find. */
export interface Sample {
  readonly kind: string
  readonly value: string
}

/** Why an allow list is refused. */
export class AllowListError extends Error {
  /** Place in the list, as a JSON pointer. */
  readonly path: string

  constructor(path: string, rule: string) {
    super(`The allow list is refused at ${path}: ${rule}.`)
    this.name = 'AllowListError'
    this.path = path
  }
}

/**
 * @param samples what no pattern may allow, see {@link allowedSamples}
 * @throws AllowListError
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

/** The samples that a pattern would let pass: what a lint shows before a policy is published. */
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
