/** A scan of one text by all engines, in steps: anchors, hard text, overlaps, recall. */
import { beforeEscape } from '../text/escape-end.ts'
import { AnchorPass, type AnchorSink } from './anchor-pass.ts'
import type { CompiledPattern } from '../custom/patterns.ts'
import type { Match } from '../detector.ts'
import type { Engine } from './engine.ts'
import type { Finding, Kind, ScanRun } from '../findings.ts'
import { isPieceOfUuid } from '../values/false-friends.ts'
import { fillsLine } from './lone-line.ts'
import { HardText, type PartReader } from './hard-text.ts'
import type { ValueMemory } from './memory.ts'
import { recallIn } from './recall-pass.ts'
import type { Decoded } from '../normalise/encoded-run.ts'
import type { WrittenText } from '../normalise/written-text.ts'
import type { Shadow } from '../normalise/shadow.ts'
import { resolveOverlaps, tellsItself } from './overlap.ts'
import { withRests } from './rest-of-value.ts'
import { PatternSweep, type PatternSink } from '../custom/pattern-sweep.ts'
import { isOwnPlaceholderValue, isPublishedSample } from '../values/placeholders.ts'
import { blockOfDepth, blockUnits, type TextBlock } from '../text/text-block.ts'

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
/** How far before a value its context extends, in code units. */
const contextReach = 64

/** The longest text that is read together with the name of its field, and the longest such name. */
const fieldUnitsMax = 4096
const fieldNameUnitsMax = 64
const quotes = ['"', "'", '`'] as const

/** How many of the latest findings are searched. */
const latestMax = 64

/** The value of a finding that is to be remembered. */
interface ContextValue {
  readonly text: string
  readonly start: number
  readonly end: number
}

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
  #at = 0
  /** The position of the recall pass; -1 before it. */
  #recallAt = -1
  #found: Finding[] | undefined
  #byContext: Map<Finding, ContextValue> | undefined

  /** @param key the name of the field whose value the text is */
  constructor(program: Program, text: string, memory: ValueMemory | undefined, depth = 0, key = '') {
    this.#program = program
    this.#text = text
    this.#memory = memory
    this.#textNumber = depth === 0 && memory !== undefined ? memory.nextText() : 0
    this.#depth = depth
    this.#key = key
    this.#hard = depth < depthMax ? new HardText(text, this) : undefined
    this.#sweep = program.patterns && new PatternSweep(program.patterns, text, this)
    const pass = new AnchorPass(program.engine, text, this)
    this.#passes = program.added === undefined ? [pass] : [pass, this.#addedPass(program.added)]
  }

  step(units: number): boolean {
    const length = this.#text.length
    if (this.#recallAt < 0) {
      const limit = Math.min(length, this.#at + Math.max(1, units))
      const block = this.#findAnchors(limit)
      if (limit === length) this.#settle()
      // If the recall runs in the same step, the last block is read once more, and cleared then.
      if (units !== Infinity || this.#recallAt < 0 || this.#recallAt >= length) block.clear()
      if (limit < length || (units !== Infinity && this.#recallAt < length)) return false
    }
    if (this.#recallAt >= length) return true
    const limit = Math.min(length, this.#recallAt + Math.max(1, units))
    const found = (this.#found ??= [])
    recallIn(this.#text, this.#recallAt, limit, this.#memory as ValueMemory, this.#textNumber, found)
    this.#recallAt = limit
    if (limit === length) this.#found = withRests(this.#text, resolveOverlaps(found))
    return limit === length
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
    if (match.byContext === true && this.#memory !== undefined)
      (this.#byContext ??= new Map()).set(finding, { text, start, end })
  }

  signal(at: number): void {
    this.#hard?.signal(at)
  }

  shadow({ text, map, joins }: Shadow): void {
    const inner = this.#scanInner(text)
    for (const finding of inner.findings()) {
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
    for (const finding of inner.findings()) {
      if (finding.confidence === 'weak' || finding.tier === 'low' || finding.tier === 'none') continue
      // Decoded public keys and archives contain names of people. They are not readable, and would not become less so
      // by a partial mask.
      if (!isText && finding.group !== 'secret') continue
      const place = whole ?? { start: starts[finding.start] as number, end: ends[finding.end - 1] as number }
      this.#adopt(finding, place, inner)
    }
  }

  nested(nested: WrittenText): void {
    const inner = this.#scanInner(nested.text)
    let last: { finding: Finding; start: number; end: number } | undefined
    for (const finding of inner.findings()) {
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

  #scanInner(text: string): ScanPass {
    const inner = new ScanPass(this.#program, text, this.#memory, this.#depth + 1)
    inner.#findAnchors(text.length).clear()
    inner.#resolve()
    return inner
  }

  #adopt(finding: Finding, place: { readonly start: number; readonly end: number }, inner: ScanPass): void {
    const outer: Finding = { ...finding, start: place.start, end: place.end }
    ;(this.#found ??= []).push(outer)
    const value = inner.#byContext?.get(finding)
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

  /** @returns the block that was read last, to be cleared */
  #findAnchors(limit: number): TextBlock {
    const text = this.#text
    const block = blockOfDepth(this.#depth)
    while (this.#at < limit) {
      const blockStart = this.#at - (this.#at % blockUnits)
      const to = Math.min(limit, blockStart + blockUnits)
      block.load(text, this.#at, to)
      for (const pass of this.#passes) pass.advance(block)
      this.#at = to
      if (to < blockStart + blockUnits && to < text.length) continue
      // A step that ended within the block left its beginning behind.
      if (block.from > blockStart) block.load(text, blockStart, to)
      this.#hard?.endBlock(block)
      this.#sweep?.endBlock(blockStart, to)
    }
    return block
  }

  /** Resolves overlaps, once all anchors are found. */
  #resolve(): void {
    for (const pass of this.#passes) pass.clear()
    if (this.#found !== undefined) this.#found = resolveOverlaps(this.#found)
  }

  /** Scans a short text again behind the name of its field, as if both stood in one text. */
  #readAsField(): void {
    const key = this.#key
    const text = this.#text
    if (key === '' || key.length > fieldNameUnitsMax || text.length > fieldUnitsMax) return
    const quote = quotes.find((one) => !text.includes(one))
    if (quote === undefined) return
    const head = quote + key + quote + ': ' + quote
    const inner = this.#scanInner(head + text + quote)
    for (const finding of inner.findings()) {
      const start = finding.start - head.length
      const end = finding.end - head.length
      if (start >= 0 && end <= text.length) this.#adopt(finding, { start, end }, inner)
    }
  }

  /** Remembers what the context revealed, and prepares the recall pass if one is needed. */
  #settle(): void {
    this.#readAsField()
    this.#resolve()
    const memory = this.#memory
    if (memory !== undefined && this.#byContext !== undefined) {
      for (const finding of this.#found ?? []) {
        const value = this.#byContext.get(finding)
        if (value === undefined) continue
        memory.keep(value.text, finding, this.#textNumber, value.start, value.end)
        if (value.text !== this.#text) memory.keep(this.#text, finding, this.#textNumber)
      }
      this.#byContext = undefined
    }
    this.#recallAt = memory !== undefined && memory.size > 0 ? 0 : this.#text.length
    // Otherwise this runs at the end: a recalled value may have been cut as well.
    if (this.#recallAt > 0 && this.#found !== undefined) this.#found = withRests(this.#text, this.#found)
  }
}

function isSure({ confidence }: Finding): boolean {
  return confidence === 'strong' || confidence === 'certain'
}
