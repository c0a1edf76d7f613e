import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, generateText, RetryError, streamText, type LanguageModel } from 'ai'
import assert from 'node:assert/strict'
import { describeSdk, type SdkClient, type SdkFault, type SdkSetup } from './sdk-suite.ts'

/**
 * The AI SDK passes a stream's error to a callback and ends the stream; an application that awaits the text rethrows
 * it.
 */
function clientOf(model: LanguageModel, { retriesMax }: SdkSetup): SdkClient {
  const retries = retriesMax === undefined ? {} : { maxRetries: retriesMax }
  return {
    async ask({ system, user }) {
      const { text } = await generateText({ model, system, prompt: user, ...retries })
      return text
    },
    async stream({ system, user }) {
      let failure: unknown
      const result = streamText({
        model,
        system,
        prompt: user,
        ...retries,
        onError: ({ error }) => void (failure = error)
      })
      let text = ''
      for await (const piece of result.textStream) text += piece
      if (failure !== undefined) throw failure
      return text
    }
  }
}

interface ErrorBody {
  readonly error?: { readonly code?: string; readonly details?: { readonly error_code?: string } }
}

function fault(error: unknown): SdkFault {
  const cause = RetryError.isInstance(error) ? error.lastError : error
  assert.ok(APICallError.isInstance(cause), String(cause))
  const body = JSON.parse(cause.responseBody ?? '{}') as ErrorBody
  return { status: cause.statusCode, message: cause.message, code: body.error?.details?.error_code ?? body.error?.code }
}

describeSdk({
  name: 'ai with @ai-sdk/openai-compatible',
  dialect: 'chat-completions',
  route: '/v1/chat/completions',
  basePaths: ['/api/ingress/v1'],
  connect(setup) {
    const { baseUrl, apiKey, headers, fetch } = setup
    const provider = createOpenAICompatible({
      name: 'sluice',
      baseURL: baseUrl,
      apiKey,
      headers,
      fetch,
      includeUsage: true
    })
    return clientOf(provider('model-one'), setup)
  },
  fault
})

describeSdk({
  name: 'ai with @ai-sdk/anthropic',
  dialect: 'messages',
  route: '/v1/messages',
  // This provider appends `/messages` alone, so a base without `/v1` leads to a path without a version.
  basePaths: ['/api/ingress/v1', '/api/ingress'],
  connect(setup) {
    const { baseUrl, apiKey, headers, fetch } = setup
    return clientOf(createAnthropic({ baseURL: baseUrl, apiKey, headers, fetch })('model-one'), setup)
  },
  fault
})
