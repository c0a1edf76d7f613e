/**
 * Text in, findings out. One pass over one index finds the anchors of all detectors. A detector's matcher runs only
 * around its anchors, in a bounded window, so time is linear in the text and does not grow with the number of
 * detectors. Parts of a text that may read differently from how they are written are scanned again as they read.
 * - Nothing here uses a regular expression: V8 keeps the subject of the last one alive, and with it a client's text
 *   beyond its request. The patterns of a policy run in a library that uses none either.
 */
import { compileAllowList, type AllowList, type Sample } from './custom/allow-list.ts'
import {
  compileCustomPattern,
  CustomPatternError,
  type CompiledPattern,
  type CustomPattern
} from './custom/patterns.ts'
import { denyWordDetectors } from './custom/deny-words.ts'
import type { Detector } from './detector.ts'
import { bareRun, isBare, isBareAscii } from './engine/bare-text.ts'
import { builtInDetectors } from './detectors/index.ts'
import { compileEngine, shortestFind, type Engine } from './engine/engine.ts'
import type { Kind, Scanner, ScanMemory, ScanRun } from './findings.ts'
import { knownValueDetectors, type KnownValue } from './custom/known-values.ts'
import { MarginRun } from './engine/margin-run.ts'
import { ValueMemory } from './engine/memory.ts'
import { RecallPass } from './engine/recall-pass.ts'
import { escapeLiterals } from './normalise/escapes.ts'
import { hasMargin } from './normalise/margins.ts'
import { nestedLiterals } from './normalise/nested-text.ts'
import { ScanPass, type Program } from './engine/scan-pass.ts'
import { KnownRun } from './engine/settle.ts'

/** What a scanner finds, and what it allows. */
export interface ScannerOptions {
  /** Default: all built-in ones. */
  readonly detectors?: readonly Detector[]
  /** The operator's patterns. */
  readonly custom?: readonly CustomPattern[]
  /** Words that match whole and in any case, as `deny_word`. */
  readonly deny?: readonly string[]
  readonly allow?: AllowList
  /** Secrets known by value, found in any encoding. */
  readonly known?: readonly KnownValue[]
}

/**
 * Compiles detectors, and what a policy adds to them. The built-in ones are compiled once, so a change of policy is
 * cheap.
 * @throws RangeError for two detectors with the same id, an anchor that can never be found, or a word or value that
 *   cannot be searched for
 * @throws CustomPatternError, AllowListError for invalid entries of a policy
 */
export function createScanner(options: readonly Detector[] | ScannerOptions = {}): Scanner {
  const { detectors = builtInDetectors, custom = [], deny = [], allow, known = [] } = asOptions(options)
  const kinds = kindsOf(detectors)
  const patterns = custom.map(compileCustomPattern)
  const added = [...denyWordDetectors(deny), ...knownValueDetectors(known)]
  for (const { kind } of patterns) {
    if (kinds.has(kind.id)) throw new CustomPatternError(kind.id, 'a kind of this id exists already')
    kinds.set(kind.id, kind)
  }
  for (const detector of added) if (!kinds.has(detector.id)) kinds.set(detector.id, kindOf(detector))
  const program: Program = {
    engine: engineOf(detectors),
    ...(added.length + patterns.length > 0 && { added: compileEngine(added, signalsOf(patterns)) }),
    ...(patterns.length > 0 && { patterns }),
    ...(allow && { allows: compileAllowList(allow, () => samplesOf(detectors)) })
  }
  return scannerOf(program, kinds, patterns.length > 0 ? 1 : shortestFind([...detectors, ...added]))
}

function scannerOf(program: Program, kinds: ReadonlyMap<string, Kind>, lengthMin: number): Scanner {
  const { engine, added, patterns } = program
  const hasOneEngine = added === undefined && patterns === undefined
  const whole = {
    kinds,
    lengthMin,
    createMemory: () => new ValueMemory(),
    isBare: (bytes: Uint8Array, from: number, to: number) => hasOneEngine && isBareAscii(bytes, from, to, engine)
  }
  const begin: Scanner['begin'] = (text, memory, hint) =>
    hasOneEngine && hint === undefined && (memory?.size ?? 0) === 0 && isBare(text, engine)
      ? bareRun
      : new ScanPass(program, text, memoryOf(memory), hint?.key)
  const resume: Scanner['resume'] = (text, own, memory, hint) => {
    const resumed = (plain: string): ScanRun => new KnownRun(plain, own, memoryOf(memory))
    return hasMargin(text) ? new MarginRun(text, (plain) => begin(plain, memory, hint), resumed) : resumed(text)
  }
  const recaller: Scanner = {
    ...whole,
    ...runBy((text, memory) => new RecallPass(text, memoryOf(memory))),
    resume,
    get recaller() {
      return recaller
    }
  }
  return { ...whole, ...runBy(begin), resume, recaller }
}

const memoryOf = (memory: ScanMemory | undefined): ValueMemory | undefined =>
  memory instanceof ValueMemory ? memory : undefined

/** The two ways to run a scan. */
function runBy(beginPlain: Scanner['begin']): Pick<Scanner, 'begin' | 'scan'> {
  const begin: Scanner['begin'] = (text, memory, hint) =>
    hasMargin(text) ? new MarginRun(text, (plain) => beginPlain(plain, memory, hint)) : beginPlain(text, memory, hint)
  return {
    begin,
    scan(text, memory, hint) {
      const run = begin(text, memory, hint)
      run.step(Infinity)
      return run.findings()
    }
  }
}

function asOptions(options: readonly Detector[] | ScannerOptions): ScannerOptions {
  return Array.isArray(options) ? { detectors: options as readonly Detector[] } : (options as ScannerOptions)
}

function signalsOf(patterns: readonly CompiledPattern[]) {
  return patterns.flatMap(({ literals }, number) => literals.map((literal) => ({ literal, number })))
}

const engines = new WeakMap<readonly Detector[], Engine>()

/** The compiled form of a list, cached. */
function engineOf(detectors: readonly Detector[]): Engine {
  const known = engines.get(detectors)
  if (known !== undefined) return known
  const engine = compileEngine(
    detectors,
    [...escapeLiterals, ...nestedLiterals].map((literal) => ({ literal, number: 0 })),
    true
  )
  engines.set(detectors, engine)
  return engine
}

const samples = new WeakMap<readonly Detector[], readonly Sample[]>()

/** What the high-risk kinds find in their own hits. No pattern of an allow list may match such a value. */
export function samplesOf(detectors: readonly Detector[] = builtInDetectors): readonly Sample[] {
  const known = samples.get(detectors)
  if (known !== undefined) return known
  const scanner = createScanner(detectors)
  const list = detectors
    .filter((detector) => detector.tier === 'high')
    .flatMap((detector) =>
      detector.hits().flatMap((hit) =>
        scanner
          .scan(hit)
          .filter((finding) => finding.kind === detector.id)
          .map((finding) => ({ kind: detector.id, value: hit.slice(finding.start, finding.end) }))
      )
    )
  samples.set(detectors, list)
  return list
}

function kindOf({ id, label, title, group, tier }: Detector): Kind {
  return Object.freeze({ id, label, title, group, tier })
}

function kindsOf(detectors: readonly Detector[]): Map<string, Kind> {
  const kinds = new Map(detectors.map((detector) => [detector.id, kindOf(detector)]))
  if (kinds.size < detectors.length) throw new RangeError('Two detectors have the same id.')
  return kinds
}
