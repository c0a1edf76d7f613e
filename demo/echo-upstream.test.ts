import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { readConversation } from './conversation.ts'
import { startEchoUpstream, type EchoUpstream } from './echo-upstream.ts'

let upstream: EchoUpstream
let chat: OpenAI
let messages: Anthropic
let callsSeen = 0

before(async () => {
  upstream = await startEchoUpstream({ keepMax: 2, onCall: () => callsSeen++ })
  chat = new OpenAI({ baseURL: `${upstream.url}/v1`, apiKey: 'none', maxRetries: 0 })
  messages = new Anthropic({ baseURL: upstream.url, apiKey: 'none', maxRetries: 0 })
})
after(() => upstream.close())
beforeEach(() => {
  callsSeen = 0
})

const history = [
  { role: 'user' as const, content: 'an older question' },
  { role: 'assistant' as const, content: 'an older answer' },
  { role: 'user' as const, content: 'naïve 🦊 question\nof two lines' }
]
const echoed = 'You said: naïve 🦊 question\nof two lines'

test('a plain chat completion echoes the last user text, the model and the token counts', async () => {
  const answer = await chat.chat.completions.create({ model: 'some-model', messages: history })
  assert.equal(answer.choices[0]?.message.content, echoed)
  assert.equal(answer.model, 'some-model')
  assert.deepEqual(answer.usage, { prompt_tokens: 12, completion_tokens: 9, total_tokens: 21 })
})

test('a streamed chat completion says the same and ends with the requested usage', async () => {
  const options = { model: 'some-model', messages: history, stream: true as const }
  const chunks = await Array.fromAsync(
    await chat.chat.completions.create({ ...options, stream_options: { include_usage: true } })
  )
  assert.equal(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join(''), echoed)
  assert.ok(chunks.length > 5, 'the answer arrives in several pieces')
  assert.equal(chunks.at(-1)?.usage?.total_tokens, 21)
  const without = await Array.fromAsync(await chat.chat.completions.create(options))
  assert.ok(without.every((chunk) => chunk.usage === undefined))
})

test('a plain message echoes a tool result, the model and the token counts', async () => {
  const answer = await messages.messages.create({
    model: 'other-model',
    max_tokens: 64,
    system: [{ type: 'text', text: 'be short' }],
    messages: [
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'a = 1' }] }]
      }
    ]
  })
  assert.deepEqual(
    answer.content.map((block) => block.type === 'text' && block.text),
    ['You said: a = 1']
  )
  assert.equal(answer.model, 'other-model')
  assert.equal(answer.usage.input_tokens, 5)
  assert.equal(answer.usage.output_tokens, 6)
  assert.match(answer._request_id ?? '', /^req_/)
})

test('a streamed message can be assembled by the SDK', async () => {
  const stream = messages.messages.stream({ model: 'other-model', max_tokens: 64, messages: history })
  const answer = await stream.finalMessage()
  assert.deepEqual(
    answer.content.map((block) => block.type === 'text' && block.text),
    [echoed]
  )
  assert.equal(answer.stop_reason, 'end_turn')
  assert.equal(answer.usage.output_tokens, 9)
})

test("invalid requests get their vendor's error, naming the field", async () => {
  const post = (path: string, body: string) => fetch(upstream.url + path, { method: 'POST', body })
  const cases = [
    ['/v1/chat/completions', '{', 400, /JSON/],
    ['/v1/chat/completions', '{"messages":[{}]}', 400, /^model/],
    ['/v1/messages', '{"model":"m","messages":[{"role":"user","content":"x"}]}', 400, /^max_tokens/],
    ['/v1/elsewhere', '{}', 404, /\/v1\/messages/]
  ] as const
  for (const [path, body, status, message] of cases) {
    const response = await post(path, body)
    assert.equal(response.status, status)
    assert.match(((await response.json()) as { error: { message: string } }).error.message, message)
  }
  const wrongMethod = await fetch(`${upstream.url}/v1/messages`)
  assert.equal(wrongMethod.status, 405)
  assert.equal(((await wrongMethod.json()) as { type: string }).type, 'error')
})

test('the last calls are kept, byte for byte, and no more than requested', async () => {
  const bodies = ['1', '2', '3'].map(
    (n) => `{ "model":"m", "n":${n}00000000000000000001, "messages":[{"role":"user","content":"x${n}"}]}`
  )
  for (const body of bodies) await fetch(`${upstream.url}/v1/chat/completions`, { method: 'POST', body })
  assert.equal(callsSeen, 3)
  assert.deepEqual(
    upstream.received.map((call) => call.bytes.toString()),
    bodies.slice(1)
  )
  assert.deepEqual(readConversation(upstream.received.at(-1)?.body), [{ role: 'user', text: 'x3' }])
})

test('a client that disconnects in mid-stream leaves the upstream able to answer', async () => {
  const stream = await chat.chat.completions.create({ model: 'm', messages: history, stream: true })
  for await (const _ of stream) break
  const answer = await chat.chat.completions.create({ model: 'm', messages: history })
  assert.equal(answer.choices[0]?.message.content, echoed)
})
