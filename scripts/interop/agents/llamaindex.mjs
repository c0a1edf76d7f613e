import { anthropic } from '@llamaindex/anthropic'
import { openai } from '@llamaindex/openai'
import { main, request, runTool, tools } from './tools.mjs'

const { api, prompt, base, token } = request

// The anthropic package takes its base URL only from ANTHROPIC_BASE_URL.
const model =
  api === 'messages'
    ? anthropic({ model: 'claude-sonnet-4-0', apiKey: token })
    : openai({ model: 'gpt-4.1', apiKey: token, baseURL: `${base}/v1` })

const described = tools.map(({ name, description, parameters, run }) => ({
  call: run,
  metadata: { name, description, parameters }
}))

await main(async () => {
  const messages = [{ role: 'user', content: prompt }]
  for (;;) {
    let text = ''
    const calls = new Map()
    for await (const { delta, options } of await model.chat({ messages, tools: described, stream: true })) {
      text += delta
      for (const call of options?.toolCall ?? []) calls.set(call.id, call)
    }
    if (calls.size === 0) return text
    messages.push({ role: 'assistant', content: text, options: { toolCall: [...calls.values()] } })
    for (const { id, name, input } of calls.values()) {
      const args = typeof input === 'string' ? JSON.parse(input) : input
      const result = await runTool({ name, args })
      messages.push({ role: 'user', content: result, options: { toolResult: { id, result, isError: false } } })
    }
  }
})
