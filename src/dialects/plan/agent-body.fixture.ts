/** Request bodies of the shape and size that coding agents send, for tests and benchmarks. */
import type { DialectName } from '../dialect.ts'

const sentence = 'Reads a file from the workspace; the path must be absolute, and "line" counts from 1.\n'
const code = 'export function area(radius: number): number {\n\treturn Math.PI * radius ** 2 // π r²\n}\n'

function schema(tool: number): Record<string, unknown> {
  const properties: Record<string, unknown> = {}
  for (let i = 0; i < 12; i++) {
    properties[`option_${tool}_${i}`] = {
      type: i % 3 === 0 ? 'string' : 'array',
      description: sentence.slice(0, 40 + i),
      ...(i % 3 === 0 ? { enum: ['never', 'once', 'always'] } : { items: { type: 'string' } })
    }
  }
  return { type: 'object', properties, required: [`option_${tool}_0`], additionalProperties: false }
}

function* toolTurns(turns: number): Generator<[id: string, path: string, result: string]> {
  for (let i = 0; i < turns; i++) yield [`call_${i}aZ`, `/srv/app/src/part-${i}.ts`, code.repeat(110) + i]
}

function messagesBody(turns: number, tools: number): Record<string, unknown> {
  const messages: unknown[] = [{ role: 'user', content: [{ type: 'text', text: sentence.repeat(20) }] }]
  for (const [id, path, result] of toolTurns(turns)) {
    const use = { type: 'tool_use', id, name: 'Read', input: { file_path: path, offset: 1 } }
    messages.push({ role: 'assistant', content: [{ type: 'text', text: sentence }, use] })
    messages.push({ role: 'user', content: [{ tool_use_id: id, type: 'tool_result', content: result }] })
  }
  return {
    model: 'model-large',
    messages,
    system: [{ type: 'text', text: sentence.repeat(90), cache_control: { type: 'ephemeral' } }],
    tools: Array.from({ length: tools }, (_, i) => ({
      name: `tool_${i}`,
      description: sentence.repeat(12),
      input_schema: schema(i)
    })),
    metadata: { user_id: 'someone' },
    max_tokens: 32_000,
    stream: true
  }
}

function chatBody(turns: number, tools: number): Record<string, unknown> {
  const messages: unknown[] = [
    { role: 'system', content: sentence.repeat(90) },
    { role: 'user', content: sentence.repeat(20) }
  ]
  for (const [id, path, result] of toolTurns(turns)) {
    const call = { id, type: 'function', function: { name: 'Read', arguments: JSON.stringify({ file_path: path }) } }
    messages.push({ role: 'assistant', content: null, tool_calls: [call] })
    messages.push({ role: 'tool', tool_call_id: id, content: result })
  }
  return {
    model: 'model-large',
    messages,
    tools: Array.from({ length: tools }, (_, i) => ({
      type: 'function',
      function: { name: `tool_${i}`, description: sentence.repeat(12), parameters: schema(i) }
    })),
    stream: true,
    stream_options: { include_usage: true }
  }
}

/** About 500 kB of JSON with the default sizes: 40 tools, 61 messages. */
export function agentBody(dialect: DialectName, turns = 30, tools = 40): Record<string, unknown> {
  return dialect === 'messages' ? messagesBody(turns, tools) : chatBody(turns, tools)
}
