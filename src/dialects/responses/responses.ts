/**
 * The responses dialect. Field names are those of the vendor's published SDK types (openai-node,
 * `resources/responses`), as of November 2026. The body of a compaction has the same form.
 */
import { createResponsesAnswerReader } from './answer.ts'
import { planBody } from '../plan/body-plan.ts'
import type { Dialect } from '../dialect.ts'
import { openaiAnswers, openaiErrorBody } from '../openai.ts'
import { itemShapes, items } from './items.ts'
import { responsesRefusal } from '../answer/refusal-answer.ts'
import { assistant, other, rest, system, toolDefinition, user } from '../plan/labels.ts'
import { compileDialect, type DialectSpec } from '../plan/shape.ts'
import { usageReaders } from '../usage/readers.ts'

const spec: DialectSpec = {
  // A call that continues a stored response or uses a stored prompt may have no input of its own.
  conversation: { field: 'input', isRequired: false, plain: { label: user, rule: 'part' }, items },
  leading: {
    tools: { label: toolDefinition, rule: 'tool' },
    instructions: { label: system, rule: 'part' }
  },
  roles: {
    system: { label: system, rule: 'message' },
    developer: { label: system, rule: 'message' },
    user: { label: user, rule: 'message' },
    assistant: { label: assistant, rule: 'message' }
  },
  otherRole: { label: other, rule: 'message' },
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

const createUsageReader = usageReaders({
  // A plain answer has it at the top level; the last event of a stream inside `response`.
  places: [['usage'], ['response', 'usage']],
  inputTokens: ['input_tokens'],
  outputTokens: ['output_tokens'],
  cachedInputTokens: ['input_tokens_details', 'cached_tokens']
})

export const responses: Dialect = {
  name: 'responses',
  plan: (index) => planBody(index, tables),
  ...openaiAnswers,
  // The API's own event has its fields at the top level; the vendor's SDK raises what is under `error`.
  streamError: (refusal) => {
    const { error } = openaiErrorBody(refusal)
    const { code, message, param } = error
    return `event: error\ndata: ${JSON.stringify({ type: 'error', code, message, param, error })}\n\n`
  },
  refusalAnswer: responsesRefusal,
  createUsageReader,
  jsonAnswer: [['text', 'format']],
  createAnswerReader: createResponsesAnswerReader
}
