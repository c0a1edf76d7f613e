/**
 * Text in, findings out. One pass of one automaton finds the anchors of all detectors; a detector's own matcher runs
 * only around its anchors, in a bounded window, so time is linear in the text and does not grow with the number of
 * detectors.
 *
 * Nothing here uses a regular expression. V8 keeps the subject of the last one alive, so a scan by regular expressions
 * would leave a client's text reachable after its request; whoever brings them here must run a constant one at the end.
 */
import { base62Set, digitSet, leftClear, letterSet, runEnd, runStart, wordSet } from './chars.ts'
import { contextUnits, type AnchorSort, type Detector, type Match, type MatchContext } from './detector.ts'
import { builtInDetectors } from './detectors/index.ts'
import { compileEngine, shortestFind, wordUnitsMax, type Engine, type LiteralCase } from './engine.ts'
import type { Finding, Kind, Scanner, ScanMemory, ScanRun } from './findings.ts'
import { ValueMemory } from './memory.ts'
import type { NumberRun } from './number-run.ts'
import { resolveOverlaps } from './overlap.ts'
import { isOwnPlaceholder, isPublishedSample } from './placeholders.ts'

/**
 * Compiles detectors.
 * @throws RangeError for two detectors of one id, or an anchor that can never be found
 */
export function createScanner(detectors: readonly Detector[] = builtInDetectors): Scanner {
  const engine = compileEngine(detectors)
  const kinds = new Map<string, Kind>(
    detectors.map(({ id, label, title, group, tier }) => [id, Object.freeze({ id, label, title, group, tier })])
  )
  if (kinds.size < detectors.length) throw new RangeError('Two detectors have the same id.')
  return {
    kinds,
    lengthMin: shortestFind(detectors),
    createMemory: () => new ValueMemory(),
    scan(text, memory) {
      const run = new Run(engine, text, memory)
      run.step(Infinity)
      return run.findings()
    },
    begin: (text, memory) => new Run(engine, text, memory)
  }
}

class Run implements ScanRun, MatchContext {
  readonly number: NumberRun
  by: AnchorSort = 'literal'
  wordEnd = 0
  readonly #engine: Engine
  readonly #text: string
  readonly #memory: ValueMemory | undefined
  readonly #textNumber: number
  readonly #serial: number
  #state: number
  #at = 0
  /** Place of the recall pass; -1 before it. */
  #recallAt = -1
  #recallHash = 0
  #detector = 0
  /** Runs of digits before this place belong to a word that was looked at. */
  #wordSeenTo = 0
  #found: Finding[] | undefined
  #byContext: Set<Finding> | undefined

  constructor(engine: Engine, text: string, memory: ScanMemory | undefined) {
    this.#engine = engine
    this.number = engine.number
    this.#serial = engine.lookup.nextText()
    this.#text = text
    this.#memory = memory instanceof ValueMemory ? memory : undefined
    this.#textNumber = this.#memory?.nextText() ?? 0
    this.#state = engine.automaton.start
  }

  step(units: number): boolean {
    const length = this.#text.length
    if (this.#recallAt < 0) {
      const limit = Math.min(length, this.#at + Math.max(1, units))
      this.#findAnchors(limit)
      if (limit < length) return false
      this.#settle()
      if (units !== Infinity && this.#recallAt < length) return false
    }
    if (this.#recallAt >= length) return true
    const limit = Math.min(length, this.#recallAt + Math.max(1, units))
    const found = (this.#found ??= [])
    this.#recallHash = (this.#memory as ValueMemory).recall(
      this.#text,
      this.#recallAt,
      limit,
      this.#recallHash,
      this.#textNumber,
      found
    )
    this.#recallAt = limit
    if (limit < length) return false
    this.#found = resolveOverlaps(found)
    return true
  }

  findings(): Finding[] {
    return this.#found ?? []
  }

  near(at: number, unitsMax = contextUnits): boolean {
    return this.#engine.lookup.near(this.#text, this.#serial, at, this.#detector, unitsMax)
  }

  #findAnchors(limit: number): void {
    const text = this.#text
    const { classOf, table, outputMin } = this.#engine.automaton
    let state = this.#state
    for (let i = this.#at; i < limit; i++) {
      state = table[state + (classOf[text.charCodeAt(i)] as number)] as number
      if (state >= outputMin) this.#announce(state, i + 1)
    }
    this.#state = state
    this.#at = limit
  }

  #announce(state: number, end: number): void {
    const { automaton, literals, onQuad } = this.#engine
    const ids = automaton.outputs[(state - automaton.outputMin) / automaton.stride] as Int32Array
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i] as number
      if (id === automaton.runId) this.#digits(end - 3)
      else if (id === automaton.quadId) this.#call('dottedQuad', onQuad, end - 1)
      else this.#literal(literals[id] as readonly LiteralCase[], end)
    }
  }

  #literal(cases: readonly LiteralCase[], end: number): void {
    for (let i = 0; i < cases.length; i++) {
      const { text, folds, detectors } = cases[i] as LiteralCase
      const at = end - text.length
      if (folds || this.#text.startsWith(text, at)) this.#call('literal', detectors, at)
    }
  }

  /** Three digits in a row: a run, perhaps a number that stands alone, perhaps a part of a word. */
  #digits(at: number): void {
    const { onRun, byNumber } = this.#engine
    this.#call('run', onRun, at)
    const text = this.#text
    const number = this.number
    if (number.read(text, at)) {
      for (let groups = number.groupsRead; groups > 0; groups--) {
        if (number.take(text, groups)) this.#call('number', byNumber[number.count] as readonly number[], at)
      }
    }
    this.#word(at)
  }

  #word(at: number): void {
    if (at < this.#wordSeenTo) return
    const text = this.#text
    const start = runStart(text, at, base62Set, wordUnitsMax)
    const end = runEnd(text, at, base62Set, wordUnitsMax)
    this.#wordSeenTo = end
    if (end - start > wordUnitsMax || !leftClear(text, start, wordSet) || wordSet[text.charCodeAt(end)] === 1) return
    const callees = this.#engine.byWord[end - start] as readonly number[]
    if (callees.length === 0 || !hasLetter(text, start, end)) return
    this.wordEnd = end
    this.#call('word', callees, start)
  }

  #call(by: AnchorSort, callees: readonly number[], at: number): void {
    this.by = by
    for (let i = 0; i < callees.length; i++) {
      this.#detector = callees[i] as number
      const detector = this.#engine.detectors[this.#detector] as Detector
      const match = detector.match(this.#text, at, this)
      if (match !== undefined) this.#add(detector, match)
    }
  }

  #add(detector: Detector, match: Match): void {
    const { start, end } = match
    if (isOwnPlaceholder(this.#text, start, end) || isPublishedSample(this.#text, start, end)) return
    const finding: Finding = {
      kind: detector.id,
      group: detector.group,
      tier: match.tier ?? detector.tier,
      confidence: match.confidence,
      start,
      end
    }
    ;(this.#found ??= []).push(finding)
    if (match.byContext === true && this.#memory !== undefined) (this.#byContext ??= new Set()).add(finding)
  }

  /**
   * All anchors are found: settles overlaps, keeps what the context told, and sets the recall pass up where it is
   * needed.
   */
  #settle(): void {
    this.number.clear()
    if (this.#found !== undefined) this.#found = resolveOverlaps(this.#found)
    const memory = this.#memory
    if (memory !== undefined && this.#byContext !== undefined && this.#found !== undefined) {
      for (const finding of this.#found)
        if (this.#byContext.has(finding)) memory.keep(this.#text, finding, this.#textNumber)
    }
    this.#recallAt = memory !== undefined && memory.size > 0 ? 0 : this.#text.length
  }
}

function hasLetter(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (letterSet[text.charCodeAt(i)] === 1) return true
  return digitSet[text.charCodeAt(start)] !== 1
}
