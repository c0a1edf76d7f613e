/**
 * `node bench/steps.ts`: how long the steps of masking a body are, between which the event loop serves other calls
 * (decision 183). The bodies are large, and each is hard in a way of its own. `-- --short` takes a quarter of the size,
 * `-- NAME` measures the bodies whose names contain it.
 *
 * A step counts as the shortest of several passes, in processor time: the steps of a body are the same in each, and what
 * other processes take of the core is no matter of a step. Collections of garbage therefore count only where they always
 * happen. A first pass may divide a body differently, since the cost of its texts is not known yet; it does not count
 * then.
 */
import { createHmac } from 'node:crypto'
import { createScanner } from '../src/detection/scanner.ts'
import { dialects } from '../src/dialects/index.ts'
import { redactBody } from '../src/ingress/body/redact-body.ts'
import { createRedactor } from '../src/ingress/body/redact-texts.ts'
import { createPlaceholders } from '../src/policy/redaction/placeholder.ts'
import { compileProfile } from '../src/policy/redaction/decide.ts'
import { standardProfile } from '../src/policy/redaction/profile.ts'
import { percentile, printTable, processorMs, stayOnOneCore } from './one-core.ts'
import { stepBodies, type StepBody } from './steps-bodies.ts'

const isShort = process.argv.includes('--short')
const wanted = process.argv.slice(2).find((argument) => !argument.startsWith('--')) ?? ''
const bodyBytes = isShort ? 1_000_000 : 4_000_000
const passes = 4
const bounds = { depthMax: 256, valuesMax: 2_000_000 }
/** A step of this many milliseconds is long. */
const longMs = 2

stayOnOneCore()
const scanner = createScanner()
const profile = compileProfile({ ...standardProfile, preset: 'coding-agents' }, { blockHighRisk: false })
const digest = (value: string): Uint8Array => createHmac('sha256', 'bench').update(value).digest()

/** Milliseconds of each step of one pass. */
function stepsOf({ dialect, bytes }: StepBody): number[] {
  const redactor = createRedactor(scanner, profile, createPlaceholders('keyed', digest))
  const work = redactBody(Buffer.from(bytes), dialects[dialect], redactor, bounds)
  const steps: number[] = []
  for (let done = false; !done;) {
    const from = processorMs()
    done = work.next().done === true
    steps.push(processorMs() - from)
  }
  if (redactor.tally.masked === 0) throw new Error('Nothing was masked.')
  return steps
}

const rows = [['', 'steps', 'sum ms', 'median', '99th', 'longest', `over ${longMs} ms`]]
for (const body of stepBodies(bodyBytes)) {
  if (!body.name.includes(wanted)) continue
  const tried = Array.from({ length: passes }, () => stepsOf(body))
  const all = tried.filter(({ length }) => length === tried.at(-1)?.length)
  const least = (all[0] as number[]).map((_, step) => Math.min(...all.map((steps) => steps[step] as number)))
  const sorted = least.toSorted((a, b) => a - b)
  const long = sorted.filter((ms) => ms > longMs).length
  const times = [least.reduce((sum, ms) => sum + ms), ...[0.5, 0.99, 1].map((share) => percentile(sorted, share))]
  rows.push([body.name, String(sorted.length), ...times.map((ms) => ms.toFixed(1)), String(long)])
}
console.log(`Masking bodies of ${bodyBytes / 1e6} MB, the steps in milliseconds, best of ${passes} passes\n`)
printTable(rows)
