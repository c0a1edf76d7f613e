/**
 * The harness itself, without the service: planted values are well formed, and the stub upstream is accepted by real
 * SDKs.
 */
import Anthropic, { APIError as AnthropicError } from '@anthropic-ai/sdk'
import fc from './property.ts'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import OpenAI, { APIError as OpenAIError } from 'openai'
import { createScanner } from '../../src/detection/scanner.ts'
import { mockAnswer, startVendorMock } from './aimock.ts'
import { assertOnlyMasked, placeholdersIn } from './placeholder.ts'
import { blockedKinds, createPlanter, maskedKinds } from './planted.ts'
import { occurring } from './search.ts'
import { startStubUpstream } from './stub-upstream.ts'
import * as upstream from './upstream-behaviours.ts'

describe('planted values', () => {
  const scanner = createScanner()
  for (const [tier, kinds] of [
    ['medium', maskedKinds],
    ['high', blockedKinds]
  ] as const) {
    for (const kind of kinds) {
      test(`${kind} is found in its sentence as a ${tier} value`, () => {
        const planter = createPlanter(1)
        for (let i = 0; i < 50; i++) {
          const { sentence, value } = planter(kind)
          const start = sentence.indexOf(value)
          const finding = scanner.scan(sentence).find((one) => one.start <= start && one.end >= start + value.length)
          assert.equal(finding?.tier, tier, sentence)
          assert.ok(
            tier === 'medium' || finding?.confidence === 'strong' || finding?.confidence === 'certain',
            sentence
          )
        }
      })
    }
  }

  test('are the same for a seed and never repeat', () => {
    const [first, second, other] = [createPlanter(1), createPlanter(1), createPlanter(2)]
    const values = Array.from({ length: 100 }, () => first('github_token').value)
    assert.deepEqual(
      Array.from({ length: 100 }, () => second('github_token').value),
      values
    )
    assert.equal(new Set([...values, other('github_token').value]).size, 101)
  })
})

test('a body is compared after its values are restored', () => {
  const sent = '{"a":"x@b.cc and y@b.cc and x@b.cc"}'
  const values = ['x@b.cc', 'y@b.cc']
  assert.equal(
    assertOnlyMasked(sent, '{"a":"EMAIL_AAAAAAAAAA and EMAIL_BBBBBBBBBB and EMAIL_AAAAAAAAAA"}', values).size,
    2
  )
  const wrong = [
    sent,
    '{"a":"EMAIL_AAAAAAAAAA and EMAIL_AAAAAAAAAA and EMAIL_AAAAAAAAAA"}',
    '{"a":"EMAIL_AAAAAAAAAA and EMAIL_BBBBBBBBBB and EMAIL_CCCCCCCCCC"}',
    '{"a": "EMAIL_AAAAAAAAAA and EMAIL_BBBBBBBBBB and EMAIL_AAAAAAAAAA"}',
    '{"a":"EMAIL_AAAAAAAAAA and EMAIL_BBBBBBBBBB and EMAIL_AAAAAAAAAA"} '
  ]
  for (const received of wrong)
    assert.throws(() => assertOnlyMasked(sent, received, values), assert.AssertionError, received)
  assert.deepEqual(placeholdersIn('a EMAIL_AAAAAAAAAA, US_SSN_22222ZZZZZ; EMAIL_AAAA EMAIL_AAAAAAAAAAA'), [
    'EMAIL_AAAAAAAAAA',
    'US_SSN_22222ZZZZZ'
  ])
})

test('a search for many needles finds the same as one search per needle', () => {
  const letters = fc.array(fc.constantFrom('a', 'b', 'é'), { maxLength: 60 }).map((all) => all.join(''))
  const needles = fc.uniqueArray(
    fc.array(fc.constantFrom('a', 'b', 'é'), { minLength: 4, maxLength: 6 }).map((all) => all.join(''))
  )
  fc.assert(
    fc.property(letters, needles, (text, wanted) => {
      const expected = wanted.filter((needle) => text.includes(needle)).sort()
      assert.deepEqual([...occurring(Buffer.from(text), wanted)].sort(), expected)
    })
  )
})

const chat = { model: 'm', messages: [{ role: 'user' as const, content: 'Hello.' }] }
const message = { ...chat, max_tokens: 9 }

for (const [name, start, text] of [
  ['the stub', () => startStubUpstream(upstream.answers('Understood.')), 'Understood.'],
  ["the vendors' mock", startVendorMock, mockAnswer]
] as const) {
  test(`${name} answers the SDKs of both vendors, streamed or not`, async () => {
    await using server = await start()
    const openai = new OpenAI({ baseURL: server.chatBase, apiKey: 'key' })
    const anthropic = new Anthropic({ baseURL: server.url, apiKey: 'key' })
    assert.equal((await openai.chat.completions.create(chat)).choices[0]?.message.content, text)
    let streamed = ''
    for await (const chunk of await openai.chat.completions.create({ ...chat, stream: true }))
      streamed += chunk.choices[0]?.delta.content ?? ''
    assert.equal(streamed, text)
    assert.match(JSON.stringify((await anthropic.messages.create(message)).content), new RegExp(text))
    assert.match(JSON.stringify((await anthropic.messages.stream(message).finalMessage()).content), new RegExp(text))
  })
}

test("the stub's errors are errors to the SDKs, and it counts callers that left", async () => {
  await using stub = await startStubUpstream(upstream.limitsRate)
  const openai = new OpenAI({ baseURL: stub.chatBase, apiKey: 'key', maxRetries: 0 })
  const anthropic = new Anthropic({ baseURL: stub.url, apiKey: 'key', maxRetries: 0 })
  for (const [behaviour, status] of [
    [upstream.limitsRate, 429],
    [upstream.fails, 500],
    [upstream.refusesKey, 401]
  ] as const) {
    stub.behave(behaviour)
    await assert.rejects(
      openai.chat.completions.create(chat),
      (error) => error instanceof OpenAIError && error.status === status
    )
    await assert.rejects(
      anthropic.messages.create(message),
      (error) => error instanceof AnthropicError && error.status === status
    )
  }
  stub.behave(upstream.diesMidStream)
  await assert.rejects(async () => {
    for await (const _ of await openai.chat.completions.create({ ...chat, stream: true }));
  })
  await assert.rejects(anthropic.messages.stream(message).finalMessage())
  stub.behave(upstream.hangs)
  const leaving = new AbortController()
  const [arrived, lost] = [stub.received.length + 1, stub.abandoned + 1]
  const call = openai.chat.completions.create(chat, { signal: leaving.signal })
  await Promise.all([assert.rejects(call), stub.arrived(arrived).then(() => leaving.abort())])
  await stub.lost(lost)
})
