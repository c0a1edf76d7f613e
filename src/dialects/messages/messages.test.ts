import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { messages } from './messages.ts'
import { base64, messageLabels, planOf, png, seal, source } from '../plan/planning.fixture.ts'

const user = 'masked user'
const assistant = 'watched assistant'

describe('messages: where a text stands', () => {
  it('labels content given as a string, and other fields of a message, as its text', () => {
    assert.deepEqual(messageLabels('user', 'x', { name: 'x' }), {
      '/name': user,
      '/content': user,
      '/role': 'sealed user'
    })
    assert.deepEqual(messageLabels('system', 'x', { output_config: { effort: 'low' } }), {
      '/output_config/effort': 'masked system',
      '/content': 'masked system',
      '/role': 'sealed system'
    })
    assert.equal(messageLabels('assistant', 'x')['/content'], assistant)
  })

  it('knows the top level', () => {
    const { labels, order, plan, index } = planOf(messages, {
      model: 'm',
      metadata: { user_id: 'x' },
      stop_sequences: ['x'],
      container: { id: 'container_1', skills: [{ type: 'custom', skill_id: 's', version: 'v' }] },
      messages: [{ role: 'user', content: 'x' }],
      thread: { type: 'continue', previous_message_id: 'msg_1' },
      mcp_servers: [{ type: 'url', url: 'x', authorization_token: 'x' }],
      stream: true,
      later: { mine: 'x' },
      system: [{ type: 'text', text: 'x' }],
      tools: [{ name: 'x', description: 'x', input_schema: { properties: { mine: { type: 'string' } } } }]
    })
    assert.equal(plan.stream, true)
    assert.equal(index.text(plan.modelNode), 'm')
    assert.equal(labels['/system/0/text'], 'masked system')
    assert.equal(labels['/tools/0/description'], 'watched tool_definition')
    assert.equal(labels['/tools/0/input_schema/properties/mine#'], 'watched other')
    assert.equal(labels['/container/id'], 'sealed other')
    assert.equal(labels['/thread/previous_message_id'], 'sealed other')
    for (const field of [
      '/model',
      '/metadata/user_id',
      '/stop_sequences/0',
      '/mcp_servers/0/authorization_token',
      '/later/mine',
      '/later#',
      '/later/mine#'
    ]) {
      assert.equal(labels[field], 'watched other', field)
    }
    const first = (start: string): number => order.findIndex((pointer) => pointer.startsWith(start))
    assert.deepEqual(order.slice(0, 2), ['/system/0/type', '/system/0/text'])
    assert.ok(first('/tools') > 0 && first('/tools') < first('/messages') && first('/messages') < first('/model'))
    assert.equal(planOf(messages, { messages: [], system: 'x' }).labels['/system'], 'masked system')
  })

  it('reads what is neither a word nor an id in the parts around the conversation', () => {
    const loose = { type: 'AKIA', id: 'two words', previous_message_id: 'two words', skill_id: 'two words', mine: 'x' }
    const parts = ['container', 'cache_control', 'diagnostics', 'thread', 'thinking', 'tool_choice']
    const body = Object.fromEntries(parts.map((part) => [part, loose]))
    const { labels } = planOf(messages, { messages: [], ...body })
    for (const part of parts)
      for (const field of Object.keys(loose))
        assert.equal(labels[`/${part}/${field}`], 'watched other', `${part} ${field}`)
    const skills = planOf(messages, { messages: [], container: { skills: [loose] } }).labels
    for (const field of Object.keys(loose)) assert.equal(skills[`/container/skills/0/${field}`], 'watched other', field)
    const known = planOf(messages, { messages: [], container: { skills: [{ skill_id: 'Skill_1' }] } }).labels
    assert.equal(known['/container/skills/0/skill_id'], 'sealed other')
    const tools = planOf(messages, { messages: [], tools: [loose] }).labels
    assert.equal(tools['/tools/0/type'], 'watched tool_definition')
  })

  it('masks instructions on how to summarise a conversation, and keeps the names of tools beside them', () => {
    const edit = { type: 'compact_20260112', instructions: 'x', exclude_tools: ['Edit', 'two words'] }
    const { labels } = planOf(messages, {
      messages: [],
      compaction: { type: 'summarize', instructions: 'x' },
      context_management: { edits: [edit] }
    })
    assert.equal(labels['/compaction/instructions'], 'masked system')
    assert.equal(labels['/context_management/edits/0/instructions'], 'masked system')
    assert.equal(labels['/context_management/edits/0/exclude_tools/0'], 'sealed system')
    assert.equal(labels['/context_management/edits/0/exclude_tools/1'], 'masked system')
  })

  it('leaves a token issued by the vendor unchanged, as a text and in its object', () => {
    for (const token of ['fct_01Ab-9', seal]) {
      assert.equal(
        planOf(messages, { messages: [], fallback_credit_token: token }).labels['/fallback_credit_token'],
        'sealed other'
      )
      const { labels } = planOf(messages, { messages: [], fallback_credit_token: { token, mode: 'strict' } })
      assert.equal(labels['/fallback_credit_token/token'], 'sealed other')
    }
    const { labels } = planOf(messages, { messages: [], fallback_credit_token: 'two words' })
    assert.equal(labels['/fallback_credit_token'], 'watched other')
  })

  it('reads a role that is not a word of the API as text, and masks what a tool says by role', () => {
    assert.equal(messageLabels('User', 'x')['/role'], 'masked other')
    assert.equal(messageLabels('tool', 'x')['/content'], 'masked tool_result')
    assert.equal(messageLabels('tool', [{ type: 'text', text: 'x' }])['/content/0/text'], 'masked tool_result')
  })

  it('treats keys inside masked text as part of it', () => {
    const block = (type: string): object => ({ type, content: 'x', mine: { own: [{ deep: 'x', text: 'x' }] } })
    const keys = ['/mine#', '/mine/own#', '/mine/own/0/deep#']
    const rows: readonly (readonly [role: string, type: string, label: string])[] = [
      ['user', 'new_block', user],
      ['user', 'tool_result', 'masked tool_result'],
      ['user', 'document', 'masked document'],
      ['system', 'new_block', 'masked system'],
      ['robot', 'new_block', 'masked other'],
      ['system', 'tool_addition', 'watched other'],
      ['assistant', 'tool_result', 'watched other'],
      ['assistant', 'tool_use', 'watched other']
    ]
    for (const [role, type, label] of rows) {
      const labels = messageLabels(role, [block(type)])
      for (const key of keys) assert.equal(labels[`/content/0${key}`], label, `${role} ${type} ${key}`)
      assert.equal('/content/0/mine/own/0/text#' in labels, false)
    }
    assert.equal(messageLabels('user', 'x', { mine: 'x' })['/mine#'], user)
    assert.equal(messageLabels('user', { mine: 'x' })['/content/mine#'], user)
  })

  it('counts media', () => {
    const image = { type: 'image', source: source('image/png', png) }
    const pdf = { type: 'document', source: source('application/pdf', base64('%PDF')) }
    const text = { type: 'document', source: source('text/plain', base64('abc')) }
    const zip = { type: 'document', source: source('application/zip', base64('PK')) }
    const content = [image, pdf, text, zip, { type: 'tool_result', content: [image] }]
    assert.equal(planOf(messages, { messages: [{ role: 'user', content }] }).plan.mediaParts, 4)
  })
})

describe('messages: places and refusals', () => {
  it("names places without the client's text", () => {
    const { places } = planOf(messages, {
      messages: [
        { role: 'user', content: 'x' },
        {
          role: 'user',
          content: [
            { type: 'tool_result', content: 'x' },
            { type: 'document', title: 'x' }
          ]
        }
      ],
      system: 'x',
      tools: [{}, { description: 'x' }],
      metadata: { user_id: 'x' },
      [['my', 'own'].join('')]: 'x'
    })
    assert.equal(places['/messages/0/content'], 'messages[0]')
    assert.equal(places['/messages/1/content/0/content'], 'messages[1] tool result')
    assert.equal(places['/messages/1/content/1/title'], 'messages[1] document')
    assert.equal(places['/system'], 'system')
    assert.equal(places['/tools/1/description'], 'tools[1]')
    assert.equal(places['/metadata/user_id'], 'metadata')
    assert.equal(places['/myown#'], 'an unknown field')
  })

  it("answers in the vendor's form", () => {
    const refusal = { status: 403, code: 'high_risk_content_blocked', message: 'A key.', requestId: 'r1' }
    const error = { type: 'permission_error', message: 'A key.', details: { error_code: 'high_risk_content_blocked' } }
    assert.deepEqual(messages.errorBody(refusal), { type: 'error', error, request_id: 'r1' })
    assert.equal(
      messages.streamError(refusal),
      `event: error\ndata: ${JSON.stringify({ type: 'error', error, request_id: 'r1' })}\n\n`
    )
    const types = [400, 401, 404, 413, 415, 429, 500, 502, 503, 504].map(
      (status) => messages.errorBody({ ...refusal, status })['error']
    )
    assert.deepEqual(
      types.map((one) => (one as { type: string }).type),
      [
        'invalid_request_error',
        'authentication_error',
        'not_found_error',
        'request_too_large',
        'invalid_request_error',
        'rate_limit_error',
        'api_error',
        'api_error',
        'overloaded_error',
        'timeout_error'
      ]
    )
  })
})
