/** The scripted model over `/v1/chat/completions`. */
import { dataFrame, headOf, objects, pieces, textOf, type ApiForm, type Reply, type Step, type Turn } from './turn.ts'

const usage = { prompt_tokens: 12, completion_tokens: 7, total_tokens: 19 }
const createdAt = 1_700_000_000

const toolCalls = (reply: Reply, id: string) =>
  'calls' in reply
    ? reply.calls.map(({ name, args }, index) => ({
        id: `call_${id}_${index}`,
        type: 'function',
        function: { name, arguments: JSON.stringify(args) }
      }))
    : undefined

const finishReason = (reply: Reply): string => ('calls' in reply ? 'tool_calls' : 'stop')

export const chatForm: ApiForm = {
  read(body) {
    const steps = objects(body['messages']).flatMap(({ role, content }): Step[] =>
      role === 'user' || role === 'tool' ? [{ from: role, text: textOf(content) }] : []
    )
    return { ...headOf(body), steps }
  },

  whole(reply, { model }, id) {
    const calls = toolCalls(reply, id)
    const content = 'text' in reply ? reply.text : null
    const message = { role: 'assistant', content, refusal: null, ...(calls ? { tool_calls: calls } : {}) }
    const choices = [{ index: 0, message, logprobs: null, finish_reason: finishReason(reply) }]
    return { id: `chatcmpl-${id}`, object: 'chat.completion', created: createdAt, model, choices, usage }
  },

  frames(reply, { model }: Turn, id) {
    const head = { id: `chatcmpl-${id}`, object: 'chat.completion.chunk', created: createdAt, model }
    const chunk = (delta: object, finish: string | null = null): string =>
      dataFrame({ ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] })
    const calls = toolCalls(reply, id)
    const deltas = calls
      ? calls.flatMap((call, index) => [
          { tool_calls: [{ index, ...call, function: { name: call.function.name, arguments: '' } }] },
          ...pieces(call.function.arguments).map((part) => ({ tool_calls: [{ index, function: { arguments: part } }] }))
        ])
      : pieces('text' in reply ? reply.text : '').map((content) => ({ content }))
    return [
      chunk({ role: 'assistant', content: calls ? null : '' }),
      ...deltas.map((delta) => chunk(delta)),
      chunk({}, finishReason(reply)),
      dataFrame({ ...head, choices: [], usage }),
      'data: [DONE]\n\n'
    ]
  }
}
