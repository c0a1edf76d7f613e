import assert from 'node:assert/strict'
import { it } from 'node:test'
import { judgeEvents, renderEvents, type EngineFigures } from './events-report.ts'

const latency = (p99Ms: number) => ({ count: 10, p50Ms: 1, p99Ms, maxMs: p99Ms })
const figures: EngineFigures = {
  engine: 'sqlite',
  barePerSecond: 100_000,
  batchesPerSecond: 45_000,
  singlesPerSecond: 5001,
  batchRatio: 0.45,
  batchLatency: latency(9),
  singleLatency: latency(9),
  callsAlone: latency(200),
  callsBeside: latency(210),
  ingestBesidePerSecond: 40_000,
  stored: 12
}

it('judges each aim by its own figure', () => {
  assert.deepEqual(
    judgeEvents(figures).map(({ met }) => met),
    [true, true, true]
  )
  const missed = { ...figures, batchRatio: 0.39, singlesPerSecond: 4999, callsBeside: latency(221) }
  assert.deepEqual(
    judgeEvents(missed).map(({ met }) => met),
    [false, false, false]
  )
  assert.equal(judgeEvents({ ...figures, engine: 'postgres' }).length, 2, 'singles are an aim on SQLite alone')
})

it('gives verdicts in the full form only', () => {
  const options = { upstreamMs: 200 }
  assert.match(renderEvents([figures], { ...options, short: false }), /met {5}sqlite: batches at least 0.4/)
  assert.doesNotMatch(renderEvents([figures], { ...options, short: true }), /^met|MISSED/m)
})
