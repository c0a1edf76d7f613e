/**
 * The responses dialect. Field names are those of the vendor's published SDK types (openai-node,
 * `resources/responses`), as of November 2026. The body of a compaction has the same form.
 */
import { createResponsesAnswerReader } from './answer.ts'
import { planBody } from '../plan/body-plan.ts'
import type { Dialect } from '../dialect.ts'
import { openaiErrorBody } from '../openai-errors.ts'
import { itemShapes, items } from './items.ts'
import { responsesRefusal } from '../answer/refusal-answer.ts'
import { compileDialect, type DialectSpec } from '../plan/shape.ts'
import { jsonUsageReader } from '../usage/json.ts'
import { streamUsageReader } from '../usage/stream.ts'
import type { UsageFields } from '../usage/usage.ts'

const system = { scope: 'masked', origin: 'system' } as const
const user = { scope: 'masked', origin: 'user' } as const
const rest = { scope: 'watched', origin: 'other' } as const

const spec: DialectSpec = {
  // A call that continues a stored response or uses a stored prompt may have no input of its own.
  conversation: { field: 'input', isRequired: false, plain: { label: user, rule: 'part' }, items },
  leading: {
    tools: { label: { scope: 'watched', origin: 'tool_definition' }, rule: 'tool' },
    instructions: { label: system, rule: 'part' }
  },
  roles: {
    system: { label: system, rule: 'message' },
    developer: { label: system, rule: 'message' },
    user: { label: user, rule: 'message' },
    assistant: { label: { scope: 'watched', origin: 'assistant' }, rule: 'message' }
  },
  otherRole: { label: { scope: 'masked', origin: 'other' }, rule: 'message' },
  trailing: {
    prompt: { label: user, rule: 'storedPrompt' },
    conversation: { label: rest, rule: 'reference' },
    previous_response_id: { label: rest, rule: 'id' },
    prompt_cache_options: { label: rest, rule: 'cacheOptions' },
    tool_choice: { label: rest, rule: 'typed' },
    text: { label: rest, rule: 'answerForm' },
    include: { label: rest, rule: 'word' }
  },
  shapes: itemShapes
}

/** Field names without a rule of their own: they are keys in nearly every body and never hold a client's text. */
const fieldNames = [
  'name',
  'namespace',
  'arguments',
  'output',
  'refusal',
  'filename',
  'file_url',
  'parameters',
  'output_schema',
  'metadata',
  'user',
  'temperature',
  'top_p',
  'top_logprobs',
  'max_output_tokens',
  'max_tool_calls',
  'parallel_tool_calls',
  'stream_options',
  'include_obfuscation',
  'store',
  'background',
  'truncation',
  'reasoning',
  'effort',
  'summary',
  'verbosity',
  'service_tier',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_retention',
  'json_schema',
  'schema',
  'context_management',
  'compact_threshold',
  'search_context_size',
  'user_location',
  'filters',
  'allowed_domains',
  'server_label',
  'server_url',
  'server_description',
  'require_approval',
  'client_metadata'
]

const tables = compileDialect(spec, fieldNames)

const usageFields: UsageFields = {
  // A plain answer has it at the top level; the last event of a stream inside `response`.
  places: [['usage'], ['response', 'usage']],
  inputTokens: ['input_tokens'],
  outputTokens: ['output_tokens'],
  cachedInputTokens: ['input_tokens_details', 'cached_tokens']
}

export const responses: Dialect = {
  name: 'responses',
  plan: (index) => planBody(index, tables),
  errorBody: openaiErrorBody,
  // The API's own event has its fields at the top level; the vendor's SDK raises what is under `error`.
  streamError: (refusal) => {
    const { error } = openaiErrorBody(refusal)
    const { code, message, param } = error
    return `event: error\ndata: ${JSON.stringify({ type: 'error', code, message, param, error })}\n\n`
  },
  keepAlive: ': keep-alive\n\n',
  refusalAnswer: responsesRefusal,
  createUsageReader: (streamed) => (streamed ? streamUsageReader(usageFields) : jsonUsageReader(usageFields)),
  jsonAnswer: [['text', 'format']],
  createAnswerReader: createResponsesAnswerReader
}
