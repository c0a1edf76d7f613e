import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { createSilenceReporter } from './silence-reporter.ts'

const group = '/x/test/together/calls.test.ts'
const own = '/x/test/e2e/own.test.ts'

/** A reporter whose clock advances on demand, and what it says. */
function start(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let [now, ends] = [0, 0]
  const reporter = createSilenceReporter({
    namedAfterMs: 120_000,
    endedAfterMs: 480_000,
    nowMs: () => now,
    end: () => void ends++
  })
  return {
    file: (type: 'dequeue' | 'complete', file: string) =>
      void reporter.write({ type: `test:${type}`, data: { name: file, file, testId: 1 } }),
    test: (type: 'dequeue' | 'complete' | 'stdout', name: string, testId = 1, entryFile = group) =>
      void reporter.write({ type: `test:${type}`, data: { name, file: '/x/src/a.test.ts', entryFile, testId } }),
    /** @returns what it says within so many seconds */
    pass(seconds: number): string {
      for (let left = seconds; left > 0; left -= 5) {
        now += 5000
        t.mock.timers.tick(5000)
      }
      return String(reporter.read() ?? '')
    },
    ends: () => ends,
    finish: () => void reporter.end()
  }
}

describe('a file of which nothing is heard', () => {
  it('is named once, with the test under way and the suites around it', (t) => {
    const run = start(t)
    run.file('dequeue', group)
    run.test('dequeue', 'src/a.test.ts', 1)
    run.test('dequeue', 'passes', 2)
    run.test('complete', 'passes', 2)
    run.test('dequeue', 'hangs', 3)
    assert.equal(run.pass(115), '')
    // What a test prints is no sign that it will end.
    run.test('stdout', 'hangs', 3)
    assert.equal(run.pass(5), `Nothing was heard of ${group} for 120 s. Under way: src/a.test.ts > hangs.\n`)
    assert.equal(run.pass(300), '')
    run.test('complete', 'hangs', 3)
    run.test('dequeue', 'hangs as well', 4)
    assert.match(run.pass(120), /src\/a\.test\.ts > hangs as well\.\n$/)
  })

  it('is named even if it computes without end from the beginning, and so reports no test', (t) => {
    const run = start(t)
    run.file('dequeue', own)
    assert.equal(run.pass(120), `Nothing was heard of ${own} for 120 s. Under way: no test that has said so.\n`)
  })

  it('is not named when it is over, or before it has begun', (t) => {
    const run = start(t)
    run.file('dequeue', own)
    run.pass(100)
    run.file('complete', own)
    assert.equal(run.pass(500), '')
    assert.equal(run.ends(), 0)
  })
})

describe('a run', () => {
  it('is ended once, when all that is under way has been silent for longer than any test may take', (t) => {
    const run = start(t)
    run.file('dequeue', group)
    run.file('dequeue', own)
    run.pass(300)
    run.test('dequeue', 'takes long', 1, own)
    run.pass(475)
    assert.equal(run.ends(), 0)
    run.pass(5)
    assert.equal(run.ends(), 1)
    run.pass(600)
    assert.equal(run.ends(), 1)
  })

  it('that is over is not watched any more', async (t) => {
    const run = start(t)
    run.file('dequeue', own)
    run.finish()
    await new Promise(setImmediate)
    run.pass(600)
    assert.equal(run.ends(), 0)
  })
})
