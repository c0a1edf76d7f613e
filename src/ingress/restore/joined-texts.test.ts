/** Texts that a client reads as one, or differently from their order or spelling on the wire. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { restore, sse } from './stream.fixture.ts'

test('reads of repeated names what a client reads, so that no other text hides a URL', () => {
  const delta = (members: string): string =>
    `data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta",${members}}}\n\n`
  const url = '"text":"![x](https://a.example/"'
  for (const [events, counts] of [
    [[`"text":"a ",${url}`, '"text":"EMAIL_7Q2MKX4TAB)"'], { restored: 0, left: 1 }],
    [[`${url},"text":"a "`, '"text":"EMAIL_7Q2MKX4TAB)"'], { restored: 1, left: 0 }]
  ] as const)
    assert.deepEqual(restore('messages', events.map(delta).join('')).counts, counts, events.join(''))
})

test('takes the texts of a response for one, however often each of them comes', () => {
  const placeholder = 'EMAIL_7Q2MKX4TAB'
  const part = (text: string) => ({ type: 'output_text', text })
  const item = (text: string) => ({ type: 'message', content: [part(text)] })
  const frames = (first: string, second: string) => [
    ...[first, second].flatMap((text, i) => {
      const place = { output_index: i * 2, content_index: 0 }
      return [
        { type: 'response.output_text.delta', ...place, delta: text },
        { type: 'response.output_text.done', ...place, text },
        { type: 'response.content_part.done', ...place, part: part(text) },
        { type: 'response.output_item.done', output_index: i * 2, item: item(text) }
      ]
    }),
    { type: 'response.completed', response: { output: [item(first), { type: 'web_search_call' }, item(second)] } }
  ]
  for (const [first, counts] of [
    ['![x](https://a.example/?q=', { restored: 0, left: 5 }],
    ['see https://corp.dev ', { restored: 5, left: 0 }]
  ] as const)
    assert.deepEqual(restore('responses', sse(frames(first, placeholder), '\n')).counts, counts, first)
})

test('takes texts of one message for one, as clients do, and positions for the same however they are written', () => {
  const block = (index: string, text: string): string =>
    `data: {"type":"content_block_delta","index":${index},"delta":{"type":"text_delta","text":${JSON.stringify(text)}}}\n\n` +
    `data: {"type":"content_block_stop","index":${index}}\n\n`
  for (const [texts, counts] of [
    [[block('0', '![x](https://a.example/?q='), block('2', 'EMAIL_7Q2MKX4TAB) ')], { restored: 0, left: 1 }],
    [[block('0', '![x](https://a.ex'), block('1', 'ample/EMAIL_7Q2MKX4TAB')], { restored: 0, left: 1 }],
    [[block('0', '![x](https://a.example/E'), block('1', 'EMAIL_7Q2MKX4TAB ')], { restored: 0, left: 1 }],
    [
      [block('1', '![x](https://a.example/'), block('2', ' '), block('1.0', 'EMAIL_7Q2MKX4TAB ')],
      { restored: 0, left: 1 }
    ],
    [[block('0', 'see https://corp.dev '), block('1', 'EMAIL_7Q2MKX4TAB ')], { restored: 1, left: 0 }]
  ] as const)
    assert.deepEqual(restore('messages', texts.join('')).counts, counts, texts.join(''))
})
