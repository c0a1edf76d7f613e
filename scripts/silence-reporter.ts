/**
 * A reporter for the test runner that names tests of which nothing has been heard for long. The runner itself says
 * nothing of a test that hangs before its timeout has passed, and nothing at all of one that computes without end: no
 * timer of its process fires.
 */
import { Transform } from 'node:stream'

/** What the runner reports, as far as it is read here. */
interface RunnerEvent {
  readonly type: string
  readonly data: {
    readonly name: string
    readonly file?: string
    /** The file that was started, of which a test is part; absent in the events of that file itself. */
    readonly entryFile?: string
    readonly testId: number
  }
}

/** The timeout of a test. Far longer than any test takes, so that no result depends on the speed of a machine. */
export const testMsMax = 480_000

interface SilenceOptions {
  /** Silence of a file after which it is named. */
  readonly namedAfterMs: number
  /** Silence of all files under way after which nothing more is expected of the run. */
  readonly endedAfterMs: number
  /** A monotonic clock. */
  readonly nowMs: () => number
  /** Called once, when nothing more is expected. */
  readonly end: () => void
}

/** A file under way. */
interface Underway {
  heardMs: number
  isNamed: boolean
  /** Names of the suites and tests under way, by their ids, outermost first. */
  readonly tests: Map<number, string>
}

const checkEveryMs = 5000

/** @returns a stream that takes the runner's events and gives sentences */
export function createSilenceReporter({ namedAfterMs, endedAfterMs, nowMs, end }: SilenceOptions): Transform {
  const files = new Map<string, Underway>()

  function take({ type, data: { name, file = name, entryFile, testId } }: RunnerEvent): void {
    if (type !== 'test:dequeue' && type !== 'test:complete') return
    const isBegin = type === 'test:dequeue'
    if (entryFile === undefined) {
      if (isBegin) files.set(file, { heardMs: nowMs(), isNamed: false, tests: new Map() })
      else files.delete(file)
      return
    }
    const underway = files.get(entryFile)
    if (underway === undefined) return
    underway.heardMs = nowMs()
    underway.isNamed = false
    if (isBegin) underway.tests.set(testId, name)
    else underway.tests.delete(testId)
  }

  function check(): void {
    const now = nowMs()
    for (const [file, underway] of files) {
      if (underway.isNamed || now - underway.heardMs < namedAfterMs) continue
      underway.isNamed = true
      const path = [...underway.tests.values()].join(' > ') || 'no test that has said so'
      reporter.push(`Nothing was heard of ${file} for ${Math.round(namedAfterMs / 1000)} s. Under way: ${path}.\n`)
    }
    if (files.size === 0 || [...files.values()].some(({ heardMs }) => now - heardMs < endedAfterMs)) return
    clearInterval(timer)
    end()
  }

  const timer = setInterval(check, checkEveryMs).unref()
  const reporter = new Transform({
    writableObjectMode: true,
    transform(event: RunnerEvent, _encoding, done) {
      take(event)
      done()
    },
    flush(done) {
      clearInterval(timer)
      done()
    }
  })
  return reporter
}
