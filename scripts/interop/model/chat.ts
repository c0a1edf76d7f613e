/** The scripted model over `/v1/chat/completions`. */
import { dataFrame, headOf, objects, pieces, textOf, type ApiForm, type Reply, type Step, type Turn } from './turn.ts'

const usage = { prompt_tokens: 12, completion_tokens: 7, total_tokens: 19 }
const createdAt = 1_700_000_000

const toolCall = (reply: Reply, id: string) =>
  'call' in reply
    ? {
        id: `call_${id}`,
        type: 'function',
        function: { name: reply.call.name, arguments: JSON.stringify(reply.call.args) }
      }
    : undefined

const finishReason = (reply: Reply): string => ('call' in reply ? 'tool_calls' : 'stop')

export const chatForm: ApiForm = {
  read(body) {
    const steps = objects(body['messages']).flatMap(({ role, content }): Step[] =>
      role === 'user' || role === 'tool' ? [{ from: role, text: textOf(content) }] : []
    )
    return { ...headOf(body), steps }
  },

  whole(reply, { model }, id) {
    const call = toolCall(reply, id)
    const content = 'text' in reply ? reply.text : null
    const message = { role: 'assistant', content, refusal: null, ...(call ? { tool_calls: [call] } : {}) }
    const choices = [{ index: 0, message, logprobs: null, finish_reason: finishReason(reply) }]
    return { id: `chatcmpl-${id}`, object: 'chat.completion', created: createdAt, model, choices, usage }
  },

  frames(reply, { model }: Turn, id) {
    const head = { id: `chatcmpl-${id}`, object: 'chat.completion.chunk', created: createdAt, model }
    const chunk = (delta: object, finish: string | null = null): string =>
      dataFrame({ ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] })
    const call = toolCall(reply, id)
    const deltas = call
      ? [
          { tool_calls: [{ index: 0, ...call, function: { name: call.function.name, arguments: '' } }] },
          ...pieces(call.function.arguments).map((part) => ({
            tool_calls: [{ index: 0, function: { arguments: part } }]
          }))
        ]
      : pieces('text' in reply ? reply.text : '').map((content) => ({ content }))
    return [
      chunk({ role: 'assistant', content: call ? null : '' }),
      ...deltas.map((delta) => chunk(delta)),
      chunk({}, finishReason(reply)),
      dataFrame({ ...head, choices: [], usage }),
      'data: [DONE]\n\n'
    ]
  }
}
