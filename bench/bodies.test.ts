import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeBody, makeTurns } from './bodies.ts'

const decoder = new TextDecoder()
const dialects = ['chat-completions', 'messages'] as const

test('a body comes close to the requested size and never exceeds it', () => {
  for (const dialect of dialects) {
    for (const targetBytes of [2000, 50_000, 500_000]) {
      for (let seed = 0; seed < 20; seed++) {
        const { bytes } = makeBody(dialect, targetBytes, seed)
        assert.ok(bytes.length <= targetBytes && bytes.length > targetBytes - 1000, `${bytes.length} of ${targetBytes}`)
      }
    }
  }
})

test('the same seed makes the same bytes, another seed different ones', () => {
  const [first, again, other] = [7, 7, 8].map((seed) => decoder.decode(makeBody('messages', 50_000, seed).bytes))
  assert.equal(first, again)
  assert.notEqual(first, other)
})

test('each body is JSON with as many mail addresses as it declares', () => {
  for (const dialect of dialects) {
    for (const targetBytes of [2000, 50_000, 500_000]) {
      const { bytes, mails } = makeBody(dialect, targetBytes, 1)
      const text = decoder.decode(bytes)
      assert.ok(Array.isArray((JSON.parse(text) as { messages: unknown }).messages))
      assert.equal(text.match(/[a-z0-9.]+@imaginary-bakery/g)?.length, mails)
      assert.ok(mails >= 1)
    }
  }
})

test('each turn of a conversation begins with the one before it, and the last one is the whole body', () => {
  for (const dialect of dialects) {
    const turns = makeTurns(dialect, 50_000, 10, 3).map(
      (bytes) => JSON.parse(decoder.decode(bytes).replaceAll(',"cache_control":{"type":"ephemeral"}', '')) as Body
    )
    for (const [i, turn] of turns.entries()) {
      const next = turns[i + 1]
      if (next) assert.deepEqual(next.messages.slice(0, turn.messages.length), turn.messages)
      if (next) assert.ok(next.messages.length > turn.messages.length)
    }
    assert.deepEqual(turns.at(-1), JSON.parse(decoder.decode(makeBody(dialect, 50_000, 3).bytes)))
  }
})

interface Body {
  readonly messages: readonly unknown[]
}
