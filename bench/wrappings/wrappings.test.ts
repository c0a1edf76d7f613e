import assert from 'node:assert/strict'
import test from 'node:test'
import { measure, samplesOf, standardActing, wrappings } from './measure.ts'
import type { Material } from './wrapped.ts'

/** Every fourth secret; `npm run bench:wrappings` takes all of them. */
const every = 4
const samples = samplesOf().filter((_, index) => index % every === 0)

/** The most secrets, in thousandths, of which a part may stay readable; see `docs/accuracy.md`. */
const partMax = 10
/** The least that are masked whole. Of all secrets it is 796; which ones are every fourth moves it by a few. */
const wholeMin = 785

test('each wrapping says where every character of the secret went', () => {
  const material: Material = { text: 'k = "7MWVBoWhoUBixy" # it\'s\nend', start: 5, end: 19 }
  for (const [name, wrap] of Object.entries(wrappings)) {
    const { text, starts, ends } = wrap(material)
    for (let i = material.start; i < material.end; i++) {
      const [start, end] = [starts[i] as number, ends[i] as number]
      assert.ok(start < end && end <= text.length, name)
      assert.ok(i === 0 || start >= (starts[i - 1] as number), name)
    }
  }
})

test('what is not masked counts as missed, and what is masked in half as a part', () => {
  const outcomes = (acting: Parameters<typeof measure>[2]) =>
    new Set([...measure(samples.slice(0, 5), { plain: wrappings['as it is']! }, acting)].map((cell) => cell.outcome))
  assert.deepEqual(
    outcomes(() => []),
    new Set(['missed'])
  )
  assert.deepEqual(
    outcomes((text) => standardActing()(text).map((span) => ({ ...span, end: span.start + 2 }))),
    new Set(['part'])
  )
  assert.deepEqual(outcomes(standardActing()), new Set(['whole']))
})

test('secrets in 180 wrappings are masked whole, or not at all, and hardly ever in part', () => {
  assert.ok(Object.keys(wrappings).length >= 180 && samples.length > 100)
  const counts = { whole: 0, part: 0, missed: 0 }
  for (const { outcome } of measure(samples)) counts[outcome]++
  const all = counts.whole + counts.part + counts.missed
  assert.ok(counts.part * 1000 <= partMax * all, `${counts.part} of ${all} are masked in part`)
  assert.ok(counts.whole * 1000 >= wholeMin * all, `${counts.whole} of ${all} are masked whole`)
})
