/**
 * The chat-completions dialect. Field names are those of the vendor's published SDK types (openai-node,
 * `resources/chat/completions`), as of November 2026.
 */
import { createChatAnswerReader } from './answer.ts'
import { planBody } from '../plan/body-plan.ts'
import type { Dialect } from '../dialect.ts'
import { openaiAnswers } from '../openai.ts'
import { assistant, documents, other, rest, system, toolDefinition, toolResult, user } from '../plan/labels.ts'
import { chatRefusal } from '../answer/refusal-answer.ts'
import { compileDialect, type DialectSpec } from '../plan/shape.ts'
import { signedReasoning } from './signed-reasoning.ts'

const spec: DialectSpec = {
  conversation: { field: 'messages', isRequired: true },
  leading: {
    tools: { label: toolDefinition, rule: 'tool' },
    functions: { label: toolDefinition },
    // Names from other APIs, which servers of this dialect accept as well.
    instructions: { label: system, rule: 'part' },
    system: { label: system, rule: 'part' },
    // Sources that compatible servers give a model: `{title, text}` each.
    documents: { label: documents }
  },
  roles: {
    system: { label: system, rule: 'message' },
    developer: { label: system, rule: 'message' },
    user: { label: user, rule: 'message' },
    tool: { label: toolResult, rule: 'message' },
    function: { label: toolResult, rule: 'message' },
    assistant: { label: assistant, rule: 'assistantMessage' }
  },
  otherRole: { label: other, rule: 'message' },
  trailing: {
    audio: { label: rest, rule: 'spokenAnswer' },
    prediction: { label: user, rule: 'prediction' },
    response_format: { label: rest, rule: 'typed' },
    tool_choice: { label: rest, rule: 'typed' }
  },
  shapes: {
    message: { fields: { role: 'word', content: 'part', tool_call_id: 'id' } },
    assistantMessage: {
      fields: {
        role: 'word',
        content: 'part',
        tool_calls: 'toolCall',
        function_call: 'calledFunction',
        audio: 'audioReference',
        thinking_blocks: 'thought',
        reasoning_details: 'reasoningDetail',
        extra_content: 'extras',
        provider_specific_fields: 'signatures'
      }
    },
    part: {
      fields: { type: 'word', cache_control: 'cache' },
      types: {
        text: { fields: { text: 'part' } },
        refusal: {},
        image_url: { fields: { image_url: 'link' } },
        // From compatible servers.
        video_url: { fields: { video_url: 'link' } },
        audio_url: { fields: { audio_url: 'link' } },
        input_audio: { fields: { input_audio: 'sound' } },
        file: { origin: 'document', fields: { file: 'attachment' } }
      }
    },
    // Some servers accept the bare URL where the vendor has an object.
    link: { plain: 'url', fields: { url: 'url', detail: 'word' } },
    sound: { fields: { data: 'media', format: 'word' } },
    attachment: { fields: { file_data: 'file', file_id: 'id' } },
    spokenAnswer: { fields: { voice: 'audioReference', format: 'word' } },
    audioReference: { fields: { id: 'id' } },
    toolCall: {
      fields: {
        type: 'word',
        id: 'id',
        function: 'calledFunction',
        extra_content: 'extras',
        provider_specific_fields: 'signatures'
      }
    },
    ...signedReasoning,
    calledFunction: { fields: { arguments: 'json' } },
    prediction: { fields: { type: 'word', content: 'part' } },
    tool: { fields: { type: 'word', cache_control: 'cache' } },
    typed: { fields: { type: 'word' } },
    cache: { fields: { type: 'word', ttl: 'word' } }
  }
}

/** Field names without a rule of their own: they are keys in nearly every body and never hold a client's text. */
const fieldNames = [
  'name',
  'refusal',
  'function',
  'arguments',
  'function_call',
  'parameters',
  'custom',
  'input',
  'filename',
  'metadata',
  'user',
  'stop',
  'temperature',
  'top_p',
  'n',
  'seed',
  'max_tokens',
  'max_completion_tokens',
  'stream_options',
  'include_usage',
  'store',
  'presence_penalty',
  'frequency_penalty',
  'logit_bias',
  'logprobs',
  'top_logprobs',
  'parallel_tool_calls',
  'reasoning_effort',
  'reasoning_content',
  'verbosity',
  'service_tier',
  'safety_identifier',
  'prompt_cache_key',
  'json_schema',
  'schema',
  'modalities',
  'web_search_options'
]

const tables = compileDialect(spec, fieldNames)

export const chatCompletions: Dialect = {
  name: 'chat-completions',
  plan: (index) => planBody(index, tables),
  ...openaiAnswers,
  refusalAnswer: chatRefusal,
  jsonAnswer: [['response_format']],
  createAnswerReader: createChatAnswerReader
}
