/** The fast path for events must give the same result as parsing them, whatever an upstream sends. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../../test/support/property.ts'
import {
  cut,
  kinds,
  parsed,
  restore,
  restoreBytes,
  type RestoredDialect,
  splitEvents,
  sse,
  words
} from './stream.fixture.ts'

/** Frames with a vendor's additions: sequence numbers, random padding and timestamps. */
const adorned = (frames: readonly object[], salt: number): object[] =>
  frames.map((frame, i) => ({
    id: 'chatcmpl-é',
    created: 1_795_000_000 + (i >> 2),
    sequence_number: i,
    ...frame,
    usage: null,
    obfuscation: 'aZ\\"ü'.repeat((i * salt) % 7)
  }))

/** Blanks around the last bracket, as some vendors write them. */
const padded = (stream: string, salt: number): string => {
  let events = 0
  return stream.replaceAll(
    /(?<=data: .*)\}(?=\r?\n)/g,
    () => `${' '.repeat((events++ * salt) % 5)}}${' '.repeat(events % 3)}`
  )
}

/** A stream with some bytes replaced. */
function spoilt(stream: Buffer, edits: readonly (readonly [number, number])[]): Buffer {
  const bytes = Buffer.from(stream)
  for (const [at, byte] of edits) bytes[at % bytes.length] = byte
  return bytes
}

function chunked(bytes: Buffer, together: number): Buffer[] {
  const all = [...splitEvents(bytes)]
  return Array.from({ length: Math.ceil(all.length / together) }, (_, i) =>
    Buffer.concat(all.slice(i * together, (i + 1) * together))
  )
}

const anyKind = fc.constantFrom(...kinds)
const cuts = fc.array(fc.nat(), { minLength: 4, maxLength: 12 })

describe('events that match a template', () => {
  test('numbers, padding and meaningless words do not prevent a match', () => {
    for (const [dialect, stream, isJson] of kinds) {
      const text = 'say it in words that nobody has to wait for, again and again, to the end'
      const source = isJson ? JSON.stringify({ new_string: text }) : text
      const frames = adorned(stream.frames(cut(source, [...source].keys().toArray())), 3)
      const { matched } = restore(dialect, padded(sse(frames, '\n'), 2))
      assert.ok(matched >= source.length - 2, `${dialect}: ${matched} of ${frames.length}`)
    }
  })

  test('what a client gets does not depend on whether events match', () => {
    fc.assert(
      fc.property(anyKind, words, cuts, fc.nat(9), fc.integer({ min: 1, max: 4 }), (kind, text, at, salt, together) => {
        const [dialect, stream, isJson] = kind
        const source = isJson ? JSON.stringify({ new_string: text }) : text
        const sent = padded(sse(adorned(stream.frames(cut(source, at)), salt), '\n'), salt)
        const { text: out } = restoreBytes(dialect, chunked(Buffer.from(sent), together))
        assert.equal(parsed(Buffer.from(out, 'latin1').toString()).length, parsed(sent).length)
      }),
      { numRuns: 500 }
    )
  })

  test('corrupt bytes do not change that', () => {
    const byte = fc.oneof(fc.constantFrom(...Buffer.from('"\\{}[]:,0 \n\r_EAé\0')), fc.nat(255))
    const edits = fc.array(fc.tuple(fc.nat(), byte), { minLength: 1, maxLength: 6 })
    let matched = 0
    fc.assert(
      fc.property(anyKind, words, cuts, edits, fc.integer({ min: 1, max: 3 }), (kind, text, at, wrong, together) => {
        const [dialect, stream, isJson] = kind
        const source = isJson ? JSON.stringify({ new_string: text }) : text
        const sent = Buffer.from(sse(adorned(stream.frames(cut(source, at)), 5), '\n'))
        matched += restoreBytes(dialect, chunked(spoilt(sent, wrong), together)).matched
      }),
      { numRuns: 3000 }
    )
    assert.ok(matched > 3000)
  })

  test('texts that alternate do not change that', () => {
    const turns = fc.array(
      fc.tuple(fc.nat(2), fc.constantFrom('to ', 'EMAIL_7Q', '2MKX4TAB', ' _', 'https://a.b/', '\n'), fc.boolean()),
      {
        minLength: 6,
        maxLength: 40
      }
    )
    let matched = 0
    fc.assert(
      fc.property(turns, fc.integer({ min: 1, max: 3 }), (all, together) => {
        const frames = all.map(([index, text, isCall]) => {
          const call = { index, function: { arguments: text } }
          const choice = { index: index >> 1, delta: isCall ? { tool_calls: [call] } : { content: text } }
          return { choices: [choice] }
        })
        const named = [0, 1, 2].map((index) => ({
          choices: [
            { index: index >> 1, delta: { tool_calls: [{ index, function: { name: 'edit', arguments: '' } }] } }
          ]
        }))
        const sent = Buffer.from(sse([...named, ...frames], '\n'))
        matched += restoreBytes('chat-completions', chunked(sent, together)).matched
      }),
      { numRuns: 500 }
    )
    assert.ok(matched > 2000, `${matched}`)
  })

  test('the escaping of a text does not change that', () => {
    const escaped = (text: string): string =>
      JSON.stringify(text).replaceAll(/[A-Z_ é]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    for (let at = 0; at < 17; at++) {
      const texts = [
        'say ',
        'EMAIL_7Q2MKX4TAB '.slice(0, at),
        'EMAIL_7Q2MKX4TAB '.slice(at),
        'É',
        'EMAIL_7Q2MKX4TAB ',
        ', "so"'
      ]
      const events = texts.map(
        (text) =>
          `data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":${escaped(text)}}}\n\n`
      )
      const { text: out, counts, matched } = restore('messages', events.join(''))
      assert.equal(
        parsed(out)
          .map((event: any) => event.delta.text)
          .join(''),
        texts.join('').replaceAll('EMAIL_7Q2MKX4TAB', 'zoë@corp.dev')
      )
      assert.deepEqual(counts, { restored: 2, left: 0 })
      assert.equal(matched, texts.length - 1)
    }
  })

  test('an event with two choices is parsed', () => {
    const frames = ['to EMAIL_7Q', '2MKX4TAB', ' and ', 'EMAIL_7Q2MKX4TAB ', 'PHONE_ABCDEFGHIJ', '.'].map(
      (content) => ({
        choices: [
          { index: 0, delta: { content } },
          { index: 1, delta: { content } }
        ]
      })
    )
    assert.partialDeepStrictEqual(restore('chat-completions', sse(frames, '\n')), {
      counts: { restored: 6, left: 0 },
      matched: 0
    })
  })

  test('a tool whose arguments are not restored is known by its last name', () => {
    const text = ['{"to":"', 'EMAIL_7Q2MKX4TAB', '"}']
    const call = (name: string) => [
      { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 't', name, input: {} } },
      ...text.map((partial_json) => ({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json }
      })),
      { type: 'content_block_stop', index: 0 }
    ]
    const names = ['edit', 'fetch', 'edit', 'edit', 'fetch']
    const { text: out, counts, matched } = restore('messages', sse(names.flatMap(call), '\n'))
    const wanted = names.map((name) =>
      name === 'edit' ? text.join('').replace('EMAIL_7Q2MKX4TAB', 'zoë@corp.dev') : text.join('')
    )
    assert.equal(
      parsed(out)
        .map((event: any) => event.delta?.partial_json ?? '')
        .join(''),
      wanted.join('')
    )
    assert.deepEqual(counts, { restored: 3, left: 0 })
    assert.ok(matched >= 8, `${matched}`)
  })

  test('a tool that repeats its name with each piece, or with a piece without text, is known as well', () => {
    const names = ['edit', 'fetch', 'edit', 'edit', 'fetch']
    const chat = names.map((name) => ({
      choices: [
        { index: 0, delta: { tool_calls: [{ index: 0, function: { name, arguments: '"EMAIL_7Q2MKX4TAB"' } }] } }
      ]
    }))
    const responses = names.flatMap((name) => [
      { type: 'response.output_item.added', output_index: 0, item: { type: 'function_call', name } },
      { type: 'response.function_call_arguments.delta', output_index: 0, delta: '"EMAIL_7Q2MKX4TAB"' }
    ])
    for (const [dialect, frames] of [
      ['chat-completions', chat],
      ['responses', responses]
    ] as const)
      assert.deepEqual(restore(dialect, sse(frames, '\n')).counts, { restored: 3, left: 0 })
  })

  test('data in several lines, malformed numbers and events without an end do not match', () => {
    const event = (text: string, number = '7'): string =>
      `{"type":"content_block_delta","n":${number},"index":0,"delta":{"type":"text_delta","text":"${text}"}}`
    const lines = ['a', 'b', 'EMAIL_7Q2MKX4TAB ', 'c'].map(
      (text) => `data: ${event(text).replace(',', ',\ndata:')}\n\n`
    )
    assert.equal(restore('messages', lines.join('')).matched, 0)
    const numbers = ['7', '00', '0', '07', '1'].map((number) => `data: ${event('EMAIL_7Q2MKX4TAB ', number)}\n\n`)
    assert.deepEqual(restore('messages', numbers.join('')).counts, { restored: 3, left: 0 })
    for (const end of ['', '\n']) {
      const chunks = [`data: ${event('a')}${end}`, `data: ${event('EMAIL_7Q2MKX4TAB ')}\ndata: b\n\n`]
      const { counts } = restoreBytes(
        'messages',
        chunks.map((chunk) => Buffer.from(chunk))
      )
      assert.deepEqual(counts, { restored: 0, left: 0 })
    }
  })

  test('a number or a string that decides where a text belongs is not skipped', () => {
    const cases: readonly (readonly [RestoredDialect, (i: number) => object])[] = [
      ['chat-completions', (i) => ({ choices: [{ index: i, delta: { content: 'EMAIL_7Q' } }] })],
      ['messages', (i) => ({ type: 'content_block_delta', index: i, delta: { type: 'text_delta', text: 'EMAIL_7Q' } })],
      [
        'responses',
        (i) => ({ type: 'response.output_text.delta', output_index: 0, content_index: i, delta: 'EMAIL_7Q' })
      ],
      [
        'responses',
        (i) => ({ type: 'response.output_text.delta', output_index: i, content_index: 0, delta: 'EMAIL_7Q' })
      ],
      [
        'responses',
        (i) => ({
          type: i % 2 === 0 ? 'response.output_text.delta' : 'response.reasoning_text.delta',
          delta: 'EMAIL_7Q'
        })
      ]
    ]
    for (const [dialect, frame] of cases) {
      const { matched } = restore(dialect, sse([0, 1, 2, 3, 0, 1, 2, 3].map(frame), '\n'))
      assert.ok(matched > 0 && matched <= 6, `${dialect}: ${matched}`)
    }
  })
})
