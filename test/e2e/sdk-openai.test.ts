import assert from 'node:assert/strict'
import OpenAI, {
  APIError,
  AuthenticationError,
  InternalServerError,
  PermissionDeniedError,
  RateLimitError
} from 'openai'
import { describeSdk, type Prompt } from './sdk-suite.ts'

const classes = new Map<unknown, new (...values: never[]) => APIError>([
  [401, AuthenticationError],
  [403, PermissionDeniedError],
  [429, RateLimitError],
  [500, InternalServerError]
])

const messages = ({ system, user }: Prompt) => [
  { role: 'system' as const, content: system },
  { role: 'user' as const, content: user }
]

describeSdk({
  name: 'openai',
  dialect: 'chat-completions',
  basePaths: ['/api/ingress/v1'],
  connect({ baseUrl, apiKey, headers, fetch, retriesMax }) {
    const retries = retriesMax === undefined ? {} : { maxRetries: retriesMax }
    const client = new OpenAI({ baseURL: baseUrl, apiKey, defaultHeaders: headers, fetch, ...retries })
    return {
      async ask(prompt) {
        const answer = await client.chat.completions.create({ model: 'model-one', messages: messages(prompt) })
        return answer.choices[0]?.message.content ?? ''
      },
      async stream(prompt) {
        const stream = await client.chat.completions.create({
          model: 'model-one',
          messages: messages(prompt),
          stream: true,
          stream_options: { include_usage: true }
        })
        let text = ''
        for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
        return text
      }
    }
  },
  fault(error) {
    assert.ok(error instanceof APIError, String(error))
    const expected = classes.get(error.status)
    if (expected) assert.ok(error instanceof expected, `${error.constructor.name} for ${error.status}`)
    return { status: error.status as number | undefined, message: error.message, code: error.code }
  }
})
