import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPlanter } from '../../../test/support/planted.ts'
import { trafficDetectors } from '../../detection/detectors/traffic.ts'
import { createScanner } from '../../detection/scanner.ts'
import { createScrubber } from './scrub.ts'

test('a clean name is scanned once, and a value is replaced each time', () => {
  const scanner = createScanner({ detectors: trafficDetectors })
  let scans = 0
  const scrub = createScrubber({
    ...scanner,
    scan: (text) => {
      scans++
      return scanner.scan(text)
    }
  })
  for (let time = 0; time < 3; time++) assert.equal(scrub('read_file'), 'read_file')
  assert.equal(scans, 1)
  const { sentence, value } = createPlanter(1)('email')
  for (let time = 0; time < 3; time++) assert.ok(!scrub(sentence).includes(value))
  assert.equal(scans, 4, 'what held a value is kept nowhere')
  const long = 'a'.repeat(65)
  for (let time = 0; time < 2; time++) scrub(long)
  assert.equal(scans, 6, 'only names are kept')
  for (let n = 0; n < 10_000; n++) scrub(`tool-${n}`)
  scans = 0
  scrub('read_file')
  assert.equal(scans, 1, 'there is a bound on what is kept')
})
