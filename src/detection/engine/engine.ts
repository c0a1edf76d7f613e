/** The compiled form of a list of detectors: which anchor calls which of them. */
import type { Guard } from './anchor-guard.ts'
import { smallLettersOf } from './anchor-index.ts'
import { buildAnchorTables, type AnchorTables } from './anchor-tables.ts'
import { charSet, digitSet, type CharSet } from '../text/chars.ts'
import { compileContextWords, ContextLookup } from './context-words.ts'
import type { Anchor, Detector } from '../detector.ts'
import { groupsMax, NumberRun, shapeKey, shapeSpread, shapeUnits } from '../numbers/number-run.ts'
import { digitRules } from '../wasm/digit-rules.ts'
import { mixedForm } from '../wasm/digits-code.ts'

/** The longest word of letters and digits, and the most digits of a number, that a detector may ask for. */
export const wordUnitsMax = 40
export const numberDigitsMax = 19
/** The most digits of a run that a detector may ask for, and one more. */
export const runDigitsMax = 20
/** So many characters of a word have a bit in a set. */
export const maskUnitsMax = 31
/** The longest line that is taken for one value. */
export const lineUnitsMax = 42
/** What such a line may consist of. */
export const lineSet = charSet('A-Z', 'a-z', '0-9', ' -./()+')

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
  /** What stands before that, where it matters. */
  readonly beforeThat: CharSet | undefined
  readonly after: CharSet
}

/** Who is called for runs of one length. */
export interface RunCallees {
  /** Where the characters on both sides have no mark in it, nobody is called. */
  readonly beside: CharSet
  readonly callees: RunCallee[]
}

/** Who is called for a word, or a line: at the places of a form it has digits and letters, as two bits sets tell. */
export interface WordCallee {
  /** As a list of one, which is what callees are. */
  readonly detectors: readonly number[]
  /** Pairs of the places of digits and of letters, of which one must fit; the first 31 characters count. See {@link mixedForm}. */
  readonly forms: readonly number[]
}

/** Who is called for a run of base64 letters, behind which characters, and with a digit among how many of its own. */
export interface TokenCallee {
  /** As a list of one, which is what callees are. */
  readonly detectors: readonly number[]
  readonly before: CharSet
  readonly digitWithin: number
}

/** Detectors by what calls them. Numbers are places in `detectors`. */
export interface Engine {
  readonly detectors: readonly Detector[]
  /** Their matchers, in the same order: a call of a function costs less than one of a property of many shapes. */
  readonly matchers: readonly Detector['match'][]
  readonly anchors: AnchorTables
  /** By the number of a literal, who is called. */
  readonly literals: readonly (readonly number[])[]
  /** By the count of bare digits; those in `byBare` want some context word before them. */
  readonly byNumber: readonly (readonly number[])[]
  readonly byBare: readonly (readonly number[])[]
  /** By the key of a shape in groups. */
  readonly byShape: ReadonlyMap<number, readonly number[]>
  /** Whether numbers of some count of digits in some count of groups call anybody; see {@link spreadOf}. */
  readonly spreads: Uint8Array
  readonly byWord: readonly (readonly WordCallee[])[]
  readonly byLine: readonly (readonly WordCallee[])[]
  /** Whether lines call anybody. */
  readonly withLines: boolean
  /** By the count of digits; those of longer runs stand in the last. */
  readonly byRun: readonly RunCallees[]
  readonly onQuad: readonly number[]
  /** By the units of a run of base64 letters. */
  readonly byToken: ReadonlyMap<number, readonly TokenCallee[]>
  /** Scratch that all runs share, since a matcher never waits; it holds nothing once a text is done. */
  readonly number: NumberRun
  readonly lookup: ContextLookup
}

/**
 * Compiles detectors.
 * @param signals literals, in any case, of which a pass only tells that they stand somewhere
 * @param withSigns also tells of the signs of hard text, as signal 0
 * @throws RangeError for an anchor that asks for a length which is never looked for
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
    lookup: new ContextLookup(compileContextWords(detectors))
  }
}

/** Whom anchors call that are no literals, as {@link Engine} has it. */
type Callees = ReturnType<typeof noCallees>

function noCallees() {
  const lists = <T>(max: number): T[][] => Array.from({ length: max + 1 }, () => [])
  return {
    byNumber: lists<number>(numberDigitsMax),
    byBare: lists<number>(numberDigitsMax),
    byShape: new Map<number, number[]>(),
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
  else if ('shapes' in anchor) for (const shape of anchor.shapes) addShape(callees, shape, index)
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

/** What the search asks of runs of digits before it tells of them. */
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

/** Where `spreads` tells of a number. */
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

function addShape({ byShape, byBare, spreads }: Callees, shape: string, index: number): void {
  const key = shapeKey(shape)
  if (key <= numberDigitsMax) slot(byBare, key).push(index)
  else {
    const known = byShape.get(key)
    if (known === undefined) byShape.set(key, [index])
    else known.push(index)
    spreads[spreadOf(...shapeSpread(shape))] = 1
  }
}

/** Literals by number, in lists side by side: they are filled at each start. */
class Literals {
  /** In small letters. */
  readonly keys: string[] = []
  /** How each is written, where its case matters. */
  readonly cases: (string | undefined)[] = []
  readonly guards: (Guard | undefined)[] = []
  /** Places in the list of detectors; those past its end stand for signals. */
  readonly callees: number[][] = []
  /** By number, the first one that is the same in small letters, where that is another one. */
  readonly like: (number | undefined)[] = []
  readonly #first = new Map<string, number>()
  /** By the first one, all others that are the same. */
  readonly #others = new Map<number, number[]>()

  /** @param fold whether any case will do */
  add(literal: string, fold: boolean, guard: Guard | undefined, index: number): void {
    const key = smallLettersOf(literal)
    // What has no letters is written in one way only.
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
  if ('token' in anchor) return Math.min(...anchor.token)
  return 'run' in anchor ? 3 : 7
}
