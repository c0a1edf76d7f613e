/**
 * The single mapping of a call to OpenTelemetry's semantic conventions for GenAI
 * (https://opentelemetry.io/docs/specs/semconv/gen-ai/). The conventions are still in development: when they change,
 * this file changes. No attribute carries text of a prompt or an answer.
 */
import type { RoutePath } from './ingress-routes.ts'
import { unknownLabel } from './vocabularies.ts'

/** The input of the mapping; the record of a call and the metadata of its event have these fields. */
export interface GenAiCall {
  readonly route?: string | undefined
  readonly modelProvider?: string | undefined
  /** Limited in length and scrubbed. */
  readonly modelId?: string | undefined
  readonly responseModel?: string | undefined
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
  readonly cachedInputTokens?: number | undefined
}

type GenAiAttributes = Readonly<Record<string, string | number>>

/** `gen_ai.operation.name` by route; routes that run no model have none. */
const operations: Readonly<Partial<Record<RoutePath, string>>> = {
  '/v1/chat/completions': 'chat',
  '/v1/responses': 'chat',
  '/v1/messages': 'chat',
  '/v1/embeddings': 'embeddings'
}

/** `gen_ai.provider.name`, if the convention's name differs from our vocabulary. */
const providerNames: Readonly<Record<string, string>> = {
  google: 'gcp.gemini',
  mistral: 'mistral_ai',
  xai: 'x_ai'
}

/** The convention's operation for a route, or undefined if no model runs. */
function genAiOperation(route: string | undefined): string | undefined {
  return operations[route as RoutePath]
}

/** Attributes shared by spans and metrics: operation, provider, models. Empty if no model runs. */
export function genAiIdentity({ route, modelProvider, modelId, responseModel }: GenAiCall): GenAiAttributes {
  const operation = genAiOperation(route)
  if (operation === undefined) return {}
  const provider = modelProvider ?? unknownLabel
  return {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': providerNames[provider] ?? provider,
    ...(modelId === undefined ? {} : { 'gen_ai.request.model': modelId }),
    ...(responseModel === undefined ? {} : { 'gen_ai.response.model': responseModel })
  }
}

/** Attributes of the span or the log record of a call. Empty if no model runs. */
export function genAiAttributes(call: GenAiCall): GenAiAttributes {
  const identity = genAiIdentity(call)
  if (Object.keys(identity).length === 0) return identity
  const { inputTokens, outputTokens, cachedInputTokens } = call
  return {
    ...identity,
    ...(inputTokens === undefined ? {} : { 'gen_ai.usage.input_tokens': inputTokens }),
    ...(outputTokens === undefined ? {} : { 'gen_ai.usage.output_tokens': outputTokens }),
    ...(cachedInputTokens === undefined ? {} : { 'gen_ai.usage.cache_read.input_tokens': cachedInputTokens })
  }
}

/** Name of the span of a call to a model. */
export function genAiSpanName({ route, modelId }: GenAiCall): string | undefined {
  const operation = genAiOperation(route)
  return operation === undefined || modelId === undefined ? operation : `${operation} ${modelId}`
}

/** Attributes of the span of a tool call. @param toolName limited in length and scrubbed */
export function genAiToolAttributes(toolName: string | undefined): GenAiAttributes {
  return {
    'gen_ai.operation.name': 'execute_tool',
    'mcp.method.name': 'tools/call',
    ...(toolName === undefined ? {} : { 'gen_ai.tool.name': toolName })
  }
}

/** Metrics of the convention, with the bucket boundaries that it recommends. */
export const genAiMetrics = {
  duration: {
    name: 'gen_ai.client.operation.duration',
    unit: 's',
    description: 'Time of a call to a model, to the end of its answer.',
    bounds: [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
  },
  tokens: {
    name: 'gen_ai.client.token.usage',
    unit: '{token}',
    description: 'Tokens of calls to a model, by gen_ai.token.type.',
    bounds: [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864]
  }
} as const
