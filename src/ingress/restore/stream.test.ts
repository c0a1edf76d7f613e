import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../../test/support/property.ts'
import { dialects } from '../../dialects/index.ts'
import {
  cut,
  kinds,
  messagesArguments,
  messagesText,
  parsed,
  plan,
  restore,
  splitEvents,
  sse,
  unmasked,
  words
} from './stream.fixture.ts'
import { RestoreTable } from '../../policy/restore/restore.ts'
import { RestoreChannel } from './channel.ts'
import { wholeTextEdits } from './text.ts'
import { StreamRestorer } from './stream.ts'

const frameOf = (frame: object): Buffer => Buffer.from(`data: ${JSON.stringify(frame)}\n\n`)

describe('restoring a stream', () => {
  for (const [dialect, stream, isJson, what] of kinds) {
    const escaped = (value: string): string => (isJson ? JSON.stringify(value).slice(1, -1) : value)
    test(`${dialect}, ${what}: wherever it is cut, the client reads the values and gets every event`, () => {
      let events = 0
      let matched = 0
      fc.assert(
        fc.property(
          words,
          fc.array(fc.nat(), { maxLength: 12 }),
          fc.constantFrom('\n', '\r\n'),
          fc.integer({ min: 1, max: 4 }),
          (text, cuts, lineEnd, together) => {
            const source = isJson ? JSON.stringify({ new_string: text }) : text
            const sent = sse(stream.frames(cut(source, cuts)), lineEnd)
            const restored = restore(dialect, sent, together)
            const out = restored.text
            const before = parsed(sent)
            events += before.length
            matched += restored.matched
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
      assert.ok(matched > events / 4, `${matched} of ${events} events went the short way`)
    })
  }

  test('the mark that some frameworks put before a stream stays, and hides no event', () => {
    for (const [dialect, stream, isJson] of kinds) {
      if (isJson) continue
      const all = sse(stream.frames(['for EMAIL_7Q2MKX4TAB ']), '\n').split('\n\n')
      const sent = `${(all.find((event) => event.includes('EMAIL_')) ?? '').replace(/^event: .*\n/, '')}\n\n`
      const { text } = restore(dialect, sent, 1)
      assert.notEqual(text, sent, dialect)
      assert.equal(restore(dialect, `\uFEFF${sent}`, 1).text, `\uFEFF${text}`, dialect)
    }
  })

  test('one placeholder is restored for every cut, in every dialect', () => {
    for (const [dialect, stream] of kinds.filter(([, , isJson]) => !isJson)) {
      const text = 'a EMAIL_7Q2MKX4TAB b'
      for (let at = 0; at <= text.length; at++) {
        const { text: out, counts } = restore(dialect, sse(stream.frames([text.slice(0, at), text.slice(at)]), '\n'))
        assert.equal(stream.joined(parsed(out)), 'a zoë@corp.dev b')
        assert.ok(counts.restored > 0 && counts.left === 0)
      }
    }
  })

  test('an event waits only while its text may continue as a placeholder', () => {
    const reader = dialects.messages.createAnswerReader?.()
    assert.ok(reader)
    const restorer = new StreamRestorer(reader, plan, { restored: 0, left: 0 })
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

  test('nothing is restored in a URL, in reasoning, or in the arguments of an excluded tool', () => {
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

  test('a URL that began in an earlier piece counts as one, and unknown placeholders are counted', () => {
    const text = messagesText.frames(['see https://a.exa', 'mple/?q=EMAI', 'L_7Q2MKX4TAB and EMA', 'IL_ZZZZZZZZZZ'])
    const { text: out, counts } = restore('messages', sse(text, '\n'))
    assert.equal(out, sse(text, '\n'))
    assert.deepEqual(counts, { restored: 0, left: 2 })
  })

  test('a URL counts as one after any padding, and however a tool argument writes its slashes', () => {
    const padded = [
      '<img src="https://a.example/?q=',
      ...Array.from({ length: 50 }, () => ' '.repeat(100)),
      'EMAIL_7Q2MKX4TAB">'
    ]
    const escaped = ['{"url":"https:', '\\', '/\\u002fa.example/EMAIL_7Q2', 'MKX4TAB","to":"EMAIL_7Q2MKX4TAB"}']
    assert.deepEqual(restore('messages', sse(messagesText.frames(padded), '\n')).counts, { restored: 0, left: 1 })
    assert.deepEqual(restore('messages', sse(messagesArguments.frames(escaped), '\n')).counts, { restored: 1, left: 1 })
  })

  test('what comes between two pieces of a text does not end a URL in it', () => {
    const call = { index: 0, function: { name: 'edit', arguments: '{}' } }
    for (const between of [{ tool_calls: [call] }, { refusal: ' ' }, { reasoning_content: ' ' }]) {
      const deltas = [
        { content: 'https://a.example/?q=' },
        between,
        { content: 'EMAIL_7Q2MKX4TAB ' },
        { content: 'EMAIL_7Q2MKX4TAB ' }
      ]
      const sent = sse(
        deltas.map((delta) => ({ choices: [{ index: 0, delta }] })),
        '\n'
      )
      const { text: out, counts } = restore('chat-completions', sent)
      assert.deepEqual(counts, { restored: 1, left: 1 })
      assert.match(out, /EMAIL_7Q2MKX4TAB.*zo/s)
    }
  })

  test('arguments that begin as an object continue as text that is JSON', () => {
    const frames = [
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: 't', name: 'edit', input: { a: 'NAME_QRSTUVWXYZ' } }
      },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '"NAME_QRSTUVWXYZ"' } }
    ]
    const [start, delta] = parsed(restore('messages', sse(frames, '\n')).text) as any[]
    assert.equal(start.content_block.input.a, 'line one\nsaid "é"')
    assert.equal(JSON.parse(delta.delta.partial_json), 'line one\nsaid "é"')
  })

  test('a text that waits long does not cut short those that wait behind it', () => {
    const delta = (index: number, content: string) => ({ choices: [{ index, delta: { content } }] })
    const other = [...`${'and so on '.repeat(6)}EMAIL_7Q2MKX4TAB and EMAIL_7Q2MKX4TAB `].map((unit) => delta(1, unit))
    const { text: out, counts } = restore('chat-completions', sse([delta(0, 'PHONE_ABCDEFGHIJ.'), ...other], '\n'))
    assert.deepEqual(counts, { restored: 3, left: 0 })
    assert.equal(parsed(out).length, other.length + 1)
  })

  test('no more than a megabyte waits', () => {
    const restorer = new StreamRestorer(dialects.messages.createAnswerReader!(), plan, { restored: 0, left: 0 })
    const text = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'to E' } }
    const other = { type: 'ping', padding: 'x'.repeat(200_000) }
    const lengths = [text, other, other, other, other, other, other].map(
      (frame) => restorer.push(frameOf(frame)).length
    )
    assert.deepEqual(
      lengths.map((length) => length > 0),
      [false, false, false, false, false, false, true]
    )
  })

  test('alternating choices do not disturb each other', () => {
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

  test('a placeholder inside a word stays, since its value would not be found when it comes back', () => {
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

  test('a placeholder that continues as a host name stays, wherever the text is cut', () => {
    const text = 'EMAIL_7Q2MKX4TAB.evil.example, PHONE_ABCDEFGHIJ. Then EMAIL_7Q2MKX4TAB.'
    const wanted = 'EMAIL_7Q2MKX4TAB.evil.example, +1 202 555 0143. Then zoë@corp.dev.'
    for (let at = 0; at <= text.length; at++) {
      const { text: out, counts } = restore('messages', sse(messagesText.frames(cut(text, [at, at + 3])), '\n'))
      assert.equal(messagesText.joined(parsed(out)), wanted)
      assert.deepEqual(counts, { restored: 2, left: 1 })
    }
  })

  test('a stream that goes silent releases what waits', () => {
    const frames = [
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'E' } },
      ...Array.from({ length: 80 }, (_, i) => ({ type: 'ping', i }))
    ]
    const restorer = new StreamRestorer(dialects.messages.createAnswerReader!(), plan, { restored: 0, left: 0 })
    const out = [...splitEvents(Buffer.from(sse(frames, '\n')))].map((event) => restorer.push(event).toString())
    assert.match(out.join(''), /"text":"E"/)
  })

  test('what follows a released text is not a value of its own', () => {
    const delta = (text: string) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })
    const pings = Array.from({ length: 80 }, (_, i) => ({ type: 'ping', i }))
    for (const [first, rest] of [
      ['to E', 'MAIL_7Q2MKX4TAB, '],
      ['to EMAIL_7Q2MKX4TAB', ', ']
    ] as const) {
      const { text: out, counts } = restore('messages', sse([delta(first), ...pings, delta(rest)], '\n'))
      const isWhole = first.length > rest.length
      assert.equal(messagesText.joined(parsed(out)), isWhole ? 'to zoë@corp.dev, ' : first + rest)
      assert.deepEqual(counts, isWhole ? { restored: 1, left: 0 } : { restored: 0, left: 1 })
    }
  })

  test('a stream gives the same text as a whole answer, however long it is and wherever a URL begins', () => {
    const parts = fc.constantFrom(
      'https://a.example/?q=',
      'a.example/',
      '"',
      ' ',
      ' EMAIL_7Q2MKX4TAB ',
      'EMAIL_7Q2MKX4TAB,',
      '_',
      '%2',
      'f',
      '\\',
      'words '.repeat(100)
    )
    fc.assert(
      fc.property(
        fc.array(parts, { minLength: 3, maxLength: 24 }),
        fc.array(fc.nat(), { maxLength: 24 }),
        fc.boolean(),
        (all, at, isJson) => {
          const source = isJson ? JSON.stringify(all) : all.join('')
          const stream = isJson ? messagesArguments : messagesText
          const streamed = restore('messages', sse(stream.frames(cut(source, at)), '\n'))
          const counts = { restored: 0, left: 0 }
          const edits = wholeTextEdits(0, source, { table: plan.table, form: isJson ? 'json' : 'plain' }, counts)
          let whole = ''
          let reached = 0
          for (const edit of edits) {
            assert.ok('start' in edit)
            whole += source.slice(reached, edit.start) + edit.replacement
            reached = edit.end
          }
          assert.equal(stream.joined(parsed(streamed.text)), whole + source.slice(reached))
          assert.deepEqual(streamed.counts, counts)
        }
      ),
      { numRuns: 1000 }
    )
  })

  test('ending an answer ends the texts that wait and examines no others, however many there are', (t) => {
    const ended = t.mock.method(RestoreChannel.prototype, 'end')
    const looks = t.mock.method(String.prototype, 'startsWith')
    const commands = Array.from({ length: 100 }, (_, command_index) => {
      const place = { output_index: 0, command_index }
      return [
        { type: 'response.shell_call_command.delta', ...place, delta: 'cat E' },
        { type: 'response.shell_call_command.done', ...place, command: 'cat E' }
      ]
    })
    const reader = dialects.responses.createAnswerReader?.()
    assert.ok(reader)
    const restorer = new StreamRestorer(reader, plan, { restored: 0, left: 0 })
    const out = commands.flat().map((frame) => restorer.push(frameOf(frame)))
    const end = restorer.end()
    assert.equal(ended.mock.callCount(), commands.length)
    assert.ok(looks.mock.callCount() <= 10 * commands.length, `${looks.mock.callCount()} looks`)
    assert.equal(Buffer.concat([...out, end]).toString(), commands.flat().map(frameOf).join(''))
  })

  test('pieces without text, of which one event may hold any number, do not have an open text read again', (t) => {
    const searches = t.mock.method(RestoreTable.prototype, 'matches')
    const reader = dialects['chat-completions'].createAnswerReader?.()
    assert.ok(reader)
    const restorer = new StreamRestorer(reader, plan, { restored: 0, left: 0 })
    const choice = (content: string): object => ({ index: 0, delta: { content }, finish_reason: null })
    const frame = frameOf({ choices: [choice('EMAIL_'), ...Array.from({ length: 500 }, () => choice(''))] })
    const out = [frame, frameOf({ choices: [choice('7Q2MKX4TAB ')] })].map((one) => restorer.push(one))
    assert.equal(
      Buffer.concat([...out, restorer.end()])
        .toString()
        .indexOf('EMAIL_'),
      -1
    )
    assert.ok(searches.mock.callCount() < 10, `${searches.mock.callCount()} searches`)
  })

  test('data in several lines, comments, ids and broken JSON pass unchanged', () => {
    const sent =
      ': comment\nid: 7\ndata: {"type":"message",\ndata: "content":[{"type":"text","text":"EMAIL_7Q2MKX4TAB"}]}\nretry: 1\n\ndata: {broken EMAIL_7Q2MKX4TAB\n\n: ping\n'
    const { text } = restore('messages', sent)
    assert.equal(
      text,
      ': comment\nid: 7\ndata: {"type":"message",\ndata: "content":[{"type":"text","text":"zo\\u00eb@corp.dev"}]}\nretry: 1\n\ndata: {broken EMAIL_7Q2MKX4TAB\n\n: ping\n'
    )
  })
})
