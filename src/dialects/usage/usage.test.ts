import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chatCompletions } from '../chat-completions/chat-completions.ts'
import type { Dialect, TokenUsage } from '../dialect.ts'
import { messages } from '../messages/messages.ts'
import { windowBytesMax } from './usage.ts'

function read(dialect: Dialect, streamed: boolean, chunks: readonly Uint8Array[]): TokenUsage {
  const reader = dialect.createUsageReader(streamed)
  for (const chunk of chunks) reader.push(chunk)
  return reader.result()
}

/** Reads an answer whole, cut into two at every byte, and byte by byte; the results must agree. */
function usageOf(dialect: Dialect, streamed: boolean, answer: string): TokenUsage {
  const bytes = Buffer.from(answer)
  const usage = read(dialect, streamed, [bytes])
  for (let cut = 0; cut <= bytes.length; cut++) {
    assert.deepEqual(read(dialect, streamed, [bytes.subarray(0, cut), bytes.subarray(cut)]), usage, `cut at ${cut}`)
  }
  assert.deepEqual(
    read(
      dialect,
      streamed,
      [...bytes].map((byte) => Uint8Array.of(byte))
    ),
    usage
  )
  return usage
}

const chatUsage = {
  prompt_tokens: 21,
  completion_tokens: 8,
  total_tokens: 29,
  prompt_tokens_details: { cached_tokens: 16 }
}
const decoy = '"usage":{"prompt_tokens":999,"input_tokens":999}'

describe('usage of a streamed answer', () => {
  it('chat-completions: the chunk with usage', () => {
    const chunk = { id: 'c', choices: [{ delta: { content: `{${decoy}} é` } }], usage: null }
    const last = { id: 'c', choices: [], usage: chatUsage }
    for (const end of ['\n', '\r\n', '\r']) {
      const stream = [
        `data: ${JSON.stringify(chunk)}`,
        ': comment',
        `data: ${JSON.stringify(last)}`,
        'data: [DONE]',
        ''
      ]
      const usage = usageOf(chatCompletions, true, stream.join(end + end))
      assert.deepEqual(usage, { inputTokens: 21, outputTokens: 8, cachedInputTokens: 16 })
    }
  })

  it('messages: input at the start, output at the end', () => {
    const start = {
      type: 'message_start',
      message: { id: 'm', content: [], usage: { input_tokens: 12, output_tokens: 1, cache_read_input_tokens: 7 } }
    }
    const delta = { type: 'content_block_delta', delta: { type: 'text_delta', text: decoy } }
    const end = {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: { output_tokens: 40, input_tokens: null }
    }
    const stream = [start, delta, end]
      .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      .join('')
    assert.deepEqual(usageOf(messages, true, stream), { inputTokens: 12, outputTokens: 40, cachedInputTokens: 7 })
  })

  it('joins data lines, and counts an event that is never closed', () => {
    for (const end of ['', '\n\n', '\r\n\r\n'])
      assert.deepEqual(usageOf(chatCompletions, true, `data:{"usage":\ndata: {"completion_tokens":3}}${end}`), {
        outputTokens: 3
      })
  })

  it('accepts line ends of all kinds in one stream', () => {
    const parts = [
      'data:{"usage":',
      'data: {"prompt_tokens":4}}',
      '',
      'data: {"usage":{"completion_tokens":3}}',
      '',
      ''
    ]
    for (const ends of ['\r', '\n', '\r\n'].flatMap((one) => ['\r', '\n', '\r\n'].map((other) => [one, other]))) {
      const stream = parts.map((part, i) => part + (part === '' ? ends[1] : ends[i % 2])).join('')
      assert.deepEqual(
        usageOf(chatCompletions, true, stream),
        { inputTokens: 4, outputTokens: 3 },
        JSON.stringify(ends)
      )
    }
  })

  it('reads the end of an event larger than the window, and the next event', () => {
    const usage = { output_tokens: 1, input_tokens: 1 }
    const text = 'x'.repeat(windowBytesMax)
    for (const [large, counted] of [
      [
        { text, usage },
        { inputTokens: 1, outputTokens: 2 }
      ],
      [{ usage, text }, { outputTokens: 2 }],
      [{ text: text + JSON.stringify({ usage }) }, { outputTokens: 2 }]
    ] as const) {
      const stream = Buffer.from(`data: ${JSON.stringify(large)}\n\ndata: {"usage":{"output_tokens":2}}\n\n`)
      for (const size of [stream.length, 7000, 1]) {
        const chunks = []
        for (let at = 0; at < stream.length; at += size) chunks.push(stream.subarray(at, at + size))
        assert.deepEqual(read(messages, true, chunks), counted, `chunks of ${size}`)
      }
    }
  })

  it('does so too for an event of many lines, one of which exceeds the window', () => {
    const stream = Buffer.from(
      `data: {"text":"${'x'.repeat(windowBytesMax)}",\ndata: "usage":{"output_tokens":1}}\n\ndata: {"usage":{"input_tokens":2}}\n\n`
    )
    const cut = stream.length >> 1
    const chunks = [stream.subarray(0, cut), stream.subarray(cut)]
    assert.deepEqual(read(messages, true, chunks), { inputTokens: 2, outputTokens: 1 })
  })

  it('does so too for such an event that is never closed', () => {
    const large = JSON.stringify({ text: 'x'.repeat(windowBytesMax), usage: { output_tokens: 1 } })
    assert.deepEqual(read(messages, true, [Buffer.from(`data: ${large}`)]), { outputTokens: 1 })
  })

  it('reports nothing for broken events and odd counts', () => {
    const odd = [
      '{"usage":{"prompt_tokens":-1,"completion_tokens":1.5}}',
      '{"usage":[1]}',
      '{"usage":{"prompt_tokens":1e400}}',
      '{"usage"',
      '{"usage":{"prompt_tokens":"5"}}'
    ]
    assert.deepEqual(usageOf(chatCompletions, true, odd.map((data) => `data: ${data}\n\n`).join('')), {})
  })
})

describe('usage of a whole answer', () => {
  it('finds only the top-level usage', () => {
    const answer = {
      id: 'x',
      content: [{ type: 'text', text: `\\"${decoy}\\\\`, usage: { input_tokens: 1 } }],
      note: 'usage',
      usage: { input_tokens: 5, cache_read_input_tokens: 2, nested: { a: ['}', '"'] }, output_tokens: 6 },
      after: { usage: { input_tokens: 3 } }
    }
    for (const indent of [0, 2]) {
      const usage = usageOf(messages, false, JSON.stringify(answer, null, indent))
      assert.deepEqual(usage, { inputTokens: 5, outputTokens: 6, cachedInputTokens: 2 })
    }
    assert.deepEqual(usageOf(chatCompletions, false, JSON.stringify({ usage: chatUsage })), {
      inputTokens: 21,
      outputTokens: 8,
      cachedInputTokens: 16
    })
  })

  it('reports nothing if there is none', () => {
    const answers = [
      '',
      '[]',
      '[{"usage":{"input_tokens":1}}]',
      '{"usage":null}',
      '{"usage2":{"input_tokens":1}}',
      '<html>"usage":{"input_tokens":1}',
      '{"usage":{"input_tokens":1',
      '{"\\"usage":{"input_tokens":1}}'
    ]
    for (const answer of answers) assert.deepEqual(usageOf(messages, false, answer), {}, answer)
  })

  it('keeps no more than the window', () => {
    const answer = JSON.stringify({ usage: { text: 'x'.repeat(windowBytesMax), input_tokens: 1 }, more: 1 })
    assert.deepEqual(read(messages, false, [Buffer.from(answer)]), {})
  })
})
