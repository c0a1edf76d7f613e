/** Measures how much of the detectors' own secrets is masked in each wrapping: whole, in part, or not at all. */
import { builtInDetectors } from '../../src/detection/detectors/index.ts'
import { createScanner } from '../../src/detection/scanner.ts'
import { compileProfile } from '../../src/policy/redaction/decide.ts'
import { standardProfile } from '../../src/policy/redaction/profile.ts'
import { looseText } from '../../src/policy/redaction/text-place.ts'
import type { Detector } from '../../src/detection/detector.ts'
import { codeWrappings } from './code.ts'
import { dataWrappings } from './data.ts'
import { lineWrappings } from './lines.ts'
import type { Material, Wrapped, Wrapping } from './wrapped.ts'

export const wrappings: Readonly<Record<string, Wrapping>> = { ...dataWrappings, ...lineWrappings, ...codeWrappings }

/** A secret counts as masked in part if this many characters in a row stay readable. */
const readableMin = 8

export interface Sample extends Material {
  readonly kind: string
}

/** One secret in one wrapping. */
export interface Cell {
  readonly kind: string
  readonly wrapping: string
  readonly outcome: 'whole' | 'part' | 'missed'
  readonly text: string
  readonly spans: readonly { readonly start: number; readonly end: number; readonly kind: string }[]
}

type Acting = (text: string) => Cell['spans']

/** The scanner's findings that the standard profile acts on. */
export function standardActing(): Acting {
  const scanner = createScanner()
  const profile = compileProfile(standardProfile, { blockHighRisk: true })
  return (text) =>
    scanner.scan(text, scanner.createMemory()).filter((finding) => profile.decide(finding, looseText) !== 'allow')
}

/** The secrets in the hits of detectors that the standard profile acts on. */
export function samplesOf(detectors: readonly Detector[] = builtInDetectors, acting = standardActing()): Sample[] {
  const samples: Sample[] = []
  for (const { id, group, hits } of detectors) {
    if (group !== 'secret') continue
    for (const text of hits()) {
      const found = acting(text).find((finding) => finding.kind === id)
      if (found !== undefined) samples.push({ kind: id, text, ...withinArmour(text, found) })
    }
  }
  return samples
}

/** The value without its `-----` lines, which are the same for all keys. */
function withinArmour(text: string, { start, end }: { readonly start: number; readonly end: number }) {
  if (!text.startsWith('-----', start)) return { start, end }
  const head = text.indexOf('-----', start + 5) + 5
  const tail = text.indexOf('-----', head)
  return { start: head, end: tail < 0 || tail > end ? end : tail }
}

/** Measures each sample in each wrapping; `acting` finds and decides. */
export function* measure(
  samples: readonly Sample[],
  by: Readonly<Record<string, Wrapping>> = wrappings,
  acting: Acting = standardActing()
): Generator<Cell> {
  for (const [wrapping, wrap] of Object.entries(by))
    for (const sample of samples) {
      const wrapped = wrap(sample)
      const spans = acting(wrapped.text)
      yield { kind: sample.kind, wrapping, text: wrapped.text, spans, outcome: outcomeOf(sample, wrapped, spans) }
    }
}

function outcomeOf({ start, end }: Material, { starts, ends }: Wrapped, spans: Cell['spans']): Cell['outcome'] {
  let run = 0
  let longest = 0
  let masked = 0
  for (let i = start; i < end; i++) {
    const [from, to] = [starts[i] as number, ends[i] as number]
    if (spans.some((span) => span.start < Math.max(to, from + 1) && span.end > from)) {
      masked++
      run = 0
    } else longest = Math.max(longest, ++run)
  }
  if (masked === 0) return 'missed'
  return longest >= readableMin ? 'part' : 'whole'
}
