import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { jsonSchema, stepCountIs, streamText, tool } from 'ai'
import { main, request, tools } from './tools.mjs'

const { api, prompt, base, token } = request

const provider = (api === 'messages' ? createAnthropic : createOpenAI)({ baseURL: `${base}/v1`, apiKey: token })
const model = api === 'chat-completions' ? provider.chat('any-model') : provider('any-model')

await main(async () => {
  /** @type {Error | undefined} */
  let failure
  const result = streamText({
    model,
    prompt,
    stopWhen: stepCountIs(80),
    tools: Object.fromEntries(
      tools.map(({ name, description, parameters, run }) => [
        name,
        tool({ description, inputSchema: jsonSchema(parameters), execute: run })
      ])
    ),
    onError({ error }) {
      failure = error instanceof Error ? error : new Error(String(error))
    }
  })
  await result.consumeStream()
  if (failure) throw failure
  return await result.text
})
