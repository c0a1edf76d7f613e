/**
 * Generates request bodies like those of coding agents: tools, a long system prompt, turns of tool calls and results.
 * Those of 50 kB have as many strings per kilobyte as recorded ones, about five.
 */
import { block, mail, path, toolResult } from './agent-text.ts'
import { call, tool, type Json, type ToolCall } from './tools.ts'
import { createRandom, type SeededRandom } from '../test/support/random.ts'

export type BodyDialect = 'chat-completions' | 'messages'

export interface BenchBody {
  readonly bytes: Uint8Array
  /** Mail addresses in user text and tool results, which the service must mask. */
  readonly mails: number
}

/** A step of the conversation, not yet in the form of a dialect. */
type Turn =
  | { readonly kind: 'user' | 'assistant'; readonly text: string }
  | ({ readonly kind: 'call'; readonly id: string } & ToolCall)
  | { readonly kind: 'result'; readonly id: string; readonly text: string }

function chatMessage(turn: Turn): Json {
  if (turn.kind === 'call') {
    const call = { name: turn.name, arguments: JSON.stringify(turn.input) }
    const content = turn.said === '' ? null : turn.said
    return { role: 'assistant', content, tool_calls: [{ id: turn.id, type: 'function', function: call }] }
  }
  if (turn.kind === 'result') return { role: 'tool', tool_call_id: turn.id, content: turn.text }
  return { role: turn.kind, content: turn.text }
}

function messagesMessage(turn: Turn): Json {
  if (turn.kind === 'call') {
    const said = turn.said === '' ? [] : [{ type: 'text', text: turn.said }]
    return {
      role: 'assistant',
      content: [...said, { type: 'tool_use', id: turn.id, name: turn.name, input: turn.input }]
    }
  }
  if (turn.kind === 'result') {
    return {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: turn.id, content: [{ type: 'text', text: turn.text }] }]
    }
  }
  return { role: turn.kind, content: [{ type: 'text', text: turn.text }] }
}

function declared(dialect: BodyDialect, { name, description, schema }: ReturnType<typeof tool>): Json {
  if (dialect === 'messages') return { name, description, input_schema: schema }
  return { type: 'function', function: { name, description, parameters: schema } }
}

/** As with agents, system prompt and tools are most of a body of 50 kB, and little of one of 500 kB. */
const [toolsMax, bytesPerTool] = [20, 5000]
const [systemLinesMax, bytesPerSystemLine] = [80, 800]

function frame(dialect: BodyDialect, random: SeededRandom, targetBytes: number): { body: Json; messages: Json[] } {
  const system = block(random, Math.min(systemLinesMax, Math.ceil(targetBytes / bytesPerSystemLine)), 'prose')
  const count = Math.min(toolsMax, Math.floor(targetBytes / bytesPerTool))
  const tools = Array.from({ length: count }, () => declared(dialect, tool(random)))
  const messages: Json[] = dialect === 'messages' ? [] : [{ role: 'system', content: system }]
  const head = dialect === 'messages' ? { model: 'bench-model', max_tokens: 1024, system } : { model: 'bench-model' }
  return { body: { ...head, ...(tools.length > 0 ? { tools } : {}), messages }, messages }
}

/** Edits are made while so much of the body is left. */
const editFromBytes = 6000

/** Most results are short, and most of their text is in few long ones. */
function linesOfResult(random: SeededRandom): number {
  const [least, most] = random.pick([
    [2, 8],
    [10, 60],
    [60, 240]
  ] as const)
  return least + random.below(most - least)
}

const jsonBytes = (value: unknown): number => JSON.stringify(value).length

/** Cuts a text at a line end so that its JSON form has at most `bytesMax` bytes. All text here is ASCII. */
function cutToJsonBytes(text: string, bytesMax: number): string {
  let bytes = 2
  const lines = text.split('\n')
  const fitting = lines.findIndex((line) => (bytes += jsonBytes(line)) > bytesMax)
  return (fitting < 0 ? lines : lines.slice(0, fitting)).join('\n')
}

/**
 * Makes a body slightly shorter than `targetBytes`, never longer. The same arguments make the same bytes.
 * @param targetBytes at least 1500
 */
export function makeBody(dialect: BodyDialect, targetBytes: number, seed: number): BenchBody {
  const random = createRandom(seed * 1_000_003 + targetBytes)
  const { body, messages } = frame(dialect, random, targetBytes)
  const form = dialect === 'messages' ? messagesMessage : chatMessage
  let mails = 0
  let left = targetBytes - jsonBytes(body)
  const mailEveryBytes = Math.max(targetBytes / 8, 1500)
  let nextMailAt = left

  function add(turn: Turn): void {
    const message = form(turn)
    messages.push(message)
    left -= jsonBytes(message) + 1
  }
  function withMail(text: string): string {
    if (left > nextMailAt) return text
    nextMailAt -= mailEveryBytes
    mails++
    return `${text}\nWritten by ${mail(random)} last week.`
  }

  add({ kind: 'user', text: withMail(`Please find why the ${path(random)} test fails.`) })
  for (let i = 0; left > 700; i++) {
    const id = `call_${i}_${random.text('0123456789abcdef', 12)}`
    add({ kind: 'call', id, ...call(random, left > editFromBytes) })
    const overhead = jsonBytes(form({ kind: 'result', id, text: '' })) + 120
    const text = cutToJsonBytes(toolResult(random, linesOfResult(random)), left - overhead)
    add({ kind: 'result', id, text: withMail(text) })
    if (i % 4 === 3 && left > 1000) add({ kind: 'assistant', text: block(random, 2, 'prose') })
  }
  return { bytes: new TextEncoder().encode(JSON.stringify(body)), mails }
}

/**
 * The request bodies of a conversation, one per turn: each contains all messages of the one before it, and the last is
 * the whole body of {@link makeBody}. A body of few messages has fewer turns. In the messages API the last message has the vendor's cache marker.
 */
export function makeTurns(dialect: BodyDialect, targetBytes: number, turns: number, seed: number): Uint8Array[] {
  const whole = JSON.parse(new TextDecoder().decode(makeBody(dialect, targetBytes, seed).bytes)) as { messages: Json[] }
  const first = Math.min(2, whole.messages.length)
  const length = Math.min(turns, whole.messages.length - first + 1)
  return Array.from({ length }, (_, turn) => {
    const count = first + Math.round(((whole.messages.length - first) * turn) / Math.max(1, length - 1))
    const messages = whole.messages.slice(0, count)
    const last = messages.at(-1)
    const blocks = last?.['content']
    if (dialect === 'messages' && Array.isArray(blocks)) {
      const marked = { ...(blocks.at(-1) as Json), cache_control: { type: 'ephemeral' } }
      messages[messages.length - 1] = { ...last, content: [...(blocks.slice(0, -1) as Json[]), marked] }
    }
    return new TextEncoder().encode(JSON.stringify({ ...whole, messages }))
  })
}
