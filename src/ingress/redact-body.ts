/**
 * Takes a request body to what may leave: every string is scanned, and what the profile wants masked is spliced out of
 * the original bytes. Works in steps, so that a body of many megabytes does not hold the event loop; a small body is
 * done without a pause.
 */
import type { Scanner, ScanMemory } from '../detection/findings.ts'
import { type BodyPlan, type BodyText, type Dialect } from '../dialects/dialect.ts'
import { indexJson, type JsonIndex } from '../dialects/json-index.ts'
import { spliceBody, type TextEdit } from '../dialects/splice.ts'
import type { Placeholders } from '../policy/placeholder.ts'
import type { CompiledProfile } from '../policy/redaction-profile.ts'
import { decodeDocument, encodeDocument } from './document.ts'
import { createTally, type Tally } from './tally.ts'

/** What one call is redacted with. All of it belongs to one policy revision, from the first byte to the last. */
export interface Redactor {
  readonly scanner: Scanner
  readonly profile: CompiledProfile
  readonly placeholders: Placeholders
  readonly memory: ScanMemory
  readonly tally: Tally
}

export function createRedactor(scanner: Scanner, profile: CompiledProfile, placeholders: Placeholders): Redactor {
  return { scanner, profile, placeholders, memory: scanner.createMemory(), tally: createTally() }
}

export interface BodyBounds {
  readonly depthMax: number
  readonly valuesMax: number
}

export interface RedactedBody {
  /** The original bytes where nothing was masked. */
  readonly bytes: Uint8Array
  readonly stream: boolean
  /** The `model` of the body, at most `modelLengthMax` characters, or nothing. */
  readonly model: string | undefined
  readonly mediaParts: number
}

/** Units of text scanned, or strings visited times a small weight, between two pauses: about a millisecond of work. */
const unitsPerStep = 131_072
const unitsPerString = 32
const modelLengthMax = 512

const decodeUtf8 = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8')

/**
 * Redacts a body of `dialect`. The tally of the redactor tells what came of it; when it says `block`, nothing of the
 * result may be sent.
 * @throws BodyError when the body is not JSON or not of this API
 */
export function* redactBody(
  bytes: Buffer,
  dialect: Dialect,
  redactor: Redactor,
  bounds: BodyBounds
): Generator<void, RedactedBody, void> {
  const index = yield* indexJson(bytes, { ...bounds, decodeUtf8 })
  const plan = yield* dialect.plan(index)
  const edits = yield* scanTexts(index, plan, redactor)
  return {
    bytes: edits.length > 0 && redactor.tally.action === 'mask' ? yield* spliceBody(index, edits) : bytes,
    stream: plan.stream,
    model: plan.modelNode < 0 ? undefined : index.text(plan.modelNode).slice(0, modelLengthMax),
    mediaParts: plan.mediaParts
  }
}

function* scanTexts(index: JsonIndex, plan: BodyPlan, redactor: Redactor): Generator<void, TextEdit[], void> {
  const edits: TextEdit[] = []
  let units = 0
  for (const text of plan.texts) {
    units += unitsPerString
    const bytes = index.byteLength(text.node)
    if (bytes >= redactor.scanner.lengthMin) {
      const decoded = bytes > unitsPerStep ? yield* index.textInSteps(text.node) : index.text(text.node)
      units += decoded.length
      yield* scanText(text, decoded, redactor, edits, fieldName(index, text.node))
    }
    if (units > unitsPerStep) {
      units = 0
      yield
    }
  }
  return edits
}

/** Names of the API itself, which say nothing of what a text holds; most texts stand in them. */
const structuralNames = new Set(['text', 'content', 'type', 'role', 'model', 'id', 'name', 'description', 'thinking'])
const fieldNameBytesMax = 64

/** The name of the field whose value a string is: `password` says of a tool's argument what no text could. */
function fieldName(index: JsonIndex, node: number): string | undefined {
  const key = index.keyOf(node)
  if (key < 0 || index.byteLength(key) > fieldNameBytesMax) return undefined
  const name = index.text(key)
  return structuralNames.has(name) ? undefined : name
}

function* scanText(
  text: BodyText,
  decoded: string,
  redactor: Redactor,
  edits: TextEdit[],
  key: string | undefined
): Generator<void, void, void> {
  const document = text.encoding === 'plain' ? undefined : decodeDocument(decoded, text.encoding)
  const content = document?.content ?? decoded
  const scope = document?.isBinary ? 'sealed' : text.scope
  const run = redactor.scanner.begin(content, redactor.memory, key === undefined ? undefined : { key })
  while (!run.step(unitsPerStep)) yield
  const replacements: Replacement[] = []
  for (const finding of run.findings()) {
    const action = redactor.profile.decide(finding, scope)
    redactor.tally.add(finding, action, () => text.place())
    if (action !== 'mask') continue
    const label = redactor.scanner.kinds.get(finding.kind)?.label ?? finding.kind.toUpperCase()
    const value = content.slice(finding.start, finding.end)
    replacements.push({ start: finding.start, end: finding.end, replacement: redactor.placeholders.of(label, value) })
  }
  if (replacements.length === 0) return
  if (document) edits.push({ node: text.node, whole: encodeDocument(document, replaced(content, replacements)) })
  else for (const replacement of replacements) edits.push({ node: text.node, ...replacement })
}

interface Replacement {
  readonly start: number
  readonly end: number
  readonly replacement: string
}

function replaced(text: string, replacements: readonly Replacement[]): string {
  let out = ''
  let from = 0
  for (const { start, end, replacement } of replacements) {
    out += text.slice(from, start) + replacement
    from = end
  }
  return out + text.slice(from)
}

/**
 * Scans a short text that stands outside the body, such as a header, and counts what it finds.
 * @returns whether nothing at all was found
 */
export function screenText(text: string, place: string, redactor: Redactor): boolean {
  const findings = redactor.scanner.scan(text, redactor.memory)
  for (const finding of findings) {
    redactor.tally.add(finding, redactor.profile.decide(finding, 'watched'), () => place)
  }
  return findings.length === 0
}
