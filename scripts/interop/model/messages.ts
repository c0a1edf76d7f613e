/** The scripted model over `/v1/messages`. */
import {
  headOf,
  namedFrame,
  objects,
  pieces,
  textOf,
  type ApiForm,
  type Json,
  type Reply,
  type Step,
  type Turn
} from './turn.ts'

const usage = { input_tokens: 12, output_tokens: 7 }

/** The text of a user message, and the tool results in it. */
function stepsOf(content: unknown): Step[] {
  if (typeof content === 'string') return [{ from: 'user', text: content }]
  return objects(content).map((block): Step =>
    block['type'] === 'tool_result'
      ? { from: 'tool', text: textOf(block['content']) }
      : { from: 'user', text: textOf([block]) }
  )
}

/** A thinking block, which clients send back unchanged with the history. */
const signature = Buffer.from('a signature of the scripted model').toString('base64')
const thought = 'The person wants something done. I shall use a tool if I need one, and answer otherwise.'

/** A thinking block if the client asked for one, then a text or tool calls. */
function blocksOf(reply: Reply, { thinks }: Turn, id: string): Json[] {
  const said =
    'text' in reply
      ? [{ type: 'text', text: reply.text }]
      : reply.calls.map(({ name, args }, index) => ({
          type: 'tool_use',
          id: `toolu_${id}_${index}`,
          name,
          input: args
        }))
  return [...(thinks ? [{ type: 'thinking', thinking: thought, signature }] : []), ...said]
}

const stopReason = (reply: Reply): string => ('calls' in reply ? 'tool_use' : 'end_turn')

/** The events of one block. */
function growth(block: Json, index: number): (Json & { type: string })[] {
  const delta = (change: Json): Json & { type: string } => ({ type: 'content_block_delta', index, delta: change })
  const [empty, deltas] =
    block['type'] === 'tool_use'
      ? [
          { ...block, input: {} },
          pieces(JSON.stringify(block['input'])).map((part) => delta({ type: 'input_json_delta', partial_json: part }))
        ]
      : block['type'] === 'thinking'
        ? [
            { ...block, thinking: '', signature: '' },
            [
              ...pieces(thought).map((part) => delta({ type: 'thinking_delta', thinking: part })),
              delta({ type: 'signature_delta', signature })
            ]
          ]
        : [
            { ...block, text: '' },
            pieces(String(block['text'])).map((part) => delta({ type: 'text_delta', text: part }))
          ]
  return [
    { type: 'content_block_start', index, content_block: empty },
    ...deltas,
    { type: 'content_block_stop', index }
  ]
}

export const messagesForm: ApiForm = {
  read(body) {
    const user = objects(body['messages']).filter(({ role }) => role === 'user')
    return { ...headOf(body), steps: user.flatMap(({ content }) => stepsOf(content)) }
  },

  whole(reply, turn, id) {
    const stop = { stop_reason: stopReason(reply), stop_sequence: null }
    const content = blocksOf(reply, turn, id)
    return { id: `msg_${id}`, type: 'message', role: 'assistant', model: turn.model, content, ...stop, usage }
  },

  frames(reply, turn, id) {
    const message = { ...messagesForm.whole(reply, turn, id), content: [], stop_reason: null }
    return [
      { type: 'message_start', message },
      { type: 'ping' },
      ...blocksOf(reply, turn, id).flatMap(growth),
      { type: 'message_delta', delta: { stop_reason: stopReason(reply), stop_sequence: null }, usage },
      { type: 'message_stop' }
    ].map(namedFrame)
  }
}
