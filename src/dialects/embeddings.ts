/** The embeddings dialect: one or more texts to be turned into vectors. All of them are a user's own words. */
import { planBody } from './plan/body-plan.ts'
import type { Dialect } from './dialect.ts'
import { openaiAnswers } from './openai.ts'
import { user } from './plan/labels.ts'
import { compileDialect } from './plan/shape.ts'

const text = { label: user, rule: 'part' }

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

export const embeddings: Dialect = {
  name: 'embeddings',
  plan: (index) => planBody(index, tables),
  ...openaiAnswers
}
