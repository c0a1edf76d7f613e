/** The compiled form of a list of detectors: which anchor calls which of them. */
import { buildAutomaton, type Automaton } from './automaton.ts'
import { charSet, type CharSet } from './chars.ts'
import { compileContextWords, ContextLookup } from './context-words.ts'
import type { Anchor, Detector } from './detector.ts'
import { NumberRun, shapeKey, shapeUnits } from './number-run.ts'

/** The longest word of letters and digits, and the most digits of a number, that a detector may ask for. */
export const wordUnitsMax = 40
const numberDigitsMax = 19
/** The longest line that is taken for one value. */
export const lineUnitsMax = 42

/** One written case of a literal. The automaton folds case, so literals that differ in it share a place there. */
export interface LiteralCase {
  readonly text: string
  /** Whether any case will do. */
  readonly folds: boolean
  /** Places in the list of detectors; those past its end stand for signals. */
  readonly detectors: number[]
}

/** A literal that calls no detector; `number` says whose it is. */
export interface Signal {
  readonly literal: string
  readonly number: number
}

/** Who is called for a run of digits, and beside which characters. */
export interface RunCallee {
  /** As a list of one, which is what callees are. */
  readonly detectors: readonly number[]
  readonly always: boolean
  readonly before: CharSet
  readonly after: CharSet
}

/** Detectors by what calls them. Numbers are places in `detectors`. */
export interface Engine {
  readonly detectors: readonly Detector[]
  /** Their matchers, in the same order: a call of a function costs less than one of a property of many shapes. */
  readonly matchers: readonly Detector['match'][]
  readonly automaton: Automaton
  readonly literals: readonly (readonly LiteralCase[])[]
  readonly byNumber: readonly (readonly number[])[]
  /** By the key of a shape; bare digits by their count in `byBare`. */
  readonly byShape: ReadonlyMap<number, readonly number[]>
  readonly byBare: readonly (readonly number[])[]
  readonly byWord: readonly (readonly number[])[]
  readonly byLine: readonly (readonly number[])[]
  readonly onRun: readonly RunCallee[]
  readonly onQuad: readonly number[]
  /** Scratch that all runs share, since a matcher never waits; it holds nothing once a text is done. */
  readonly number: NumberRun
  readonly lookup: ContextLookup
}

/**
 * Compiles detectors.
 * @param signals literals, in any case, of which a pass only tells that they stand somewhere
 * @param signs codes beyond ASCII, of which a pass tells in the same way, as signal 0
 * @throws RangeError for an anchor that asks for a length which is never looked for
 */
export function compileEngine(
  detectors: readonly Detector[],
  signals: readonly Signal[] = [],
  signs: readonly number[] = []
): Engine {
  const literals = new Map<string, LiteralCase[]>()
  const byNumber: number[][] = Array.from({ length: numberDigitsMax + 1 }, () => [])
  const byShape = new Map<number, number[]>()
  const byBare: number[][] = Array.from({ length: numberDigitsMax + 1 }, () => [])
  const byWord: number[][] = Array.from({ length: wordUnitsMax + 1 }, () => [])
  const byLine: number[][] = Array.from({ length: lineUnitsMax + 1 }, () => [])
  const onRun: RunCallee[] = []
  const onQuad: number[] = []
  detectors.forEach((detector, index) => {
    for (const anchor of detector.anchors) {
      if ('literal' in anchor) addLiteral(literals, anchor.literal, anchor.fold === true, index)
      else if ('number' in anchor) for (const length of anchor.number) slot(byNumber, length).push(index)
      else if ('shapes' in anchor) for (const shape of anchor.shapes) addShape(byShape, byBare, shape, index)
      else if ('line' in anchor) for (const length of anchor.line) slot(byLine, length).push(index)
      else if ('word' in anchor) for (const length of anchor.word) slot(byWord, length).push(index)
      else if ('run' in anchor) onRun.push(runCallee(anchor, index))
      else onQuad.push(index)
    }
  })
  for (const { literal, number } of signals) addLiteral(literals, literal, true, detectors.length + number)
  const withNumbers = detectors.some((detector) => detector.anchors.some((anchor) => !('literal' in anchor)))
  return {
    detectors,
    matchers: detectors.map(({ match }) => match),
    byNumber,
    byShape,
    byBare,
    byWord,
    byLine,
    onRun,
    onQuad,
    automaton: buildAutomaton([...literals.keys()], withNumbers, signs),
    literals: [...literals.values()],
    number: new NumberRun(),
    lookup: new ContextLookup(compileContextWords(detectors))
  }
}

function runCallee({ before, after }: { before?: string; after?: string }, index: number): RunCallee {
  const always = before === undefined && after === undefined
  return { detectors: [index], always, before: charSet(...(before ?? '')), after: charSet(...(after ?? '')) }
}

function slot(list: readonly number[][], length: number): number[] {
  const found = list[length]
  if (found === undefined) throw new RangeError(`An anchor asks for a length of ${length}, which is never looked for.`)
  return found
}

function addShape(byShape: Map<number, number[]>, byBare: readonly number[][], shape: string, index: number): void {
  const key = shapeKey(shape)
  if (key <= numberDigitsMax) slot(byBare, key).push(index)
  else {
    const known = byShape.get(key)
    if (known === undefined) byShape.set(key, [index])
    else known.push(index)
  }
}

function addLiteral(literals: Map<string, LiteralCase[]>, text: string, anyCase: boolean, index: number): void {
  const key = text.toLowerCase()
  // What has no letters needs no second look at its case.
  const folds = anyCase || key === text.toUpperCase()
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
  if ('shapes' in anchor) return Math.min(...anchor.shapes.map(shapeUnits))
  if ('line' in anchor) return Math.min(...anchor.line)
  if ('word' in anchor) return Math.min(...anchor.word)
  return 'run' in anchor ? 3 : 7
}
