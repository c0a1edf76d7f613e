/** A scan of one text by all engines, in steps: anchors, hard text, overlaps, recall. */
import { beforeEscape } from '../text/escape-end.ts'
import { rowsAtOnce } from '../arguments/column-matches.ts'
import { AnchorPass, type AnchorSink } from './anchor-pass.ts'
import { isBareInner } from './bare-text.ts'
import type { CompiledPattern } from '../custom/patterns.ts'
import type { Match } from '../detector.ts'
import type { Engine } from './engine.ts'
import { Finds } from './finds.ts'
import { fieldText, type FieldText } from './field-text.ts'
import type { Finding, Kind, OwnFind, ScanRun } from '../findings.ts'
import { isPieceOfUuid } from '../values/non-secret-formats.ts'
import { InnerScans, type InnerScan } from './inner-scans.ts'
import { adoptDecoded, adoptField, adoptNested, adoptShadow, withoutMargin } from './inner-places.ts'
import { HardText, type PartReader } from './hard-text.ts'
import type { ValueMemory } from './memory.ts'
import { recallIn } from './recall-pass.ts'
import { runUnitsMin, type Decoded } from '../normalise/encoded-run.ts'
import type { DecodedText } from '../normalise/decoded-text.ts'
import type { Shadow } from '../normalise/shadow.ts'
import { callUnits, findUnits, finish, Pace } from './pace.ts'
import { PatternSweep, type PatternSink } from '../custom/pattern-sweep.ts'
import { isOwnPlaceholderValue, isPublishedSample } from '../values/placeholders.ts'
import { blockOfDepth, blockUnits } from './text-block.ts'

/** What a scanner consists of. */
export interface Program {
  /** The built-in detectors, and the signs of hard text. */
  readonly engine: Engine
  /** What a policy adds: its words and known values, and the literals of its patterns. */
  readonly added?: Engine
  readonly patterns?: readonly CompiledPattern[]
  /** Whether a value is allowed. */
  allows?(kind: Kind, value: string): boolean
}

/**
 * How deep text within text is read: JSON in JSON in JSON, base64 in an escaped string. There is a block for each
 * level.
 */
const depthMax = 3

/** The fewest units that are searched in one go, unless the step is shorter. */
const readUnitsMin = 512

/** A text within a block of the text. */
interface Part {
  readonly text: string
  /** Takes over what was found in it. */
  adopt(inner: InnerScan): void
}

export class ScanPass implements ScanRun, AnchorSink, PartReader, PatternSink {
  /** By depth, the work for each unit of what was read last, of any text: the texts of a body are often alike. */
  static readonly #unitCosts = new Float64Array(depthMax + 1).fill(1)

  readonly #program: Program
  readonly #text: string
  readonly #memory: ValueMemory | undefined
  readonly #textNumber: number
  readonly #depth: number
  readonly #key: string
  readonly #passes: readonly AnchorPass[]
  readonly #hard: HardText | undefined
  readonly #sweep: PatternSweep | undefined
  /** The outermost text; itself if it is that. */
  readonly #outermost: ScanPass
  /** Of the outermost text: what was found in texts within it. */
  #inner: InnerScans | undefined
  /** A text within a text counts as work of the outer one. */
  readonly #pace: Pace
  #at = 0
  /** The texts within the block that was read last, which are still to be scanned. */
  #parts: Part[] = []
  /** Whether a matcher was called. */
  #hasCalled = false
  /** The scan of these texts. */
  #within: Generator<void, void, void> | undefined
  /** What is left when the whole text is searched. */
  #end: Iterator<void> | undefined
  readonly #finds = new Finds()

  /**
   * @param key the name of the field whose value the text is
   * @param outer the scan of the text that this text is within
   */
  constructor(program: Program, text: string, memory: ValueMemory | undefined, key = '', outer?: ScanPass) {
    const depth = outer === undefined ? 0 : outer.#depth + 1
    this.#program = program
    this.#text = text
    this.#memory = memory
    this.#textNumber = depth === 0 && memory !== undefined ? memory.nextText() : 0
    this.#depth = depth
    this.#key = key
    this.#outermost = outer === undefined ? this : outer.#outermost
    this.#pace = outer === undefined ? new Pace() : outer.#pace
    this.#hard = depth < depthMax ? new HardText(text, this) : undefined
    this.#sweep = program.patterns && new PatternSweep(program.patterns, text, this)
    const pass = new AnchorPass(program.engine, text, this)
    this.#passes = program.added === undefined ? [pass] : [pass, this.#addedPass(program.added)]
  }

  step(units: number): boolean {
    const pace = this.#pace
    pace.allow(units)
    const { length } = this.#text
    while (!pace.isDue && (this.#within !== undefined || this.#at < length)) {
      if (this.#within === undefined) this.#readOn()
      else if (this.#within.next().done === true) this.#within = undefined
    }
    const isRead = this.#at === length && this.#within === undefined
    const isEnded = isRead && (this.#end ??= this.#begunEnd()).next().done === true
    // A text within the text may wait as well.
    for (let depth = 0; depth <= depthMax; depth++) blockOfDepth(depth).clear()
    return isEnded
  }

  get work(): number {
    return this.#pace.done
  }

  findings(): Finding[] {
    return this.#finds.all
  }

  own(): readonly OwnFind[] | undefined {
    return this.#finds.own(this.#text)
  }

  #addedPass(added: Engine): AnchorPass {
    const sink: AnchorSink = {
      add: (kind, match) => this.add(kind, match),
      signal: (at, number) => this.#sweep?.signal(at, number)
    }
    return new AnchorPass(added, this.#text, sink)
  }

  add(kind: Kind, match: Match): void {
    const { start } = match
    const text = this.#text
    const end = beforeEscape(text, start, match.end)
    if (isOwnPlaceholderValue(text, start, end) || isPublishedSample(text, start, end)) return
    if (kind.group !== 'secret' && isPieceOfUuid(text, start, end)) return
    if (this.#program.allows?.(kind, text.slice(start, end)) === true) return
    const finding: Finding = {
      kind: kind.id,
      group: kind.group,
      tier: match.tier ?? kind.tier,
      confidence: match.confidence,
      start,
      end
    }
    const isKept = match.byContext === true && this.#memory !== undefined
    this.#finds.add(finding, isKept ? { text, start, end } : undefined)
    this.#pace.spend(findUnits)
  }

  spend(units: number): void {
    this.#pace.spend(units)
  }

  signal(at: number): void {
    this.#hard?.signal(at)
  }

  shadow(shadow: Shadow): void {
    this.#parts.push({
      text: shadow.text,
      adopt: (inner) => adoptShadow(shadow, inner.findings, this.#finds.all, this.#finds.adopter(inner))
    })
  }

  decoded(decoded: Decoded): void {
    this.#parts.push({
      text: decoded.text,
      adopt: (inner) => adoptDecoded(decoded, inner.findings, this.#finds.adopter(inner))
    })
  }

  nested(decoded: DecodedText): void {
    const nested = withoutMargin(decoded)
    this.#parts.push({
      text: nested.text,
      adopt: (inner) => adoptNested(nested, inner.findings, this.#finds.adopter(inner))
    })
  }

  run(start: number, end: number): void {
    for (const pass of this.#passes) pass.token(start, end - start)
  }

  /** Does what matchers left for later, and ends the block if all of it was searched. */
  *#catchUp(from: number, to: number, isEnd: boolean): Generator<void, void, void> {
    const pace = this.#pace
    for (const pass of this.#passes)
      for (const _ of pass.catchUp()) {
        if (pace.spend(unitsPerPart)) yield
      }
    this.#spendCalls()
    if (!isEnd) return
    // Other texts may have been scanned in between.
    blockOfDepth(this.#depth).load(this.#text, from, to)
    this.#endBlock(from, to)
    if (this.#parts.length > 0) yield* this.#readWithin(from, to)
  }

  /** Scans the texts within a block, in the order in which they were found, and then searches the block for patterns. */
  *#readWithin(from: number, to: number): Generator<void, void, void> {
    const parts = this.#parts
    this.#parts = []
    for (const { text, adopt } of parts) adopt(yield* this.#scanInner(text))
    this.#sweep?.endBlock(from, to)
  }

  /** Scans a text within the text, unless the same text was scanned shortly before. */
  *#scanInner(text: string): Generator<void, InnerScan, void> {
    const depth = this.#depth + 1
    // Most texts in the inner layers of a text made of escapes are a few characters.
    if (text.length < runUnitsMin && this.#isBareInner(text)) {
      this.#pace.spend(text.length)
      return noFinds
    }
    const scans = (this.#outermost.#inner ??= new InnerScans())
    const known = scans.find(text, depth)
    if (known !== undefined) return known
    const scan = yield* this.#scanApart(text)
    scans.keep(text, depth, scan)
    return scan
  }

  *#scanApart(text: string): Generator<void, InnerScan, void> {
    const pace = this.#pace
    const inner = new ScanPass(this.#program, text, this.#memory, '', this)
    while (inner.#at < text.length) {
      if (pace.isDue) yield
      inner.#readOn()
      if (inner.#within !== undefined) yield* inner.#within
      inner.#within = undefined
    }
    inner.#forget()
    return yield* inner.#finds.inner(text, pace)
  }

  /** Searches on to the end of the block, or as far as the step allows if the block costs clearly more. */
  #readOn(): void {
    const pace = this.#pace
    const text = this.#text
    const from = this.#at
    const blockStart = from - (from % blockUnits)
    const end = Math.min(text.length, blockStart + blockUnits)
    const left = Math.max(1, pace.until - pace.done)
    const cost = ScanPass.#unitCosts[this.#depth] as number
    const isWhole = (end - from) * cost <= left + pace.slack
    const units = Math.min(left, Math.max(readUnitsMin, Math.ceil(left / cost)))
    const to = isWhole ? end : Math.min(end, from + units)
    const before = pace.done
    const block = blockOfDepth(this.#depth)
    block.load(text, from, to)
    for (const pass of this.#passes) pass.read(block)
    const isCaughtUp = this.#passes.every((pass) => pass.call())
    this.#spendCalls()
    pace.spend(to - from)
    ScanPass.#unitCosts[this.#depth] = (pace.done - before) / (to - from)
    this.#at = to
    const isEnd = to === blockStart + blockUnits || to === text.length
    if (!isCaughtUp) this.#within = this.#catchUp(blockStart, to, isEnd)
    else if (isEnd) {
      this.#endBlock(blockStart, to)
      if (this.#parts.length > 0) this.#within = this.#readWithin(blockStart, to)
    }
  }

  #spendCalls(): void {
    for (const pass of this.#passes) {
      if (pass.calls === 0) continue
      this.#hasCalled = true
      this.#pace.spend(pass.calls * callUnits)
      pass.calls = 0
    }
  }

  /** Looks for hard text in a block that was searched. Without such text, the block is searched for patterns at once. */
  #endBlock(from: number, to: number): void {
    const block = blockOfDepth(this.#depth)
    // A step that ended within the block left its beginning behind.
    if (block.from !== from || block.to !== to) block.load(this.#text, from, to)
    this.#hard?.endBlock(block)
    if (this.#parts.length === 0) this.#sweep?.endBlock(from, to)
  }

  /** Drops what was read of the text. */
  #forget(): void {
    for (const pass of this.#passes) pass.clear()
  }

  /**
   * Whether it is told at once that the text holds no more behind the name of its field. If the search finds nothing
   * there, only runs of base64 letters call matchers, and they did that in the text itself.
   */
  #isBareField(text: string): boolean {
    this.#spendCalls()
    return !this.#hasCalled && this.#isBareInner(text)
  }

  /** Whether it is told at once that nothing but a run of base64 letters calls a matcher in a text within the text. */
  #isBareInner(text: string): boolean {
    const { engine, added, patterns } = this.#program
    return added === undefined && patterns === undefined && isBareInner(text, engine, this.#depth + 1)
  }

  /** Begins what is left when the whole text is searched: nothing in most texts. */
  #begunEnd(): Iterator<void> {
    const field = fieldText(this.#key, this.#text)
    if (field !== undefined && !this.#isBareField(field.text)) {
      if (field.text.length > fieldUnitsAtOnce) return this.#endBehind(field)
      this.#adoptField(field, finish(this.#scanApart(field.text)))
    }
    return this.#begunRest()
  }

  #adoptField(field: FieldText, inner: InnerScan): void {
    adoptField(field, this.#text.length, inner.findings, this.#finds.adopter(inner))
  }

  *#endBehind(field: FieldText): Generator<void, void, void> {
    this.#adoptField(field, yield* this.#scanApart(field.text))
    yield* this.#begunRest()
  }

  #begunRest(): Iterable<void> & Iterator<void> {
    this.#forget()
    if (this.#finds.all.length === 0 && !this.#recalls()) return nothing
    return this.#finds.settle(this.#text, this.#textNumber, this.#memory, this.#pace)
  }

  /** Whether there may be values to recall. A text of one block is searched for them at once. */
  #recalls(): boolean {
    const memory = this.#memory
    if (memory === undefined || memory.size === 0) return false
    if (this.#text.length > blockUnits) return true
    const found: Finding[] = []
    recallIn(this.#text, 0, memory, this.#textNumber, found, new Pace())
    return found.length > 0
  }
}

const noFinds: InnerScan = { findings: [], byContext: undefined }

/** The cost of a part of what a matcher left for later: as many rows of a table. */
const unitsPerPart = rowsAtOnce * 128

/** A longer text is read in steps behind the name of its field: it may have layers. */
const fieldUnitsAtOnce = 512

const nothing: Iterable<void> & Iterator<void> = {
  [Symbol.iterator]: () => nothing,
  next: () => ({ done: true, value: undefined })
}
