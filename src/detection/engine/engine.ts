/** The compiled form of a list of detectors: which anchor triggers which of them. */
import type { Guard } from '../anchor-guard.ts'
import { smallLettersOf } from './anchor-index.ts'
import { buildAnchorTables, type AnchorTables } from './anchor-tables.ts'
import { charSet, digitSet, type CharSet } from '../text/chars.ts'
import { compileContextWords, ContextLookup } from './context-words.ts'
import type { Anchor, Detector } from '../detector.ts'
import { groupsMax, NumberRun, shapeKey, shapeSpread, shapeUnits } from '../numbers/number-run.ts'
import { digitRules } from '../wasm/digit-rules.ts'
import { mixedForm } from '../wasm/digits-layout.ts'

/** The longest word of letters and digits, and the most digits of a number, that a detector may ask for. */
export const wordUnitsMax = 40
export const numberDigitsMax = 19
/** One more than the most digits of a run that a detector may ask for. */
export const runDigitsMax = 20
/** How many characters of a word have a bit in a bit set. */
export const maskUnitsMax = 31
/** The longest line that is taken for a single value, in code units. */
export const lineUnitsMax = 42
/** Characters of such a line. */
export const lineSet = charSet('A-Z', 'a-z', '0-9', ' -./()+')

/** A literal that triggers no detector. `number` says what it belongs to. */
export interface Signal {
  readonly literal: string
  readonly number: number
}

/** What a run of digits triggers, and next to which characters. */
export interface RunCallee {
  /** A list of one, the type of all callees. */
  readonly detectors: readonly number[]
  readonly always: boolean
  readonly before: CharSet
  /** What must precede that character, if anything. */
  readonly beforeThat: CharSet | undefined
  readonly after: CharSet
}

/** What runs of one length trigger. */
export interface RunCallees {
  /** If the characters on both sides are not in this set, nothing. */
  readonly beside: CharSet
  readonly callees: RunCallee[]
}

/** What numbers of one shape trigger, in the order of the detectors. */
export interface ShapeCallees {
  readonly detectors: number[]
  /** For each, whether it is called only where a name may stand. */
  readonly named: boolean[]
  /** Whether any of them is. */
  hasNamed: boolean
}

/** What a word or a line triggers: the positions of its digits and letters must fit a form, as two bit sets. */
export interface WordCallee {
  /** A list of one, the type of all callees. */
  readonly detectors: readonly number[]
  /**
   * Pairs of the positions of digits and of letters, of which one must fit. Only the first 31 characters count. See
   * {@link mixedForm}.
   */
  readonly forms: readonly number[]
}

/**
 * What a run of base64 letters triggers: behind which characters, and with a digit among how many of its first letters.
 */
export interface TokenCallee {
  /** A list of one, the type of all callees. */
  readonly detectors: readonly number[]
  readonly before: CharSet
  readonly digitWithin: number
}

/** Detectors by what triggers them. A detector's number is its index in `detectors`. */
export interface Engine {
  readonly detectors: readonly Detector[]
  /**
   * Their matchers, in the same order: calling a function costs less than calling a property of objects of many shapes.
   */
  readonly matchers: readonly Detector['match'][]
  readonly anchors: AnchorTables
  /** By the number of a literal, what it triggers. */
  readonly literals: readonly (readonly number[])[]
  /** By the number of bare digits; those in `byBare` require some context word before them. */
  readonly byNumber: readonly (readonly number[])[]
  readonly byBare: readonly (readonly number[])[]
  /** By the shape key of numbers in groups. */
  readonly byShape: ReadonlyMap<number, ShapeCallees>
  /** Whether numbers of so many digits in so many groups trigger anything; see {@link spreadOf}. */
  readonly spreads: Uint8Array
  readonly byWord: readonly (readonly WordCallee[])[]
  readonly byLine: readonly (readonly WordCallee[])[]
  /** Whether lines trigger anything. */
  readonly withLines: boolean
  /** By the number of digits; the last entry is for all longer runs. */
  readonly byRun: readonly RunCallees[]
  readonly onQuad: readonly number[]
  /** By the length of a run of base64 letters. */
  readonly byToken: ReadonlyMap<number, readonly TokenCallee[]>
  /** Scratch shared by all runs, since a matcher never waits. It holds nothing once a text is done. */
  readonly number: NumberRun
  readonly lookup: ContextLookup
  /** By detector: the text and the place for which a literal called it last. */
  readonly calledIn: Float64Array
  readonly calledAt: Int32Array
}

/**
 * Compiles detectors.
 * @param signals literals, matched in any case, of which a pass only reports where they stand
 * @param withSigns also reports the signs of hard text, as signal 0
 * @throws RangeError for an anchor with a length that is never searched for
 */
export function compileEngine(
  detectors: readonly Detector[],
  signals: readonly Signal[] = [],
  withSigns = false
): Engine {
  const literals = new Literals()
  const callees = noCallees()
  let withNumbers = false
  for (let index = 0; index < detectors.length; index++) {
    const { anchors } = detectors[index] as Detector
    for (let i = 0; i < anchors.length; i++) {
      const anchor = anchors[i] as Anchor
      if ('literal' in anchor) literals.add(anchor.literal, anchor.fold === true, anchor.guard, index)
      else {
        addCallee(callees, anchor, index)
        withNumbers ||= !('token' in anchor)
      }
    }
  }
  for (const { literal, number } of signals) literals.add(literal, true, undefined, detectors.length + number)
  const { byNumber, byBare, byLine, spreads } = callees
  for (let count = 0; count <= numberDigitsMax; count++)
    if (slot(byNumber, count).length + slot(byBare, count).length > 0) spreads[spreadOf(count, 1)] = 1
  const withLines = byLine.some((callees) => callees.length > 0)
  const { keys, cases, guards, like } = literals
  return {
    detectors,
    matchers: detectors.map(({ match }) => match),
    ...callees,
    withLines,
    anchors: buildAnchorTables(keys, {
      withNumbers,
      withSigns,
      cases,
      guards,
      like,
      digitRules: withNumbers ? rulesOf(callees, withLines) : undefined,
      forMachine: true
    }),
    literals: literals.callees,
    number: new NumberRun(),
    calledIn: new Float64Array(detectors.length),
    calledAt: new Int32Array(detectors.length),
    lookup: new ContextLookup(compileContextWords(detectors))
  }
}

/** What anchors other than literals trigger, as in {@link Engine}. */
type Callees = ReturnType<typeof noCallees>

function noCallees() {
  const lists = <T>(max: number): T[][] => Array.from({ length: max + 1 }, () => [])
  return {
    byNumber: lists<number>(numberDigitsMax),
    byBare: lists<number>(numberDigitsMax),
    byShape: new Map<number, ShapeCallees>(),
    spreads: new Uint8Array((numberDigitsMax + 1) * (groupsMax + 1)),
    byWord: lists<WordCallee>(wordUnitsMax),
    byLine: lists<WordCallee>(lineUnitsMax),
    byRun: Array.from({ length: runDigitsMax + 1 }, (): RunCallees => ({ beside: charSet(), callees: [] })),
    onQuad: [] as number[],
    byToken: new Map<number, TokenCallee[]>()
  }
}

function addCallee(callees: Callees, anchor: Exclude<Anchor, { readonly literal: string }>, index: number): void {
  if ('number' in anchor) for (const length of anchor.number) slot(callees.byNumber, length).push(index)
  else if ('shapes' in anchor) for (const shape of anchor.shapes) addShape(callees, shape, index, anchor.named === true)
  else if ('line' in anchor)
    for (const length of anchor.line) slot(callees.byLine, length).push(wordCallee(anchor, length, index))
  else if ('word' in anchor)
    for (const length of anchor.word) slot(callees.byWord, length).push(wordCallee(anchor, length, index))
  else if ('run' in anchor) addRun(callees.byRun, anchor, index)
  else if ('token' in anchor) {
    const before = anchor.before === undefined ? charSet().fill(1) : charSet(...anchor.before)
    const callee = { detectors: [index], before, digitWithin: anchor.digitWithin ?? 0 }
    for (const units of anchor.token) callees.byToken.set(units, [...(callees.byToken.get(units) ?? []), callee])
  } else callees.onQuad.push(index)
}

/** What the search checks of a run of digits before it reports it. */
function rulesOf({ byRun, byNumber, byBare, byShape, byWord }: Callees, withLines: boolean): Uint8Array | undefined {
  const shapes = [...byShape.keys()]
  for (let count = 0; count <= numberDigitsMax; count++)
    if (slot(byNumber, count).length + slot(byBare, count).length > 0) shapes.push(count)
  return digitRules({
    runs: byRun.map(({ callees }) => callees),
    shapes,
    words: byWord.map((callees) => callees.flatMap(({ forms }) => forms)),
    line: withLines ? lineSet : undefined
  })
}

/** The index in `spreads` for a number. */
export function spreadOf(count: number, groups: number): number {
  return count * (groupsMax + 1) + groups
}

function addRun(
  byRun: readonly RunCallees[],
  { before, beforeThat, after, digits }: Extract<Anchor, { readonly run: true }>,
  index: number
): void {
  const always = before === undefined && after === undefined
  const callee: RunCallee = {
    detectors: [index],
    always,
    before: charSet(...(before ?? '')),
    beforeThat: beforeThat === undefined ? undefined : charSet(...beforeThat),
    after: charSet(...(after ?? ''))
  }
  const beside = always ? charSet().fill(1) : callee.before.map((bit, code) => bit | (callee.after[code] as number))
  for (const length of digits ?? byRun.keys()) {
    const known = byRun[length]
    if (known === undefined) throw new RangeError(`An anchor asks for a run of ${length}, which is never looked for.`)
    known.callees.push(callee)
    for (let code = 0; code < beside.length; code++)
      known.beside[code] = (known.beside[code] as number) | (beside[code] as number)
  }
}

function wordCallee(
  { forms, mixed }: { forms?: readonly string[]; mixed?: true },
  length: number,
  index: number
): WordCallee {
  if (mixed === true) return { detectors: [index], forms: [mixedForm, mixedForm] }
  if (forms === undefined) return { detectors: [index], forms: [0, 0] }
  const pairs: number[] = []
  for (const form of forms) {
    if (form.length !== length) continue
    let digits = 0
    let letters = 0
    for (let i = 0; i < Math.min(length, maskUnitsMax); i++) {
      const code = form.charCodeAt(i)
      if (digitSet[code] === 1) digits |= 1 << i
      else if (code !== 63) letters |= 1 << i
    }
    if (!holdsPair(pairs, digits, letters)) pairs.push(digits, letters)
  }
  return { detectors: [index], forms: pairs }
}

function holdsPair(pairs: readonly number[], first: number, second: number): boolean {
  for (let i = 0; i < pairs.length; i += 2) if (pairs[i] === first && pairs[i + 1] === second) return true
  return false
}

function slot<T>(list: readonly T[], length: number): T {
  const found = list[length]
  if (found === undefined) throw new RangeError(`An anchor asks for a length of ${length}, which is never looked for.`)
  return found
}

function addShape({ byShape, byBare, spreads }: Callees, shape: string, index: number, named: boolean): void {
  const key = shapeKey(shape)
  if (key <= numberDigitsMax) slot(byBare, key).push(index)
  else {
    const known = byShape.get(key)
    if (known === undefined) byShape.set(key, { detectors: [index], named: [named], hasNamed: named })
    else {
      known.detectors.push(index)
      known.named.push(named)
      known.hasNamed ||= named
    }
    spreads[spreadOf(...shapeSpread(shape))] = 1
  }
}

/** Literals by number, in parallel lists: they are filled at each start. */
class Literals {
  /** In lower case. */
  readonly keys: string[] = []
  /** The spelling of those whose case matters. */
  readonly cases: (string | undefined)[] = []
  readonly guards: (Guard | undefined)[] = []
  /** Indexes of detectors; those past the end stand for signals. */
  readonly callees: number[][] = []
  /** By number, the first literal that is the same in lower case, if that is another one. */
  readonly like: (number | undefined)[] = []
  readonly #first = new Map<string, number>()
  /** By the first one, all others that are the same. */
  readonly #others = new Map<number, number[]>()

  /** @param fold whether it matches in any case */
  add(literal: string, fold: boolean, guard: Guard | undefined, index: number): void {
    const key = smallLettersOf(literal)
    // A literal without letters has a single spelling.
    const written = fold || key === literal.toUpperCase() ? undefined : literal
    const first = this.#first.get(key)
    const known = first === undefined ? undefined : this.#find(first, written, guard)
    if (known !== undefined) {
      const callees = this.callees[known] as number[]
      if (callees.at(-1) !== index) callees.push(index)
      return
    }
    const id = this.keys.push(key) - 1
    this.cases.push(written)
    this.guards.push(guard)
    this.callees.push([index])
    this.like.push(first)
    if (first === undefined) this.#first.set(key, id)
    else this.#others.set(first, [...(this.#others.get(first) ?? []), id])
  }

  #find(first: number, written: string | undefined, guard: Guard | undefined): number | undefined {
    const isSame = (id: number) => this.cases[id] === written && this.guards[id] === guard
    return isSame(first) ? first : this.#others.get(first)?.find(isSame)
  }
}

/**
 * The length of the shortest text in which a detector can find anything, by its anchors or, if that is longer, its own
 * `lengthMin`.
 */
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
  if ('token' in anchor) return Math.min(...anchor.token)
  return 'run' in anchor ? 3 : 7
}
