/** The compiled form of a list of detectors: which anchor calls which of them. */
import { buildAutomaton, type Automaton } from './automaton.ts'
import { compileContextWords, ContextLookup } from './context-words.ts'
import type { Anchor, Detector } from './detector.ts'
import { NumberRun } from './number-run.ts'

/** The longest word of letters and digits, and the most digits of a number, that a detector may ask for. */
export const wordUnitsMax = 40
const numberDigitsMax = 19

/** One written case of a literal. The automaton folds case, so literals that differ in it share a place there. */
export interface LiteralCase {
  readonly text: string
  /** Whether any case will do. */
  readonly folds: boolean
  readonly detectors: number[]
}

/** Detectors by what calls them. Numbers are places in `detectors`. */
export interface Engine {
  readonly detectors: readonly Detector[]
  readonly automaton: Automaton
  readonly literals: readonly (readonly LiteralCase[])[]
  readonly byNumber: readonly (readonly number[])[]
  readonly byWord: readonly (readonly number[])[]
  readonly onRun: readonly number[]
  readonly onQuad: readonly number[]
  /** Scratch that all runs share, since a matcher never waits; it holds nothing once a text is done. */
  readonly number: NumberRun
  readonly lookup: ContextLookup
}

/** @throws RangeError for an anchor that asks for a length which is never looked for */
export function compileEngine(detectors: readonly Detector[]): Engine {
  const literals = new Map<string, LiteralCase[]>()
  const byNumber: number[][] = Array.from({ length: numberDigitsMax + 1 }, () => [])
  const byWord: number[][] = Array.from({ length: wordUnitsMax + 1 }, () => [])
  const onRun: number[] = []
  const onQuad: number[] = []
  detectors.forEach((detector, index) => {
    for (const anchor of detector.anchors) {
      if ('literal' in anchor) addLiteral(literals, anchor.literal, anchor.fold === true, index)
      else if ('number' in anchor) for (const length of anchor.number) slot(byNumber, length).push(index)
      else if ('word' in anchor) for (const length of anchor.word) slot(byWord, length).push(index)
      else if ('run' in anchor) onRun.push(index)
      else onQuad.push(index)
    }
  })
  return {
    detectors,
    byNumber,
    byWord,
    onRun,
    onQuad,
    automaton: buildAutomaton([...literals.keys()], true),
    literals: [...literals.values()],
    number: new NumberRun(),
    lookup: new ContextLookup(compileContextWords(detectors))
  }
}

function slot(list: readonly number[][], length: number): number[] {
  const found = list[length]
  if (found === undefined) throw new RangeError(`An anchor asks for a length of ${length}, which is never looked for.`)
  return found
}

function addLiteral(literals: Map<string, LiteralCase[]>, text: string, folds: boolean, index: number): void {
  const key = text.toLowerCase()
  const cases = literals.get(key) ?? []
  literals.set(key, cases)
  const known = cases.find((one) => one.folds === folds && (folds || one.text === text))
  if (known === undefined) cases.push({ text, folds, detectors: [index] })
  else known.detectors.push(index)
}

/** The shortest text in which a detector can find anything: what its anchors say, or itself where it says more. */
export function shortestFind(detectors: readonly Detector[]): number {
  const lengths = detectors.map((detector) => detector.lengthMin ?? Math.min(...detector.anchors.map(anchorLength)))
  return lengths.length === 0 ? 1 : Math.max(1, Math.min(...lengths))
}

function anchorLength(anchor: Anchor): number {
  if ('literal' in anchor) return anchor.literal.length
  if ('number' in anchor) return Math.min(...anchor.number)
  if ('word' in anchor) return Math.min(...anchor.word)
  return 'run' in anchor ? 3 : 7
}
