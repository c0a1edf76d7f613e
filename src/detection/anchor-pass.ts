/** One engine's pass over one text: finds the anchors and calls the matchers. */
import { base62Set, charSet, digitSet, leftClear, letterSet, runEnd, runStart, wordSet } from './chars.ts'
import { contextUnits, type AnchorSort, type Detector, type MatchContext, type Match } from './detector.ts'
import { lineUnitsMax, wordUnitsMax, type Engine, type LiteralCase, type RunCallee } from './engine.ts'
import type { Kind } from './findings.ts'
import { isSeparator, type NumberRun } from './number-run.ts'

/** Who is told what a pass comes upon. */
export interface AnchorSink {
  add(kind: Kind, match: Match): void
  /** The literal of a signal stands at `at`. */
  signal(at: number, number: number): void
}

export class AnchorPass implements MatchContext {
  readonly number: NumberRun
  by: AnchorSort = 'literal'
  wordEnd = 0
  line = ''
  /** All codes of the text since the last time that somebody set this to zero, or-ed together. */
  codesSeen = 0
  readonly #engine: Engine
  readonly #text: string
  readonly #sink: AnchorSink
  readonly #serial: number
  #state: number
  #at = 0
  #detector = 0
  /** Runs of digits before these places belong to a word, or a line, that was looked at. */
  #wordSeenTo = 0
  #lineSeenTo = 0

  constructor(engine: Engine, text: string, sink: AnchorSink) {
    this.#engine = engine
    this.number = engine.number
    this.#serial = engine.lookup.nextText()
    this.#text = text
    this.#sink = sink
    this.#state = engine.automaton.start
  }

  near(at: number, unitsMax = contextUnits): boolean {
    return this.#engine.lookup.near(this.#text, this.#serial, at, this.#detector, unitsMax)
  }

  /** Goes on to `limit`. */
  advance(limit: number): void {
    const text = this.#text
    const { classOf, table, outputMin } = this.#engine.automaton
    let state = this.#state
    let seen = this.codesSeen
    for (let i = this.#at; i < limit; i++) {
      const code = text.charCodeAt(i)
      seen |= code
      state = table[state + (classOf[code] as number)] as number
      if (state >= outputMin) this.#announce(state, i + 1)
    }
    this.codesSeen = seen
    this.#state = state
    this.#at = limit
  }

  /** Forgets what was read of the text. */
  clear(): void {
    this.number.clear()
    this.line = ''
  }

  #announce(state: number, end: number): void {
    const { automaton, literals, onQuad } = this.#engine
    const ids = automaton.outputs[(state - automaton.outputMin) / automaton.stride] as Int32Array
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i] as number
      if (id === automaton.runId) this.#digits(end - 3)
      else if (id === automaton.quadId) this.#call('dottedQuad', onQuad, end - 1)
      else if (id === automaton.oneOfId) this.#sink.signal(end - 1, 0)
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
    const text = this.#text
    const before = text.charCodeAt(at - 1)
    const after = text.charCodeAt(runEnd(text, at, digitSet, wordUnitsMax))
    // Digits inside of a word are no number, and hashes are full of them.
    if (leftClear(text, at, base62Set)) {
      this.#run(at, before, after)
      this.#read(at, at)
      const start = shortGroupsBefore(text, at)
      if (start < at) this.#read(start, at)
    }
    if (base62Set[before] === 1 || base62Set[after] === 1) this.#word(at)
    this.#line(at)
  }

  #run(at: number, before: number, after: number): void {
    const { onRun } = this.#engine
    for (let i = 0; i < onRun.length; i++) {
      const callee = onRun[i] as RunCallee
      if (callee.always || callee.before[before] === 1 || callee.after[after] === 1)
        this.#call('run', callee.detectors, at)
    }
  }

  /** Numbers that start at a place and go on behind the run at `run`, the longest first. */
  #read(at: number, run: number): void {
    const number = this.number
    if (!number.read(this.#text, at)) return
    for (let groups = number.groupsRead; groups > 0; groups--) {
      const fits = number.take(this.#text, groups)
      if (number.end <= run) return
      if (fits) this.#number(at)
    }
  }

  #number(at: number): void {
    const { byNumber, byBare, byShape, lookup } = this.#engine
    const { count, groups, key } = this.number
    this.#call('number', byNumber[count] as readonly number[], at)
    if (groups > 1) {
      const callees = byShape.get(key)
      if (callees !== undefined) this.#call('number', callees, at)
      return
    }
    const callees = byBare[count] as readonly number[]
    if (callees.length > 0 && lookup.any(this.#text, this.#serial, at)) this.#call('number', callees, at)
  }

  /** A line that is one value and nothing else. */
  #line(at: number): void {
    if (at < this.#lineSeenTo) return
    const text = this.#text
    // Whatever ends this line ends it for the digits before it as well, so no line is read twice.
    let end = runEnd(text, at, lineSet, lineUnitsMax + 1)
    this.#lineSeenTo = end
    if (end < text.length && !isLineBreak(text.charCodeAt(end))) return
    let start = runStart(text, at, lineSet, lineUnitsMax)
    if (start > 0 && !isLineBreak(text.charCodeAt(start - 1))) return
    while (text.charCodeAt(start) === 32) start++
    while (text.charCodeAt(end - 1) === 32) end--
    if (end - start > lineUnitsMax || isListed(text, start, end)) return
    let value = ''
    for (let i = start; i < end; i++) if (base62Set[text.charCodeAt(i)] === 1) value += text.charAt(i)
    const callees = this.#engine.byLine[value.length] as readonly number[]
    if (callees.length === 0) return
    this.line = value.toUpperCase()
    this.wordEnd = end
    this.#call('line', callees, start)
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
      const callee = callees[i] as number
      const matcher = this.#engine.matchers[callee]
      if (matcher === undefined) {
        this.#sink.signal(at, callee - this.#engine.matchers.length)
        continue
      }
      this.#detector = callee
      let match = matcher(this.#text, at, this)
      for (; match !== undefined; match = match.next) this.#sink.add(this.#engine.detectors[callee] as Detector, match)
    }
  }
}

/** What a line may consist of that is taken for one value. */
const lineSet = charSet('A-Z', 'a-z', '0-9', ' -./()+')

/** Whether bare digits stand above or below other bare digits: a column of numbers and not a field of a form. */
function isListed(text: string, start: number, end: number): boolean {
  if (runEnd(text, start, digitSet, lineUnitsMax) !== end) return false
  const above = start - (text.charCodeAt(start - 2) === 13 ? 2 : 1)
  if (above > 0 && digitSet[text.charCodeAt(above - 1)] === 1) {
    const first = runStart(text, above, digitSet, lineUnitsMax)
    if (first === 0 || isLineBreak(text.charCodeAt(first - 1))) return true
  }
  const below = end + (text.charCodeAt(end) === 13 ? 2 : 1)
  const last = runEnd(text, below, digitSet, lineUnitsMax)
  return last > below && (last === text.length || isLineBreak(text.charCodeAt(last)))
}

function isLineBreak(code: number): boolean {
  return code === 10 || code === 13
}

/** Where a number starts whose first groups are too short to be an anchor: `12.345.678`, `1 85 05 780`. */
function shortGroupsBefore(text: string, at: number): number {
  let start = at
  for (let groups = 0; groups < groupsBeforeMax && isSeparator(text.charCodeAt(start - 1)); groups++) {
    const from = runStart(text, start - 1, digitSet, 3)
    if (from === start - 1 || start - 1 - from > 2) break
    start = from
  }
  return start
}
const groupsBeforeMax = 5

function hasLetter(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (letterSet[text.charCodeAt(i)] === 1) return true
  return digitSet[text.charCodeAt(start)] !== 1
}
