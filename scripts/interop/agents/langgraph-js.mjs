import { ChatAnthropic } from '@langchain/anthropic'
import { tool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent } from 'langchain'
import { main, request, tools } from './tools.mjs'

const { api, prompt, base, token } = request

const model =
  api === 'messages'
    ? new ChatAnthropic({ model: 'any-model', anthropicApiUrl: base, apiKey: token })
    : new ChatOpenAI({
        model: 'any-model',
        configuration: { baseURL: `${base}/v1` },
        apiKey: token,
        useResponsesApi: api === 'responses'
      })

await main(async () => {
  const known = tools.map(({ name, description, parameters, run }) =>
    tool(run, { name, description, schema: parameters })
  )
  const agent = createAgent({ model, tools: known })
  // Streamed as pages show it; the last state is what "invoke" would give.
  let last
  const states = await agent.stream(
    { messages: [{ role: 'user', content: prompt }] },
    { streamMode: 'values', recursionLimit: 200 }
  )
  for await (const state of states) last = state
  return last.messages.at(-1).text
})
