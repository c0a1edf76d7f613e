import { HumanMessage, ToolMessage } from '@langchain/core/messages'
import { ChatAnthropic } from '@langchain/anthropic'
import { ChatOpenAI } from '@langchain/openai'
import { main, request, runTool, tools } from './tools.mjs'

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
const withTools = model.bindTools(
  tools.map(({ name, description, parameters }) => ({ type: 'function', function: { name, description, parameters } }))
)

await main(async () => {
  const messages = [new HumanMessage(prompt)]
  for (;;) {
    // Not "invoke" with "streaming": that asks the network for a tokenizer.
    let answer
    for await (const chunk of await withTools.stream(messages)) answer = answer?.concat(chunk) ?? chunk
    if (!answer.tool_calls?.length) return answer.text
    messages.push(answer)
    for (const call of answer.tool_calls) {
      messages.push(new ToolMessage({ content: await runTool(call), tool_call_id: call.id }))
    }
  }
})
