/**
 * The scanner's rate on texts that were made to be slow. The tests hold them to linear work; this says what it costs.
 *
 *   npm run bench:detection -- --adversarial                all texts, 1 and 10 MB: half an hour
 *   npm run bench:detection -- --adversarial --short        all texts, 1 MB
 *   npm run bench:detection -- --adversarial --bytes 3e5    all texts, 300 kB (two sizes: `1e6,1e7`)
 *   npm run bench:detection -- --adversarial --only passport  the texts whose name contains this
 */
import { parseArgs } from 'node:util'
import { builtInDetectors } from '../src/detection/detectors/index.ts'
import type { Scanner } from '../src/detection/findings.ts'
import {
  allAnchors,
  hostileTexts,
  literalTexts,
  textsAgainst,
  type HostileText
} from '../src/detection/hostile-texts.fixture.ts'
import { printTable, processorMs } from './one-core.ts'

/** No text may be scanned more slowly than this, in MB/s. */
const rateMin = 5
const slowestShown = 15
/** A scan is given up when it took this many times as long as it may. */
const patience = 4
/** So often the bench says how far it is. */
const progressMs = 10_000

interface Rated {
  readonly name: string
  /** MB/s for each size; an upper bound if the scan was given up. */
  readonly rates: readonly number[]
}

/** Prints the slowest texts, and whether all of them are fast enough. */
export function benchAdversaries(scanner: Scanner): void {
  const { values } = parseArgs({
    options: {
      adversarial: { type: 'boolean' },
      short: { type: 'boolean' },
      bytes: { type: 'string' },
      only: { type: 'string' }
    }
  })
  const sizes = sizesOf(values.bytes ?? (values.short === true ? '1e6' : '1e6,1e7'))
  const chosen = (texts: HostileText[]): HostileText[] => texts.filter(({ name }) => name.includes(values.only ?? ''))
  const joints = ['', ' ', '=', '"', '": "', '\n'].map((between) => allAnchors(builtInDetectors, between))
  report('texts', sizes, chosen([...hostileTexts, ...joints]), scanner)
  const against = [...literalTexts(builtInDetectors), ...builtInDetectors.flatMap(textsAgainst)]
  const unique = new Map(against.map((text) => [text.name, text]))
  const few = values.bytes === undefined ? [100_000] : sizes
  report('texts out of anchors and hits', few, chosen([...unique.values()]), scanner)
}

function sizesOf(list: string): number[] {
  const sizes = list.split(',').map(Number)
  if (sizes.every((size) => size >= 1000)) return sizes
  throw new RangeError(`--bytes: a list of numbers of at least 1000, such as 1e6,1e7, not ${list}`)
}

/** Rates all texts at each size, the small ones first, and says at once which are slow. */
function report(what: string, sizes: readonly number[], texts: readonly HostileText[], scanner: Scanner): void {
  if (texts.length === 0) return
  const all = texts.map(({ name }) => ({ name, rates: [] as number[] }))
  for (const size of sizes) {
    let saidMs = performance.now()
    for (const [index, text] of texts.entries()) {
      const rate = bestRate(scanner, text.make(size), size)
      all[index]?.rates.push(rate)
      if (rate < rateMin) console.log(`  ${size / 1e6} MB  ${rate.toFixed(1)} MB/s  ${text.name.slice(0, 100)}`)
      if (performance.now() - saidMs < progressMs) continue
      saidMs = performance.now()
      console.log(`  ${size / 1e6} MB  ${index + 1} of ${texts.length} ${what}`)
    }
  }
  const slowest = (one: Rated): number => Math.min(...one.rates)
  const slow = all.filter((one) => slowest(one) < rateMin).length
  const shown = all.toSorted((a, b) => slowest(a) - slowest(b)).slice(0, Math.max(slow, slowestShown))
  printTable([
    [`MB/s, slowest of ${all.length} ${what}`, ...sizes.map((size) => `${size / 1e6} MB`)],
    ...shown.map(({ name, rates }) => [name.slice(0, 80), ...rates.map((rate) => rate.toFixed(1))])
  ])
  console.log(`never below ${rateMin} MB/s: ${slow === 0 ? 'met' : `NOT MET by ${slow} of ${all.length}`}\n`)
}

/**
 * The best of up to four attempts, until one is fast enough: the code may not be compiled yet, and a busy neighbour on
 * the same core takes a third of the rate for seconds. What takes several times too long is not tried more than twice.
 */
function bestRate(scanner: Scanner, text: string, size: number): number {
  const flat = Buffer.from(text, 'utf8').toString('utf8')
  const bytes = Buffer.byteLength(flat)
  const budgetMs = (patience * size) / 1000 / rateMin
  let best = 0
  for (let tries = 0; tries < 4 && best < rateMin; tries++) {
    const ms = scanMs(scanner, flat, budgetMs)
    best = Math.max(best, bytes / 1000 / ms)
    if (ms >= budgetMs && tries > 0) break
  }
  return best
}

/** Milliseconds that the scan of a text takes, or took when they were more than the budget. */
function scanMs(scanner: Scanner, text: string, budgetMs: number): number {
  const from = processorMs()
  const run = scanner.begin(text, scanner.createMemory())
  let ms = 0
  for (let isDone = false; !isDone && ms < budgetMs; ms = processorMs() - from) isDone = run.step(stepUnits)
  return ms
}
const stepUnits = 65_536
