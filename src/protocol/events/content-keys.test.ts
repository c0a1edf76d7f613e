import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entriesMax, findContentKey } from './content-keys.ts'

const found = (value: unknown, harmless?: ReadonlySet<string>) => findContentKey(value, harmless).found

test('the last word of a key decides whether it holds content', () => {
  for (const key of ['prompt', 'userPrompt', 'tool_result', 'INPUT', 'promptV2', 'text_b', 'userprompt', 'x-body'])
    assert.deepEqual(found({ [key]: 1 }), [key])
  for (const key of ['inputTokens', 'promptHash', 'context', 'subtext', 'b', 'v', '', '7', '__proto', 'x_v2'])
    assert.equal(found({ [key]: 1 }), undefined, key)
})

test('some keys hold content only as a whole', () => {
  for (const key of ['system', 'query', 'params', 'thinking', 'history', 'Delta', 'choices2', '$query'])
    assert.deepEqual(found({ [key]: 1 }), [key])
  for (const key of ['operatingSystem', 'sql_query', 'timeDelta', 'system_name'])
    assert.equal(found({ [key]: 1 }), undefined)
})

test('of a very long key, only the end is examined', () => {
  const long = 'x'.repeat(200)
  assert.deepEqual(found({ [`${long}_prompt`]: 1 }), [`${long}_prompt`])
  assert.equal(found({ [`prompt_${long}`]: 1 }), undefined)
})

test('a key is found at any depth, with its path', () => {
  let deep: unknown = { text: 1 }
  for (let level = 0; level < 1000; level++) deep = { a: deep }
  assert.equal(found(deep)?.length, 1001)
  assert.deepEqual(found({ a: [null, 7, { b: { text: 1 } }] }), ['a', '2', 'b', 'text'])
  assert.deepEqual(found([{ text: 1 }]), ['0', 'text'])
  for (const value of [null, undefined, 'text', 7, [], {}, ['text'], { a: 'text' }])
    assert.equal(found(value), undefined)
})

test('a known key is skipped, but what is below it is not', () => {
  const harmless = new Set(['input'])
  assert.equal(found({ input: 1 }, harmless), undefined)
  assert.deepEqual(found({ input: { output: 1 } }, harmless), ['input', 'output'])
  assert.deepEqual(found({ inputs: 1 }, harmless), ['inputs'])
})

test('a value with too many entries is not searched to its end', () => {
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${i}`, 1]))
  assert.deepEqual(findContentKey(keys(entriesMax)), { found: undefined, isTooLarge: false })
  assert.deepEqual(findContentKey(keys(entriesMax + 1)), { found: undefined, isTooLarge: true })
  assert.deepEqual(findContentKey({ a: Array(entriesMax).fill(1) }), { found: undefined, isTooLarge: true })
})
