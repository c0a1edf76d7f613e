import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../test/support/property.ts'
import { dialects } from '../dialects/index.ts'
import { RestorableValues, RestoreTable } from '../policy/restore.ts'
import { createStreamRestorer } from './restore-stream.ts'
import { splitEvents } from './sse-event.ts'

const known = new Map([
  ['EMAIL_7Q2MKX4TAB', 'zoë@corp.dev'],
  ['PHONE_ABCDEFGHIJ', '+1 202 555 0143'],
  ['NAME_QRSTUVWXYZ', 'line one\nsaid "é"']
])
const values = new RestorableValues()
for (const [placeholder, value] of known) values.add(placeholder.slice(0, -11), placeholder, value)
const plan = {
  table: new RestoreTable(values, (label) => ['EMAIL', 'PHONE', 'NAME'].includes(label)),
  mayRestoreTool: (name: string) => name !== 'fetch'
}
const placeholders = [...known.keys()]

/** The text as its reader is to see it: values stand where a placeholder was a word of its own. */
const unmasked = (text: string, written = (value: string) => value): string =>
  text.replaceAll(/(?<!\w)(?:EMAIL|PHONE|NAME)_[A-Z2-7]{10}(?!\w|\.[\p{L}\p{N}_])/gu, (placeholder) => {
    const value = known.get(placeholder)
    return value === undefined ? placeholder : written(value)
  })

/** How a dialect streams a text, or the arguments of a tool, in pieces; and how a client puts them together again. */
interface Stream {
  frames(pieces: readonly string[]): object[]
  joined(events: readonly Record<string, never>[]): string
}

const chatText: Stream = {
  frames: (pieces) => [
    { choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] },
    ...pieces.map((content) => ({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { choices: [], usage: { prompt_tokens: 1 } }
  ],
  joined: (events) => events.map((event: any) => event.choices[0]?.delta.content ?? '').join('')
}
const chatArguments: Stream = {
  frames: (pieces) => [
    ...pieces.map((text, i) => {
      const name = i === 0 ? { name: 'edit' } : {}
      const call = { index: 0, ...(i === 0 ? { id: 'call_1' } : {}), function: { ...name, arguments: text } }
      return { choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] }
    }),
    { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }
  ],
  joined: (events) =>
    events.map((event: any) => event.choices[0].delta.tool_calls?.[0].function.arguments ?? '').join('')
}
const messagesText: Stream = {
  frames: (pieces) => [
    { type: 'message_start', message: { content: [] } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'ping' },
    ...pieces.map((text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_stop' }
  ],
  joined: (events) => events.map((event: any) => event.delta?.text ?? '').join('')
}
const messagesArguments: Stream = {
  frames: (pieces) => [
    { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 't', name: 'edit', input: {} } },
    ...pieces.map((partial_json) => ({
      type: 'content_block_delta',
      index: 1,
      delta: { type: 'input_json_delta', partial_json }
    })),
    { type: 'content_block_stop', index: 1 }
  ],
  joined: (events) => events.map((event: any) => event.delta?.partial_json ?? '').join('')
}
const place = { item_id: 'i', output_index: 0, content_index: 0 }
const responsesText: Stream = {
  frames: (pieces) => [
    { type: 'response.created', response: { output: [] } },
    ...pieces.map((delta) => ({ type: 'response.output_text.delta', ...place, delta })),
    { type: 'response.output_text.done', ...place, text: pieces.join('') },
    { type: 'response.completed', response: { output: [] } }
  ],
  joined: (events) => {
    const text = events.map((event: any) => event.delta ?? '').join('')
    assert.equal((events.find((event: any) => 'text' in event) as any).text, text)
    return text
  }
}
const responsesArguments: Stream = {
  frames: (pieces) => [
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { type: 'function_call', name: 'edit', arguments: '' }
    },
    ...pieces.map((delta) => ({ type: 'response.function_call_arguments.delta', output_index: 0, delta })),
    { type: 'response.function_call_arguments.done', output_index: 0, arguments: pieces.join('') },
    {
      type: 'response.output_item.done',
      output_index: 0,
      item: { type: 'function_call', name: 'edit', arguments: pieces.join('') }
    }
  ],
  joined: (events) => {
    const text = events.map((event: any) => event.delta ?? '').join('')
    assert.equal((events.at(-1) as any).item.arguments, text)
    return text
  }
}

const sse = (frames: readonly object[], lineEnd: string): string =>
  frames
    .map((frame) =>
      [`event: ${(frame as { type?: string }).type ?? 'message'}`, `data: ${JSON.stringify(frame)}`, '', ''].join(
        lineEnd
      )
    )
    .join('') + `data: [DONE]${lineEnd}${lineEnd}`

const parsed = (text: string): Record<string, never>[] =>
  [...splitEvents(Buffer.from(text))]
    .map((event) => /^data: (.*)$/m.exec(event.toString())?.[1] ?? '')
    .filter((data) => data.startsWith('{'))
    .map((data) => JSON.parse(data) as Record<string, never>)

function restore(dialect: keyof typeof dialects, stream: string, events = 1) {
  const counts = { restored: 0, left: 0 }
  const reader = dialects[dialect].createAnswerReader?.()
  assert.ok(reader)
  const restorer = createStreamRestorer(reader, plan, counts)
  let out = ''
  const all = [...splitEvents(Buffer.from(stream))]
  for (let at = 0; at < all.length; at += events)
    out += restorer.push(Buffer.concat(all.slice(at, at + events))).toString()
  return { text: out + restorer.end().toString(), counts }
}

/** Text with placeholders side by side, look-alikes, unfinished ones and characters of several bytes. */
const words = fc
  .array(
    fc.constantFrom(
      ...placeholders,
      ...placeholders,
      ' ',
      ', ',
      ', ',
      'é',
      '😀',
      'EMAIL_',
      'E',
      'EMAIL_7Q2MKX4TA ',
      '.',
      'x'
    ),
    {
      maxLength: 8
    }
  )
  .map((parts) => parts.join(''))

/** Cuts between characters: JSON carries no half of one. */
function cut(text: string, cuts: readonly number[]): string[] {
  const characters = [...text]
  const places = [...new Set(cuts.map((at) => at % (characters.length + 1)))].sort((a, b) => a - b)
  const pieces = [0, ...places].map((from, i) => characters.slice(from, places[i] ?? characters.length).join(''))
  return pieces
}

const kinds = [
  ['chat-completions', chatText, false],
  ['chat-completions', chatArguments, true],
  ['messages', messagesText, false],
  ['messages', messagesArguments, true],
  ['responses', responsesText, false],
  ['responses', responsesArguments, true]
] as const

describe('restoring a stream', () => {
  for (const [dialect, stream, isJson] of kinds) {
    const escaped = (value: string): string => (isJson ? JSON.stringify(value).slice(1, -1) : value)
    test(`${dialect}, ${isJson ? 'arguments' : 'text'}: cut anywhere, the client reads the values and every event is there`, () => {
      fc.assert(
        fc.property(
          words,
          fc.array(fc.nat(), { maxLength: 12 }),
          fc.constantFrom('\n', '\r\n'),
          fc.integer({ min: 1, max: 4 }),
          (text, cuts, lineEnd, together) => {
            const source = isJson ? JSON.stringify({ new_string: text }) : text
            const sent = sse(stream.frames(cut(source, cuts)), lineEnd)
            const { text: out } = restore(dialect, sent, together)
            const before = parsed(sent)
            const after = parsed(out)
            assert.equal(stream.joined(after), unmasked(source, escaped))
            assert.deepEqual(
              after.map((event: any) => [event.type, Object.keys(event)]),
              before.map((event: any) => [event.type, Object.keys(event)])
            )
            assert.ok(out.endsWith(`data: [DONE]${lineEnd}${lineEnd}`))
            if (unmasked(source) === source) assert.equal(out, sent)
          }
        ),
        { numRuns: 400 }
      )
    })
  }

  test('every cut of one placeholder in every dialect', () => {
    for (const [dialect, stream] of kinds.filter(([, , isJson]) => !isJson)) {
      const text = 'a EMAIL_7Q2MKX4TAB b'
      for (let at = 0; at <= text.length; at++) {
        const { text: out, counts } = restore(dialect, sse(stream.frames([text.slice(0, at), text.slice(at)]), '\n'))
        assert.equal(stream.joined(parsed(out)), 'a zoë@corp.dev b')
        assert.ok(counts.restored > 0 && counts.left === 0)
      }
    }
  })

  test('an event waits only while its text may go on as a placeholder', () => {
    const reader = dialects.messages.createAnswerReader?.()
    assert.ok(reader)
    const restorer = createStreamRestorer(reader, plan, { restored: 0, left: 0 })
    const push = (text: string): string =>
      restorer
        .push(
          Buffer.from(
            `data: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })}\n\n`
          )
        )
        .toString()
    assert.match(push('Hello '), /Hello/)
    assert.equal(push('to EMAIL_'), '')
    assert.equal(push('7Q2'), '')
    assert.match(push('8'), /to EMAIL_.*7Q2.*8/s)
    assert.equal(push('EMA'), '')
    assert.match(
      restorer.push(Buffer.from('data: {"type":"content_block_stop","index":0}\n\n')).toString(),
      /EMA.*stop/s
    )
  })

  test('nothing is put back into a URL, into reasoning, or into the arguments of a tool that is left out', () => {
    const cases = [
      [
        'messages',
        { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'EMAIL_7Q2MKX4TAB' } }
      ],
      [
        'messages',
        {
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'text_delta', text: '![](https://a.example/EMAIL_7Q2MKX4TAB)' }
        }
      ],
      [
        'messages',
        { type: 'message', content: [{ type: 'tool_use', name: 'fetch', input: { q: 'EMAIL_7Q2MKX4TAB' } }] }
      ],
      [
        'messages',
        { type: 'message', content: [{ type: 'server_tool_use', name: 'edit', input: { q: 'EMAIL_7Q2MKX4TAB' } }] }
      ],
      ['chat-completions', { choices: [{ index: 0, delta: { reasoning_content: 'EMAIL_7Q2MKX4TAB' } }] }],
      ['responses', { type: 'response.reasoning_text.delta', output_index: 0, delta: 'EMAIL_7Q2MKX4TAB' }]
    ] as const
    for (const [dialect, frame] of cases) {
      const sent = sse([frame], '\n')
      assert.equal(restore(dialect, sent).text, sent)
    }
  })

  test('a URL that began in an earlier piece is one, and what nobody knows is counted', () => {
    const text = messagesText.frames(['see https://a.exa', 'mple/?q=EMAI', 'L_7Q2MKX4TAB and EMA', 'IL_ZZZZZZZZZZ'])
    const { text: out, counts } = restore('messages', sse(text, '\n'))
    assert.equal(out, sse(text, '\n'))
    assert.deepEqual(counts, { restored: 0, left: 2 })
  })

  test('a URL is one behind any padding, and however a tool argument writes its slashes', () => {
    const padded = [
      '<img src="https://a.example/?q=',
      ...Array.from({ length: 50 }, () => ' '.repeat(100)),
      'EMAIL_7Q2MKX4TAB">'
    ]
    const escaped = ['{"url":"https:', '\\', '/\\u002fa.example/EMAIL_7Q2', 'MKX4TAB","to":"EMAIL_7Q2MKX4TAB"}']
    assert.deepEqual(restore('messages', sse(messagesText.frames(padded), '\n')).counts, { restored: 0, left: 1 })
    assert.deepEqual(restore('messages', sse(messagesArguments.frames(escaped), '\n')).counts, { restored: 1, left: 1 })
  })

  test('choices that come in turns do not disturb each other', () => {
    const frames = ['EMAIL_7Q', 'PHONE_AB', '2MKX4TAB', 'CDEFGHIJ'].map((content, i) => ({
      choices: [{ index: i % 2, delta: { content } }]
    }))
    const { text } = restore('chat-completions', sse(frames, '\n'))
    const of = (wanted: number): string =>
      parsed(text)
        .map((event: any) => (event.choices[0].index === wanted ? event.choices[0].delta.content : ''))
        .join('')
    assert.deepEqual([of(0), of(1)], ['zoë@corp.dev', '+1 202 555 0143'])
  })

  test('a placeholder that is a part of a word stays, since its value would not be found when it comes back', () => {
    const pieces = [
      'to EMAIL_7Q2MKX4TAB',
      's, xPHONE_ABCDEFGHIJ',
      ', EMAIL_7Q2MKX4TAB',
      '_old',
      ' a\\nEMAIL_7Q2MKX4TAB'
    ]
    const { text: out, counts } = restore('messages', sse(messagesText.frames(pieces), '\n'))
    assert.equal(messagesText.joined(parsed(out)), pieces.join('').replace('nEMAIL_7Q2MKX4TAB', 'nzoë@corp.dev'))
    assert.deepEqual(counts, { restored: 1, left: 3 })
  })

  test('a placeholder that a host goes on behind stays, wherever the text is cut', () => {
    const text = 'EMAIL_7Q2MKX4TAB.evil.example, PHONE_ABCDEFGHIJ. Then EMAIL_7Q2MKX4TAB.'
    const wanted = 'EMAIL_7Q2MKX4TAB.evil.example, +1 202 555 0143. Then zoë@corp.dev.'
    for (let at = 0; at <= text.length; at++) {
      const { text: out, counts } = restore('messages', sse(messagesText.frames(cut(text, [at, at + 3])), '\n'))
      assert.equal(messagesText.joined(parsed(out)), wanted)
      assert.deepEqual(counts, { restored: 2, left: 1 })
    }
  })

  test('a stream that says nothing more lets go of what waits', () => {
    const frames = [
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'E' } },
      ...Array.from({ length: 80 }, (_, i) => ({ type: 'ping', i }))
    ]
    const restorer = createStreamRestorer(dialects.messages.createAnswerReader!(), plan, { restored: 0, left: 0 })
    const out = [...splitEvents(Buffer.from(sse(frames, '\n')))].map((event) => restorer.push(event).toString())
    assert.match(out.join(''), /"text":"E"/)
  })

  test('data in several lines, comments, ids and broken JSON pass', () => {
    const sent =
      ': comment\nid: 7\ndata: {"type":"message",\ndata: "content":[{"type":"text","text":"EMAIL_7Q2MKX4TAB"}]}\nretry: 1\n\ndata: {broken EMAIL_7Q2MKX4TAB\n\n: ping\n'
    const { text } = restore('messages', sent)
    assert.equal(
      text,
      ': comment\nid: 7\ndata: {"type":"message",\ndata: "content":[{"type":"text","text":"zo\\u00eb@corp.dev"}]}\nretry: 1\n\ndata: {broken EMAIL_7Q2MKX4TAB\n\n: ping\n'
    )
  })
})
