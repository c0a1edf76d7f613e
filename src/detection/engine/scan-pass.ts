/** A scan of one text by all engines, in steps: anchors, hard text, overlaps, recall. */
import { beforeEscape } from '../text/escape-end.ts'
import { AnchorPass, type AnchorSink } from './anchor-pass.ts'
import type { CompiledPattern } from '../custom/patterns.ts'
import type { Match } from '../detector.ts'
import type { Engine } from './engine.ts'
import type { Finding, Kind, ScanRun } from '../findings.ts'
import { isPieceOfUuid } from '../values/non-secret-formats.ts'
import { InnerScans, type ContextValue, type InnerScan } from './inner-scans.ts'
import { fillsLine } from './lone-line.ts'
import { HardText, type PartReader } from './hard-text.ts'
import type { ValueMemory } from './memory.ts'
import { recallIn } from './recall-pass.ts'
import type { Decoded } from '../normalise/encoded-run.ts'
import type { DecodedText } from '../normalise/decoded-text.ts'
import type { Shadow } from '../normalise/shadow.ts'
import { overlapsInSteps, tellsItself } from './overlap.ts'
import { callUnits, findUnits, finish, Pace } from './pace.ts'
import { withRests } from './rest-of-value.ts'
import { PatternSweep, type PatternSink } from '../custom/pattern-sweep.ts'
import { isOwnPlaceholderValue, isPublishedSample } from '../values/placeholders.ts'
import { blockOfDepth, blockUnits } from '../text/text-block.ts'

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
/**
 * How many code units of texts within texts within a text are read for each of its own, and how many more in any text.
 * Escapes in three layers over all of a text take one and a half. Each way of reading a text again leads to all others,
 * so a text that was made to be slow would take twelve (decision 209).
 */
const deepUnitsPerUnit = 3
const deepUnitsFree = 65_536
/** How far before a value its context extends, in code units. */
const contextReach = 64

/** The longest text that is read together with the name of its field, and the longest such name. */
const fieldUnitsMax = 4096
const fieldNameUnitsMax = 64
const quotes = ['"', "'", '`'] as const

/** How many of the latest findings are searched. */
const latestMax = 64

export class ScanPass implements ScanRun, AnchorSink, PartReader, PatternSink {
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
  /** What was found in texts within the outermost text. */
  #inner: InnerScans | undefined
  /** What may still be read of texts within texts within the outermost text. */
  #deepUnits = deepUnitsFree
  /** A text within a text counts as work of the outer one. */
  readonly #pace: Pace
  #at = 0
  /** What is left when the whole text is searched. */
  #end: Iterator<void> | undefined
  #found: Finding[] | undefined
  #byContext: Map<Finding, ContextValue> | undefined

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
    while (this.#at < length && !pace.isDue) this.#readOn(Math.min(length, this.#at + pace.until - pace.done))
    const isEnded = this.#at === length && (this.#end ??= this.#begunEnd()).next().done === true
    blockOfDepth(this.#depth).clear()
    return isEnded
  }

  get work(): number {
    return this.#pace.done
  }

  findings(): Finding[] {
    return this.#found ?? []
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
    ;(this.#found ??= []).push(finding)
    this.#pace.spend(findUnits)
    if (match.byContext === true && this.#memory !== undefined)
      (this.#byContext ??= new Map()).set(finding, { text, start, end })
  }

  spend(units: number): void {
    this.#pace.spend(units)
  }

  signal(at: number): void {
    this.#hard?.signal(at)
  }

  shadow({ text, map, joins }: Shadow): void {
    const inner = this.#scanInner(text)
    for (const finding of inner.findings) {
      const { start, end } = finding
      if (!map.changedWithin(start - contextReach, end)) continue
      const place = { start: map.starts[start] as number, end: map.ends[end - 1] as number }
      if (joins.some((join) => join > start && join < end)) {
        if (!isSure(finding) && !tellsItself(finding)) continue
        if (this.#isFoundAt(finding.kind, place.start)) continue
      }
      this.#adopt(finding, place, inner)
    }
  }

  decoded({ text, starts, ends, whole, isText }: Decoded): void {
    const inner = this.#scanInner(text)
    for (const finding of inner.findings) {
      if (finding.confidence === 'weak' || finding.tier === 'low' || finding.tier === 'none') continue
      // Decoded public keys and archives contain names of people. They are not readable, and would not become less so
      // by a partial mask.
      if (!isText && finding.group !== 'secret') continue
      const place = whole ?? { start: starts[finding.start] as number, end: ends[finding.end - 1] as number }
      this.#adopt(finding, place, inner)
    }
  }

  nested(nested: DecodedText): void {
    const inner = this.#scanInner(nested.text)
    let last: { finding: Finding; start: number; end: number } | undefined
    for (const finding of inner.findings) {
      // A number on a line of its own is significant in a message, but not in a file within a string.
      if (finding.group !== 'secret' && !isSure(finding) && fillsLine(nested.text, finding)) continue
      const start = nested.startOf(finding.start)
      const end = nested.endOf(finding.end - 1)
      // Two findings in one line of a dump, which is masked to its end.
      if (last !== undefined && start < last.end) last.end = end
      else {
        if (last !== undefined) this.#adopt(last.finding, last, inner)
        last = { finding, start, end }
      }
    }
    if (last !== undefined) this.#adopt(last.finding, last, inner)
  }

  run(start: number, end: number): void {
    for (const pass of this.#passes) pass.token(start, end - start)
  }

  /** Scans a text within the text, unless the same text was scanned shortly before. */
  #scanInner(text: string): InnerScan {
    const scans = (this.#outermost.#inner ??= new InnerScans())
    const depth = this.#depth + 1
    const known = scans.find(text, depth)
    if (known !== undefined) return known
    if (depth > 1 && !this.#outermost.#takesDeep(text.length)) return noScan
    const scan = this.#scanOnce(text)
    scans.keep(text, depth, scan)
    return scan
  }

  /** Whether a text of so many units within a text within the text is read. */
  #takesDeep(units: number): boolean {
    if (units > this.#deepUnits) return false
    this.#deepUnits -= units
    return true
  }

  #scanOnce(text: string): InnerScan {
    const inner = new ScanPass(this.#program, text, this.#memory, '', this)
    while (inner.#at < text.length) inner.#readOn(text.length)
    blockOfDepth(inner.#depth).clear()
    inner.#forget()
    const findings = inner.#found === undefined ? [] : finish(overlapsInSteps(inner.#found, this.#pace))
    return { findings, byContext: inner.#byContext }
  }

  #adopt(finding: Finding, place: { readonly start: number; readonly end: number }, inner: InnerScan): void {
    const outer: Finding = { ...finding, start: place.start, end: place.end }
    ;(this.#found ??= []).push(outer)
    const value = inner.byContext?.get(finding)
    if (value !== undefined) (this.#byContext ??= new Map()).set(outer, value)
  }

  /** Whether a surer finding of a kind begins at `start`, so that the key ends with its line. */
  #isFoundAt(kind: string, start: number): boolean {
    const found = this.#found ?? []
    for (let i = found.length - 1; i >= 0 && i >= found.length - latestMax; i--) {
      const one = found[i] as Finding
      if (one.start === start && one.kind === kind && one.confidence !== 'weak' && one.confidence !== 'medium')
        return true
    }
    return false
  }

  /** Searches on up to `limit` or the end of the block. */
  #readOn(limit: number): void {
    const text = this.#text
    const block = blockOfDepth(this.#depth)
    const blockStart = this.#at - (this.#at % blockUnits)
    const to = Math.min(limit, blockStart + blockUnits)
    block.load(text, this.#at, to)
    for (const pass of this.#passes) {
      pass.advance(block)
      this.#pace.spend(pass.calls * callUnits)
      pass.calls = 0
    }
    this.#pace.spend(to - this.#at)
    this.#deepUnits = Math.min(deepUnitsFree, this.#deepUnits + (to - this.#at) * deepUnitsPerUnit)
    this.#at = to
    if (to < blockStart + blockUnits && to < text.length) return
    // A step that ended within the block left its beginning behind.
    if (block.from > blockStart) block.load(text, blockStart, to)
    this.#hard?.endBlock(block)
    this.#sweep?.endBlock(blockStart, to)
  }

  /** Drops what was read of the text. */
  #forget(): void {
    for (const pass of this.#passes) pass.clear()
  }

  /** Scans a short text again behind the name of its field, as if both stood in one text. */
  #readAsField(): void {
    const key = this.#key
    const text = this.#text
    if (key === '' || key.length > fieldNameUnitsMax || text.length > fieldUnitsMax) return
    const quote = quotes.find((one) => !text.includes(one))
    if (quote === undefined) return
    const head = quote + key + quote + ': ' + quote
    const inner = this.#scanOnce(head + text + quote)
    for (const finding of inner.findings) {
      const start = finding.start - head.length
      const end = finding.end - head.length
      if (start >= 0 && end <= text.length) this.#adopt(finding, { start, end }, inner)
    }
  }

  /** Begins what is left when the whole text is searched: nothing in most texts. */
  #begunEnd(): Iterator<void> {
    this.#readAsField()
    this.#forget()
    return this.#found === undefined && !this.#recalls() ? nothing : this.#settle()
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

  /** Resolves overlaps, remembers what the context revealed, and recalls what it knows. */
  *#settle(): Generator<void, void, void> {
    const pace = this.#pace
    const text = this.#text
    const memory = this.#memory
    let found = yield* overlapsInSteps(this.#found ?? [], pace)
    if (memory !== undefined) {
      if (this.#byContext !== undefined) yield* this.#keep(found, memory)
      if (memory.size > 0) {
        for (let at = 0; at < text.length;) {
          at = recallIn(text, at, memory, this.#textNumber, found, pace)
          if (pace.isDue) yield
        }
        found = yield* overlapsInSteps(found, pace)
      }
    }
    // Comes last: a recalled value may have been cut as well.
    this.#found = yield* withRests(text, found, pace)
  }

  *#keep(found: readonly Finding[], memory: ValueMemory): Generator<void, void, void> {
    for (const finding of found) {
      const value = this.#byContext?.get(finding)
      if (value === undefined) continue
      memory.keep(value.text, finding, this.#textNumber, value.start, value.end)
      if (value.text !== this.#text) memory.keep(this.#text, finding, this.#textNumber)
      if (this.#pace.spend(unitsPerKeep)) yield
    }
    this.#byContext = undefined
  }
}

const noScan: InnerScan = { findings: [], byContext: undefined }

/** The cost of remembering a value. */
const unitsPerKeep = 64

const nothing: Iterator<void> = { next: () => ({ done: true, value: undefined }) }

function isSure({ confidence }: Finding): boolean {
  return confidence === 'strong' || confidence === 'certain'
}
