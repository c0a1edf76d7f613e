import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Latency } from './measure.ts'
import type { LaneRate, Rates } from './phases.ts'
import { doubts, judgeAims, renderReport, type Figures } from './report.ts'

const rate = (perSecond: number, change: Partial<LaneRate> = {}): LaneRate => ({
  perSecond,
  cpuMsPerCall: 0.1,
  ownCore: 1,
  loadCore: 0.3,
  otherWork: 0,
  isWarm: true,
  ...change
})
const latency = (p50Ms: number): Latency => ({ count: 10, p50Ms, p99Ms: p50Ms * 2, maxMs: p50Ms * 3 })
const rates: Rates = { direct: rate(30_000), bare: rate(10_000), sluice: rate(6000) }

function figures(added2kMs: number, added500kMs: number, loopP99Ms: number, sluicePerSecond = 6000): Figures {
  const size = (sizeBytes: number, addedMs: number) => ({
    sizeBytes,
    rates: { ...rates, sluice: rate(sluicePerSecond) },
    latency: { direct: latency(1), bare: latency(1.2), sluice: latency(1 + addedMs), otherWork: 0.2 }
  })
  const loop = { ...latency(0.1), p99Ms: loopP99Ms, rssBytes: 2 ** 27 }
  const calls = { largeBytes: 2 ** 25, small: latency(1), large: latency(300) }
  const mix = [{ lane: 'direct', ...calls } as const, { lane: 'sluice', ...calls, loop } as const]
  return {
    node: 'v26',
    placement: 'pinned',
    short: false,
    sizes: [size(2000, added2kMs), size(50_000, 1), size(500_000, added500kMs)],
    mix
  }
}

test('a ratio is valid only while everything but the proxy has spare capacity', () => {
  assert.deepEqual(doubts(rates, 'pinned'), [])
  assert.match(doubts(rates, 'no taskset').join(), /not pinned: no taskset/)
  assert.match(
    doubts({ ...rates, bare: rate(10_000, { loadCore: 0.95 }) }, 'pinned').join(),
    /generator's core was 95 % busy behind bare proxy/
  )
  assert.match(doubts({ ...rates, sluice: rate(6000, { ownCore: 0.5 }) }, 'pinned').join(), /Sluice used only 50 %/)
  assert.match(
    doubts({ ...rates, sluice: rate(6000, { otherWork: 0.2 }) }, 'pinned').join(),
    /other work took 20 % of the core from Sluice/
  )
  assert.match(doubts({ ...rates, sluice: rate(6000, { isWarm: false }) }, 'pinned').join(), /Sluice had not warmed up/)
  assert.match(doubts({ ...rates, direct: rate(11_000) }, 'pinned').join(), /hardly faster/)
})

test('each aim is met at its limit and missed beyond it', () => {
  assert.deepEqual(
    judgeAims(figures(0.9, 5.9, 14.9)).map((aim) => aim.met),
    [true, true, true, true]
  )
  assert.deepEqual(
    judgeAims(figures(1.1, 6.1, 15.1, 5900)).map((aim) => aim.met),
    [false, false, false, false]
  )
})

test('an invalid ratio meets no aim, and what was not measured has none', () => {
  const { mix: _, ...one } = figures(0.9, 5.9, 14.9)
  const unpinned = { ...one, sizes: one.sizes.slice(0, 1), placement: 'no taskset' }
  assert.deepEqual(
    judgeAims(unpinned).map((aim) => aim.met),
    [false, true]
  )
  assert.match(renderReport(unpinned), /0\.60, not valid/)
})

test('the report names all lanes, and gives a verdict on each aim in the full form only', () => {
  const page = renderReport(figures(0.5, 7, 3))
  for (const word of ['direct', 'bare proxy', 'Sluice', '500 kB', 'MISSED', '0.60', '7.00 ms, other work took 20 %'])
    assert.ok(page.includes(word), word)
  assert.equal(page.match(/^ {2}(met|MISSED)/gm)?.length, 4)
  assert.doesNotMatch(renderReport({ ...figures(0.5, 7, 3), short: true }), /met|MISSED/)
})
