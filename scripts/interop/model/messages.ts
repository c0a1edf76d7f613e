/** The scripted model over `/v1/messages`. */
import { headOf, namedFrame, objects, pieces, textOf, type ApiForm, type Json, type Reply, type Step } from './turn.ts'

const usage = { input_tokens: 12, output_tokens: 7 }

/** What a user message says, and what tools brought in it. */
function stepsOf(content: unknown): Step[] {
  if (typeof content === 'string') return [{ from: 'user', text: content }]
  return objects(content).map((block): Step =>
    block['type'] === 'tool_result'
      ? { from: 'tool', text: textOf(block['content']) }
      : { from: 'user', text: textOf([block]) }
  )
}

const block = (reply: Reply, id: string): Json =>
  'call' in reply
    ? { type: 'tool_use', id: `toolu_${id}`, name: reply.call.name, input: reply.call.args }
    : { type: 'text', text: reply.text }

const stopReason = (reply: Reply): string => ('call' in reply ? 'tool_use' : 'end_turn')

export const messagesForm: ApiForm = {
  read(body) {
    const user = objects(body['messages']).filter(({ role }) => role === 'user')
    return { ...headOf(body), steps: user.flatMap(({ content }) => stepsOf(content)) }
  },

  whole(reply, { model }, id) {
    const stop = { stop_reason: stopReason(reply), stop_sequence: null }
    return { id: `msg_${id}`, type: 'message', role: 'assistant', model, content: [block(reply, id)], ...stop, usage }
  },

  frames(reply, turn, id) {
    const message = { ...messagesForm.whole(reply, turn, id), content: [], stop_reason: null }
    const isCall = 'call' in reply
    const started = { ...block(reply, id), ...(isCall ? { input: {} } : { text: '' }) }
    const delta = (part: string): Json =>
      isCall ? { type: 'input_json_delta', partial_json: part } : { type: 'text_delta', text: part }
    const parts = pieces(isCall ? JSON.stringify(reply.call.args) : reply.text)
    return [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: started },
      { type: 'ping' },
      ...parts.map((part) => ({ type: 'content_block_delta', index: 0, delta: delta(part) })),
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: stopReason(reply), stop_sequence: null }, usage },
      { type: 'message_stop' }
    ].map(namedFrame)
  }
}
