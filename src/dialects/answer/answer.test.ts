/** A member that a reader claims to ignore must not change how it reads: the relay of streams relies on that. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AnswerReader } from './answer.ts'
import { dialects } from '../index.ts'
import { indexOf } from '../json/indexing.fixture.ts'
import { nodeKind } from '../json/json-index.ts'

const calls = [{ index: 1, id: 'c', type: 'function', function: { name: 'edit', arguments: '{' } }]
const custom = [{ index: 2, type: 'custom', custom: { name: 'patch', input: 'x' } }]
const place = { item_id: 'i', output_index: 1, content_index: 2, sequence_number: 9 }
const item = { id: 'i', type: 'function_call', name: 'edit', arguments: '{}' }
const search = { type: 'tool_search_call', execution: 'client', arguments: { query: 'a' } }
const message = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'a', annotations: [] }] }

const events = {
  'chat-completions': [
    ...[{ content: 'a' }, { refusal: 'a' }, { content: [{ type: 'text', text: 'a' }] }, { reasoning_content: 'a' }],
    ...[{ audio: { id: 'a', transcript: 'a' } }],
    ...[{ tool_calls: calls }, { tool_calls: custom }, { function_call: { name: 'edit', arguments: '{' } }]
  ].map((delta) => ({
    id: 'c',
    created: 1,
    model: 'm',
    choices: [{ index: 1, delta: { role: 'assistant', ...delta }, logprobs: { content: [] }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1 }
  })),
  messages: [
    { type: 'message_start', message: { id: 'm', content: [], usage: { input_tokens: 1 } } },
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: 'a' } },
    {
      type: 'content_block_start',
      index: 2,
      content_block: { type: 'tool_use', id: 't', name: 'edit', input: { a: 'b' } }
    },
    ...[
      { type: 'text_delta', text: 'a' },
      { type: 'input_json_delta', partial_json: '{' },
      { type: 'thinking_delta', thinking: 'a' },
      { type: 'signature_delta', signature: 'a' },
      { type: 'citations_delta', citation: { type: 'char_location', cited_text: 'a', document_index: 0 } }
    ].map((delta) => ({ type: 'content_block_delta', index: 2, delta })),
    { type: 'content_block_stop', index: 2 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
    {
      type: 'message',
      content: [
        { type: 'text', text: 'a' },
        { type: 'tool_use', name: 'edit', input: { a: 'b' } }
      ]
    }
  ],
  responses: [
    { type: 'response.created', response: { id: 'r', output: [], usage: null } },
    { type: 'response.output_item.added', ...place, item },
    ...['output_text', 'refusal', 'function_call_arguments', 'custom_tool_call_input', 'reasoning_text'].map(
      (subject) => ({
        type: `response.${subject}.delta`,
        ...place,
        delta: 'a',
        obfuscation: 'x'
      })
    ),
    { type: 'response.output_text.done', ...place, text: 'a' },
    { type: 'response.audio.transcript.delta', delta: 'a', sequence_number: 9 },
    ...['added', 'done'].map((step) => ({
      type: `response.shell_call_command.${step}`,
      ...place,
      command_index: 3,
      command: 'a'
    })),
    { type: 'response.output_item.done', ...place, item: search },
    { type: 'response.output_item.done', ...place, item: message },
    { type: 'response.completed', response: { id: 'r', output: [message, item] } }
  ]
} as const

/** The result of reading an event, for a reader that has read others before. */
function readingOf(before: readonly object[], event: string, make: () => AnswerReader) {
  const reader = make()
  for (const one of before) reader.read(indexOf(JSON.stringify(one)))
  return { ...reader.read(indexOf(event)), revision: reader.revision }
}

for (const [name, all] of Object.entries(events) as [keyof typeof events, readonly object[]][]) {
  test(`${name}: ignored members do not change how an event is read`, () => {
    const make = dialects[name].createAnswerReader!
    let ignored = 0
    all.forEach((event, i) => {
      const text = JSON.stringify(event)
      const index = indexOf(text)
      const wanted = readingOf(all.slice(0, i), text, make)
      for (let node = 0; node < index.count; node++) {
        const kind = index.kind(node)
        if ((kind !== nodeKind.string && kind !== nodeKind.number) || !make().ignores(index, node)) continue
        ignored++
        for (const other of kind === nodeKind.string ? ['"message"', '"stop"', '""'] : ['0', '1', '77']) {
          const changed = text.slice(0, index.starts[node]) + other + text.slice(index.ends[node])
          assert.deepEqual(readingOf(all.slice(0, i), changed, make), wanted, `${changed} for ${text}`)
        }
      }
    })
    assert.ok(ignored > all.length)
  })

  test(`${name}: a repeated call teaches the reader nothing new`, () => {
    const reader = dialects[name].createAnswerReader!()
    for (const event of all) reader.read(indexOf(JSON.stringify(event)))
    const { revision } = reader
    assert.ok(revision > 0)
    reader.read(indexOf(JSON.stringify(all.find((event) => JSON.stringify(event).includes('"edit"')))))
    assert.equal(reader.revision, revision)
  })
}
