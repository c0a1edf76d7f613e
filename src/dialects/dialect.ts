/**
 * What the hot path knows about a vendor's API: where the texts of a request body are, what an error looks like, and
 * where an answer counts its tokens. One file per wire format; no code outside this folder knows a vendor's field name.
 */
import type { TextPlace } from '../policy/redaction/text-place.ts'
import type { AnswerReader } from './answer/answer.ts'
import type { JsonIndex } from './json/json-index.ts'
import type { RefusalAnswer } from './answer/refusal-answer.ts'

export { BodyError } from './json/body-error.ts'
export type { TextOrigin } from '../policy/redaction/text-place.ts'

export const dialectNames = ['chat-completions', 'messages', 'responses', 'embeddings'] as const
export type DialectName = (typeof dialectNames)[number]

/**
 * How the string at a node holds its text. `base64`: base64 of what is or may be text (an unknown media type, or media
 * that begins like text); `data-uri`: the same after `data:<media type>;base64,`, where characters may be
 * percent-encoded. All spellings that lenient decoders accept count: white space anywhere, base64url characters,
 * padding that is missing, too long or between runs. By that measure a sentence without punctuation is base64 too, so
 * the string must be scanned as written as well. `json`: the text begins like a JSON object or array, as the arguments
 * of a tool call do; its meaning is in the strings inside.
 */
export type TextEncoding = 'plain' | 'base64' | 'data-uri' | 'json'

/** One string token of the body and what may be done about it. */
export interface BodyText extends TextPlace {
  /** The node of the string in the index. */
  readonly node: number
  readonly encoding: TextEncoding
  /**
   * Its place, for people: `messages[12]`, `messages[3] tool result`, `input[4]`, `system`, `tools[3]`. Never holds a
   * client's text.
   */
  place(): string
}

/**
 * Consecutive texts of a body that belong to one value that clients send again unchanged, such as a message or a tool,
 * or that lie between two such values.
 */
export interface TextSection {
  /** A word of the API, never a client's: `messages`, `tools`, `system`. */
  readonly name: string
  /** The value that holds exactly these texts, or -1. */
  readonly node: number
  /** How each text is read and what may be done about it, as opaque codes. */
  readonly codes: Uint8Array
  readonly texts: Iterable<BodyText>
}

/** The texts of a body, as a whole or by sections in the same order. */
export interface BodyTexts extends Iterable<BodyText> {
  /** @param isOwn which values get a section of their own */
  sections(isOwn: (node: number) => boolean): Iterable<TextSection>
}

/** What a request body asks for, as far as the proxy needs to know. */
export interface BodyPlan {
  /**
   * Every string token of the body exactly once, in the order in which it is scanned: what precedes the conversation
   * (tools, system), then the messages, then the rest. A later message never comes before an earlier one. Object keys
   * are listed as well, except for the API's field names, which are fixed public words. A key inside masked text has
   * that text's scope and origin; any other is `watched`. Entries are created during iteration, so a body of millions
   * of strings costs no more than a few arrays.
   */
  readonly texts: BodyTexts
  /** Whether the request asks for a stream of server-sent events. */
  readonly stream: boolean
  /** The node of the `model` string, or -1. */
  readonly modelNode: number
  /**
   * Number of payloads in the body with media that cannot be scanned: images, audio, PDF, texts as token numbers. A
   * payload of an unknown media type, or one that does not look like its type, is counted but also listed with its
   * encoding, so that text in it is found.
   */
  readonly mediaParts: number
  /**
   * Number of content blocks and items of a type that the dialect does not know. They count as text of their
   * surroundings.
   */
  readonly unknownBlocks: number
}

/** A refusal in words, before a dialect gives it its form. */
export interface Refusal {
  readonly status: number
  /** Code from our error catalogue: `high_risk_content_blocked`, `invalid_token`. */
  readonly code: string
  /** A full sentence. Never holds text of the client or of the upstream. */
  readonly message: string
  readonly requestId: string
}

/** Token counts from the vendor's answer; absent if it states none. */
export interface TokenUsage {
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly cachedInputTokens?: number
}

/** Reads the usage from an answer as it passes. Keeps no text beyond the current event. */
export interface UsageReader {
  push(chunk: Uint8Array): void
  result(): TokenUsage
}

export interface Dialect {
  readonly name: DialectName
  /**
   * Decides for every string of a body what it is and what may be done about it. Yields regularly, so that a body of
   * millions of values does not block the event loop.
   * @throws BodyError if the body does not belong to this API: no conversation, wrong types, a repeated `role`, `type`
   *   or `content`
   */
  plan(index: JsonIndex): Generator<void, BodyPlan, void>
  /** The vendor's error body for a refusal, ready for JSON. */
  errorBody(refusal: Refusal): Record<string, unknown>
  /** The frame that tells this vendor's SDK, inside a stream, that the stream failed. */
  streamError(refusal: Refusal): string
  /** The frame that keeps a silent stream open; this vendor's SDK does not pass it on to its caller. */
  readonly keepAlive: string
  /** A refusal worded as an answer of the model. Absent if answers hold no text. */
  readonly refusalAnswer?: RefusalAnswer
  createUsageReader(streamed: boolean): UsageReader
  /** Where a request asks for an answer in JSON: paths of fields that lead to an object with a `type`. */
  readonly jsonAnswer?: readonly (readonly string[])[]
  /** Creates a reader for the texts of one answer. Absent if answers hold none. */
  createAnswerReader?(): AnswerReader
}
