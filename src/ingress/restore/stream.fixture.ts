/** Streams of all dialects with placeholders in them, and the results of restoring them. */
import assert from 'node:assert/strict'
import fc from '../../../test/support/property.ts'
import { dialects } from '../../dialects/index.ts'
import { RestorableValues, RestoreTable } from '../../policy/restore/restore.ts'
import { EventTemplates } from './event-template.ts'
import { StreamRestorer } from './stream.ts'
import type { RestoreCounts } from './text.ts'
import { endOfEvent } from '../answer/sse-event.ts'

export type RestoredDialect = 'chat-completions' | 'messages' | 'responses'

const known = new Map([
  ['EMAIL_7Q2MKX4TAB', 'zoë@corp.dev'],
  ['PHONE_ABCDEFGHIJ', '+1 202 555 0143'],
  ['NAME_QRSTUVWXYZ', 'line one\nsaid "é"']
])
const values = new RestorableValues()
for (const [placeholder, value] of known) values.add(placeholder.slice(0, -11), placeholder, value)
export const plan = {
  table: new RestoreTable(values, (label) => ['EMAIL', 'PHONE', 'NAME'].includes(label)),
  mayRestoreTool: (name: string) => name !== 'fetch'
}
const placeholders = [...known.keys()]

/** The text as its reader should see it: values where a placeholder was a word of its own. */
export const unmasked = (text: string, written = (value: string) => value): string =>
  text.replaceAll(/(?<!\w)(?:EMAIL|PHONE|NAME)_[A-Z2-7]{10}(?!\w|\.[\p{L}\p{N}_])/gu, (placeholder) => {
    const value = known.get(placeholder)
    return value === undefined ? placeholder : written(value)
  })

/** How a dialect streams a text, or the arguments of a tool, in pieces, and how a client joins them again. */
export interface Stream {
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
export const messagesText: Stream = {
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
export const messagesArguments: Stream = {
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
/** A command for the client's shell. */
const responsesCommand: Stream = {
  frames: (pieces) => [
    { type: 'response.shell_call_command.added', output_index: 1, command_index: 2, command: '' },
    ...pieces.map((delta) => ({
      type: 'response.shell_call_command.delta',
      output_index: 1,
      command_index: 2,
      delta
    })),
    { type: 'response.shell_call_command.done', output_index: 1, command_index: 2, command: pieces.join('') },
    {
      type: 'response.output_item.done',
      output_index: 1,
      item: { type: 'shell_call', action: { commands: ['ls', pieces.join('')] } }
    }
  ],
  joined: (events) => {
    const text = events.map((event: any) => event.delta ?? '').join('')
    assert.equal((events.at(-2) as any).command, text)
    assert.equal((events.at(-1) as any).item.action.commands[1], text)
    return text
  }
}
const chatTranscript: Stream = {
  frames: (pieces) => [
    { choices: [{ index: 0, delta: { role: 'assistant', audio: { id: 'audio_1' } }, finish_reason: null }] },
    ...pieces.map((transcript) => ({ choices: [{ index: 0, delta: { audio: { transcript } }, finish_reason: null }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
  ],
  joined: (events) => events.map((event: any) => event.choices[0].delta.audio?.transcript ?? '').join('')
}
const responsesTranscript: Stream = {
  frames: (pieces) => [
    ...pieces.map((delta) => ({ type: 'response.audio.transcript.delta', delta })),
    { type: 'response.audio.transcript.done' },
    { type: 'response.completed', response: { output: [] } }
  ],
  joined: (events) => events.map((event: any) => event.delta ?? '').join('')
}

/** The frames in the form in which a vendor sends them. */
export const sse = (frames: readonly object[], lineEnd: string): string =>
  frames
    .map((frame) =>
      [`event: ${(frame as { type?: string }).type ?? 'message'}`, `data: ${JSON.stringify(frame)}`, '', ''].join(
        lineEnd
      )
    )
    .join('') + `data: [DONE]${lineEnd}${lineEnd}`

/** The JSON of each event. */
export const parsed = (text: string): Record<string, never>[] =>
  [...splitEvents(Buffer.from(text))]
    .map((event) => /^data: (.*)$/m.exec(event.toString())?.[1] ?? '')
    .filter((data) => data.startsWith('{'))
    .map((data) => JSON.parse(data) as Record<string, never>)

interface Restored {
  readonly text: string
  readonly counts: RestoreCounts
  /** Events that matched a template and were not parsed. */
  readonly matched: number
}

/** How many templates are kept, and whether events may pass unparsed. */
interface Way {
  readonly max?: number
  readonly mayHold?: () => boolean
}

/** @param chunks whole events each, as the relay cuts them */
function run(dialect: RestoredDialect, chunks: readonly Buffer[], way: Way): Restored {
  const counts = { restored: 0, left: 0 }
  const reader = dialects[dialect].createAnswerReader?.()
  assert.ok(reader)
  const templates = new EventTemplates(reader, way.max)
  const restorer = new StreamRestorer(reader, plan, counts, templates, way.mayHold)
  const out = [...chunks.map((chunk) => restorer.push(chunk)), restorer.end()]
  restorer.catchUp()
  return { text: Buffer.concat(out).toString('latin1'), counts, matched: templates.matched }
}

const everythingMayHold = (): boolean => true

/** Restores a stream with every combination of shortcuts. The results must be the same. */
export function restoreBytes(dialect: RestoredDialect, chunks: readonly Buffer[]): Restored {
  const short = run(dialect, chunks, {})
  for (const way of [{ mayHold: everythingMayHold }, { max: 0, mayHold: everythingMayHold }]) {
    const { text, counts } = run(dialect, chunks, way)
    assert.equal(short.text, text)
    assert.deepEqual(short.counts, counts)
  }
  return short
}

/** @param events how many arrive at once */
export function restore(dialect: RestoredDialect, stream: string, events = 1): Restored {
  const all = [...splitEvents(Buffer.from(stream))]
  const chunks: Buffer[] = []
  for (let at = 0; at < all.length; at += events) chunks.push(Buffer.concat(all.slice(at, at + events)))
  const restored = restoreBytes(dialect, chunks)
  return { ...restored, text: Buffer.from(restored.text, 'latin1').toString() }
}

/** Text with adjacent placeholders, look-alikes, unfinished ones and multi-byte characters. */
export const words = fc
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

/** Cuts after each blank line. What has none at its end is a piece of its own. */
export function* splitEvents(bytes: Buffer): Generator<Buffer, void, void> {
  for (let start = 0, end = 0; start < bytes.length; start = end) {
    end = endOfEvent(bytes, start)
    yield bytes.subarray(start, end)
  }
}

/** Cuts between characters: JSON never carries half of one. */
export function cut(text: string, cuts: readonly number[]): string[] {
  const characters = [...text]
  const places = [...new Set(cuts.map((at) => at % (characters.length + 1)))].sort((a, b) => a - b)
  const pieces = [0, ...places].map((from, i) => characters.slice(from, places[i] ?? characters.length).join(''))
  return pieces
}

/** Each dialect, whether its text is JSON, and a description. */
export const kinds = [
  ['chat-completions', chatText, false, 'text'],
  ['chat-completions', chatTranscript, false, 'transcript'],
  ['chat-completions', chatArguments, true, 'arguments'],
  ['messages', messagesText, false, 'text'],
  ['messages', messagesArguments, true, 'arguments'],
  ['responses', responsesText, false, 'text'],
  ['responses', responsesTranscript, false, 'transcript'],
  ['responses', responsesCommand, false, 'command'],
  ['responses', responsesArguments, true, 'arguments']
] as const
