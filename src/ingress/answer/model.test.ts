import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createModelReader } from './model.ts'

const read = (text: string, cutAt = text.length, scrub = (name: string) => name): string | undefined => {
  const reader = createModelReader(scrub)
  const bytes = Buffer.from(text)
  reader.push(bytes.subarray(0, cutAt))
  reader.push(bytes.subarray(cutAt))
  return reader.result()
}

it('the model is read from every form of answer, however it is cut into chunks', () => {
  const answers = [
    '{"id":"1","object":"chat.completion","model" : "gpt-5-2026","choices":[]}',
    'data: {"id":"1","model":"gpt-5-2026","choices":[]}\n\n',
    'event: message_start\ndata: {"type":"message_start","message":{"id":"m","model":"gpt-5-2026"}}\n\n',
    'data: {"type":"response.created","response":{"id":"r","model":"gpt-5-2026"}}\n\n'
  ]
  for (const answer of answers) {
    for (let cut = 0; cut <= answer.length; cut++) assert.equal(read(answer, cut), 'gpt-5-2026', answer)
  }
})

it('text that mentions a model is not a model name, nor is an invalid name', () => {
  assert.equal(read(JSON.stringify({ text: '"model":"said"', model: 'true-one' })), 'true-one')
  const none = ['', 'no json', '{"model":7}', '{"model":"a b"}', '{"model":"open', `{"model":"${'x'.repeat(200)}"}`]
  for (const text of none) assert.equal(read(text), undefined, text)
  assert.equal(read(`{"pad":"${'x'.repeat(5000)}","model":"late"}`), undefined)
})

it('the name is scrubbed and its length limited', () => {
  assert.equal(
    read('{"model":"m-secret"}', 3, () => 'm-MASKED'),
    'm-MASKED'
  )
  assert.equal(read(`{"model":"${'m'.repeat(100)}"}`)?.length, 80)
})
