/** The embeddings dialect: one or more texts to be turned into vectors. All of them are a user's own words. */
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
    // Some servers embed a conversation, and accept it in place of the input.
    trailing: { messages: text },
    // Servers of this dialect accept images and parts as well.
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
