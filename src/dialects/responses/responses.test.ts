import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { embeddings } from '../embeddings.ts'
import { indexOf } from '../json/indexing.fixture.ts'
import { base64, planOf, png, seal } from '../plan/planning.fixture.ts'
import { responses } from './responses.ts'

/** One item and the expected labels of its strings, by pointers below it. */
type Row = readonly [item: object, labels: Readonly<Record<string, string>>]

const user = 'masked user'
const result = 'masked tool_result'
const assistant = 'watched assistant'

const rows: readonly Row[] = [
  [
    { role: 'user', content: 'x' },
    { content: user, role: 'sealed user' }
  ],
  [
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'x' }] },
    { 'content/0/text': 'masked system' }
  ],
  [{ role: 'someone', content: 'x' }, { content: 'masked other' }],
  [
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'x' }]
    },
    { 'content/0/text': assistant, id: 'sealed assistant', status: 'sealed assistant' }
  ],
  [
    {
      role: 'user',
      content: [{ type: 'input_file', filename: 'x', file_data: `data:text/plain;base64,${base64('abc')}` }]
    },
    { 'content/0/file_data': 'masked document data-uri', 'content/0/filename': 'masked document' }
  ],
  [
    { role: 'user', content: [{ type: 'input_image', image_url: `data:image/png;base64,${png}`, detail: 'auto' }] },
    { 'content/0/image_url': 'sealed user' }
  ],
  [{ role: 'user', content: [{ type: 'new_part', words: 'x' }] }, { 'content/0/words': user }],
  [
    { type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{"path":"x"}' },
    { arguments: 'watched assistant json', name: assistant, call_id: 'sealed assistant' }
  ],
  [{ type: 'custom_tool_call', call_id: 'c', name: 'patch', input: 'x' }, { input: assistant }],
  [
    { type: 'function_call_output', call_id: 'call_1', output: 'x' },
    { output: result, call_id: 'sealed tool_result' }
  ],
  [{ type: 'function_call_output', call_id: 'two words', output: 'x' }, { call_id: result }],
  [
    { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text: 'x' }] },
    { 'output/0/text': result }
  ],
  [{ type: 'custom_tool_call_output', call_id: 'c', output: 'x' }, { output: result }],
  [{ type: 'shell_call_output', output: [{ stdout: 'x', stderr: 'x' }] }, { 'output/0/stdout': result }],
  [{ type: 'local_shell_call_output', id: 'c', output: 'x' }, { output: result }],
  [
    { type: 'mcp_call', id: 'm', arguments: 'x', output: 'x' },
    { arguments: result, output: result }
  ],
  [{ type: 'file_search_call', results: [{ text: 'x', filename: 'x' }] }, { 'results/0/text': result }],
  [{ type: 'code_interpreter_call', code: 'x', outputs: [{ type: 'logs', logs: 'x' }] }, { 'outputs/0/logs': result }],
  [
    {
      type: 'computer_call_output',
      call_id: 'c',
      output: { type: 'computer_screenshot', image_url: `data:image/png;base64,${png}` }
    },
    { 'output/image_url': 'sealed tool_result' }
  ],
  [
    { type: 'reasoning', id: 'rs_1', encrypted_content: seal, summary: [{ type: 'summary_text', text: 'x' }] },
    { encrypted_content: 'sealed assistant', 'summary/0/text': assistant }
  ],
  [{ type: 'reasoning', encrypted_content: 'my own words' }, { encrypted_content: assistant }],
  [{ type: 'compaction', encrypted_content: seal }, { encrypted_content: 'sealed assistant' }],
  [{ type: 'item_reference', id: 'msg_1' }, { id: 'sealed assistant' }],
  [{ type: 'mcp_list_tools', tools: [{ description: 'x' }] }, { 'tools/0/description': 'watched tool_definition' }],
  [{ type: 'mcp_approval_response', reason: 'x', approval_request_id: 'a' }, { reason: user }],
  [{ type: 'brand_new_item', words: 'x' }, { words: 'masked other' }],
  [
    { type: 'multi_agent_call', action: 'send_message', call_id: 'c', arguments: '{"to":"x"}' },
    { arguments: `${assistant} json` }
  ],
  [
    { type: 'multi_agent_call_output', call_id: 'c', output: [{ type: 'output_text', text: 'x' }] },
    { 'output/0/text': result }
  ],
  [{ type: 'agent_message', author: 'x', content: [{ type: 'input_text', text: 'x' }] }, { 'content/0/text': result }],
  [
    { type: 'configuration_update', text: { format: { type: 'json_schema', schema: { title: 'x' } } } },
    { 'text/format/schema/title': 'watched other' }
  ],
  [
    { type: 'program', code: 'x', fingerprint: seal },
    { code: assistant, fingerprint: 'sealed assistant' }
  ],
  [{ words: 'x' }, { words: 'masked other' }]
]

describe('responses: where a text stands', () => {
  for (const [item, expected] of rows) {
    it(JSON.stringify(item).slice(0, 100), () => {
      const { labels } = planOf(responses, { input: [item] })
      for (const [pointer, label] of Object.entries(expected))
        assert.equal(labels[`/input/0/${pointer}`], label, pointer)
    })
  }

  it('accepts a plain input, a missing one, and plain strings in it', () => {
    const { labels, places } = planOf(responses, { input: 'x' })
    assert.deepEqual(labels, { '/input': user })
    assert.equal(places['/input'], 'input')
    assert.deepEqual(planOf(responses, { previous_response_id: 'resp_1' }).labels, {
      '/previous_response_id': 'sealed other'
    })
    assert.equal(planOf(responses, { input: ['x'] }).labels['/input/0'], user)
    assert.deepEqual(planOf(responses, { input: null, model: 'm' }).labels, { '/model': 'watched other' })
  })

  it('knows the top level, leading fields first', () => {
    const { labels, order, plan } = planOf(responses, {
      model: 'm',
      stream: true,
      input: 'x',
      instructions: 'x',
      metadata: { mine: 'x' },
      prompt: { id: 'pmpt_1', variables: { name: 'x', file: { type: 'input_text', text: 'x' } } },
      text: { format: { type: 'json_schema', schema: { title: 'x' } } },
      tools: [{ type: 'function', name: 'x', description: 'x' }]
    })
    assert.equal(plan.stream, true)
    assert.equal(labels['/instructions'], 'masked system')
    assert.equal(labels['/tools/0/description'], 'watched tool_definition')
    assert.equal(labels['/prompt/variables/name'], user)
    assert.equal(labels['/prompt/variables/file/text'], user)
    assert.equal(labels['/metadata/mine'], 'watched other')
    assert.ok(order.indexOf('/instructions') < order.indexOf('/input'))
    assert.ok(order.indexOf('/tools/0/name') < order.indexOf('/input'))
  })

  it('reads the variables of a stored prompt by their content, whatever the client names them', () => {
    const file = { type: 'input_file', file_data: `data:text/plain;base64,${base64('a file with words')}` }
    const { labels } = planOf(responses, { prompt: { id: 'pmpt_1', variables: { type: 'anna', file, name: 'x' } } })
    assert.equal(labels['/prompt/variables/type'], user)
    assert.equal(labels['/prompt/variables/name'], user)
    assert.equal(labels['/prompt/variables/file/file_data'], 'masked document data-uri')
    assert.equal(labels['/prompt/variables/file/type'], 'sealed document')
  })

  it('names the place of a tool result', () => {
    const { places } = planOf(responses, { input: ['x', { type: 'function_call_output', output: 'x' }] })
    assert.equal(places['/input/1/output'], 'input[1] tool result')
  })

  it('refuses what does not belong to this API', () => {
    for (const [body, code, pointer] of [
      [{ input: 7 }, 'invalid_type', '/input'],
      [{ input: { role: 'user' } }, 'invalid_type', '/input'],
      [{ input: [{ role: 7 }] }, 'invalid_type', '/input/0/role'],
      [{ input: [{ role: 'user', content: 7 }] }, 'invalid_type', '/input/0/content'],
      ['{"input":"x","input":"y"}', 'duplicate_key', '/input'],
      ['{"input":[{"type":"message","type":"reasoning"}]}', 'duplicate_key', '/input/0/type']
    ] as const) {
      assert.throws(() => planOf(responses, body), { name: 'BodyError', code, pointer })
    }
  })

  it('reads the calls that the client carries out, including all actions of one and a search, and none of the vendor’s', () => {
    const textsOf = (item: object): string[] => {
      const index = indexOf({ output: [item] })
      return (responses.createAnswerReader?.().read(index).texts ?? []).map(({ node }) => index.text(node))
    }
    const actions = [
      { type: 'click', keys: ['a'] },
      { type: 'type', text: 'b' }
    ]
    assert.deepEqual(textsOf({ type: 'computer_call', actions }), ['click', 'a', 'type', 'b'])
    const search = { type: 'tool_search_call', arguments: { query: 'a' } }
    assert.deepEqual(textsOf({ ...search, execution: 'client' }), ['a'])
    assert.deepEqual(textsOf({ ...search, execution: 'server' }), [])
    assert.deepEqual(textsOf(search), [])
    assert.deepEqual(textsOf({ type: 'mcp_call', arguments: '{"a":"b"}', output: 'c' }), [])
  })

  it('reads usage from the last event, and from a plain answer', () => {
    const usage = { input_tokens: 9, output_tokens: 4, input_tokens_details: { cached_tokens: 3 } }
    const counted = { inputTokens: 9, outputTokens: 4, cachedInputTokens: 3 }
    const stream = responses.createUsageReader(true)
    stream.push(
      Buffer.from(
        `event: response.completed\ndata: ${JSON.stringify({ type: 'response.completed', response: { output: [], usage } })}\n\n`
      )
    )
    assert.deepEqual(stream.result(), counted)
    const plain = responses.createUsageReader(false)
    plain.push(Buffer.from(JSON.stringify({ id: 'resp_1', output: [{ text: '"usage":{"input_tokens":1}' }], usage })))
    assert.deepEqual(plain.result(), counted)
  })

  it('reads usage from a last event that repeats a long answer', () => {
    const usage = { input_tokens: 9, output_tokens: 4 }
    const response = { output: [{ content: [{ text: '"usage":{"input_tokens":1} words '.repeat(20_000) }] }], usage }
    const reader = responses.createUsageReader(true)
    reader.push(
      Buffer.from(`event: response.completed\ndata: ${JSON.stringify({ type: 'response.completed', response })}\n\n`)
    )
    assert.deepEqual(reader.result(), { inputTokens: 9, outputTokens: 4 })
  })
})

describe('embeddings: where a text stands', () => {
  it('masks every input, plain or in a list, and accepts tokens', () => {
    assert.deepEqual(planOf(embeddings, { input: 'x', model: 'm' }).labels, {
      '/input': user,
      '/model': 'watched other'
    })
    assert.deepEqual(planOf(embeddings, { input: ['x', 'y'] }).labels, { '/input/0': user, '/input/1': user })
    assert.deepEqual(planOf(embeddings, { input: [1, 2, [3, 4]] }).labels, {})
    assert.equal(planOf(embeddings, { input: [{ text: 'x' }] }).labels['/input/0/text'], user)
    const conversation = { input: 'x', messages: [{ role: 'user', content: 'x' }] }
    assert.equal(planOf(embeddings, conversation).labels['/messages/0/content'], user)
  })

  it('lists the name of no field that servers have', () => {
    const settings = { encoding_format: 'float', dimensions: 8, user: 'u', input_type: 'query', truncate: 'END' }
    const { labels } = planOf(embeddings, { input: [{ type: 'text', text: 'x' }], ...settings, ana: 1 })
    assert.deepEqual(
      Object.keys(labels).filter((pointer) => pointer.endsWith('#')),
      ['/ana#']
    )
  })

  it("reads usage from an answer, whole or streamed, and answers in the vendor's form", () => {
    const used = { usage: { prompt_tokens: 8, completion_tokens: 0, prompt_tokens_details: { cached_tokens: 2 } } }
    for (const [streamed, text] of [
      [false, JSON.stringify({ data: [], ...used })],
      [true, `data: ${JSON.stringify(used)}\n\ndata: [DONE]\n\n`]
    ] as const) {
      const reader = embeddings.createUsageReader(streamed)
      reader.push(Buffer.from(text))
      assert.deepEqual(reader.result(), { inputTokens: 8, outputTokens: 0, cachedInputTokens: 2 })
    }
    const refusal = { status: 403, code: 'high_risk_content_blocked', message: 'A key.', requestId: 'r1' }
    const body = JSON.stringify(embeddings.errorBody(refusal))
    assert.match(body, /"code":"high_risk_content_blocked"/)
    assert.equal(embeddings.streamError(refusal), `data: ${body}\n\n`)
    // A comment, which no client takes for an event.
    assert.match(embeddings.keepAlive, /^:[^\n]*\n\n$/)
  })

  it('needs an input', () => {
    assert.throws(() => planOf(embeddings, { model: 'm' }), { name: 'BodyError', code: 'missing_field' })
  })
})
