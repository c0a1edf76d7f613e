import assert from 'node:assert/strict'
import OpenAI, {
  APIError,
  AuthenticationError,
  InternalServerError,
  PermissionDeniedError,
  RateLimitError
} from 'openai'
import { describeSdk, type Prompt, type SdkSetup } from './sdk-suite.ts'

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

function fault(error: unknown) {
  assert.ok(error instanceof APIError, String(error))
  const expected = classes.get(error.status)
  if (expected) assert.ok(error instanceof expected, `${error.constructor.name} for ${error.status}`)
  return { status: error.status as number | undefined, message: error.message, code: error.code }
}

function clientOf({ baseUrl, apiKey, headers, fetch, retriesMax }: SdkSetup): OpenAI {
  const retries = retriesMax === undefined ? {} : { maxRetries: retriesMax }
  return new OpenAI({ baseURL: baseUrl, apiKey, defaultHeaders: headers, fetch, ...retries })
}

describeSdk({
  name: 'openai',
  dialect: 'chat-completions',
  route: '/v1/chat/completions',
  basePaths: ['/api/ingress/v1'],
  connect(setup) {
    const client = clientOf(setup)
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
  fault
})

describeSdk({
  name: 'openai responses',
  dialect: 'responses',
  route: '/v1/responses',
  basePaths: ['/api/ingress/v1'],
  connect(setup) {
    const client = clientOf(setup)
    return {
      async ask({ system, user }) {
        const answer = await client.responses.create({ model: 'model-one', instructions: system, input: user })
        return answer.output_text
      },
      async stream({ system, user }) {
        const input = [{ role: 'user' as const, content: [{ type: 'input_text' as const, text: user }] }]
        const stream = await client.responses.create({ model: 'model-one', instructions: system, input, stream: true })
        let text = ''
        for await (const event of stream) if (event.type === 'response.output_text.delta') text += event.delta
        return text
      }
    }
  },
  fault
})
