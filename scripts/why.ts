/**
 * Shows why a text is masked, or is not: which matchers it calls, what each of them answers, and which answers remain.
 * The text comes from a file or standard input. It is printed, so it should be one of your own.
 */
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { builtInDetectors, createScanner, type AnchorSort, type Finding } from '../src/detection/index.ts'

/** One call of a matcher. */
interface Call {
  readonly kind: string
  /** The sort of anchor that called it. */
  readonly by: AnchorSort
  /** What stands at the anchor, in the text as it reads there: decoded, or without its margin. */
  readonly around: string
  /** What it found, with its confidence; empty if nothing. */
  readonly answers: readonly string[]
}

const aroundUnits = 32

/** Scans a text. @returns the calls in their order, and the findings that remain where answers overlap */
export function explain(text: string): { readonly calls: readonly Call[]; readonly findings: readonly Finding[] } {
  const calls: Call[] = []
  const watched = builtInDetectors.map((detector): typeof detector => ({
    ...detector,
    match(read, at, context) {
      const match = detector.match(read, at, context)
      const answers: string[] = []
      for (let one = match; one !== undefined; one = one.next)
        answers.push(`${read.slice(one.start, one.end)} (${one.confidence})`)
      calls.push({ kind: detector.id, by: context.by, around: read.slice(at, at + aroundUnits), answers })
      return match
    }
  }))
  const findings = createScanner(watched).scan(text)
  return { calls, findings }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const text = readFileSync(process.argv[2] ?? 0, 'utf8')
  const { calls, findings } = explain(text)
  for (const { kind, by, around, answers } of calls) {
    const answer = answers.length === 0 ? 'nothing' : answers.join(', ')
    console.log(`${kind}, called by the ${by} at ${JSON.stringify(around)}: ${answer}`)
  }
  console.log(`\nfindings: ${findings.length}`)
  for (const { kind, start, end, tier, confidence } of findings)
    console.log(`${kind} (${tier}, ${confidence}): ${text.slice(start, end)}`)
}
