import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chatCompletions } from './chat-completions.ts'
import { base64, planOf, png, seal, wav } from '../plan/planning.fixture.ts'

const dataUri = (type: string, text: string): string => `data:${type};base64,${base64(text)}`

/** One message and the expected labels of its strings, by pointers below it. */
type Row = readonly [message: object, labels: Readonly<Record<string, string>>]

const user = 'masked user'
const assistant = 'watched assistant'
const part = (one: object): object => ({ role: 'user', content: [one] })
const file = (fields: object): object => part({ type: 'file', file: fields })

const rows: readonly Row[] = [
  [
    { role: 'system', content: 'x', name: 'x' },
    { content: 'masked system', name: 'masked system', role: 'sealed system' }
  ],
  [{ content: [{ text: 'x', type: 'text' }], role: 'developer' }, { 'content/0/text': 'masked system' }],
  [
    { role: 'user', content: 'x', name: 'x' },
    { content: user, name: user }
  ],
  [
    { role: 'tool', content: 'x', tool_call_id: 'call_1' },
    { content: 'masked tool_result', tool_call_id: 'sealed tool_result' }
  ],
  [
    { role: 'tool', content: [{ type: 'text', text: 'x' }], tool_call_id: 'two words' },
    {
      'content/0/text': 'masked tool_result',
      tool_call_id: 'masked tool_result'
    }
  ],
  [
    { role: 'function', content: 'x', name: 'x' },
    { content: 'masked tool_result', name: 'masked tool_result' }
  ],
  [
    { role: 'Some Role', content: 'x' },
    { content: 'masked other', role: 'masked other' }
  ],
  [{ role: 'user', content: { type: 'text', text: 'x' } }, { 'content/text': user }],
  [
    part({ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }),
    { 'content/0/text': user, 'content/0/cache_control/type': 'sealed user' }
  ],
  [part({ type: 'new_part', new_part: { words: 'x' } }), { 'content/0/new_part/words': user }],
  [
    part({ type: 'image_url', image_url: { url: 'https://a.example/?q=x', detail: 'low' } }),
    { 'content/0/image_url/url': user }
  ],
  [
    part({ type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }),
    { 'content/0/image_url/url': 'sealed user' }
  ],
  [
    part({ type: 'image_url', image_url: { url: 'data:image/png;base64,my words!' } }),
    { 'content/0/image_url/url': user }
  ],
  [part({ type: 'image_url', image_url: { url: 'data:text/plain,words' } }), { 'content/0/image_url/url': user }],
  [
    part({ type: 'image_url', image_url: { url: dataUri('text/plain', 'abc') } }),
    { 'content/0/image_url/url': 'masked document data-uri' }
  ],
  [
    part({ type: 'audio_url', audio_url: { url: `data:audio/wav;base64,${wav}` } }),
    { 'content/0/audio_url/url': 'sealed user' }
  ],
  [
    part({ type: 'input_audio', input_audio: { data: wav, format: 'wav' } }),
    { 'content/0/input_audio/data': 'sealed user' }
  ],
  [part({ type: 'input_audio', input_audio: { data: 'my words!' } }), { 'content/0/input_audio/data': user }],
  [
    file({ file_id: 'file-1', filename: 'x' }),
    { 'content/0/file/file_id': 'sealed document', 'content/0/file/filename': 'masked document' }
  ],
  [file({ file_data: dataUri('application/pdf', '%PDF-1.7') }), { 'content/0/file/file_data': 'sealed document' }],
  [
    file({ file_data: dataUri('text/csv;charset=utf-8', 'a,b') }),
    { 'content/0/file/file_data': 'masked document data-uri' }
  ],
  [file({ file_data: dataUri('', 'abc') }), { 'content/0/file/file_data': 'masked document data-uri' }],
  [file({ file_data: base64('%PDF-1.7') }), { 'content/0/file/file_data': 'sealed document' }],
  [file({ file_data: base64('words') }), { 'content/0/file/file_data': 'masked document base64' }],
  [file({ file_data: 'some words.' }), { 'content/0/file/file_data': 'masked document' }],
  [part({ type: 'image_url', image_url: `data:image/png;base64,${png}` }), { 'content/0/image_url': 'sealed user' }],
  [
    part({ type: 'image_url', image_url: dataUri('text/plain', 'abc') }),
    { 'content/0/image_url': 'masked document data-uri' }
  ],
  [
    {
      role: 'assistant',
      thinking_blocks: [
        { type: 'thinking', thinking: 'x', signature: seal },
        { type: 'redacted_thinking', data: seal },
        { type: 'thinking', thinking: 'x' }
      ],
      reasoning_details: [
        { type: 'reasoning.text', text: 'x', signature: seal, format: 'anthropic-claude-v1' },
        { type: 'reasoning.encrypted', data: seal, id: 'rs_1' },
        { type: 'reasoning.summary', summary: 'x' },
        { type: 'reasoning.text', text: 'x', signature: null }
      ],
      tool_calls: [
        {
          id: 'call_1',
          function: { name: 'x', arguments: '{}' },
          extra_content: { google: { thought_signature: seal }, mine: 'x' }
        }
      ],
      provider_specific_fields: { thought_signatures: [seal, 'two words'] }
    },
    {
      'thinking_blocks/0/thinking': 'sealed assistant',
      'thinking_blocks/0/signature': 'sealed assistant',
      'thinking_blocks/1/data': 'sealed assistant',
      'thinking_blocks/2/thinking': assistant,
      'reasoning_details/0/text': 'sealed assistant',
      'reasoning_details/1/data': 'sealed assistant',
      'reasoning_details/2/summary': assistant,
      'reasoning_details/3/text': assistant,
      'tool_calls/0/extra_content/google/thought_signature': 'sealed assistant',
      'tool_calls/0/extra_content/mine': assistant,
      'provider_specific_fields/thought_signatures/0': 'sealed assistant',
      'provider_specific_fields/thought_signatures/1': assistant
    }
  ],
  // Only a model can have signed anything.
  [
    { role: 'user', content: 'x', thinking_blocks: [{ type: 'thinking', thinking: 'x', signature: seal }] },
    { 'thinking_blocks/0/thinking': user, 'thinking_blocks/0/signature': user }
  ],
  [
    { role: 'assistant', content: 'x', refusal: 'x', name: 'x', audio: { id: 'audio_1' } },
    {
      content: assistant,
      refusal: assistant,
      name: assistant,
      'audio/id': 'sealed assistant'
    }
  ],
  [
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'x' },
        { type: 'refusal', refusal: 'x' }
      ]
    },
    {
      'content/0/text': assistant,
      'content/1/refusal': assistant
    }
  ],
  [
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'x', arguments: '{"id":"x"}' } },
        { id: 'call_2', type: 'custom', custom: { name: 'x', input: 'x' } }
      ]
    },
    {
      'tool_calls/0/id': 'sealed assistant',
      'tool_calls/0/type': 'sealed assistant',
      'tool_calls/0/function/name': assistant,
      'tool_calls/0/function/arguments': 'watched assistant json',
      'tool_calls/1/custom/name': assistant,
      'tool_calls/1/custom/input': assistant
    }
  ],
  [{ role: 'assistant', function_call: { name: 'x', arguments: 'x' } }, { 'function_call/arguments': assistant }],
  [
    { role: 'user', tool_calls: [{ id: 'x' }], audio: { id: 'x' } },
    { 'tool_calls/0/id': user, 'audio/id': user }
  ]
]

describe('chat-completions: where a text stands', () => {
  for (const [message, expected] of rows) {
    it(JSON.stringify(message).slice(0, 100), () => {
      const { labels } = planOf(chatCompletions, { messages: [message] })
      for (const [pointer, label] of Object.entries(expected))
        assert.equal(labels[`/messages/0/${pointer}`], label, pointer)
    })
  }

  it("labels instructions and system as the system's text, before the conversation", () => {
    const { labels, order, places } = planOf(chatCompletions, {
      messages: [{ role: 'user', content: 'x' }],
      instructions: 'x',
      system: [{ type: 'text', text: 'x', mine: 'x' }]
    })
    assert.deepEqual(order.slice(0, 5), [
      '/instructions',
      '/system/0/type',
      '/system/0/text',
      '/system/0/mine#',
      '/system/0/mine'
    ])
    assert.equal(labels['/instructions'], 'masked system')
    assert.equal(labels['/system/0/text'], 'masked system')
    assert.equal(labels['/system/0/mine#'], 'masked system')
    assert.equal(places['/instructions'], 'instructions')
    const { labels: whole } = planOf(chatCompletions, { messages: [], system: 'x', instructions: ['x', { text: 'x' }] })
    assert.deepEqual(whole, {
      '/system': 'masked system',
      '/instructions/0': 'masked system',
      '/instructions/1/text': 'masked system'
    })
  })

  it('labels the sources that a model is to use as documents, before the conversation', () => {
    const { labels, order } = planOf(chatCompletions, {
      messages: [{ role: 'user', content: 'x' }],
      documents: [{ title: 'x', text: 'x' }, 'x']
    })
    for (const pointer of ['/documents/0/title', '/documents/0/text', '/documents/1'])
      assert.equal(labels[pointer], 'masked document')
    assert.ok(order.indexOf('/documents/0/text') < order.indexOf('/messages/0/content'))
  })

  it('knows the top level', () => {
    const { labels, order, plan } = planOf(chatCompletions, {
      model: 'm',
      user: 'x',
      stop: ['x'],
      prediction: { type: 'content', content: [{ type: 'text', text: 'x' }] },
      messages: [{ role: 'user', content: 'x' }],
      metadata: { mine: 'x' },
      stream: null,
      response_format: { type: 'json_schema', json_schema: { description: 'x' } },
      web_search_options: { user_location: { approximate: { city: 'x' } } },
      functions: [{ description: 'x' }],
      tools: [{ type: 'function', function: { description: 'x', parameters: { title: 'x' } } }]
    })
    assert.equal(plan.stream, false)
    assert.equal(labels['/prediction/content/0/text'], user)
    assert.equal(labels['/tools/0/function/parameters/title'], 'watched tool_definition')
    assert.equal(labels['/functions/0/description'], 'watched tool_definition')
    for (const field of [
      '/user',
      '/stop/0',
      '/metadata/mine',
      '/response_format/json_schema/description',
      '/web_search_options/user_location/approximate/city'
    ])
      assert.equal(labels[field], 'watched other', field)
    const first = (start: string): number => order.findIndex((pointer) => pointer.startsWith(start))
    assert.equal(first('/functions'), 0)
    assert.ok(
      first('/tools') < first('/messages') &&
        first('/messages') < first('/user') &&
        first('/user') < first('/prediction')
    )
    assert.equal(
      planOf(chatCompletions, { messages: [], prediction: { content: 'x' } }).labels['/prediction/content'],
      user
    )
  })

  it('lists the name of no field that the vendor has', () => {
    // The parameters of the vendor's reference, each with the smallest valid value.
    const parameters = ['temperature', 'top_p', 'n', 'seed', 'max_tokens', 'max_completion_tokens', 'presence_penalty']
    const numbers = [...parameters, 'frequency_penalty', 'top_logprobs']
    const words = ['user', 'reasoning_effort', 'verbosity', 'service_tier', 'safety_identifier', 'prompt_cache_key']
    const call = { type: 'function', function: { name: 'f', arguments: '{}' } }
    const { labels } = planOf(chatCompletions, {
      ...Object.fromEntries(numbers.map((name) => [name, 1])),
      ...Object.fromEntries(words.map((name) => [name, 'word'])),
      stop: ['x'],
      store: true,
      logprobs: true,
      parallel_tool_calls: true,
      logit_bias: {},
      metadata: {},
      modalities: ['text'],
      web_search_options: {},
      stream_options: { include_usage: true },
      response_format: { type: 'json_schema', json_schema: { schema: {} } },
      function_call: { name: 'f' },
      functions: [{ name: 'f', parameters: {} }],
      tools: [{ type: 'custom', custom: { name: 'f' } }],
      messages: [
        { role: 'user', name: 'x', content: [{ type: 'file', file: { filename: 'x', file_data: png } }] },
        { role: 'assistant', content: null, refusal: 'x', reasoning_content: 'x', tool_calls: [call] },
        { role: 'assistant', tool_calls: [{ type: 'custom', custom: { name: 'f', input: 'x' } }] }
      ]
    })
    assert.deepEqual(
      Object.keys(labels).filter((pointer) => pointer.endsWith('#')),
      []
    )
    // An undocumented name may be anything.
    assert.equal(planOf(chatCompletions, { messages: [], ana: 1 }).labels['/ana#'], 'watched other')
  })

  it('counts media', () => {
    const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }
    const linked = { type: 'image_url', image_url: { url: 'https://a.example/b.png' } }
    const audio = { type: 'input_audio', input_audio: { data: wav } }
    const text = { type: 'file', file: { file_data: dataUri('text/plain', 'abc') } }
    const { plan } = planOf(chatCompletions, { messages: [{ role: 'user', content: [image, linked, audio, text] }] })
    assert.equal(plan.mediaParts, 2)
  })

  it("answers in the vendor's form", () => {
    const refusal = { status: 403, code: 'high_risk_content_blocked', message: 'A key.', requestId: 'r1' }
    const body = {
      error: { message: 'A key.', type: 'permission_error', param: null, code: 'high_risk_content_blocked' }
    }
    assert.deepEqual(chatCompletions.errorBody(refusal), body)
    assert.equal(chatCompletions.streamError(refusal), `data: ${JSON.stringify(body)}\n\n`)
    const types = [400, 401, 404, 413, 429, 500, 503].map(
      (status) => chatCompletions.errorBody({ ...refusal, status })['error']
    )
    assert.deepEqual(
      types.map((one) => (one as { type: string }).type),
      [
        'invalid_request_error',
        'invalid_request_error',
        'invalid_request_error',
        'invalid_request_error',
        'rate_limit_error',
        'server_error',
        'server_error'
      ]
    )
  })
})
