import assert from 'node:assert/strict'
import test from 'node:test'
import type { Finding } from '../findings.ts'
import { overlapsInSteps } from './overlap.ts'
import { finish, Pace } from './pace.ts'

const resolveOverlaps = (findings: Finding[]): Finding[] => finish(overlapsInSteps('', findings, new Pace()))

const finding = (start: number, end: number, more: Partial<Finding> = {}): Finding => ({
  kind: 'email_address',
  group: 'contact',
  tier: 'low',
  confidence: 'strong',
  start,
  end,
  ...more
})

test('a specific secret wins over a generic one that covers more of the text', () => {
  const generic = finding(0, 40, { kind: 'env_assignment_secret', group: 'secret', tier: 'medium' })
  const specific = finding(4, 30, { kind: 'aws_access_key_id', group: 'secret', tier: 'high' })
  assert.deepEqual(resolveOverlaps([generic, specific]), [specific])
})

test('a weak finding yields to a shorter sure one', () => {
  const sure = finding(10, 14)
  assert.deepEqual(resolveOverlaps([finding(8, 30, { confidence: 'weak' }), sure]), [sure])
})

test('a key that blocks wins over an address that begins with it, and one that is unsure does not', () => {
  const address = finding(0, 51)
  const key = finding(0, 40, { kind: 'github_pat_classic', group: 'secret', tier: 'high' })
  assert.deepEqual(resolveOverlaps([address, key]), [key])
  assert.deepEqual(resolveOverlaps([address, finding(41, 47), key]), [key, finding(41, 47)])
  assert.deepEqual(resolveOverlaps([address, { ...key, confidence: 'medium' }]), [address])
  assert.deepEqual(resolveOverlaps([address, { ...key, tier: 'medium' }]), [address])
})

test('a sentence, an address and a key that beat each other in turn settle the same way whatever stands around', () => {
  const three = [
    finding(0, 40, { kind: 'password_in_prose', group: 'secret', tier: 'medium' }),
    finding(2, 34),
    finding(30, 50, { kind: 'aws_access_key_id', group: 'secret', tier: 'medium' })
  ]
  assert.deepEqual(resolveOverlaps(three), [three[0]])
  // As many in one cluster as are sorted in several parts, each joined to the next by a weak finding.
  const chain = Array.from({ length: 500 }, (_, index) =>
    [...three, finding(49, 61, { confidence: 'weak' })].map((one) => ({
      ...one,
      start: index * 60 + one.start,
      end: index * 60 + one.end
    }))
  )
  const settled = resolveOverlaps(chain.flat().slice(0, -1))
  assert.deepEqual(
    settled.map(({ start }) => start),
    Array.from({ length: 500 }, (_, index) => index * 60)
  )
})

test('more findings may overlap than a call can have arguments', () => {
  const chain = Array.from({ length: 300_000 }, (_, index) => finding(index * 2, index * 2 + 3))
  const settled = resolveOverlaps(chain)
  assert.equal(settled.length, chain.length / 2)
  assert.ok(settled.every(({ start }, index) => start === index * 4))
})

test('a finding in a sentence yields to the assignment of the same value, whichever came first', () => {
  const field = finding(4, 16, { kind: 'json_yaml_secret_field', group: 'secret' })
  const prose = finding(4, 16, { kind: 'password_in_prose', group: 'secret' })
  assert.deepEqual(resolveOverlaps([field, prose]), [field])
  assert.deepEqual(resolveOverlaps([prose, field]), [field])
})

test('a step does not grow with the findings, even if all of them form one cluster in no order', () => {
  let looks = 0
  const counted = (index: number): Finding => {
    const start = ((index * 7919) % 20_011) * 2
    return {
      ...finding(0, start + 3 + (index % 2)),
      get start() {
        looks++
        return start
      }
    }
  }
  const chain = Array.from({ length: 20_011 }, (_, index) => counted(index))
  const pace = new Pace()
  let longest = 0
  for (const work = overlapsInSteps('', chain, pace); ;) {
    pace.until = pace.done + 8192
    looks = 0
    const { done, value } = work.next()
    longest = Math.max(longest, looks)
    if (done !== true) continue
    assert.equal(value.length, resolveOverlaps(chain).length)
    break
  }
  assert.ok(longest < 100_000, `${longest} looks in one step`)
})

test('what several readings of a text found again is settled once', () => {
  const generic = finding(0, 40, { kind: 'env_assignment_secret', group: 'secret', tier: 'medium' })
  const specific = finding(4, 30, { kind: 'aws_access_key_id', group: 'secret', tier: 'high' })
  const twice = Array.from({ length: 100 }, () => [{ ...generic }, { ...specific }]).flat()
  const pace = new Pace()
  assert.deepEqual(finish(overlapsInSteps('', twice, pace)), [specific])
  // To sort them costs one or two units for each.
  assert.ok(pace.done < 4 * twice.length, `${pace.done} units of work`)
})
