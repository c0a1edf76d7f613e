/**
 * Uses of the vendors' APIs beyond plain text, through the vendors' SDKs: requests arrive unchanged except for masking,
 * and responses are complete.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { placeholdersIn } from '../support/placeholder.ts'
import { publishProfile } from '../support/publish-profile.ts'
import { openConversation, type Conversation } from '../support/service-by-sdks.ts'
import type { Received } from '../support/stub-upstream.ts'

type Json = Record<string, unknown>

const parsed = (received: Received | undefined): Json => JSON.parse(received?.body.toString('utf8') ?? '') as Json
const pieces = (text: string): string[] => text.match(/.{1,5}/gsu) ?? []
const schema = {
  type: 'object',
  properties: { to: { type: 'string', description: 'an address such as a@b.example' }, note: { type: 'string' } },
  required: ['to', 'note'],
  additionalProperties: false
} as const

describe('what the vendors’ SDKs can ask for', () => {
  const running = new AsyncDisposableStack()
  let { stub, service, openai, anthropic, email, phone, question, answerWith } = {} as Conversation
  before(async () => {
    const opened = running.use(await openConversation(73, { preset: 'coding-agents' }))
    ;({ stub, service, openai, anthropic, email, phone, question, answerWith } = opened)
  })
  after(() => running.disposeAsync())

  /** The request arrived as sent, with placeholders in place of the two values only. */
  function arrivedAs(sent: object): void {
    const body = stub.lastBody()
    const [a = '', b = ''] = new Set(placeholdersIn(body))
    assert.ok(!body.includes(email.needle) && !body.includes(phone.needle))
    assert.ok(a.startsWith('EMAIL_') && b.startsWith('PHONE_'), `${a} ${b}`)
    assert.deepEqual(
      JSON.parse(body.replaceAll(a, email.value).replaceAll(b, phone.value)),
      JSON.parse(JSON.stringify(sent))
    )
  }

  const chunk = (delta: Json, finish_reason: string | null = null): Json => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, logprobs: null, finish_reason }]
  })

  test('chat: tools with free-form input, in parallel with JSON tools, and their results', async () => {
    const patch = (a: string, b: string): string => `*** Begin\n+${a}\n+"${b}"\n*** End`
    answerWith(
      (a, b) => [
        chunk({ role: 'assistant', content: null }),
        chunk({ tool_calls: [{ index: 0, id: 'call_1', type: 'custom', custom: { name: 'patch', input: '' } }] }),
        chunk({ tool_calls: [{ index: 1, id: 'call_2', type: 'function', function: { name: 'f', arguments: '' } }] }),
        ...pieces(patch(a, b)).map((input) => chunk({ tool_calls: [{ index: 0, custom: { input } }] })),
        ...pieces(JSON.stringify({ to: a })).map((text) =>
          chunk({ tool_calls: [{ index: 1, function: { arguments: text } }] })
        ),
        chunk({}, 'tool_calls')
      ],
      'data: [DONE]\n\n'
    )
    const asked = {
      model: 'm',
      messages: [{ role: 'user' as const, content: question }],
      parallel_tool_calls: true,
      tools: [
        { type: 'custom' as const, custom: { name: 'patch', format: { type: 'text' as const } } },
        { type: 'function' as const, function: { name: 'f', parameters: schema, strict: true } }
      ],
      stream: true as const
    }
    const said = ['', '']
    for await (const { choices } of await openai.chat.completions.create(asked)) {
      for (const call of choices[0]?.delta.tool_calls ?? []) {
        const { custom } = call as { custom?: { input?: string } }
        said[call.index] += custom?.input ?? call.function?.arguments ?? ''
      }
    }
    arrivedAs(asked)
    assert.deepEqual(said, [patch(email.value, phone.value), JSON.stringify({ to: email.value })])
    const again = {
      model: 'm',
      messages: [
        ...asked.messages,
        {
          role: 'assistant' as const,
          tool_calls: [
            { id: 'call_1', type: 'custom' as const, custom: { name: 'patch', input: said[0] ?? '' } },
            { id: 'call_2', type: 'function' as const, function: { name: 'f', arguments: said[1] ?? '' } }
          ]
        },
        { role: 'tool' as const, tool_call_id: 'call_1', content: `wrote ${email.value}` },
        { role: 'tool' as const, tool_call_id: 'call_2', content: [{ type: 'text' as const, text: phone.value }] }
      ]
    }
    answerWith((a) => ({
      ...chunk({}),
      choices: [{ index: 0, message: { role: 'assistant', content: `Done: ${a}` } }]
    }))
    const { choices } = await openai.chat.completions.create(again)
    assert.equal(choices[0]?.message.content, `Done: ${email.value}`)
    arrivedAs(again)
  })

  test('chat: functions, the form that preceded tools', async () => {
    const args = (a: string, b: string): string => JSON.stringify({ to: a, note: `"${b}"\n` })
    answerWith(
      (a, b) => [
        chunk({ role: 'assistant', content: null, function_call: { name: 'write', arguments: '' } }),
        ...pieces(args(a, b)).map((text) => chunk({ function_call: { arguments: text } })),
        chunk({}, 'function_call')
      ],
      'data: [DONE]\n\n'
    )
    const asked = {
      model: 'm',
      messages: [{ role: 'user' as const, content: question }],
      functions: [{ name: 'write', parameters: schema }],
      function_call: 'auto' as const,
      stream: true as const
    }
    let said = ''
    for await (const { choices } of await openai.chat.completions.create(asked))
      said += choices[0]?.delta.function_call?.arguments ?? ''
    arrivedAs(asked)
    assert.equal(said, args(email.value, phone.value))
    const again = {
      model: 'm',
      messages: [
        ...asked.messages,
        { role: 'assistant' as const, content: null, function_call: { name: 'write', arguments: said } },
        { role: 'function' as const, name: 'write', content: `wrote to ${email.value}` }
      ]
    }
    answerWith((a, b) => ({
      ...chunk({}),
      choices: [
        { index: 0, message: { role: 'assistant', content: null, function_call: { name: 'w', arguments: args(a, b) } } }
      ]
    }))
    const { choices } = await openai.chat.completions.create(again)
    assert.equal(choices[0]?.message.function_call?.arguments, args(email.value, phone.value))
    arrivedAs(again)
  })

  test('responses: a custom tool, as deltas, whole, with the item and with the response', async () => {
    const input = (a: string, b: string): string => `send ${a}\n"${b}" `
    const item = (text: string): Json => ({
      id: 'ctc_1',
      type: 'custom_tool_call',
      call_id: 'call_1',
      name: 'send',
      input: text
    })
    answerWith((a, b) => {
      const response = { id: 'resp_1', object: 'response', created_at: 1, model: 'm', status: 'completed' }
      const place = { item_id: 'ctc_1', output_index: 0 }
      return [
        { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
        { type: 'response.output_item.added', output_index: 0, item: item('') },
        ...pieces(input(a, b)).map((delta) => ({ type: 'response.custom_tool_call_input.delta', ...place, delta })),
        { type: 'response.custom_tool_call_input.done', ...place, input: input(a, b) },
        { type: 'response.output_item.done', output_index: 0, item: item(input(a, b)) },
        { type: 'response.completed', response: { ...response, output: [item(input(a, b))] } }
      ].map((event, sequence_number) => ({ ...event, sequence_number }))
    })
    const asked = {
      model: 'm',
      input: question,
      store: false,
      previous_response_id: 'resp_0',
      prompt_cache_key: 'thread-17',
      include: ['reasoning.encrypted_content' as const],
      tools: [{ type: 'custom' as const, name: 'send', format: { type: 'text' as const } }],
      stream: true as const
    }
    const said: string[] = ['']
    for await (const event of await openai.responses.create(asked)) {
      if (event.type === 'response.custom_tool_call_input.delta') said[0] += event.delta
      if (event.type === 'response.custom_tool_call_input.done') said.push(event.input)
      if (event.type === 'response.output_item.done' && event.item.type === 'custom_tool_call')
        said.push(event.item.input)
      if (event.type === 'response.completed')
        for (const one of event.response.output) if ('input' in one) said.push(one.input)
    }
    arrivedAs(asked)
    assert.deepEqual(
      said,
      Array.from({ length: 4 }, () => input(email.value, phone.value))
    )
    const again = {
      model: 'm',
      input: [
        { role: 'user' as const, content: question },
        { type: 'custom_tool_call' as const, call_id: 'call_1', name: 'send', input: said[0] ?? '' },
        { type: 'custom_tool_call_output' as const, call_id: 'call_1', output: `sent to ${email.value}` }
      ]
    }
    answerWith(() => ({ id: 'resp_2', object: 'response', created_at: 1, model: 'm', status: 'completed', output: [] }))
    await openai.responses.create(again)
    arrivedAs(again)
  })

  test('structured outputs remain the same JSON, with the values that need no escape in it', async () => {
    const tests = { match: ['QUILL\\anna'] }
    const custom = [{ id: 'account', pattern: 'QUILL[\\\\][a-z]+', tests }]
    await publishProfile(service, { preset: 'coding-agents', custom })
    const account = ['QUILL', 'anna'].join('\\')
    const content = `${question} The account is ${account} here.`
    const text = (all: readonly string[]): string => {
      const [a = '', b = '', c = ''] = ['EMAIL', 'PHONE', 'ACCOUNT'].map((label) =>
        all.find((one) => one.startsWith(label))
      )
      return JSON.stringify({ to: a, note: `"${b}" of ${c}` })
    }
    let masked: string[] = []
    stub.behave((received, res) => {
      masked = placeholdersIn(received.body.toString('utf8'))
      const said = text(masked)
      const { stream } = parsed(received)
      res.writeHead(200, { 'content-type': stream === true ? 'text/event-stream' : 'application/json' })
      if (received.url.endsWith('/responses')) {
        const output = [
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: said, annotations: [] }] }
        ]
        res.end(JSON.stringify({ id: 'resp_1', object: 'response', created_at: 1, status: 'completed', output }))
      } else if (received.url.endsWith('/messages')) {
        const answer = { id: 'msg_1', type: 'message', role: 'assistant', content: [{ type: 'text', text: said }] }
        res.end(JSON.stringify({ ...answer, usage: { input_tokens: 1, output_tokens: 1 } }))
      } else {
        const beginning = chunk({ role: 'assistant', content: '' })
        const frames = [beginning, ...pieces(said).map((piece) => chunk({ content: piece })), chunk({}, 'stop')]
        res.end(frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('') + 'data: [DONE]\n\n')
      }
    })
    const named = { name: 'letter', schema, strict: true }
    const messages = [{ role: 'user' as const, content }]
    const wanted = (): object => {
      const kept = masked.find((one) => one.startsWith('ACCOUNT'))
      assert.ok(kept)
      return { to: email.value, note: `"${phone.value}" of ${kept}` }
    }
    const streamed = openai.chat.completions.stream({
      model: 'm',
      messages,
      response_format: { type: 'json_schema', json_schema: named }
    })
    const chat = await streamed.finalChatCompletion()
    assert.deepEqual(JSON.parse(chat.choices[0]?.message.content ?? ''), wanted())
    const format = { type: 'json_schema' as const, ...named }
    const { output_text } = await openai.responses.create({ model: 'm', input: content, text: { format } })
    assert.deepEqual(JSON.parse(output_text), wanted())
    const config = { format: { type: 'json_schema' as const, schema } }
    const message = await anthropic.messages.create({ model: 'm', max_tokens: 9, messages, output_config: config })
    const [block] = message.content
    assert.deepEqual(JSON.parse(block?.type === 'text' ? block.text : ''), wanted())
    // Without a schema, the text contains the value as it was written.
    const plain = await openai.chat.completions.stream({ model: 'm', messages }).finalChatCompletion()
    assert.match(plain.choices[0]?.message.content ?? '', /of QUILL\\anna/)
    await publishProfile(service, { preset: 'coding-agents' })
  })

  test('headers that the SDKs set for a call are forwarded', async () => {
    answerWith(() => ({ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [] }))
    const messages = [{ role: 'user' as const, content: email.sentence }]
    await anthropic.beta.messages.create({
      model: 'm',
      max_tokens: 9,
      messages,
      betas: ['context-management-2025-06-27'],
      user_profile_id: 'uprof_01',
      workspace_id: 'wrkspc_01'
    })
    assert.partialDeepStrictEqual(stub.received[0]?.headers, {
      'anthropic-beta': 'context-management-2025-06-27',
      'anthropic-user-profile-id': 'uprof_01'
    })
    assert.equal(stub.received[0]?.headers['anthropic-workspace-id'], undefined)
    answerWith(() => ({ id: 'resp_1', object: 'response', created_at: 1, model: 'm', status: 'completed', output: [] }))
    await openai.beta.responses.create({ model: 'gpt-5', input: email.sentence, betas: ['responses_multi_agent=v1'] })
    assert.equal(stub.received[0]?.headers['openai-beta'], 'responses_multi_agent=v1')
  })

  test('messages: the token count covers the content of the call, and cache marks stay where they were', async () => {
    const cache_control = { type: 'ephemeral' as const, ttl: '1h' as const }
    const asked = {
      model: 'm',
      system: [{ type: 'text' as const, text: 'Be brief.', cache_control }],
      tools: [{ name: 'write', input_schema: schema as unknown as { type: 'object' }, cache_control }],
      messages: [
        { role: 'user' as const, content: [{ type: 'text' as const, text: email.sentence, cache_control }] },
        {
          role: 'assistant' as const,
          content: [{ type: 'tool_use' as const, id: 'toolu_1', name: 'write', input: { to: email.value } }]
        },
        {
          role: 'user' as const,
          content: [{ type: 'tool_result' as const, tool_use_id: 'toolu_1', content: phone.sentence, cache_control }]
        }
      ]
    }
    answerWith(() => ({ input_tokens: 12 }))
    assert.deepEqual(await anthropic.messages.countTokens(asked).then(({ input_tokens }) => input_tokens), 12)
    arrivedAs(asked)
    const counted = parsed(stub.received[0])
    answerWith((a, b) => ({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text: `${a} and ${b}` }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 12, output_tokens: 1 }
    }))
    const { content } = await anthropic.messages.create({ ...asked, max_tokens: 9 })
    assert.partialDeepStrictEqual(content, [{ text: `${email.value} and ${phone.value}` }])
    assert.deepEqual(parsed(stub.received[0]), { ...counted, max_tokens: 9 })
  })
})
