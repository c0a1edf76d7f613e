/** The scripted model over `/v1/responses`. */
import { headOf, namedFrame, objects, pieces, textOf, type ApiForm, type Json, type Reply, type Step } from './turn.ts'

const usage = {
  input_tokens: 12,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 19
}

function stepsOf(input: unknown): Step[] {
  if (typeof input === 'string') return [{ from: 'user', text: input }]
  return objects(input).flatMap(({ type, role, content, output }): Step[] => {
    if (role === 'user') return [{ from: 'user', text: textOf(content) }]
    return type === 'function_call_output' || type === 'custom_tool_call_output'
      ? [{ from: 'tool', text: textOf(output) }]
      : []
  })
}

const part = (text: string): Json => ({ type: 'output_text', text, annotations: [] })

function itemsOf(reply: Reply, id: string): Json[] {
  if ('text' in reply)
    return [{ id: `msg_${id}`, type: 'message', role: 'assistant', status: 'completed', content: [part(reply.text)] }]
  return reply.calls.map(({ name, args }, index) => {
    const made = { name, arguments: JSON.stringify(args), status: 'completed' }
    return { id: `fc_${id}_${index}`, type: 'function_call', call_id: `call_${id}_${index}`, ...made }
  })
}

/** The events of one item. */
function growth(reply: Reply, item: Json, index: number): (Json & { type: string })[] {
  const place = { item_id: item['id'], output_index: index }
  const empty = { ...item, status: 'in_progress', ...('calls' in reply ? { arguments: '' } : { content: [] }) }
  return [
    { type: 'response.output_item.added', output_index: index, item: empty },
    ...within(reply, item, place),
    { type: 'response.output_item.done', output_index: index, item }
  ]
}

/** The events between the start and the end of an item. */
function within(reply: Reply, item: Json, place: Json): (Json & { type: string })[] {
  if ('calls' in reply) {
    const text = item['arguments'] as string
    return [
      ...pieces(text).map((delta) => ({ type: 'response.function_call_arguments.delta', ...place, delta })),
      { type: 'response.function_call_arguments.done', ...place, arguments: text }
    ]
  }
  const inPart = { ...place, content_index: 0 }
  return [
    { type: 'response.content_part.added', ...inPart, part: part('') },
    ...pieces(reply.text).map((delta) => ({ type: 'response.output_text.delta', ...inPart, delta, logprobs: [] })),
    { type: 'response.output_text.done', ...inPart, text: reply.text, logprobs: [] },
    { type: 'response.content_part.done', ...inPart, part: part(reply.text) }
  ]
}

export const responsesForm: ApiForm = {
  read: (body) => ({ ...headOf(body), steps: stepsOf(body['input']) }),

  whole(reply, { model }, id) {
    const head = { id: `resp_${id}`, object: 'response', created_at: 1_700_000_000, model, error: null }
    return { ...head, status: 'completed', incomplete_details: null, output: itemsOf(reply, id), usage }
  },

  frames(reply, turn, id) {
    const response = responsesForm.whole(reply, turn, id)
    const begun = { ...response, status: 'in_progress', output: [], usage: null }
    return [
      { type: 'response.created', response: begun },
      ...itemsOf(reply, id).flatMap((item, index) => growth(reply, item, index)),
      { type: 'response.completed', response }
    ].map((event, sequence) => namedFrame({ ...event, sequence_number: sequence }))
  }
}
