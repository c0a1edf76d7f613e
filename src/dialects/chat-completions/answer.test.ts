/** The texts of an answer, what they belong to, and what ends them, in every form that servers use. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AnswerReader } from '../answer/answer.ts'
import { indexOf } from '../json/indexing.fixture.ts'
import { createChatAnswerReader } from './answer.ts'

interface Reading {
  /** `text`, or `text json tool` for arguments; followed by `@channel` if it has one. */
  readonly texts: readonly string[]
  readonly ended: readonly string[]
}

function reading(choices: unknown, reader: AnswerReader = createChatAnswerReader()): Reading {
  const index = indexOf({ id: 'c', object: 'chat.completion', choices, usage: { prompt_tokens: 1 } })
  const { texts, ended } = reader.read(index)
  return {
    texts: texts.map(({ node, form, tool, channel }) => {
      const said = tool === undefined ? [] : [form, tool]
      if (tool === undefined) assert.equal(form, 'plain')
      return [index.text(node), ...said].join(' ') + (channel === undefined ? '' : `@${channel}`)
    }),
    ended
  }
}

const whole = (message: object): readonly string[] => reading([{ index: 0, message, finish_reason: 'stop' }]).texts
const textPart = (text: unknown) => ({ type: 'text', text })

describe('a whole answer of chat completions', () => {
  it('has its texts as strings or in parts, refusals included', () => {
    assert.deepEqual(whole({ role: 'assistant', content: 'a', refusal: 'b' }), ['a', 'b'])
    assert.deepEqual(whole({ content: [textPart('a'), textPart('b')] }), ['a', 'b'])
    assert.deepEqual(whole({ refusal: [textPart('a')] }), ['a'])
    assert.deepEqual(whole({ content: null, audio: { id: 'x', data: 'x', transcript: 'a' } }), ['a'], 'said aloud')
    assert.deepEqual(whole({ content: null, refusal: null, reasoning_content: 'x', audio: { transcript: 1 } }), [])
    assert.deepEqual(
      whole({ content: ['x', 1, null, [textPart('x')], { type: 'text' }, textPart(1), textPart('a')] }),
      ['a']
    )
    assert.deepEqual(whole({ content: { text: 'x' }, refusal: 1 }), [])
    assert.deepEqual(whole({}), [])
  })

  it('calls tools with JSON, tools with free input, and functions in the old form', () => {
    const calls = [
      { id: '1', type: 'function', function: { name: 'edit', arguments: '{}' } },
      { id: '2', type: 'custom', custom: { name: 'patch', input: 'p' } },
      { id: '3', type: 'function', function: { arguments: '[]' } },
      { id: '4', type: 'function', function: { name: 'none', arguments: {} } },
      ...['x', 1, null, ['x'], {}, { function: 'x', custom: 1 }]
    ]
    assert.deepEqual(whole({ content: null, tool_calls: calls }), ['{} json edit', 'p plain patch', '[] json '])
    assert.deepEqual(whole({ function_call: { name: 'edit', arguments: '{}' } }), ['{} json edit'])
    assert.deepEqual(whole({ function_call: { arguments: '{}' } }), ['{} json '])
    assert.deepEqual(whole({ function_call: { name: 'edit', arguments: {} } }), [])
    assert.deepEqual(whole({ function_call: 'x', tool_calls: 'x' }), [])
  })

  it('has no channels and remembers no names: a nameless call does not belong to that of an earlier answer', () => {
    const reader = createChatAnswerReader()
    const named = { name: 'edit', arguments: '{}' }
    reading([{ message: { tool_calls: [{ function: named }], function_call: named } }], reader)
    assert.equal(reader.revision, 0)
    const unnamed = { arguments: '{}' }
    const message = { tool_calls: [{ function: unnamed }], function_call: unnamed }
    assert.deepEqual(reading([{ message }], reader).texts, ['{} json ', '{} json '])
  })

  it('is read choice by choice, whatever else is among them', () => {
    const choices = [{ message: { content: 'a' } }, 'x', null, [{ message: { content: 'x' } }], {}, { message: 'x' }]
    assert.deepEqual(reading([...choices, { message: { content: 'b' } }]).texts, ['a', 'b'])
    for (const none of [undefined, null, 'x', { message: { content: 'x' } }, []])
      assert.deepEqual(reading(none), { texts: [], ended: [] })
  })
})

describe('a streamed answer of chat completions', () => {
  const delta = (more: object, index = 0, finish_reason: string | null = null) => [
    { index, delta: more, finish_reason }
  ]

  it('continues the texts of each choice, field by field', () => {
    assert.deepEqual(reading(delta({ role: 'assistant', content: 'a', refusal: 'b' }, 3)), {
      texts: ['a@3/text/content', 'b@3/text/refusal'],
      ended: []
    })
    assert.deepEqual(reading(delta({ content: [textPart('a'), textPart('b')] })).texts, [
      'a@0/text/content',
      'b@0/text/content'
    ])
    assert.deepEqual(
      reading([{ delta: { content: 'a' } }]).texts,
      ['a@0/text/content'],
      'the first, where no number is'
    )
    assert.deepEqual(reading([...delta({ content: 'a' }, 1), ...delta({ content: 'b' }, 2)]).texts, [
      'a@1/text/content',
      'b@2/text/content'
    ])
  })

  it('names a tool in the first piece of a call only', () => {
    const reader = createChatAnswerReader()
    const piece = (index: number, call: object, choice = 0) =>
      reading(delta({ tool_calls: [{ index, ...call }] }, choice), reader)
    assert.deepEqual(piece(1, { function: { name: 'edit', arguments: '' } }).texts, [' json edit@0/tool/1'])
    assert.deepEqual(piece(2, { custom: { name: 'patch', input: 'p' } }).texts, ['p plain patch@0/tool/2'])
    assert.equal(reader.revision, 2)
    assert.deepEqual(piece(1, { function: { arguments: '{' } }).texts, ['{ json edit@0/tool/1'])
    assert.deepEqual(piece(2, { custom: { input: 'q' } }).texts, ['q plain patch@0/tool/2'])
    assert.deepEqual(piece(1, { function: { arguments: 'x' } }, 1).texts, ['x json @1/tool/1'], 'of another choice')
    assert.deepEqual(piece(3, { function: { arguments: 'x' } }).texts, ['x json @0/tool/3'], 'another call')
    assert.equal(reader.revision, 2)
    assert.deepEqual(piece(1, { function: { name: 'fetch', arguments: '}' } }).texts, ['} json fetch@0/tool/1'])
    assert.equal(reader.revision, 3)
  })

  it('tells calls without numbers by their IDs, which later pieces need not repeat', () => {
    const reader = createChatAnswerReader()
    const pieces = (...tool_calls: readonly object[]) => reading(delta({ tool_calls }), reader).texts
    assert.deepEqual(pieces({ function: { arguments: 'x' } }), ['x json @0/tool/0'], 'the only one')
    const [edit, fetch] = [
      { id: 'a', function: { name: 'edit', arguments: '{}' } },
      { id: 'b', function: { name: 'fetch', arguments: '{' } }
    ]
    assert.deepEqual(pieces(edit, fetch), ['{} json edit@0/tool/id a', '{ json fetch@0/tool/id b'])
    assert.deepEqual(pieces({ id: '', function: { arguments: 'y' } }), ['y json fetch@0/tool/id b'])
    assert.deepEqual(pieces({ id: null, index: null, function: { arguments: '}' } }), ['} json fetch@0/tool/id b'])
    assert.deepEqual(
      pieces({ id: 'c', index: 1, function: { arguments: 'z' } }),
      ['z json @0/tool/1'],
      'a number counts'
    )
  })

  it('differs by the ID of a call, and not by its own', () => {
    const index = indexOf({ id: 'c', choices: delta({ content: 'x', tool_calls: [{ id: 'a', type: 'function' }] }) })
    const reader = createChatAnswerReader()
    const strings = Array.from({ length: index.count }, (_, node) => node).filter((node) => index.keyOf(node) >= 0)
    const deciding = strings.filter((node) => !reader.ignores(index, node)).map((node) => index.text(node))
    assert.deepEqual(deciding.includes('a'), true)
    assert.deepEqual(deciding.includes('c'), false)
  })

  it('takes no empty name for the name of a tool, neither before it nor behind it', () => {
    const reader = createChatAnswerReader()
    const piece = (called: object) => reading(delta({ tool_calls: [{ index: 0, function: called }] }), reader).texts
    assert.deepEqual(piece({ name: '', arguments: '' }), [' json @0/tool/0'])
    assert.equal(reader.revision, 0)
    assert.deepEqual(piece({ name: 'edit', arguments: '' }), [' json edit@0/tool/0'])
    assert.deepEqual(piece({ name: '', arguments: '{' }), ['{ json edit@0/tool/0'])
    assert.deepEqual(piece({ name: null, arguments: '}' }), ['} json edit@0/tool/0'])
    assert.equal(reader.revision, 1)
    const old = (function_call: object) => reading(delta({ function_call }), reader).texts
    assert.deepEqual(old({ name: 'edit', arguments: '' }), [' json edit@0/function'])
    assert.deepEqual(old({ name: '', arguments: '{' }), ['{ json edit@0/function'])
  })

  it('does the same for a function call in the old form', () => {
    const reader = createChatAnswerReader()
    const piece = (function_call: object, choice = 0) => reading(delta({ function_call }, choice), reader).texts
    assert.deepEqual(piece({ arguments: 'x' }), ['x json @0/function'])
    assert.deepEqual(piece({ name: 'edit', arguments: '' }), [' json edit@0/function'])
    assert.deepEqual(piece({ arguments: '{' }), ['{ json edit@0/function'])
    assert.deepEqual(piece({ arguments: '{' }, 1), ['{ json @1/function'])
    assert.deepEqual(piece({ name: 'fetch' }), [])
    assert.deepEqual(piece({ arguments: '}' }), ['} json fetch@0/function'])
    assert.equal(reader.revision, 2)
  })

  it('ends a choice at its finish reason, and its text when a call begins', () => {
    assert.deepEqual(reading(delta({}, 2, 'stop')).ended, ['2/'])
    assert.deepEqual(reading(delta({ content: 'a' }, 2, 'length')).ended, ['2/'])
    const call = { tool_calls: [{ index: 0, function: { name: 'edit', arguments: '{' } }] }
    assert.deepEqual(reading(delta(call, 2)).ended, ['2/text'])
    assert.deepEqual(reading(delta({ function_call: { arguments: '{' } })).ended, ['0/text'])
    assert.deepEqual(reading(delta(call, 2, 'tool_calls')).ended, ['2/'])
    assert.deepEqual(reading(delta({ tool_calls: [{ index: 0, function: { name: 'edit' } }] })).ended, [])
    assert.deepEqual(reading(delta({ content: 'a' })).ended, [])
  })
})
