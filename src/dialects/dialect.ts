/**
 * What the hot path knows of a vendor's API: where the texts of a request body stand, how an error looks, and where
 * an answer counts its tokens. One file a wire format; nothing outside this folder knows a vendor's field name.
 */
import type { TextOrigin, TextPlace, TextScope } from '../policy/redaction/text-place.ts'
import type { AnswerReader } from './answer/answer.ts'
import type { JsonIndex } from './json/json-index.ts'
import type { RefusalAnswer } from './answer/refusal-answer.ts'

export { BodyError } from './json/body-error.ts'
export type { TextOrigin } from '../policy/redaction/text-place.ts'

export const dialectNames = ['chat-completions', 'messages', 'responses', 'embeddings'] as const
export type DialectName = (typeof dialectNames)[number]

/**
 * How the string at a node holds its text. `base64`: base64 of what is text or may be text (an unknown media type, or
 * media that begin as text do); `data-uri`: the same behind `data:<media type>;base64,`, where a character may be
 * percent-encoded. The spelling is what lenient decoders take: white space anywhere, base64url letters, padding that is
 * missing, too long or stands between runs. A sentence without punctuation is base64 too by that measure, so the
 * string is to be scanned as it stands as well. `json`: the text begins as a JSON object or array does, as the
 * arguments of a tool call; what a client means by it are the strings inside.
 */
export type TextEncoding = 'plain' | 'base64' | 'data-uri' | 'json'

/** One string token of the body and what may be done about it. */
export interface BodyText extends TextPlace {
  /** The node of the string in the index. */
  readonly node: number
  readonly scope: TextScope
  readonly origin: TextOrigin
  readonly encoding: TextEncoding
  /**
   * Where it stands, for people: `messages[12]`, `messages[3] tool result`, `input[4]`, `system`, `tools[3]`. Never holds text of
   * the client's.
   */
  place(): string
}

/**
 * Texts of a body that stand one behind the other in its list: those of one value that clients send again as it is, such as
 * a message or a tool, or what stands between two such values.
 */
export interface TextSection {
  /** A word of the API, never a client's: `messages`, `tools`, `system`. */
  readonly name: string
  /** The value that holds all these texts and no other, or -1. */
  readonly node: number
  /** How each text is read and what may be done about it, as opaque codes. */
  readonly codes: Uint8Array
  readonly texts: Iterable<BodyText>
}

/** The texts of a body, all of them or by sections in the same order. */
export interface BodyTexts extends Iterable<BodyText> {
  /** @param isOwn which values are worth a section of their own */
  sections(isOwn: (node: number) => boolean): Iterable<TextSection>
}

/** What a request body asks for, as far as the proxy cares. */
export interface BodyPlan {
  /**
   * Every string token of the body exactly once, in the order in which it is scanned: what stands before the
   * conversation (tools, system), then the messages, then the rest. A later message never comes before an earlier one.
   * Object keys are listed as well, except those that are field names of the API: fixed public words. A key inside
   * masked text has that text's scope and origin; any other is `watched`.
   * The entries are made while one iterates, so a body of millions of strings costs no more than a few arrays.
   */
  readonly texts: BodyTexts
  /** Whether the answer is to be a stream of server-sent events. */
  readonly stream: boolean
  /** The node of the `model` string, or -1. */
  readonly modelNode: number
  /**
   * Count of payloads in the body that carry media which no scan can read: images, audio, PDF. A payload of an
   * unknown media type, or of one that it does not look like, is counted and listed with its encoding all the same, so
   * that text in it is found.
   */
  readonly mediaParts: number
  /** Count of content blocks and items of a type that the dialect does not know. They are text of their surroundings. */
  readonly unknownBlocks: number
}

/** A refusal in words, before a dialect gives it its form. */
export interface Refusal {
  readonly status: number
  /** Machine code of our catalogue: `high_risk_content_blocked`, `invalid_token`. */
  readonly code: string
  /** A full sentence. Never holds text of the client's or of the upstream's. */
  readonly message: string
  readonly requestId: string
}

/** Token counts as the vendor's answer states them; absent where it does not. */
export interface TokenUsage {
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly cachedInputTokens?: number
}

/** Reads the usage out of an answer that passes by. It keeps no text beyond the event under way. */
export interface UsageReader {
  push(chunk: Uint8Array): void
  result(): TokenUsage
}

export interface Dialect {
  readonly name: DialectName
  /**
   * Decides for every string of a body where it stands and what may be done about it. Yields now and then, so that a
   * body of millions of values does not hold the event loop.
   * @throws BodyError for a body that is not of this API: no conversation, wrong types, a repeated `role`, `type` or
   *   `content`
   */
  plan(index: JsonIndex): Generator<void, BodyPlan, void>
  /** The vendor's error body for a refusal, ready for JSON. */
  errorBody(refusal: Refusal): Record<string, unknown>
  /** The frame that tells this vendor's SDK, inside a stream, that the stream failed. */
  streamError(refusal: Refusal): string
  /** The frame that keeps a silent stream open; this vendor's SDK shows none of it to its caller. */
  readonly keepAlive: string
  /** A refusal as an answer of the model. Absent where an answer is no text. */
  readonly refusalAnswer?: RefusalAnswer
  createUsageReader(streamed: boolean): UsageReader
  /** Where a request says that the text of its answer is to be JSON: fields that lead to an object with a `type`. */
  readonly jsonAnswer?: readonly (readonly string[])[]
  /** Reads the texts of one answer. Absent where answers hold none. */
  createAnswerReader?(): AnswerReader
}
