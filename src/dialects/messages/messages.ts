/**
 * The messages dialect, including beta features that hold text. Field names are those of the vendor's published SDK
 * types (anthropic-sdk-typescript, `resources/messages` and `resources/beta/messages`), as of November 2026.
 */
import { createMessagesAnswerReader } from './answer.ts'
import { planBody } from '../plan/body-plan.ts'
import type { Dialect, Refusal } from '../dialect.ts'
import { assistantBlocks, blocks, partShapes } from './blocks.ts'
import { messagesRefusal } from '../answer/refusal-answer.ts'
import { assistant, other, rest, system, toolDefinition, toolResult, user } from '../plan/labels.ts'
import { compileDialect, type DialectSpec } from '../plan/shape.ts'
import { usageReaders } from '../usage/readers.ts'

const spec: DialectSpec = {
  conversation: { field: 'messages', isRequired: true },
  leading: {
    tools: { label: toolDefinition, rule: 'tool' },
    system: { label: system, rule: 'block' }
  },
  roles: {
    system: { label: system, rule: 'message' },
    developer: { label: system, rule: 'message' },
    user: { label: user, rule: 'message' },
    tool: { label: toolResult, rule: 'message' },
    assistant: { label: assistant, rule: 'assistantMessage' }
  },
  otherRole: { label: other, rule: 'message' },
  trailing: {
    container: { label: rest, rule: 'container' },
    // Instructions on how to summarise a conversation are prose, like a system text.
    compaction: { label: system, rule: 'edit' },
    context_management: { label: system, rule: 'contextManagement' },
    fallback_credit_token: { label: rest, rule: 'creditToken' },
    cache_control: { label: rest, rule: 'cache' },
    diagnostics: { label: rest, rule: 'messageReference' },
    thread: { label: rest, rule: 'messageReference' },
    thinking: { label: rest, rule: 'typed' },
    tool_choice: { label: rest, rule: 'typed' }
  },
  shapes: {
    message: { fields: { role: 'word', content: 'block' } },
    assistantMessage: { fields: { role: 'word', content: 'assistantBlock' } },
    block: blocks,
    assistantBlock: { fields: blocks.fields, types: { ...blocks.types, ...assistantBlocks } },
    container: { plain: 'id', fields: { id: 'id', skills: 'skill' } },
    skill: { fields: { type: 'word', skill_id: 'id', version: 'id' } },
    contextManagement: { fields: { edits: 'edit' } },
    edit: {
      fields: {
        type: 'word',
        keep: 'typed',
        trigger: 'typed',
        clear_at_least: 'typed',
        // Names of tools, which must equal those in their definitions.
        exclude_tools: 'id',
        clear_tool_inputs: 'id'
      }
    },
    creditToken: { plain: 'opaque', fields: { token: 'opaque', mode: 'word' } },
    messageReference: { fields: { type: 'word', previous_message_id: 'id' } },
    typed: { fields: { type: 'word' } },
    tool: { fields: { type: 'word', cache_control: 'cache' } },
    ...partShapes
  }
}

/** Field names without a rule of their own: they are keys in nearly every body and never hold a client's text. */
const fieldNames = [
  'text',
  'name',
  'input',
  'input_schema',
  'is_error',
  'title',
  'context',
  'citations',
  'enabled',
  'metadata',
  'user_id',
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'service_tier',
  'output_config',
  'effort',
  'display',
  'budget_tokens',
  'url',
  'stdout',
  'stderr',
  'return_code',
  'input_examples',
  'max_uses',
  'allowed_domains',
  'blocked_domains',
  'user_location',
  'mcp_servers',
  'caller',
  'tool_name',
  'page_age'
]

const tables = compileDialect(spec, fieldNames)

/** The vendor's error types by status. */
const errorTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  529: 'overloaded_error'
}

function errorBody(refusal: Refusal): Record<string, unknown> {
  const type = errorTypes[refusal.status] ?? (refusal.status >= 500 ? 'api_error' : 'invalid_request_error')
  const error = { type, message: refusal.message, details: { error_code: refusal.code } }
  return { type: 'error', error, request_id: refusal.requestId }
}

const createUsageReader = usageReaders({
  // `message_start` has it inside `message`; `message_delta` and a plain answer at the top level.
  places: [['usage'], ['message', 'usage']],
  inputTokens: ['input_tokens'],
  outputTokens: ['output_tokens'],
  cachedInputTokens: ['cache_read_input_tokens']
})

export const messages: Dialect = {
  name: 'messages',
  plan: (index) => planBody(index, tables),
  errorBody,
  // The vendor's SDK drops an event without an `event:` line.
  streamError: (refusal) => `event: error\ndata: ${JSON.stringify(errorBody(refusal))}\n\n`,
  keepAlive: 'event: ping\ndata: {"type":"ping"}\n\n',
  refusalAnswer: messagesRefusal,
  createUsageReader,
  jsonAnswer: [['output_config', 'format'], ['output_format']],
  createAnswerReader: createMessagesAnswerReader
}
