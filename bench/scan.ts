/**
 * `node bench/scan.ts`: the speed of the parts of masking on one core, compared with `JSON.parse` + `JSON.stringify` of
 * the same body, the least work of any proxy that parses bodies. The parts run in alternation within one run.
 */
import { createHmac } from 'node:crypto'
import { dialects } from '../src/dialects/index.ts'
import { indexJson, type JsonIndex } from '../src/dialects/json/json-index.ts'
import type { BodyPlan } from '../src/dialects/dialect.ts'
import { finish } from '../src/detection/engine/pace.ts'
import { createScanner } from '../src/detection/scanner.ts'
import { redactBody } from '../src/ingress/body/redact-body.ts'
import { createRedactor } from '../src/ingress/body/redact-texts.ts'
import { createPlaceholders } from '../src/policy/redaction/placeholder.ts'
import { compileProfile } from '../src/policy/redaction/decide.ts'
import { standardProfile } from '../src/policy/redaction/profile.ts'
import { makeBody, type BodyDialect } from './bodies.ts'
import { median } from './measure.ts'

const bodyBytes = 500_000
const rounds = 60
const warmupRounds = 20
const bounds = { depthMax: 256, valuesMax: 2_000_000 }
const decodeUtf8 = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8')

function partsOf(dialect: BodyDialect): Record<string, () => unknown> {
  const bytes = Buffer.from(makeBody(dialect, bodyBytes, 1).bytes)
  const scanner = createScanner()
  const profile = compileProfile(standardProfile, { blockHighRisk: true })
  const digest = (value: string): Uint8Array => createHmac('sha256', 'bench').update(value).digest()
  const toPlan = (): { index: JsonIndex; plan: BodyPlan } => {
    const index = finish(indexJson(bytes, { ...bounds, decodeUtf8 }))
    return { index, plan: finish(dialects[dialect].plan(index)) }
  }
  const decode = (): string[] => {
    const { index, plan } = toPlan()
    return Array.from(plan.texts, (text) => text.node)
      .filter((node) => index.byteLength(node) >= scanner.lengthMin)
      .map((node) => index.text(node))
  }
  const texts = decode()
  const whole = texts.join('\n')
  return {
    'parse + stringify': () => Buffer.from(JSON.stringify(JSON.parse(bytes.toString('utf8')))),
    index: () => finish(indexJson(bytes, { ...bounds, decodeUtf8 })),
    'index + plan': () => Array.from(toPlan().plan.texts).length,
    'index + plan + decode': decode,
    'scan, text by text': () => {
      const memory = scanner.createMemory()
      return texts.reduce((sum, text) => sum + scanner.scan(text, memory).length, 0)
    },
    'scan, as one text': () => scanner.scan(whole).length,
    'all of it, masked': () => {
      const redactor = createRedactor(scanner, profile, createPlaceholders('keyed', digest))
      return finish(redactBody(bytes, dialects[dialect], redactor, bounds)).bytes.length
    }
  }
}

function measure(parts: Record<string, () => unknown>): Map<string, number> {
  const samplesMs = new Map(Object.keys(parts).map((name) => [name, [] as number[]]))
  for (let round = -warmupRounds; round < rounds; round++) {
    for (const [name, part] of Object.entries(parts)) {
      const startedAt = performance.now()
      part()
      if (round >= 0) samplesMs.get(name)?.push(performance.now() - startedAt)
    }
  }
  return new Map([...samplesMs].map(([name, samples]) => [name, median(samples)]))
}

for (const dialect of ['chat-completions', 'messages'] as const) {
  const medians = measure(partsOf(dialect))
  const baseMs = medians.get('parse + stringify') ?? Number.NaN
  console.log(`${dialect}, ${bodyBytes / 1000} kB, median of ${rounds}`)
  for (const [name, ms] of medians) {
    const speed = bodyBytes / 1000 / ms
    const cells = [
      ms.toFixed(2).padStart(7),
      'ms',
      speed.toFixed(0).padStart(6),
      'MB/s',
      (ms / baseMs).toFixed(2).padStart(6)
    ]
    console.log(`  ${name.padEnd(22)} ${cells.join(' ')} x`)
  }
}
