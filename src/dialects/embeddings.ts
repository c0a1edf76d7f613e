/** The embeddings dialect: texts to be turned into vectors, one or many. Every one of them is somebody's own words. */
import { planBody } from './plan/body-plan.ts'
import type { Dialect } from './dialect.ts'
import { openaiErrorBody } from './openai-errors.ts'
import { compileDialect } from './plan/shape.ts'
import { jsonUsageReader } from './usage/json.ts'
import { streamUsageReader } from './usage/stream.ts'
import type { UsageFields } from './usage/usage.ts'

const text = { label: { scope: 'masked', origin: 'user' }, rule: 'part' } as const

const tables = compileDialect(
  {
    conversation: { field: 'input', isRequired: true, plain: text, items: { text, image_url: text } },
    leading: {},
    roles: {},
    otherRole: text,
    // Some of them embed a conversation, and take the one for the other.
    trailing: { messages: text },
    // Servers of this dialect take pictures and parts as well.
    shapes: { part: { fields: { type: 'word', image_url: 'link' } }, link: { plain: 'url', fields: { url: 'url' } } }
  },
  ['encoding_format', 'dimensions', 'user', 'input_type', 'truncate', 'text']
)

const usageFields: UsageFields = {
  places: [['usage']],
  inputTokens: ['prompt_tokens'],
  outputTokens: ['completion_tokens'],
  cachedInputTokens: ['prompt_tokens_details', 'cached_tokens']
}

export const embeddings: Dialect = {
  name: 'embeddings',
  plan: (index) => planBody(index, tables),
  errorBody: openaiErrorBody,
  streamError: (refusal) => `data: ${JSON.stringify(openaiErrorBody(refusal))}\n\n`,
  keepAlive: ': keep-alive\n\n',
  createUsageReader: (streamed) => (streamed ? streamUsageReader(usageFields) : jsonUsageReader(usageFields))
}
