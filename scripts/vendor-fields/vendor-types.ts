/**
 * The contents of the ingress routes according to the types of the vendors' SDKs: bodies by the name of their route,
 * and answers. A streamed answer has a type named `...Events`.
 */
import type * as BetaMessages from '@anthropic-ai/sdk/resources/beta/messages'
import type * as Messages from '@anthropic-ai/sdk/resources/messages'
import type * as BetaResponses from 'openai/resources/beta/responses/responses'
import type * as Chat from 'openai/resources/chat/completions'
import type * as Embeddings from 'openai/resources/embeddings'
import type * as Responses from 'openai/resources/responses/responses'

export type ChatCompletionsBody = Chat.ChatCompletionCreateParams
export type ResponsesBody = Responses.ResponseCreateParams
export type ResponsesBetaBody = BetaResponses.ResponseCreateParams
export type CompactBody = Responses.ResponseCompactParams
export type CompactBetaBody = BetaResponses.ResponseCompactParams
export type EmbeddingsBody = Embeddings.EmbeddingCreateParams
export type MessagesBody = Messages.MessageCreateParams
export type MessagesBetaBody = BetaMessages.MessageCreateParams
export type CountTokensBody = Messages.MessageCountTokensParams
export type CountTokensBetaBody = BetaMessages.MessageCountTokensParams

export type ChatCompletionsAnswer = Chat.ChatCompletion
export type ChatCompletionsEvents = Chat.ChatCompletionChunk
export type ResponsesAnswer = Responses.Response
export type ResponsesEvents = Responses.ResponseStreamEvent
export type ResponsesBetaAnswer = BetaResponses.BetaResponse
export type ResponsesBetaEvents = BetaResponses.BetaResponseStreamEvent
export type CompactAnswer = Responses.CompactedResponse
export type CompactBetaAnswer = BetaResponses.BetaCompactedResponse
export type MessagesAnswer = Messages.Message
export type MessagesEvents = Messages.RawMessageStreamEvent
export type MessagesBetaAnswer = BetaMessages.BetaMessage
export type MessagesBetaEvents = BetaMessages.BetaRawMessageStreamEvent
