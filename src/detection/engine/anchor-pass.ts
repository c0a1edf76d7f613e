/** One engine's pass over one text: finds the anchors and calls the matchers. */
import { AnchorSearch } from './anchor-search.ts'
import { base62Set, codeAt, digitSet, inSet, leftClear, letterSet, runEnd, runStart, wordSet } from '../text/chars.ts'
import { contextUnits, type AnchorSort, type Detector, type MatchContext, type Match } from '../detector.ts'
import {
  lineSet,
  lineUnitsMax,
  maskUnitsMax,
  numberDigitsMax,
  runDigitsMax,
  spreadOf,
  wordUnitsMax,
  type Engine,
  type RunCallee,
  type RunCallees,
  type ShapeCallees,
  type TokenCallee,
  type WordCallee
} from './engine.ts'
import { ColumnHeads } from './column-heads.ts'
import { saidBehind } from '../text/spelled-names.ts'
import { isLineBreak, standsAlone } from './lone-line.ts'
import type { Kind } from '../findings.ts'
import { groupsMax, isSeparator, type NumberRun } from '../numbers/number-run.ts'
import type { TextBlock } from './text-block.ts'
import { asks, mixedForm } from '../wasm/digits-layout.ts'

/** Receives what a pass finds. */
export interface AnchorSink {
  add(kind: Kind, match: Match): void
  /** Reports that the literal of a signal stands at `at`. */
  signal(at: number, number: number): void
}

/** The number of passes so far, from which each takes its `textNumber`. */
let passes = 0

export class AnchorPass implements MatchContext {
  readonly textNumber = ++passes
  readonly number: NumberRun
  /** Calls of matchers since the scan last charged for them. */
  calls = 0
  by: AnchorSort = 'literal'
  wordEnd = 0
  line = ''
  readonly #engine: Engine
  readonly #text: string
  readonly #sink: AnchorSink
  readonly #search: AnchorSearch
  /** Created when the first value needs it. */
  #heads: ColumnHeads | undefined
  #detector = 0
  /** How far the text was searched. */
  #readTo = 0
  /** What matchers left for later steps, and the detectors whose they are. */
  #left: { readonly detector: number; readonly rest: Iterator<Match | undefined> }[] = []
  /** Runs of digits before these places belong to a word, or a line, that was already examined. */
  #wordSeenTo = 0
  #lineSeenTo = 0

  constructor(engine: Engine, text: string, sink: AnchorSink) {
    this.#engine = engine
    this.number = engine.number
    this.#text = text
    this.#sink = sink
    this.#search = new AnchorSearch(engine.anchors, text)
  }

  near(at: number, unitsMax = contextUnits): boolean {
    const { lookup } = this.#engine
    const text = this.#text
    if (!lookup.near(text, this.textNumber, at, this.#detector, unitsMax))
      return hears(this.#headOf(at), this.#detector)
    if (hears(this.#headOf(at), this.#detector)) return true
    // In a table the headers of other columns do not count as context, however close they are.
    const row = (this.#heads as ColumnHeads).row
    return row < 0 || at - row >= unitsMax || lookup.near(text, this.textNumber, at, this.#detector, at - row)
  }

  isOfDocuments(at: number): boolean {
    return (this.#heads ??= new ColumnHeads(this.#engine.lookup)).isOfDocuments(this.#text, at)
  }

  /** The detectors that listen to the header of the column in which a value stands. */
  #headOf(at: number): Int32Array | undefined {
    return (this.#heads ??= new ColumnHeads(this.#engine.lookup)).at(this.#text, at)
  }

  later(rest: Iterator<Match | undefined>): void {
    this.#left.push({ detector: this.#detector, rest })
  }

  /** Searches the next block of the text. */
  read(block: TextBlock): void {
    this.#search.read(block)
    this.#readTo = block.to
  }

  /**
   * Calls the matchers for what was found.
   * @returns false if one left something for later, which is to be done before the next is called: of two findings at the
   *   same place, the first may stay
   */
  call(): boolean {
    const search = this.#search
    const { literals, onQuad, anchors } = this.#engine
    while (this.#left.length === 0 && search.next(this.#readTo)) {
      const { end, id } = search
      if (id < anchors.runId) this.#callByLiteral(literals[id] as readonly number[], search.start)
      else if (id > anchors.signId) this.#digits(end - 3, id - anchors.signId)
      else if (id === anchors.runId) this.#digits(end - 3, asks.any)
      else if (id === anchors.quadId) this.#call('dottedQuad', onQuad, end - 1)
      else this.#sink.signal(end - 1, 0)
    }
    return this.#left.length === 0
  }

  /** Does what matchers left for later, a part at a time, and calls the others. */
  *catchUp(): Generator<void, void, void> {
    while (!this.call()) {
      // What is left may leave more: the rows below the next name.
      for (const { detector, rest } of this.#left) {
        for (;;) {
          this.#detector = detector
          const part = rest.next()
          if (part.done === true) break
          this.#report(detector, part.value)
          yield
        }
      }
      this.#left = []
    }
  }

  /** Reports a run of base64 letters at `at`. */
  token(at: number, units: number): void {
    const callees = this.#engine.byToken.get(units)
    if (callees === undefined) return
    const code = codeAt(this.#text, at - 1)
    for (let i = 0; i < callees.length; i++) {
      const { detectors, before, digitWithin } = callees[i] as TokenCallee
      if (code < 128 && before[code] !== 1) continue
      if (digitWithin === 0 || hasDigit(this.#text, at, at + digitWithin)) this.#call('token', detectors, at)
    }
  }

  /** Drops what was read of the text. */
  clear(): void {
    this.number.clear()
    this.line = ''
  }

  /**
   * Handles three digits in a row: as `asked` says, they may be a run, a number that stands alone, part of a word, or a
   * line.
   */
  #digits(at: number, asked: number): void {
    // More digits of a word or line that was already examined: hashes are full of them.
    if (at < this.#wordSeenTo) return
    const text = this.#text
    const before = codeAt(text, at - 1)
    const end = runEnd(text, at + 3, digitSet, wordUnitsMax - 3)
    const after = codeAt(text, end)
    const isBehindWord = inSet(base62Set, before)
    // Digits within a word are not a number.
    if ((asked & (asks.run | asks.number)) !== 0 && (!isBehindWord || leftClear(text, at, base62Set))) {
      if ((asked & asks.run) !== 0) this.#run(at, end - at, before, after)
      if ((asked & asks.number) !== 0) this.#numbers(at, end)
    }
    if ((asked & asks.word) !== 0 && (isBehindWord || inSet(base62Set, after))) this.#word(at)
    if ((asked & asks.line) === 0 || !this.#engine.withLines || at < this.#lineSeenTo) return
    if (inSet(lineSet, before) || at === 0 || isLineBreak(before)) this.#line(at)
  }

  #run(at: number, digits: number, before: number, after: number): void {
    const { beside, callees } = this.#engine.byRun[Math.min(digits, runDigitsMax)] as RunCallees
    if (((beside[before & 127] as number) | (beside[after & 127] as number)) === 0) return
    for (let i = 0; i < callees.length; i++) {
      const callee = callees[i] as RunCallee
      if (callee.always || inSet(callee.after, after) || (inSet(callee.before, before) && this.#isBehind(callee, at)))
        this.#call('run', callee.detectors, at)
    }
  }

  #isBehind({ beforeThat }: RunCallee, at: number): boolean {
    return beforeThat === undefined || inSet(beforeThat, codeAt(this.#text, at - 2))
  }

  /** The numbers to which a run of digits belongs. They begin with it, or with shorter groups before it. */
  #numbers(at: number, end: number): void {
    const text = this.#text
    const after = codeAt(text, end)
    const goesOn = isSeparator(after) && inSet(digitSet, codeAt(text, end + 1))
    if (!goesOn && inSet(wordSet, after)) return
    if (goesOn || this.#engine.spreads[spreadOf(Math.min(end - at, numberDigitsMax), 1)] === 1) this.#read(at, at)
    if (!isSeparator(codeAt(text, at - 1)) || !inSet(digitSet, codeAt(text, at - 2))) return
    const start = shortGroupsBefore(text, at)
    if (start < at) this.#read(start, at)
  }

  /** The numbers that start at `at` and continue behind the run at `run`, longest first. */
  #read(at: number, run: number): void {
    const number = this.number
    const { spreads } = this.#engine
    if (!number.read(this.#text, at)) return
    for (let groups = Math.min(number.groupsRead, groupsMax); groups > 0; groups--) {
      if (number.endOf(groups) <= run) return
      if (spreads[spreadOf(number.countOf(groups), groups)] === 1 && number.take(this.#text, groups)) this.#number(at)
    }
  }

  #number(at: number): void {
    const { byNumber, byBare, byShape, lookup } = this.#engine
    const { count, groups, key } = this.number
    if (groups > 1) {
      const callees = byShape.get(key)
      if (callees !== undefined) this.#shape(callees, at)
      return
    }
    this.#call('number', byNumber[count] as readonly number[], at)
    const callees = byBare[count] as readonly number[]
    if (callees.length === 0) return
    const isNear = lookup.any(this.#text, this.textNumber, at)
    const head = this.#headOf(at)
    const remark = this.#remarkBehind(this.number.end)
    if (!isNear && head === undefined && remark === undefined) return
    for (let i = 0; i < callees.length; i++) {
      const callee = callees[i] as number
      if ((isNear && !lookup.isDeaf(at, callee)) || hears(head, callee) || hears(remark, callee))
        this.#callOne(callee, at)
    }
  }

  /** A number in groups. What a sentence says behind it is left to the kinds: few numbers have one. */
  #shape({ detectors, named, hasNamed }: ShapeCallees, at: number): void {
    this.by = 'number'
    const { lookup } = this.#engine
    const mayBeNamed = hasNamed && !this.number.isFlat()
    const isSaid = mayBeNamed && saidBehind(this.#text, this.number.end) !== undefined
    const isNear = mayBeNamed && !isSaid && lookup.any(this.#text, this.textNumber, at)
    const head = mayBeNamed && !isSaid ? this.#headOf(at) : undefined
    for (let i = 0; i < detectors.length; i++) {
      const callee = detectors[i] as number
      if (named[i] === false || isSaid || (isNear && !lookup.isDeaf(at, callee)) || hears(head, callee))
        this.#callOne(callee, at)
    }
  }

  /** The detectors that listen to what a sentence says of the value before `at`: `850312 (NIP)`, `850312 is my NIP`. */
  #remarkBehind(at: number): Int32Array | undefined {
    const said = saidBehind(this.#text, at)
    if (said === undefined || said.to < said.from) return undefined
    return this.#engine.lookup.listenersIn(this.#text, said.from, Math.min(this.#text.length, said.to + nameUnitsMax))
  }

  /** A line that consists of one value. */
  #line(at: number): void {
    const text = this.#text
    // Whatever ends this line ends it for the digits before it as well, so no line is read twice.
    let end = runEnd(text, at, lineSet, lineUnitsMax + 1)
    this.#lineSeenTo = end
    if (end < text.length && !isLineBreak(text.charCodeAt(end))) return
    let start = runStart(text, at, lineSet, lineUnitsMax)
    if (start > 0 && !isLineBreak(text.charCodeAt(start - 1))) return
    while (text.charCodeAt(start) === 32) start++
    while (text.charCodeAt(end - 1) === 32) end--
    if (end - start > lineUnitsMax || !standsAlone(text, start, end)) return
    let value = ''
    for (let i = start; i < end; i++) if (base62Set[text.charCodeAt(i)] === 1) value += text.charAt(i)
    const callees = this.#engine.byLine[value.length] as readonly WordCallee[]
    if (callees.length === 0) return
    this.line = value.toUpperCase()
    this.wordEnd = end
    this.#callFitting('line', callees, lettersOf(value, 0, value.length), start)
  }

  #word(at: number): void {
    const text = this.#text
    const start = runStart(text, at, base62Set, wordUnitsMax)
    const end = runEnd(text, at, base62Set, wordUnitsMax)
    this.#wordSeenTo = end
    if (end - start > wordUnitsMax || !leftClear(text, start, wordSet) || inSet(wordSet, codeAt(text, end))) return
    const callees = this.#engine.byWord[end - start] as readonly WordCallee[]
    if (callees.length === 0) return
    const letters = lettersOf(text, start, end)
    if (letters === 0) return
    this.wordEnd = end
    this.#callFitting('word', callees, letters, start)
  }

  /** @param letters the positions of letters in the word or line at `at`, as a bit set */
  #callFitting(by: AnchorSort, callees: readonly WordCallee[], letters: number, at: number): void {
    for (let i = 0; i < callees.length; i++) {
      const { forms, detectors } = callees[i] as WordCallee
      if (fitsOne(forms, letters)) this.#call(by, detectors, at)
    }
  }

  #call(by: AnchorSort, callees: readonly number[], at: number): void {
    this.by = by
    for (let i = 0; i < callees.length; i++) {
      const callee = callees[i] as number
      if (callee < this.#engine.matchers.length) this.#callOne(callee, at)
      else this.#sink.signal(at, callee - this.#engine.matchers.length)
    }
  }

  /**
   * Several literals of a detector may begin at one place (`c.i`, `c.i.`). To each call it would answer the same, or less
   * if it notes what it has read, so only the first is made.
   */
  #callByLiteral(callees: readonly number[], at: number): void {
    const { matchers, calledIn, calledAt } = this.#engine
    this.by = 'literal'
    for (let i = 0; i < callees.length; i++) {
      const callee = callees[i] as number
      if (callee >= matchers.length) this.#sink.signal(at, callee - matchers.length)
      else if (calledAt[callee] !== at || calledIn[callee] !== this.textNumber) {
        calledAt[callee] = at
        calledIn[callee] = this.textNumber
        this.#callOne(callee, at)
      }
    }
  }

  #callOne(callee: number, at: number): void {
    this.#detector = callee
    this.calls++
    this.#report(callee, (this.#engine.matchers[callee] as Detector['match'])(this.#text, at, this))
  }

  #report(detector: number, first: Match | undefined): void {
    for (let match = first; match !== undefined; match = match.next)
      this.#sink.add(this.#engine.detectors[detector] as Detector, match)
  }
}

function hasDigit(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (inSet(digitSet, codeAt(text, i))) return true
  return false
}

/** Whether a detector is in a bit set. */
function hears(listeners: Int32Array | undefined, detector: number): boolean {
  return listeners !== undefined && ((listeners[detector >> 5] as number) & (1 << (detector & 31))) !== 0
}

/** Where a number starts whose first groups are too short to be an anchor: `12.345.678`, `1 85 05 780`. */
function shortGroupsBefore(text: string, at: number): number {
  let start = at
  for (let groups = 0; groups < groupsBeforeMax && isSeparator(codeAt(text, start - 1)); groups++) {
    const from = runStart(text, start - 1, digitSet, 3)
    if (from === start - 1 || start - 1 - from > 2) break
    start = from
  }
  return start
}
const groupsBeforeMax = 5
/** How long a name is that begins behind its value, at most. */
const nameUnitsMax = 32

/** The positions of letters in a word as a bit set. Positions past the last bit share it. */
function lettersOf(text: string, start: number, end: number): number {
  let letters = 0
  for (let i = start; i < end; i++)
    if (letterSet[text.charCodeAt(i)] === 1) letters |= 1 << Math.min(i - start, maskUnitsMax)
  return letters
}

/**
 * Whether letters stand where one of some forms has them, and digits where it has digits. Mixed words were checked by
 * the search.
 */
function fitsOne(forms: readonly number[], letters: number): boolean {
  for (let i = 0; i < forms.length; i += 2)
    if (
      forms[i] === mixedForm ||
      ((letters & (forms[i] as number)) === 0 && (~letters & (forms[i + 1] as number)) === 0)
    )
      return true
  return false
}
