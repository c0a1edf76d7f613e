/**
 * Takes a request body to what may leave: every string is scanned, and what the profile wants masked is spliced out of
 * the original bytes. Works in steps, so that a body of many megabytes does not hold the event loop; a small body is
 * done without a pause.
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
  /** The original bytes where nothing was masked. Whoever sends them takes them out; see `noBytes`. */
  bytes: Uint8Array
  readonly stream: boolean
  /** The `model` of the body, or nothing where it is longer than any model's name. */
  readonly model: string | undefined
  readonly mediaParts: number
  readonly unknownBlocks: number
  /** Whether the text of the answer is to be JSON. */
  readonly wantsJson: boolean
}

const modelLengthMax = 512

/**
 * Redacts a body of `dialect`. The tally of the redactor tells what came of it; when it says `block`, nothing of the
 * result may be sent.
 * @param clean what is known of parts that came before; where it is absent, everything is searched
 * @throws BodyError when the body is not JSON or not of this API
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

/** A longer text is no model's name; the beginning of one is not taken, since a scan could not judge it. */
function modelOf(index: JsonIndex, node: number): string | undefined {
  return node < 0 || index.byteLength(node) > modelLengthMax ? undefined : index.text(node)
}
