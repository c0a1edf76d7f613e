import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dialects } from '../index.ts'
import { nodeKind } from '../json/json-index.ts'
import { messages as messagesDialect } from '../messages/messages.ts'
import { base64, planOf, source } from './planning.fixture.ts'
import type { Dialect } from '../dialect.ts'

/** The texts of a body that a person has written since the model last spoke. */
function newest(dialect: Dialect, body: object): string[] {
  const { index, plan } = planOf(dialect, body)
  return [...plan.texts].filter(({ isNewest }) => isNewest).map(({ node }) => index.text(node))
}

/** Where a dialect has the conversation. */
const conversationOf = ({ name }: Dialect): string => (name === 'responses' ? 'input' : 'messages')

const said = (role: string, content: unknown) => ({ role, content })

for (const dialect of [dialects['chat-completions'], dialects.messages, dialects.responses]) {
  const of = (...messages: object[]): string[] =>
    newest(dialect, { model: 'm', [conversationOf(dialect)]: messages, metadata: { note: 'n' } }).filter(
      (text) => text !== 'user'
    )

  test(`the newest user text is that of the last user message if the model has not answered it (${dialect.name})`, () => {
    assert.deepEqual(of(said('user', 'a')), ['a'])
    assert.deepEqual(of(said('user', 'a'), said('assistant', 'b'), said('user', 'c')), ['c'])
    assert.deepEqual(of(said('user', 'a'), said('user', 'b')), ['b'])
    assert.deepEqual(of(said('user', 'a'), said('assistant', 'b')), [])
    assert.deepEqual(of(said('user', 'a'), said('system', 'b')), ['a'])
    assert.deepEqual(of(said('user', 'a'), said('assistant', 'b'), said('tool', 'c')), [])
    assert.deepEqual(of(said('system', 'a')), [])
    assert.deepEqual(of(), [])
  })

  test(`of several parts of one message, the last words are the newest, together with what follows them (${dialect.name})`, () => {
    const part = (text: string) => ({ type: 'text', text })
    const texts = (...content: unknown[]) => of(said('user', content)).filter((text) => text !== 'text')
    assert.deepEqual(texts(part('refused'), part('asked instead')), ['asked instead'])
    assert.deepEqual(texts(part('a reminder'), part('a'), { type: 'odd', mine: 'b' }), ['a', 'odd', 'mine', 'b'])
    assert.deepEqual(texts('refused', 'asked instead'), ['asked instead'], 'plain strings')
    for (const wordless of [
      { type: 'odd', text: 5 },
      { type: 'odd', text: { is: 'x' } },
      { text: ['x'], type: 'odd' },
      null,
      5
    ])
      assert.equal(texts(part('a'), wordless)[0], 'a', 'what has no words does not stand for them')
    assert.deepEqual(of({ content: [part('a'), part('b')], role: 'user', mine: 'c' }).slice(-2), ['mine', 'c'])
    assert.deepEqual(of({ mine: 'c', content: [part('a'), part('b')], role: 'user' }).slice(0, 2), ['mine', 'c'])
  })

  test(`the order of its keys does not matter, and its own keys belong to it (${dialect.name})`, () => {
    assert.deepEqual(of({ content: [{ mine: 'a', type: 'odd' }], role: 'user' }), ['mine', 'a', 'odd'])
  })
}

test('what a tool or a file brought is not newest, even in the same message', () => {
  const content = [
    { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'from a tool' }] },
    { type: 'document', source: source('text/plain', base64('from a file')) },
    { type: 'text', text: 'from a person' }
  ]
  const { index, plan } = planOf(messagesDialect, { messages: [said('user', content)] })
  const texts = [...plan.texts].filter(({ node, isNewest }) => isNewest && index.kind(node) === nodeKind.string)
  assert.ok(texts.every(({ origin }) => origin === 'user'))
  assert.ok(texts.some(({ node }) => index.text(node) === 'from a person'))
})

test('parts of a tool result are not parts of the message', () => {
  const part = (text: string) => ({ type: 'text', text })
  const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: [part('from a tool'), part('and more')] }
  const of = (...content: object[]) =>
    newest(messagesDialect, { messages: [said('user', content)] }).filter(
      (text) => !/^(?:user|text|tool_.*|toolu_1)$/.test(text)
    )
  assert.deepEqual(of(part('asked'), result), ['asked'])
  assert.deepEqual(of(part('refused'), part('asked'), result), ['asked'])
  assert.deepEqual(of(part('refused'), result, part('asked')), ['asked'])
})

test('plain strings are newest, whether one or many', () => {
  assert.deepEqual(newest(dialects.responses, { input: 'a', instructions: 'b' }), ['a'])
  assert.deepEqual(newest(dialects.embeddings, { input: ['a', 'b'], model: 'm' }), ['a', 'b'])
})

test('items without a role that the model made end the newest text, tool results do not', () => {
  const input = [
    { role: 'user', content: 'a' },
    { type: 'function_call', arguments: '{}' }
  ]
  assert.deepEqual(newest(dialects.responses, { input: [...input, { type: 'function_call_output', output: 'b' }] }), [])
})
