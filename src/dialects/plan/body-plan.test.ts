import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../test/support/property.ts'
import { agentBody } from './agent-body.fixture.ts'
import { chatCompletions } from '../chat-completions/chat-completions.ts'
import type { Dialect } from '../dialect.ts'
import { dialects } from '../index.ts'
import { bytesOf, finish, indexOf } from '../json/indexing.fixture.ts'
import { nodeKind } from '../json/json-index.ts'
import { messages } from '../messages/messages.ts'
import { planOf, seal } from './planning.fixture.ts'
import { compileDialect } from './shape.ts'

const both = [chatCompletions, messages]
const all = Object.values(dialects)
/** The same body with its conversation where the dialect expects it. */
const bodyFor = ({ name }: Dialect, { messages: conversation, ...rest }: Record<string, unknown>) =>
  name === 'responses' || name === 'embeddings' ? { ...rest, input: conversation } : { ...rest, messages: conversation }
const message = { role: 'user', content: 'x' }

/** Keys that are field names, and keys that are a client's. */
const fieldNames = [
  'type',
  'text',
  'content',
  'source',
  'data',
  'media_type',
  'signature',
  'thinking',
  'id',
  'file',
  'image_url',
  'url',
  'input'
]
const ownNames = ['mine', 'Text', 'type ', 'größe', 'content2', '', '__proto__', 'content'.repeat(9)]
const words = [
  'text',
  'base64',
  'image',
  'document',
  'tool_result',
  'thinking',
  'file',
  'image_url',
  'image/png',
  'text/plain',
  'hello you',
  seal,
  '',
  'é\n'
]

const free = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc.constantFrom(...words),
    fc.constantFrom(null, true, 7),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.constantFrom(...fieldNames, ...ownNames), tie('value')), { maxLength: 6 })
      .map(Object.fromEntries)
  )
})).value

const content = fc.oneof(
  fc.constantFrom('', 'x', null),
  fc.array(free, { maxLength: 4 }),
  fc.dictionary(fc.constantFrom(...fieldNames), free)
)
const role = fc.constantFrom('user', 'assistant', 'system', 'developer', 'tool', 'function', 'someone')
const anyMessage = fc.record({ content, role, mine: free, tool_calls: free }, { requiredKeys: ['role'] })
const anyBody = fc.record(
  {
    tools: free,
    metadata: free,
    messages: fc.array(anyMessage, { maxLength: 5 }),
    system: free,
    mine: free,
    prediction: free
  },
  { requiredKeys: ['messages'] }
)

/** Every string and every key that is not a field name, by a walk over the parsed value. */
function* stringsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (Array.isArray(value)) for (const item of value as unknown[]) yield* stringsOf(item)
  else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      if (ownNames.includes(key)) yield `key ${key}`
      yield* stringsOf(member)
    }
  }
}

describe('planBody', () => {
  it('lists every string of a body exactly once', () => {
    fc.assert(
      fc.property(anyBody, fc.constantFrom(...all), (generated, dialect) => {
        const body = bodyFor(dialect, generated)
        const { index, plan } = planOf(dialect, body)
        const nodes = [...plan.texts].map((text) => text.node)
        assert.equal(new Set(nodes).size, nodes.length)
        const listed = nodes.map((node) => (index.kind(node) === nodeKind.key ? 'key ' : '') + index.text(node))
        const expected = [...stringsOf(JSON.parse(JSON.stringify(body)) as unknown)]
        // Whether a dialect lists another's field names does not matter.
        const judged = listed.filter((text) => !text.startsWith('key ') || ownNames.includes(text.slice(4)))
        assert.deepEqual(judged.sort(), expected.sort())
      }),
      { numRuns: 1000 }
    )
  })

  it('never lists a field name, however it is spelled, and lists each string of a repeated key', () => {
    const { labels } = planOf(messages, String.raw`{"messages":[],"x\u0079":1,"\u006detadata":{"a":"1","a":"2"}}`)
    assert.deepEqual(Object.keys(labels), ['/xy#', '/metadata/a#', '/metadata/a'])
    const { plan } = planOf(messages, '{"messages":[],"metadata":{"a":"1","a":"2"}}')
    assert.equal([...plan.texts].length, 4)
  })

  it('decides the same wherever role, type and content are', () => {
    const shuffled = fc.shuffledSubarray(['role', 'content', 'name'] as const, { minLength: 3 })
    fc.assert(
      fc.property(
        shuffled,
        fc.shuffledSubarray(['type', 'thinking', 'signature'] as const, { minLength: 3 }),
        (outer, inner) => {
          const block = Object.fromEntries(
            inner.map((name) => [name, { type: 'thinking', thinking: 'words', signature: seal }[name]])
          )
          const one = Object.fromEntries(
            outer.map((name) => [name, { role: 'assistant', content: [block], name: 'x' }[name]])
          )
          const { labels } = planOf(messages, { messages: [one] })
          assert.equal(labels['/messages/0/content/0/thinking'], 'sealed assistant')
          assert.equal(labels['/messages/0/name'], 'watched assistant')
        }
      )
    )
  })

  it('only adds texts when a message is appended', () => {
    fc.assert(
      fc.property(anyBody, anyMessage, fc.constantFrom(...all), (body, appended, dialect) => {
        const before = planOf(dialect, bodyFor(dialect, body))
        const after = planOf(dialect, bodyFor(dialect, { ...body, messages: [...body.messages, appended] }))
        const conversation = ({ order }: typeof before) =>
          order.filter((pointer) => /^\/(messages|input)\b/.test(pointer))
        const kept = conversation(before)
        assert.deepEqual(conversation(after).slice(0, kept.length), kept)
        for (const pointer of before.order) assert.equal(after.labels[pointer], before.labels[pointer])
      }),
      { numRuns: 300 }
    )
  })

  it('accepts an empty conversation and an unknown role', () => {
    for (const dialect of both) {
      assert.equal(planOf(dialect, { messages: [] }).order.length, 0)
      assert.equal(
        planOf(dialect, { messages: [{ role: 'someone', content: 'x' }] }).labels['/messages/0/content'],
        'masked other'
      )
      assert.equal(planOf(dialect, { messages: [{ role: 'assistant' }] }).plan.modelNode, -1)
    }
  })

  const faults: readonly (readonly [body: string, code: string, pointer: string])[] = [
    ['[]', 'invalid_type', ''],
    ['"x"', 'invalid_type', ''],
    ['null', 'invalid_type', ''],
    ['{}', 'missing_field', '/messages'],
    ['{"messages":{}}', 'invalid_type', '/messages'],
    ['{"messages":["x"]}', 'invalid_type', '/messages/0'],
    ['{"messages":[{"role":"user"},null]}', 'invalid_type', '/messages/1'],
    ['{"messages":[{}]}', 'missing_field', '/messages/0/role'],
    ['{"messages":[{"role":1}]}', 'invalid_type', '/messages/0/role'],
    ['{"messages":[{"role":"user","content":1}]}', 'invalid_type', '/messages/0/content'],
    ['{"messages":[{"content":false,"role":"user"}]}', 'invalid_type', '/messages/0/content'],
    ['{"messages":[],"model":1}', 'invalid_type', '/model'],
    ['{"messages":[],"stream":"true"}', 'invalid_type', '/stream'],
    ['{"messages":[],"messages":[]}', 'duplicate_key', '/messages'],
    ['{"messages":[],"stream":true,"stream":false}', 'duplicate_key', '/stream'],
    ['{"messages":[],"model":"a","\\u006dodel":"b"}', 'duplicate_key', '/model'],
    ['{"messages":[],"system":"a","system":"b"}', 'duplicate_key', '/system'],
    ['{"messages":[{"role":"user","role":"assistant"}]}', 'duplicate_key', '/messages/0/role'],
    ['{"messages":[{"role":"user","content":"a","con\\u0074ent":"b"}]}', 'duplicate_key', '/messages/0/content'],
    [
      '{"messages":[{"role":"user","content":[{"type":"text","t\\u0079pe":"image"}]}]}',
      'duplicate_key',
      '/messages/0/content/0/type'
    ]
  ]
  for (const [body, code, pointer] of faults) {
    it(`refuses ${body.slice(0, 80)}`, () => {
      for (const dialect of both) assert.throws(() => planOf(dialect, body), { name: 'BodyError', code, pointer })
    })
  }

  it('refuses a repeated media type, which would decide whether a document is read', () => {
    const body =
      '{"messages":[{"role":"user","content":[{"type":"document",' +
      '"source":{"media_type":"text/plain","media_type":"image/png"}}]}]}'
    assert.throws(() => planOf(messages, body), {
      code: 'duplicate_key',
      pointer: '/messages/0/content/0/source/media_type'
    })
  })

  it('refuses a repeated text whose signature would have to be found and read once per repetition', () => {
    const head = '{"messages":[{"role":"assistant","reasoning_details":[{"type":"reasoning.text",'
    const body = `${head}${'"text":"a",'.repeat(2000)}"signature":"${'ab'.repeat(2000)}"}]}]}`
    const pointer = '/messages/0/reasoning_details/0/text'
    assert.throws(() => planOf(chatCompletions, body), { code: 'duplicate_key', pointer })
  })

  it('rejects a rule for a repeatable field that depends on a neighbouring field', () => {
    const part = { label: { scope: 'masked', origin: 'user' }, rule: 'part' } as const
    const compiled = (fields: Readonly<Record<string, string>>) =>
      compileDialect(
        {
          ...{ conversation: { field: 'messages', isRequired: true }, leading: {}, roles: {}, otherRole: part },
          ...{ trailing: {}, shapes: { part: { types: { note: { fields } } } } }
        },
        []
      )
    for (const rule of ['signed', 'data']) {
      assert.throws(() => compiled({ words: rule }), /words, whose rule reads a neighbour, is no decisive name/)
      compiled({ thinking: rule })
    }
  })

  it('accepts repeated keys where the API lets a client write anything', () => {
    const body = '{"messages":[{"role":"assistant","content":[{"type":"tool_use","input":{"type":"a","type":"b"}}]}]}'
    assert.equal([...planOf(messages, body).plan.texts].length, 4)
  })

  it('handles depth, and blocks inside blocks, without unbounded recursion', () => {
    const depth = 900
    const nested = '{"type":"tool_result","content":['.repeat(depth / 2) + '"x"' + ']}'.repeat(depth / 2)
    const { plan } = planOf(messages, `{"messages":[{"role":"user","content":[${nested}]}]}`)
    const texts = [...plan.texts]
    assert.equal(texts.at(-1)!.origin, 'tool_result')
    assert.equal(texts.length, depth / 2 + 2)
    const deep = indexOf(
      '{"messages":[{"role":"user","content":' + '['.repeat(50_000) + '"x"' + ']'.repeat(50_000) + '}]}',
      { depthMax: 60_000 }
    )
    assert.equal([...finish(messages.plan(deep)).value.texts].length, 2)
  })

  it('reports a fault by its place and its rule', () => {
    const { responses, embeddings } = dialects
    const cases: readonly (readonly [Dialect, unknown, code: string, message: string])[] = [
      [chatCompletions, [], 'invalid_type', 'The body must be a JSON object.'],
      [chatCompletions, {}, 'missing_field', 'The body has no `messages`.'],
      [embeddings, {}, 'missing_field', 'The body has no `input`.'],
      ...['x', null, {}, 5].map(
        (value) =>
          [chatCompletions, { messages: value }, 'invalid_type', 'The value at /messages must be an array.'] as const
      ),
      ...[{}, 5, true].map(
        (value) =>
          [responses, { input: value }, 'invalid_type', 'The value at /input must be a string or an array.'] as const
      ),
      [messages, { messages: [], model: 5 }, 'invalid_type', 'The value at /model must be a string.'],
      [messages, { messages: [], stream: 'x' }, 'invalid_type', 'The value at /stream must be a boolean.'],
      [messages, { messages: ['x'] }, 'invalid_type', 'The value at /messages/0 must be an object.'],
      [messages, { messages: [{ content: 'x' }] }, 'missing_field', 'A message has no `role`.'],
      [messages, { messages: [{ role: 5 }] }, 'invalid_type', 'The value at /messages/0/role must be a string.'],
      [
        messages,
        { messages: [{ role: 'user', content: 5 }] },
        'invalid_type',
        'The value at /messages/0/content must be a string or an array.'
      ],
      [
        messages,
        '{"messages":[],"model":"a","model":"b"}',
        'duplicate_key',
        'The key `model` stands twice in one object.'
      ]
    ]
    for (const [dialect, body, code, said] of cases)
      assert.throws(() => planOf(dialect, body), { name: 'BodyError', code, message: said })
    assert.deepEqual(planOf(responses, { input: null, stream: null }).labels, {})
  })

  it('yields in large bodies and not in small ones', () => {
    const many = { messages: Array.from({ length: 100_000 }, () => message) }
    const steps = finish(chatCompletions.plan(indexOf(many, { valuesMax: 2_000_000 })))
    assert.ok(steps.yields > 20)
    assert.equal([...steps.value.texts].length, 200_000)
    assert.equal(finish(chatCompletions.plan(indexOf({ messages: [message] }))).yields, 0)
    const data = 'QUJD'.repeat(400_000)
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } }
    assert.ok(finish(messages.plan(indexOf({ messages: [{ role: 'user', content: [image] }] }))).yields >= 5)
  })

  it('yields among strings outside messages, too', () => {
    const input = Array.from({ length: 100_000 }, () => 'x')
    const steps = finish(dialects.embeddings.plan(indexOf({ input }, { valuesMax: 2_000_000 })))
    assert.ok(steps.yields > 10, String(steps.yields))
  })

  it('counts each text that is sent as token numbers as unscannable', () => {
    const counted = (input: unknown): number => planOf(dialects.embeddings, { input }).plan.mediaParts
    assert.deepEqual(
      [
        [[1, 2], [3]],
        [1, 2, 3],
        [[1], 'a', [2, 3]]
      ].map(counted),
      [2, 1, 2]
    )
    assert.deepEqual(['a', ['a'], [], [[]], [['a', 1]]].map(counted), [0, 0, 0, 0, 0])
  })

  it('gives the index of each item in a field beside the conversation', () => {
    const { places } = planOf(messages, {
      system: ['a', 'b', 'c'].map((text) => ({ type: 'text', text })),
      messages: [message],
      tools: [{ name: 'first' }, { name: 'second' }]
    })
    const place = (pointer: string) => places[pointer]
    assert.deepEqual(['/system/0/text', '/system/1/text', '/system/2/text'].map(place), [
      'system[0]',
      'system[1]',
      'system[2]'
    ])
    assert.deepEqual(['/tools/0/name', '/tools/1/name'].map(place), ['tools[0]', 'tools[1]'])
  })

  it('handles two million values in bounded memory', () => {
    const body = Buffer.from(`{"messages":[],"x":[${'"a",'.repeat(1_999_000)}1]}`)
    const { value } = finish(messages.plan(indexOf(body, { valuesMax: 2_000_000 })))
    let count = 0
    for (const text of value.texts) count += text.scope === 'watched' ? 1 : 0
    assert.equal(count, 1_999_001)
  })

  it('plans the body of an agent', () => {
    for (const dialect of both) {
      const body = agentBody(dialect.name)
      assert.ok(bytesOf(body).length > 400_000)
      const { labels, plan } = planOf(dialect, body)
      assert.equal(plan.stream, true)
      const results = Object.values(labels).filter((label) => label === 'masked tool_result')
      assert.equal(results.length, 30)
    }
  })
})

describe('blocks and items of unknown types', () => {
  const unknownIn = (dialect: Dialect, body: object): number => planOf(dialect, body).plan.unknownBlocks
  const block = (type: string) => ({ type, novelty: 'see me' })

  it('are counted if blocks are told apart by type, and are text of their surroundings', () => {
    for (const dialect of both) {
      const body = { messages: [{ role: 'user', content: [block('hologram'), block('text'), block('hologram')] }] }
      assert.equal(unknownIn(dialect, body), 2)
      assert.equal(planOf(dialect, body).labels['/messages/0/content/0/novelty'], 'masked user')
    }
    const { responses } = dialects
    const input = [
      block('hologram_call'),
      { type: 'function_call', name: 'f' },
      { role: 'user', content: [block('scent')] }
    ]
    assert.equal(unknownIn(responses, { input }), 2)
    assert.equal(planOf(responses, { input }).labels['/input/0/novelty'], 'masked other')
    const result = { type: 'tool_result', content: [block('hologram')] }
    assert.equal(unknownIn(messages, { messages: [{ role: 'user', content: [result] }] }), 1)
  })

  it('do not occur in the bodies of an agent, in tools, or where a type is not a word of the API', () => {
    assert.equal(unknownIn(messages, agentBody('messages')), 0)
    for (const dialect of both)
      assert.equal(unknownIn(dialect, { messages: [message], tools: [{ type: 'new_tool_20270101' }] }), 0)
    assert.equal(unknownIn(messages, { messages: [{ role: 'user', content: [{ type: 7 }] }] }), 0)
    assert.equal(unknownIn(dialects.embeddings, { input: ['a', { type: 'text', text: 'b' }] }), 0)
    assert.equal(unknownIn(dialects.responses, { input: [{ type: 'message', ...message }] }), 0)
    for (const item of [{ content: 'x' }, { type: 7, content: 'x' }, { type: { is: 'x' }, content: 'x' }])
      assert.equal(unknownIn(dialects.responses, { input: [item] }), 0)
  })
})
