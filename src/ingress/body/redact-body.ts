/**
 * Redacts a request body: every string is scanned, and what the profile masks is spliced out of the original bytes.
 * Works in steps, so that a body of many megabytes does not block the event loop; a small body finishes without a
 * pause.
 */
import { wantsJson } from '../../dialects/answer/json-answer.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { indexJson, type JsonIndex } from '../../dialects/json/json-index.ts'
import { spliceBody } from '../../dialects/json/splice.ts'
import type { CallersSections } from './clean-sections.ts'
import { decoderOver } from './decode-utf8.ts'
import { redactSections } from './redact-sections.ts'
import { redactTexts, type Redactor } from './redact-texts.ts'

export interface BodyBounds {
  readonly depthMax: number
  readonly valuesMax: number
}

export interface RedactedBody {
  /** The original bytes if nothing was masked. Whoever sends them takes them out; see `noBytes`. */
  bytes: Uint8Array
  readonly stream: boolean
  /** The body's `model`, or `undefined` if it is longer than any model's name. */
  readonly model: string | undefined
  readonly mediaParts: number
  readonly unknownBlocks: number
  /** Whether the request asks for an answer in JSON. */
  readonly wantsJson: boolean
}

const modelLengthMax = 512

/**
 * Redacts a body of `dialect`. The redactor's tally holds the outcome; if its action is `block`, nothing of the result
 * may be sent.
 * @param clean what is known about parts of earlier bodies; if absent, everything is scanned
 * @throws BodyError if the body is not JSON, or not a body of this API
 */
export function* redactBody(
  bytes: Buffer,
  dialect: Dialect,
  redactor: Redactor,
  bounds: BodyBounds,
  clean?: CallersSections
): Generator<void, RedactedBody, void> {
  const index = yield* indexJson(bytes, { ...bounds, decodeUtf8: decoderOver(bytes) })
  const plan = yield* dialect.plan(index)
  const edits =
    clean === undefined
      ? yield* redactTexts(index, plan.texts, redactor)
      : yield* redactSections(index, plan.texts, redactor, clean)
  return {
    bytes: edits.length > 0 && redactor.tally.action === 'mask' ? yield* spliceBody(index, edits) : bytes,
    stream: plan.stream,
    model: modelOf(index, plan.modelNode),
    mediaParts: plan.mediaParts,
    unknownBlocks: plan.unknownBlocks,
    wantsJson: wantsJson(index, dialect)
  }
}

/** Longer text is not a model's name. It is not truncated either, since a scan could not judge a truncated value. */
function modelOf(index: JsonIndex, node: number): string | undefined {
  return node < 0 || index.byteLength(node) > modelLengthMax ? undefined : index.text(node)
}
