/**
 * How fast the scanner is, on one core, in one run with what it is compared to: `JSON.parse` + `JSON.stringify` of the
 * same text, and secretlint with its recommended rules.
 *
 *   npm run bench:detection                  about a minute
 *   npm run bench:detection -- --short       a few seconds
 *   npm run bench:detection -- --adversarial texts that were made to be slow; `--short`, `--bytes 1e6,1e7`, `--only NAME`
 */
import { lintSource } from '@secretlint/core'
import { creator } from '@secretlint/secretlint-rule-preset-recommend'
import { filler } from '../src/detection/sample-text.ts'
import { createScanner, type ScannerOptions } from '../src/detection/scanner.ts'
import { builtInDetectors } from '../src/detection/detectors/index.ts'
import type { Scanner } from '../src/detection/findings.ts'
import { compileProfile } from '../src/policy/redaction/decide.ts'
import { standardProfile } from '../src/policy/redaction/profile.ts'
import { benchAdversaries } from './detection-adversarial.ts'
import { corpora, prompts, type Corpus } from './detection-texts.ts'
import { percentile, printTable, raced, stayOnOneCore, timed, usedBytes } from './one-core.ts'

interface Aim {
  readonly what: string
  readonly wanted: string
  readonly measured: string
  readonly met: boolean
}

/** What a workspace of some size configures. */
const policy: ScannerOptions = {
  custom: Array.from({ length: 10 }, (_, i) => ({
    id: `ticket_${i}`,
    pattern: `ticket${i}-[A-Z]{2,4}-[0-9]{4,8}`,
    group: 'pii',
    tier: 'medium'
  })),
  deny: Array.from({ length: 200 }, (_, i) => `${filler(9, undefined, i + 1)} project`),
  known: Array.from({ length: 50 }, (_, i) => ({ value: filler(32, undefined, i + 1) })),
  allow: { emailDomains: ['acme.dev'], patterns: ['test-[a-z]{8}'] }
}

/**
 * V8 compiles hot code in several steps on this same core, and a neighbour on the core's other thread takes a third of
 * the rate for a second at a time. With fewer rounds, one or the other shows in the figures.
 */
const warmRounds = 80

const isPinned = stayOnOneCore()
const isShort = process.argv.includes('--short')
const aims: Aim[] = []
const rate = (bytes: number, ms: number): number => bytes / 1000 / ms

console.log(
  `Node ${process.version}, ${isPinned ? 'on one core' : 'not held to one core'}, ${builtInDetectors.length} kinds, processor time\n`
)
const scanner = measureCompile()
if (process.argv.includes('--adversarial')) benchAdversaries(scanner)
else {
  meetManyTexts(scanner)
  const texts = corpora(isShort ? 1_000_000 : 4_000_000)
  await measureThroughput(texts)
  measurePrompts(texts)
  measurePolicyChange()
}
printTable([
  ['aim', 'wanted', 'measured', 'met'],
  ...aims.map(({ what, wanted, measured, met }) => [what, wanted, measured, met ? 'yes' : 'NO'])
])

function measureCompile(): Scanner {
  let made: Scanner | undefined
  const before = usedBytes()
  const coldMs = timed(() => {
    made = createScanner()
  })
  const bytes = usedBytes() - before
  aims.push({ what: 'compile at start', wanted: '< 60 ms', measured: `${coldMs.toFixed(1)} ms`, met: coldMs < 60 })
  console.log(`compiled form: ${(bytes / 1e6).toFixed(1)} MB of memory\n`)
  return made as Scanner
}

/**
 * Runs last: checking an allow list scans all samples, after which V8 would have compiled the scanner for texts that no
 * request consists of.
 */
function measurePolicyChange(): void {
  const again = Array.from({ length: isShort ? 5 : 15 }, () =>
    timed(() => {
      createScanner(policy)
      compileProfile(standardProfile, { blockHighRisk: true })
    })
  ).toSorted((a, b) => a - b)
  const warmMs = percentile(again, 0.5)
  const measured = `${warmMs.toFixed(1)} ms`
  aims.push({ what: 'compile for a policy change', wanted: '< 20 ms', measured, met: warmMs < 20 })
}

/** V8 compiles what reads texts by the strings that it has met, which in a service are of all sorts (decision 241). */
function meetManyTexts(by: Scanner): void {
  for (const hit of builtInDetectors.flatMap(({ hits }) => hits()))
    for (const line of hit.split('\n')) by.scan(Buffer.from(line, 'utf8').toString('utf8'))
}

/** Scans texts as one request, with one memory for all of them. */
function scanAll(by: Scanner, texts: readonly string[]): void {
  const memory = by.createMemory()
  for (const text of texts) by.scan(text, memory)
}

async function measureThroughput(all: readonly Corpus[]): Promise<void> {
  const tenth = createScanner(builtInDetectors.filter((_, index) => index % 10 === 0))
  const rows = [['MB/s', 'scan', 'a tenth of the kinds', 'parse + stringify', 'secretlint']]
  for (const { name, texts, bytes } of all) {
    const body = JSON.stringify(texts)
    const lintTexts = lintable(texts)
    const lintBytes = lintTexts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
    const best = await raced(
      {
        scan: () => scanAll(scanner, texts),
        tenth: () => scanAll(tenth, texts),
        json: () => JSON.stringify(JSON.parse(body))
      },
      isShort ? 12 : warmRounds
    )
    const lint = await raced({ secretlint: () => lintAll(lintTexts) }, 3)
    const speeds = [rate(bytes, best.scan), rate(bytes, best.tenth), rate(bytes, best.json)]
    const lintSpeed = rate(lintBytes, lint.secretlint)
    rows.push([name, ...speeds.map((speed) => speed.toFixed(0)), lintSpeed.toFixed(0)])
    const [scan = 0, , json = 0] = speeds
    if (name === 'code') {
      aims.push({
        what: 'code, all kinds',
        wanted: '>= 150 MB/s',
        measured: `${scan.toFixed(0)} MB/s`,
        met: scan >= 150
      })
      aims.push(ratio('code, beside parse + stringify', scan / json, 1 / 3, 'least'))
      aims.push(ratio('code, beside secretlint', scan / lintSpeed, 2, 'least'))
      aims.push(ratio('code, time beside that of a tenth of the kinds', best.scan / best.tenth, 1.2, 'most'))
    }
  }
  printTable(rows)
}

function ratio(what: string, measured: number, bound: number, side: 'least' | 'most'): Aim {
  const met = side === 'least' ? measured >= bound : measured <= bound
  return { what, wanted: `${side === 'least' ? '>=' : '<='} ${bound.toFixed(2)}`, measured: measured.toFixed(2), met }
}

/**
 * Part of the texts, in few long ones: secretlint's profiler keeps a mark for each call and rule and searches all of
 * them at each further one, so many short texts would measure the profiler.
 */
function lintable(texts: readonly string[]): string[] {
  const units = 250_000
  const joined = Buffer.from(texts.join('\n').slice(0, 2 * units), 'utf8').toString('utf8')
  return [joined.slice(0, units), joined.slice(units)]
}

async function lintAll(texts: readonly string[]): Promise<void> {
  const config = { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }] }
  for (const content of texts) {
    performance.clearMarks()
    performance.clearMeasures()
    const source = { filePath: 'a.txt', content, ext: '.txt', contentType: 'text' as const }
    await lintSource({ source, options: { config } })
  }
}

/** Each prompt is a request of its own. The first ones warm the code up and are not counted. */
function measurePrompts(all: readonly Corpus[]): void {
  const texts = prompts(all, isShort ? 500 : 1000)
  const times: number[] = []
  for (let round = 0; round < 3; round++) {
    for (const text of texts) {
      const ms = timed(() => scanner.scan(text, scanner.createMemory()))
      if (round > 0) times.push(ms)
    }
  }
  times.sort((a, b) => a - b)
  const p50 = percentile(times, 0.5)
  const p99 = percentile(times, 0.99)
  aims.push({ what: 'prompt of 8 kB, p50', wanted: '', measured: `${p50.toFixed(3)} ms`, met: true })
  aims.push({ what: 'prompt of 8 kB, p99', wanted: '< 0.5 ms', measured: `${p99.toFixed(3)} ms`, met: p99 < 0.5 })
}
