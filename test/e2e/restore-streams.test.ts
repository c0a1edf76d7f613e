/** Interleaved streams as vendors send them, read through the vendors' SDKs: the reader sees only restored values. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { placeholdersIn } from '../support/placeholder.ts'
import { openConversation, type Conversation } from '../support/service-by-sdks.ts'

/** Frames of several sources, interleaved one by one. */
function inTurns(...sources: readonly (readonly object[])[]): object[] {
  const longest = Math.max(...sources.map(({ length }) => length))
  return Array.from({ length: longest }, (_, i) => sources.flatMap((source) => source.slice(i, i + 1))).flat()
}

const pieces = (text: string, size: number): string[] => text.match(new RegExp(`.{1,${size}}`, 'gsu')) ?? []

describe('restored streams in the SDKs of the vendors', () => {
  const running = new AsyncDisposableStack()
  let { stub, openai, anthropic, email, phone, question, answerWith } = {} as Conversation
  before(async () => {
    const opened = await openConversation(72, { preset: 'coding-agents', restore: { tools: ['edit*'] } })
    ;({ stub, openai, anthropic, email, phone, question, answerWith } = running.use(opened))
  })
  after(() => running.disposeAsync())

  for (const size of [1, 3, 7, 1000]) {
    test(`chat: two choices, interleaved calls, log probabilities and padding, in pieces of ${size}`, async () => {
      answerWith((a, b) => {
        const chunk = (choice: object, i: number) => ({
          id: 'chatcmpl-1',
          object: 'chat.completion.chunk',
          created: 1,
          model: 'm',
          choices: [{ finish_reason: null, ...choice }],
          usage: null,
          obfuscation: 'x'.repeat(i % 5)
        })
        const text = (index: number, all: string) =>
          pieces(all, size).map((content, i) => {
            const bytes = [...Buffer.from(content)]
            const logprobs = { content: [{ token: content, logprob: -0.5, bytes, top_logprobs: [] }], refusal: null }
            return chunk({ index, delta: { content }, logprobs: i % 2 === 0 ? logprobs : null }, i)
          })
        const call = (index: number, name: string, all: string) => [
          chunk(
            {
              index: 0,
              delta: {
                tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } }]
              }
            },
            0
          ),
          ...pieces(all, size).map((text, i) =>
            chunk({ index: 0, delta: { tool_calls: [{ index, function: { arguments: text } }] } }, i)
          )
        ]
        return [
          ...[0, 1].map((index) => chunk({ index, delta: { role: 'assistant', content: '', refusal: null } }, 0)),
          ...inTurns(text(0, `To ${a}, or ${b}.`), text(1, `${b}: see https://a.example/?q=${a} ${a}`)),
          ...inTurns(
            call(0, 'edit_file', JSON.stringify({ to: a, note: `line\n"${b}"` })),
            call(1, 'fetch', JSON.stringify({ to: a })),
            call(2, 'edit_line', JSON.stringify({ url: `https://a.example/${a}`, line: b }))
          ),
          chunk({ index: 0, delta: {}, finish_reason: 'tool_calls' }, 0),
          chunk({ index: 1, delta: {}, finish_reason: 'stop' }, 0)
        ]
      }, 'data: [DONE]\n\n')
      const stream = openai.chat.completions.stream({
        model: 'm',
        n: 2,
        messages: [{ role: 'user', content: question }]
      })
      const { choices } = await stream.finalChatCompletion()
      const [a, b] = placeholdersIn(stub.lastBody())
      assert.equal(choices[0]?.message.content, `To ${email.value}, or ${phone.value}.`)
      assert.equal(choices[1]?.message.content, `${phone.value}: see https://a.example/?q=${a} ${email.value}`)
      const calls = choices[0]?.message.tool_calls?.map(
        (call) => call.type === 'function' && JSON.parse(call.function.arguments)
      )
      assert.deepEqual(calls, [
        { to: email.value, note: `line\n"${phone.value}"` },
        { to: a },
        { url: `https://a.example/${a}`, line: phone.value }
      ])
      assert.ok(b)
    })

    test(`responses: interleaved items, as deltas, whole, with the item and with the response, in pieces of ${size}`, async () => {
      answerWith((a, b) => {
        const text = `To ${a}, or ${b}.`
        const args = JSON.stringify({ to: a, note: `"${b}"` })
        const part = { type: 'output_text', text, annotations: [], logprobs: [] }
        const message = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content: [part] }
        const call = {
          id: 'fc_1',
          type: 'function_call',
          call_id: 'call_1',
          name: 'edit_file',
          arguments: args,
          status: 'completed'
        }
        const reasoning = { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: `About ${a}` }] }
        const response = {
          id: 'resp_1',
          object: 'response',
          created_at: 1,
          model: 'm',
          status: 'completed',
          output: [reasoning, message, call]
        }
        const place = { item_id: 'msg_1', output_index: 1, content_index: 0 }
        const frames = [
          { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
          { type: 'response.output_item.added', output_index: 0, item: { ...reasoning, summary: [] } },
          {
            type: 'response.reasoning_summary_part.added',
            item_id: 'rs_1',
            output_index: 0,
            summary_index: 0,
            part: { type: 'summary_text', text: '' }
          },
          ...pieces(`About ${a}`, size).map((delta) => ({
            type: 'response.reasoning_summary_text.delta',
            item_id: 'rs_1',
            output_index: 0,
            summary_index: 0,
            delta
          })),
          { type: 'response.output_item.done', output_index: 0, item: reasoning },
          {
            type: 'response.output_item.added',
            output_index: 1,
            item: { ...message, status: 'in_progress', content: [] }
          },
          { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
          { type: 'response.output_item.added', output_index: 2, item: { ...call, arguments: '' } },
          ...inTurns(
            pieces(text, size).map((delta, i) => ({
              type: 'response.output_text.delta',
              ...place,
              delta,
              logprobs: [],
              obfuscation: 'x'.repeat(i % 4)
            })),
            pieces(args, size).map((delta) => ({
              type: 'response.function_call_arguments.delta',
              item_id: 'fc_1',
              output_index: 2,
              delta
            }))
          ),
          { type: 'response.output_text.done', ...place, text, logprobs: [] },
          { type: 'response.content_part.done', ...place, part },
          { type: 'response.output_item.done', output_index: 1, item: message },
          {
            type: 'response.function_call_arguments.done',
            item_id: 'fc_1',
            output_index: 2,
            name: 'edit_file',
            arguments: args
          },
          { type: 'response.output_item.done', output_index: 2, item: call },
          { type: 'response.completed', response }
        ]
        return frames.map((frame, sequence_number) => ({ ...frame, sequence_number }))
      })
      const stream = openai.responses.stream({ model: 'm', input: question })
      let told = ''
      let args = ''
      let thought = ''
      const numbers: number[] = []
      for await (const event of stream) {
        numbers.push(event.sequence_number)
        if (event.type === 'response.output_text.delta') told += event.delta
        if (event.type === 'response.function_call_arguments.delta') args += event.delta
        if (event.type === 'response.reasoning_summary_text.delta') thought += event.delta
      }
      const { output, output_text } = await stream.finalResponse()
      const [a] = placeholdersIn(stub.lastBody())
      const wanted = `To ${email.value}, or ${phone.value}.`
      assert.deepEqual([told, output_text], [wanted, wanted])
      const call = output.find((item) => item.type === 'function_call')
      assert.deepEqual(JSON.parse(args), { to: email.value, note: `"${phone.value}"` })
      assert.equal(call?.type === 'function_call' && call.arguments, args)
      assert.equal(thought, `About ${a}`)
      assert.deepEqual(numbers, [...numbers.keys()])
    })

    test(`messages: thinking, text and calls, padded, in pieces of ${size}`, async () => {
      answerWith((a, b) => {
        const delta = (index: number, change: object) => ({ type: 'content_block_delta', index, delta: change })
        const block = (index: number, start: object, deltas: readonly object[]) => [
          { type: 'content_block_start', index, content_block: start },
          ...deltas.map((change) => delta(index, change)),
          { type: 'content_block_stop', index }
        ]
        const json = (value: object) =>
          ['', ...pieces(JSON.stringify(value), size)].map((partial_json) => ({
            type: 'input_json_delta',
            partial_json
          }))
        const call = (id: string, name: string) => ({ type: 'tool_use', id, name, input: {} })
        const usage = { input_tokens: 1, output_tokens: 1 }
        const message = {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: 'm',
          content: [],
          stop_reason: null,
          usage
        }
        return [
          { type: 'message_start', message },
          ...block(0, { type: 'thinking', thinking: '', signature: '' }, [
            ...pieces(`About ${a}`, size).map((thinking) => ({ type: 'thinking_delta', thinking })),
            { type: 'signature_delta', signature: 'c2lnbmF0dXJl' }
          ]),
          { type: 'ping' },
          ...block(
            1,
            { type: 'text', text: '' },
            pieces(`To ${a}, or ${b}. [x](https://a.example/${b})`, size).map((text) => ({ type: 'text_delta', text }))
          ),
          ...inTurns(
            block(2, call('toolu_1', 'edit_file'), json({ to: a, note: `line\n"${b}"` })),
            block(3, call('toolu_2', 'fetch'), json({ to: a }))
          ),
          { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage },
          { type: 'message_stop' }
        ]
      })
      const stream = anthropic.messages.stream({
        model: 'm',
        max_tokens: 9,
        messages: [{ role: 'user', content: question }]
      })
      const { content } = await stream.finalMessage()
      const [a, b] = placeholdersIn(stub.lastBody())
      assert.partialDeepStrictEqual(content, [
        { type: 'thinking', thinking: `About ${a}`, signature: 'c2lnbmF0dXJl' },
        { type: 'text', text: `To ${email.value}, or ${phone.value}. [x](https://a.example/${b})` },
        { type: 'tool_use', name: 'edit_file', input: { to: email.value, note: `line\n"${phone.value}"` } },
        { type: 'tool_use', name: 'fetch', input: { to: a } }
      ])
    })
  }
})
