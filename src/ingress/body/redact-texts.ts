/**
 * Redacts the texts of a body: each is scanned, in whatever encoding it is, and the profile decides about the findings.
 * Works in steps; short texts finish without a pause.
 */
import type { Finding, ScanHint, Scanner, ScanMemory, ScanRun } from '../../detection/findings.ts'
import type { BodyText } from '../../dialects/dialect.ts'
import { indexJson, kindMask, nodeKind, type JsonIndex } from '../../dialects/json/json-index.ts'
import { NameTable } from '../../dialects/plan/names.ts'
import { spliceBody, type RangeEdit, type TextEdit } from '../../dialects/json/splice.ts'
import type { Placeholders } from '../../policy/redaction/placeholder.ts'
import type { CompiledProfile } from '../../policy/redaction/decide.ts'
import { RestorableValues } from '../../policy/restore/restore.ts'
import type { TextPlace } from '../../policy/redaction/text-place.ts'
import { decoderOver } from './decode-utf8.ts'
import { decodeDocument, decodeInSteps, encodeDocument } from './document.ts'
import type { PartTexts } from './part-finds.ts'
import { createTally, type Tally } from './tally.ts'
import { wideText } from './wide-text.ts'
import { unitsPerStep, WorkPace } from './work-pace.ts'

/** What one call is redacted with. All of it belongs to one policy revision, for the whole call. */
export interface Redactor {
  readonly scanner: Scanner
  readonly profile: CompiledProfile
  readonly placeholders: Placeholders
  readonly memory: ScanMemory
  readonly tally: Tally
  readonly pace: WorkPace
  /** Masked values that may be restored in the answer. */
  readonly restorable?: RestorableValues | undefined
  /** Whether these include values of the high tier, for tools that edit files. */
  readonly keepsHigh?: boolean
  /** The part of the body that is redacted, if what it holds is noted or known. */
  readonly part?: PartTexts
}

interface RedactorOptions {
  /** Whether masked values are kept until the answer, to be restored. */
  readonly isRestored?: boolean | undefined
  /** Whether values of the high tier are kept as well. */
  readonly keepsHigh?: boolean | undefined
  /** When the work pauses. */
  readonly pace?: WorkPace
}

/** What masks the texts of one call, and remembers them from one text to the next. */
export function createRedactor(
  scanner: Scanner,
  profile: CompiledProfile,
  placeholders: Placeholders,
  { isRestored = false, keepsHigh = false, pace = new WorkPace() }: RedactorOptions = {}
): Redactor {
  const restorable = isRestored ? new RestorableValues() : undefined
  return {
    scanner,
    profile,
    placeholders,
    memory: scanner.createMemory(),
    tally: createTally(),
    pace,
    restorable,
    keepsHigh
  }
}

/** The weight of visiting a string, in the units of the pace. */
const unitsPerString = 32
/** An encoded text is decoded, scanned twice and encoded again. */
const encodedWeight = 4
/** From this length, an encoded text has pauses of its own; shorter ones are counted together, like plain ones. */
const longFromUnits = 8192
const isLong = (text: string): boolean => text.length >= longFromUnits
/** The weight of a finding that is acted on: each masked one costs a keyed digest. */
const unitsPerFind = 256

/**
 * Scans the texts of a document. The redactor's tally holds the outcome.
 * @returns the edits in the order of the body, which is not the order of the scan
 */
export function* redactTexts(
  index: JsonIndex,
  texts: Iterable<BodyText>,
  redactor: Redactor
): Generator<void, TextEdit[], void> {
  const edits = new Edits()
  yield* redactInto(edits, index, texts, redactor)
  return yield* edits.inOrder(redactor.pace)
}

/** The edits of a body so far. */
export class Edits {
  readonly #edited: (readonly TextEdit[])[] = []

  add(edits: readonly TextEdit[]): void {
    if (edits.length > 0) this.#edited.push(edits)
  }

  *inOrder(pace: WorkPace): Generator<void, TextEdit[], void> {
    const all: TextEdit[] = []
    for (const edits of this.#edited.toSorted(([a], [b]) => (a as TextEdit).node - (b as TextEdit).node)) {
      for (const edit of edits) {
        all.push(edit)
        if (pace.isDue(1)) yield
      }
    }
    return all
  }
}

/** Scans texts and adds what to write in their place to `edits`. */
export function* redactInto(
  edits: Edits,
  index: JsonIndex,
  texts: Iterable<BodyText>,
  redactor: Redactor
): Generator<void, void, void> {
  for (const text of texts) {
    let units = unitsPerString
    const bytes = index.byteLength(text.node)
    const isKnown = redactor.part?.next() === true
    if (
      !isKnown &&
      bytes >= redactor.scanner.lengthMin &&
      !(text.encoding === 'plain' && isBare(index, text.node, redactor))
    ) {
      edits.add(yield* redactText(text, index, redactor))
      if (text.encoding !== 'plain' && bytes <= unitsPerStep) units += bytes * encodedWeight
    }
    if (redactor.pace.isDue(units)) yield
  }
}

/** Whether it is told at once that a string or key holds nothing, without making a string of it. */
function isBare(index: JsonIndex, node: number, { scanner, memory }: Redactor): boolean {
  const isAsWritten = index.kinds[node]! <= kindMask
  if (!isAsWritten || memory.size > 0) return false
  return scanner.isBare(index.bytes, index.starts[node]! + 1, index.ends[node]! - 1) && !hasTellingName(index, node)
}

const none: readonly TextEdit[] = []

/** Most texts are short and hold nothing. A generator for each of them would cost more than its scan. */
function redactText(
  text: BodyText,
  index: JsonIndex,
  redactor: Redactor
): Iterable<void> & Iterator<void, readonly TextEdit[]> {
  if (text.encoding !== 'plain') return redactEncoded(text, index, redactor)
  if (index.byteLength(text.node) > unitsPerStep) return redactLong(text, index, redactor)
  const content = index.text(text.node)
  const { pace } = redactor
  const run = beginScan(content, redactor, hintOf(index, text.node))
  if (!run.step(pace.left)) return redactRest(text, content, run, redactor)
  pace.left -= run.work
  const findings = run.findings()
  return findings.length === 0 ? nothing : decideAll(findings, content, text, text, redactor)
}

/** An iterator that is done from the start. */
const nothing: Iterable<void> & Iterator<void, readonly TextEdit[]> = {
  [Symbol.iterator]: () => nothing,
  next: () => ({ done: true, value: none })
}

function* redactLong(text: BodyText, index: JsonIndex, redactor: Redactor): Generator<void, readonly TextEdit[], void> {
  const content = yield* index.textInSteps(text.node)
  const findings = yield* scanInSteps(content, redactor, hintOf(index, text.node))
  return yield* decideAll(findings, content, text, text, redactor)
}

/** Continues a scan that was begun. */
function* redactRest(
  text: BodyText,
  content: string,
  run: ScanRun,
  redactor: Redactor
): Generator<void, readonly TextEdit[], void> {
  return yield* decideAll(yield* restOf(run, redactor), content, text, text, redactor)
}

/**
 * A base64 text is scanned as what it decodes to and once more as written: a key made of base64 characters can be read
 * without decoding.
 */
function* redactEncoded(
  text: BodyText,
  index: JsonIndex,
  redactor: Redactor
): Generator<void, readonly TextEdit[], void> {
  if (text.encoding === 'json') return yield* redactJson(text, index, redactor)
  redactor.part?.refuse()
  const encoded = yield* index.textInSteps(text.node)
  if (isLong(encoded)) yield
  const document = yield* decodeDocument(encoded, text.encoding === 'data-uri' ? 'data-uri' : 'base64')
  const inside = yield* replaceAll(document.content, document.isBinary ? sealed(text) : text, text, redactor)
  // Text in wider code units cannot be masked in place.
  yield* replaceAll(yield* wideText(document.content), sealed(text), text, redactor)
  const whole = inside === document.content ? encoded : yield* encodeDocument(document, inside)
  if (isLong(encoded)) yield
  const outside = yield* replaceAll(whole, text, text, redactor)
  return outside === encoded ? none : [{ node: text.node, whole: outside }]
}

const innerBounds = { depthMax: 128, valuesMax: 1_000_000 }

/**
 * JSON in a string: each string inside is scanned as a text of its own, so that escapes hide nothing and a mask cannot
 * break the JSON. What turns out not to be JSON is plain text.
 */
function* redactJson(text: BodyText, index: JsonIndex, redactor: Redactor): Generator<void, readonly TextEdit[], void> {
  const content = yield* index.textInSteps(text.node)
  if (isLong(content)) yield
  const inner = content.isWellFormed() ? yield* innerIndex(content) : undefined
  if (inner === undefined) {
    const whole = yield* replaceAll(content, text, text, redactor)
    return whole === content ? none : [{ node: text.node, whole }]
  }
  const edits: TextEdit[] = []
  const { pace } = redactor
  for (let node = 0; node < inner.count; node++) {
    const kind = inner.kind(node)
    if (kind !== nodeKind.string && kind !== nodeKind.key) continue
    if (isBare(inner, node, redactor)) {
      if (pace.isDue(unitsPerString)) yield
      continue
    }
    const one = inner.byteLength(node) > unitsPerStep ? yield* inner.textInSteps(node) : inner.text(node)
    const hint = hintOf(inner, node)
    const run = beginScan(one, redactor, hint, node)
    const isDone = run.step(pace.left)
    if (isDone) pace.left -= run.work
    const findings = isDone ? run.findings() : yield* restOf(run, redactor)
    if (findings.length > 0)
      for (const edit of yield* decideAll(findings, one, text, text, redactor, node)) edits.push(edit)
    if (pace.isDue(unitsPerString)) yield
  }
  if (edits.length === 0) return none
  const { buffer, byteOffset, length } = yield* spliceBody(inner, edits)
  const bytes = Buffer.from(buffer, byteOffset, length)
  return [{ node: text.node, whole: yield* decodeInSteps(bytes, 'utf8') }]
}

function* innerIndex(content: string): Generator<void, JsonIndex | undefined, void> {
  try {
    const bytes = Buffer.from(content)
    return yield* indexJson(bytes, { ...innerBounds, decodeUtf8: decoderOver(bytes) })
  } catch {
    return undefined
  }
}

/** Media cannot be changed, whoever sent it. */
function sealed({ origin, isNewest }: TextPlace): TextPlace {
  return { scope: 'sealed', origin, isNewest }
}

/** Scans a text and writes it again if something was masked. */
function* replaceAll(
  content: string,
  at: TextPlace,
  text: BodyText,
  redactor: Redactor
): Generator<void, string, void> {
  const findings = yield* scanInSteps(content, redactor)
  const replacements = yield* decideAll(findings, content, at, text, redactor)
  if (replacements.length === 0) return content
  let whole = ''
  let pieces: string[] = []
  let from = 0
  for (const { start, end, replacement } of replacements) {
    pieces.push(content.slice(from, start), replacement)
    from = end
    if (pieces.length < piecesPerJoin) continue
    whole += pieces.join('')
    pieces = []
    if (redactor.pace.isDue(unitsPerJoin)) yield
  }
  return whole + pieces.join('') + content.slice(from)
}

/** How many pieces of a text are joined in one go, and what that costs. */
const piecesPerJoin = 512
const unitsPerJoin = 4096

function* scanInSteps(content: string, redactor: Redactor, hint?: ScanHint): Generator<void, Finding[], void> {
  if (isLong(content)) yield
  const run = beginScan(content, redactor, hint)
  return yield* restOf(run, redactor)
}

/** @param inner the number of the string within a text that is JSON; -1 for the text itself */
function beginScan(
  content: string,
  { scanner, memory, part }: Redactor,
  hint: ScanHint | undefined,
  inner = -1
): ScanRun {
  return part === undefined ? scanner.begin(content, memory, hint) : part.begin(content, hint, inner)
}

/** Runs a scan to its end, as long as the pace allows at a time. */
function* restOf(run: ScanRun, { pace }: Redactor): Generator<void, Finding[], void> {
  for (let before = 0; ; before = run.work) {
    const isDone = run.step(pace.left)
    if (pace.isDue(run.work - before)) yield
    if (isDone) return run.findings()
  }
}

/**
 * Counts the findings and returns the edits for those that are masked.
 * @param node the string that is edited
 */
function* decideAll(
  findings: readonly Finding[],
  content: string,
  at: TextPlace,
  text: BodyText,
  { scanner, profile, placeholders, memory, tally, pace, restorable, keepsHigh = false }: Redactor,
  node = text.node
): Generator<void, RangeEdit[], void> {
  const edits: RangeEdit[] = []
  for (const finding of findings) {
    if (pace.isDue(unitsPerFind)) yield
    const action = profile.decide(finding, at)
    tally.add(finding, action, () => text.place())
    if (action !== 'mask') continue
    const { kind, start, end } = finding
    const label = scanner.kinds.get(kind)?.label ?? kind.toUpperCase()
    const value = content.slice(start, end)
    const replacement = placeholders.of(label, value)
    // A bare label may stand for many values, so it is not restored; nor is a value that would not be found again if
    // the client sent it back.
    const isHigh = finding.tier === 'high'
    const mayReturn = restorable !== undefined && (!isHigh || keepsHigh) && replacement !== label
    if (mayReturn && memory.remember(content, finding)) restorable.add(label, replacement, value, isHigh)
    edits.push({ node, start, end, replacement })
  }
  return edits
}

/** Member names of the APIs and of JSON Schema that reveal nothing about a text; most texts have one of them. */
const structuralNames = new NameTable([
  'text',
  'content',
  'type',
  'role',
  'model',
  'id',
  'name',
  'description',
  'thinking',
  'tool_call_id',
  'tool_use_id',
  'call_id',
  '$schema'
])
const fieldNameBytesMax = 64

/** The name of the member whose value a string is: `password`, for a tool's argument, says more than any text could. */
function hintOf(index: JsonIndex, node: number): ScanHint | undefined {
  return hasTellingName(index, node) ? { key: index.text(index.keyOf(node)) } : undefined
}

function hasTellingName(index: JsonIndex, node: number): boolean {
  const key = index.keyOf(node)
  return key >= 0 && index.byteLength(key) <= fieldNameBytesMax && structuralNames.idOf(index, key) < 0
}

/** Headers and parameters: nobody typed them, and they are sent again with every turn. */
const outsideTheBody: TextPlace = { scope: 'watched', origin: 'other', isNewest: false }

/**
 * Scans a short text outside the body, such as a header, and counts its findings.
 * @returns whether it may be forwarded: only a high or certain finding prevents that, because ids and dates often look
 *   like personal numbers
 */
export function screenText(text: string, place: string, redactor: Redactor): boolean {
  const findings = redactor.scanner.scan(text, redactor.memory)
  for (const finding of findings) {
    redactor.tally.add(finding, redactor.profile.decide(finding, outsideTheBody), () => place)
  }
  return findings.every(
    ({ tier, confidence }) => tier === 'low' || (tier !== 'high' && confidence === 'medium') || confidence === 'weak'
  )
}
