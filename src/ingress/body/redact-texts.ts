/**
 * Takes the texts of a body to what may leave of them: each is scanned, in whatever encoding it holds its text, and the profile
 * decides about what is found. Works in steps; short texts are done without a pause.
 */
import type { Finding, ScanHint, Scanner, ScanMemory } from '../../detection/findings.ts'
import type { BodyText } from '../../dialects/dialect.ts'
import { indexJson, nodeKind, type JsonIndex } from '../../dialects/json/json-index.ts'
import { NameTable } from '../../dialects/plan/names.ts'
import { spliceBody, type TextEdit } from '../../dialects/json/splice.ts'
import type { Placeholders } from '../../policy/redaction/placeholder.ts'
import type { CompiledProfile } from '../../policy/redaction/decide.ts'
import { RestorableValues } from '../../policy/restore/restore.ts'
import type { TextPlace } from '../../policy/redaction/text-place.ts'
import { decoderOver } from './decode-utf8.ts'
import { decodeDocument, encodeDocument } from './document.ts'
import { createTally, type Tally } from './tally.ts'
import { wideText } from './wide-text.ts'

/** What one call is redacted with. All of it belongs to one policy revision, from the first byte to the last. */
export interface Redactor {
  readonly scanner: Scanner
  readonly profile: CompiledProfile
  readonly placeholders: Placeholders
  readonly memory: ScanMemory
  readonly tally: Tally
  /** What was masked and may be put back into the answer. */
  readonly restorable?: RestorableValues | undefined
  /** Whether values of the high tier are among it, for tools that edit files. */
  readonly keepsHigh?: boolean
}

/**
 * @param isRestored whether what is masked is kept until the answer, to be put back
 * @param keepsHigh whether values of the high tier are kept as well
 */
export function createRedactor(
  scanner: Scanner,
  profile: CompiledProfile,
  placeholders: Placeholders,
  isRestored = false,
  keepsHigh = false
): Redactor {
  const restorable = isRestored ? new RestorableValues() : undefined
  return { scanner, profile, placeholders, memory: scanner.createMemory(), tally: createTally(), restorable, keepsHigh }
}

/**
 * Units of text scanned, or strings visited times a small weight, between two pauses: about a millisecond of work, with all
 * the kinds that there are.
 */
const unitsPerStep = 65_536
const unitsPerString = 32
/** A text in an encoding is decoded, scanned twice and encoded again. */
const encodedWeight = 4
/** From this length on a text of that kind has pauses of its own; shorter ones are counted together, as plain ones are. */
const longFromUnits = 8192
const isLong = (text: string): boolean => text.length >= longFromUnits
/** Finds acted on between two pauses; each masked one costs a keyed digest. */
const findsPerStep = 256

/**
 * Scans texts of a document. The tally of the redactor tells what came of it.
 * @returns the edits in the order of the body, which is not the order of the scan
 */
export function* redactTexts(
  index: JsonIndex,
  texts: Iterable<BodyText>,
  redactor: Redactor
): Generator<void, TextEdit[], void> {
  const edits = new Edits()
  yield* redactInto(edits, index, texts, redactor)
  return edits.inOrder()
}

/** The edits of a body as they come, and how much was done since its last pause. */
export class Edits {
  readonly #edited: (readonly TextEdit[])[] = []
  #units = 0

  add(edits: readonly TextEdit[]): void {
    if (edits.length > 0) this.#edited.push(edits)
  }

  /** Counts work; true when it is time to pause. */
  isDue(units: number): boolean {
    this.#units += units
    if (this.#units <= unitsPerStep) return false
    this.#units = 0
    return true
  }

  inOrder(): TextEdit[] {
    return this.#edited.toSorted(([a], [b]) => (a as TextEdit).node - (b as TextEdit).node).flat()
  }
}

/** Scans texts and tells `edits` what to write in their place. */
export function* redactInto(
  edits: Edits,
  index: JsonIndex,
  texts: Iterable<BodyText>,
  redactor: Redactor
): Generator<void, void, void> {
  for (const text of texts) {
    let units = unitsPerString
    const bytes = index.byteLength(text.node)
    if (bytes >= redactor.scanner.lengthMin) {
      edits.add(yield* redactText(text, index, redactor))
      const weight = text.encoding === 'plain' ? 1 : encodedWeight
      units += bytes > unitsPerStep ? 0 : bytes * weight
    }
    if (edits.isDue(units)) yield
  }
}

const none: readonly TextEdit[] = []

/** A generator for each of the many short texts in which nothing is found would cost more than their scan. */
function redactText(
  text: BodyText,
  index: JsonIndex,
  redactor: Redactor
): Iterable<void> & Iterator<void, readonly TextEdit[]> {
  if (text.encoding !== 'plain') return redactEncoded(text, index, redactor)
  if (index.byteLength(text.node) > unitsPerStep) return redactLong(text, index, redactor)
  const content = index.text(text.node)
  const findings = redactor.scanner.scan(content, redactor.memory, hintOf(index, text.node))
  return findings.length === 0 ? nothing : redactPlain(text, content, findings, redactor)
}

/** An iterator that is done before it begins. */
const nothing: Iterable<void> & Iterator<void, readonly TextEdit[]> = {
  [Symbol.iterator]: () => nothing,
  next: () => ({ done: true, value: none })
}

function* redactLong(text: BodyText, index: JsonIndex, redactor: Redactor): Generator<void, readonly TextEdit[], void> {
  const content = yield* index.textInSteps(text.node)
  return yield* redactPlain(text, content, yield* scanInSteps(content, redactor, hintOf(index, text.node)), redactor)
}

function* redactPlain(
  text: BodyText,
  content: string,
  findings: readonly Finding[],
  redactor: Redactor
): Generator<void, readonly TextEdit[], void> {
  const replacements = yield* decideAll(findings, content, text, text, redactor)
  return replacements.map((replacement) => ({ node: text.node, ...replacement }))
}

/**
 * A text in base64 is scanned as what it decodes to, and once more as it stands: a key made of base64 letters needs no
 * decoding to be read.
 */
function* redactEncoded(
  text: BodyText,
  index: JsonIndex,
  redactor: Redactor
): Generator<void, readonly TextEdit[], void> {
  if (text.encoding === 'json') return yield* redactJson(text, index, redactor)
  const encoded = yield* index.textInSteps(text.node)
  if (isLong(encoded)) yield
  const document = decodeDocument(encoded, text.encoding === 'data-uri' ? 'data-uri' : 'base64')
  const inside = yield* replaceAll(document.content, document.isBinary ? sealed(text) : text, text, redactor)
  // What stands there in wider units cannot be masked in place.
  yield* replaceAll(yield* wideText(document.content), sealed(text), text, redactor)
  const whole = inside === document.content ? encoded : encodeDocument(document, inside)
  if (isLong(encoded)) yield
  const outside = yield* replaceAll(whole, text, text, redactor)
  return outside === encoded ? none : [{ node: text.node, whole: outside }]
}

const innerBounds = { depthMax: 128, valuesMax: 1_000_000 }

/**
 * JSON in a string: each string inside is scanned as a text of its own, so that an escape hides nothing and a mask
 * breaks nothing. What turns out to be no JSON is a text like any other.
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
  for (let node = 0, units = 0; node < inner.count; node++) {
    const kind = inner.kind(node)
    if (kind !== nodeKind.string && kind !== nodeKind.key) continue
    const one = yield* inner.textInSteps(node)
    const hint = hintOf(inner, node)
    const isShort = one.length <= unitsPerStep
    const findings = isShort
      ? redactor.scanner.scan(one, redactor.memory, hint)
      : yield* scanInSteps(one, redactor, hint)
    const replacements = yield* decideAll(findings, one, text, text, redactor)
    for (const replacement of replacements) edits.push({ node, ...replacement })
    units += one.length + unitsPerString
    if (units > unitsPerStep) {
      units = 0
      yield
    }
  }
  if (edits.length === 0) return none
  const whole = Buffer.from(yield* spliceBody(inner, edits)).toString('utf8')
  return [{ node: text.node, whole }]
}

function* innerIndex(content: string): Generator<void, JsonIndex | undefined, void> {
  try {
    const bytes = Buffer.from(content)
    return yield* indexJson(bytes, { ...innerBounds, decodeUtf8: decoderOver(bytes) })
  } catch {
    return undefined
  }
}

/** The bytes of a medium cannot be changed, whoever sent it. */
function sealed({ origin, isNewest }: TextPlace): TextPlace {
  return { scope: 'sealed', origin, isNewest }
}

/** Scans a text and writes it anew where something was masked. */
function* replaceAll(
  content: string,
  at: TextPlace,
  text: BodyText,
  redactor: Redactor
): Generator<void, string, void> {
  const findings = yield* scanInSteps(content, redactor)
  const replacements = yield* decideAll(findings, content, at, text, redactor)
  if (replacements.length === 0) return content
  const pieces: string[] = []
  let from = 0
  for (const { start, end, replacement } of replacements) {
    pieces.push(content.slice(from, start), replacement)
    from = end
  }
  return pieces.join('') + content.slice(from)
}

function* scanInSteps(content: string, redactor: Redactor, hint?: ScanHint): Generator<void, Finding[], void> {
  if (isLong(content)) yield
  const run = redactor.scanner.begin(content, redactor.memory, hint)
  while (!run.step(unitsPerStep)) yield
  return run.findings()
}

interface Replacement {
  readonly start: number
  readonly end: number
  readonly replacement: string
}

/** Counts findings and gives what is to be written in place of those that are masked. */
function* decideAll(
  findings: readonly Finding[],
  content: string,
  at: TextPlace,
  text: BodyText,
  { scanner, profile, placeholders, memory, tally, restorable, keepsHigh = false }: Redactor
): Generator<void, Replacement[], void> {
  const replacements: Replacement[] = []
  for (let i = 0; i < findings.length; i++) {
    if (i % findsPerStep === findsPerStep - 1) yield
    const finding = findings[i] as Finding
    const action = profile.decide(finding, at)
    tally.add(finding, action, () => text.place())
    if (action !== 'mask') continue
    const { kind, start, end } = finding
    const label = scanner.kinds.get(kind)?.label ?? kind.toUpperCase()
    const value = content.slice(start, end)
    const replacement = placeholders.of(label, value)
    // A label alone stands for many values, so it is not put back; nor is a value that the client could send again
    // without its being found.
    const isHigh = finding.tier === 'high'
    const mayReturn = restorable !== undefined && (!isHigh || keepsHigh) && replacement !== label
    if (mayReturn && memory.remember(content, finding)) restorable.add(label, replacement, value, isHigh)
    replacements.push({ start, end, replacement })
  }
  return replacements
}

/** Names of the API itself, which say nothing of what a text holds; most texts stand in them. */
const structuralNames = new NameTable([
  'text',
  'content',
  'type',
  'role',
  'model',
  'id',
  'name',
  'description',
  'thinking'
])
const fieldNameBytesMax = 64

/** The name of the field whose value a string is: `password` says of a tool's argument what no text could. */
function hintOf(index: JsonIndex, node: number): ScanHint | undefined {
  const key = index.keyOf(node)
  if (key < 0 || index.byteLength(key) > fieldNameBytesMax || structuralNames.idOf(index, key) >= 0) return undefined
  return { key: index.text(key) }
}

/** Headers and parameters: nobody wrote them, and they come again with every turn. */
const outsideTheBody: TextPlace = { scope: 'watched', origin: 'other', isNewest: false }

/**
 * Scans a short text that stands outside the body, such as a header, and counts what it finds.
 * @returns whether it may go on: ids and dates are full of what might be a number of somebody's, so only a find that is
 *   high or sure counts
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
