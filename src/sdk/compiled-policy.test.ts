import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtInDetectors } from '../detection/detectors/index.ts'
import { trafficDetectors } from '../detection/detectors/traffic.ts'
import { looseText } from '../policy/redaction/text-place.ts'
import { placeholderDigest } from '../sensor/placeholder-digest.ts'
import { compilePolicy, maskJsonValue } from './compiled-policy.ts'

const frame = {
  revision: '1-0000000000000000',
  mcpToolPolicy: { version: 1 },
  redactionProfile: { version: 1, preset: 'standard' }
}
const policy = compilePolicy(frame, trafficDetectors)
const digest = placeholderDigest('token of a test')
const mask = (value: unknown) => maskJsonValue(value, looseText, policy, digest)

/** A value's structure without its texts. */
const shape = (value: unknown): string =>
  JSON.stringify(value, (_name, member) => (typeof member === 'string' ? '' : member))

test('a JSON value keeps its shape, whatever it holds', () => {
  let masked = 0
  for (const detector of builtInDetectors)
    for (const hit of detector.hits())
      for (const value of [{ a: `x\n${hit}\n`, b: hit }, ['\t', hit, hit], { n: { m: [hit, 1, null, true] } }]) {
        const done = mask(value)
        if (done.action === 'block') assert.equal(done.value, undefined)
        else assert.equal(shape(done.value), shape(value), detector.id)
        if (done.action === 'mask') masked++
      }
  assert.ok(masked > 100)
})

test("a member's name reveals what its value is, and is masked itself", () => {
  const address = ['jo.bloggs', 'quillmark-labs.com'].join('@')
  const { value, entitiesMasked, entityCounts } = mask({ [address]: address, list: [address] })
  const [name] = Object.keys(value as object)
  assert.match(name ?? '', /^EMAIL_[A-Z2-7]{10}$/)
  assert.deepEqual(value, { [name as string]: name, list: [name] })
  assert.deepEqual([entitiesMasked, entityCounts], [3, { email_address: 3 }])
  assert.notEqual(mask({ password: ['Tr0ub4dor', '3x7q'].join('&') }).action, 'allow')
})

test('unusual members stay unchanged, and a value nested too deeply is not processed', () => {
  const odd = JSON.parse('{"__proto__":{"x":1},"constructor":[],"":0}') as object
  assert.equal(JSON.stringify(mask(odd).value), JSON.stringify(odd))
  assert.equal(Object.getPrototypeOf(mask(odd).value), Object.prototype)
  assert.throws(() => mask(JSON.parse('['.repeat(5000) + ']'.repeat(5000))), RangeError)
})
