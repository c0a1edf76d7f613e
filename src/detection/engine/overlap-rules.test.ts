/** The rules of decision 210, compared with what they say of each two findings. */
import assert from 'node:assert/strict'
import test from 'node:test'
import fc from '../../../test/support/property.ts'
import { confidences, tiers, type Finding } from '../findings.ts'
import { overlapsInSteps } from './overlap.ts'
import { finish, Pace } from './pace.ts'

/** Kinds of every sort: personal data, specific secrets, and generic ones in the order in which they yield. */
const specific = ['aws_access_key_id', 'github_pat_classic'] as const
const generic = ['json_yaml_secret_field', 'message_password', 'compared_secret', 'password_in_prose'] as const
const groupOf = { email_address: 'contact', us_ssn: 'national_id' } as const

const isWeak = ({ confidence }: Finding): boolean => confidence === 'weak'
const isSpecific = ({ kind }: Finding): boolean => specific.some((one) => one === kind)
const isGeneric = ({ kind }: Finding): boolean => generic.some((one) => one === kind)
const isPersonal = ({ group }: Finding): boolean => group !== 'secret'
const overlap = (a: Finding, b: Finding): boolean => a.start < b.end && b.start < a.end

/** Whether a finding yields to a specific secret that it overlaps. */
function yieldsTo(one: Finding, secret: Finding): boolean {
  if (isPersonal(one)) return secret.tier === 'high' && ['strong', 'certain'].includes(secret.confidence)
  return isWeak(one) || !isWeak(secret)
}

/** What goes first, as numbers that are compared one after the other; less is better. */
const rating = (one: Finding): number[] => [
  Number(isWeak(one)),
  one.start - one.end,
  -tiers.indexOf(one.tier),
  -confidences.indexOf(one.confidence),
  one.start,
  generic.indexOf(one.kind as (typeof generic)[number])
]

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index])
  return at < 0 ? 0 : (a[at] as number) - (b[at] as number)
}

/** Those that overlap nothing better that stays. */
function best(findings: readonly Finding[]): Finding[] {
  const kept: Finding[] = []
  for (const one of findings.toSorted((a, b) => compare(rating(a), rating(b))))
    if (!kept.some((other) => overlap(one, other))) kept.push(one)
  return kept
}

function settled(findings: readonly Finding[]): Finding[] {
  let left = findings.toSorted((a, b) => a.start - b.start || b.end - a.end)
  for (const isOfSort of [isPersonal, isGeneric]) {
    const secrets = best(left.filter((one) => !isOfSort(one) && !isGeneric(one))).filter(isSpecific)
    const isGone = (one: Finding) => secrets.some((secret) => overlap(one, secret) && yieldsTo(one, secret))
    left = left.filter((one) => !isOfSort(one) || !isGone(one))
  }
  return best(left).toSorted((a, b) => a.start - b.start)
}

const findings = fc.array(
  fc
    .record({
      kind: fc.constantFrom(...specific, ...generic, 'email_address' as const, 'us_ssn' as const),
      tier: fc.constantFrom(...tiers),
      confidence: fc.constantFrom(...confidences),
      start: fc.nat(24),
      units: fc.integer({ min: 1, max: 16 })
    })
    .map(({ units, ...one }): Finding => {
      const group = one.kind in groupOf ? groupOf[one.kind as keyof typeof groupOf] : 'secret'
      return { ...one, group, end: one.start + units }
    }),
  { minLength: 2, maxLength: 9 }
)

test('what stays is what the rules say of each two findings that overlap', () => {
  fc.assert(
    fc.property(findings, (some) =>
      assert.deepEqual(finish(overlapsInSteps('', [...some], new Pace())), settled(some))
    ),
    { numRuns: 3000 }
  )
})
