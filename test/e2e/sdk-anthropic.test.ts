import Anthropic, {
  APIError,
  AuthenticationError,
  InternalServerError,
  PermissionDeniedError,
  RateLimitError
} from '@anthropic-ai/sdk'
import assert from 'node:assert/strict'
import { describeSdk, type Prompt } from './sdk-suite.ts'

const classes = new Map<unknown, new (...values: never[]) => APIError>([
  [401, AuthenticationError],
  [403, PermissionDeniedError],
  [429, RateLimitError],
  [500, InternalServerError]
])

const request = ({ system, user }: Prompt) => ({
  model: 'model-one',
  max_tokens: 64,
  system,
  messages: [{ role: 'user' as const, content: user }]
})

describeSdk({
  name: '@anthropic-ai/sdk',
  dialect: 'messages',
  route: '/v1/messages',
  // This SDK appends `/v1` itself, so the base of the specification leads to `/v1/v1/messages`; both must work.
  basePaths: ['/api/ingress/v1', '/api/ingress'],
  connect({ baseUrl, apiKey, headers, fetch, retriesMax }) {
    const retries = retriesMax === undefined ? {} : { maxRetries: retriesMax }
    const client = new Anthropic({ baseURL: baseUrl, apiKey, defaultHeaders: headers, fetch, ...retries })
    return {
      async ask(prompt) {
        const answer = await client.messages.create(request(prompt))
        return answer.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
      },
      async stream(prompt) {
        const stream = await client.messages.create({ ...request(prompt), stream: true })
        let text = ''
        for await (const event of stream) {
          if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') text += event.delta.text
        }
        return text
      }
    }
  },
  fault(error) {
    assert.ok(error instanceof APIError, String(error))
    const expected = classes.get(error.status)
    if (expected) assert.ok(error instanceof expected, `${error.constructor.name} for ${error.status}`)
    return {
      status: error.status as number | undefined,
      message: error.apiMessage ?? error.message,
      code: error.errorCode
    }
  }
})
