/** The places of texts in requests, on each route, and how all strings of a body are extracted. */

export interface Place {
  readonly name: string
  /** The body with the text at this place. */
  body(text: string, stream: boolean): object
}

export interface Route {
  readonly path: string
  /** Whether it can stream. */
  readonly streams: boolean
  /** Whether its answer contains text of a model. */
  readonly speaks: boolean
  readonly places: readonly Place[]
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const paragraphs = (text: string): object => ({ path: 'notes.txt', paragraphs: text.split('\n\n') })

const chat = (messages: readonly object[], stream: boolean): object => ({ model: 'm', stream, messages })
const chatPlaces: readonly Place[] = [
  {
    name: 'system',
    body: (content, stream) =>
      chat(
        [
          { role: 'system', content },
          { role: 'user', content: 'Go on.' }
        ],
        stream
      )
  },
  { name: 'user', body: (content, stream) => chat([{ role: 'user', content }], stream) },
  { name: 'tool result', body: (content, stream) => chat(afterCall('{}', content), stream) },
  { name: 'tool arguments', body: (text, stream) => chat(afterCall(JSON.stringify(paragraphs(text)), 'done'), stream) },
  {
    name: 'document',
    body(text, stream) {
      const file = { filename: 'a.txt', file_data: `data:text/plain;base64,${base64(text)}` }
      return chat([{ role: 'user', content: [{ type: 'file', file }] }], stream)
    }
  }
]

function afterCall(args: string, content: string): object[] {
  const call = { id: 'call_1', type: 'function', function: { name: 'edit', arguments: args } }
  return [
    { role: 'user', content: 'Go on.' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', content }
  ]
}

const message = (content: unknown, stream: boolean, more: object = {}): object => ({
  model: 'm',
  max_tokens: 64,
  stream,
  ...more,
  messages: [{ role: 'user', content }]
})
const messagesPlaces: readonly Place[] = [
  { name: 'system', body: (text, stream) => message('Go on.', stream, { system: [{ type: 'text', text }] }) },
  { name: 'user', body: (text, stream) => message([{ type: 'text', text }], stream) },
  { name: 'tool result', body: (text, stream) => afterUse({}, [{ type: 'text', text }], stream) },
  { name: 'tool arguments', body: (text, stream) => afterUse(paragraphs(text), 'done', stream) },
  {
    name: 'document',
    body(text, stream) {
      const source = { type: 'base64', media_type: 'text/plain', data: base64(text) }
      return message([{ type: 'document', source, title: 'a.txt' }], stream)
    }
  }
]

function afterUse(input: object, content: unknown, stream: boolean): object {
  const messages = [
    { role: 'user', content: 'Go on.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'edit', input }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content }] }
  ]
  return { model: 'm', max_tokens: 64, stream, messages }
}

const input = (items: unknown, stream: boolean, more: object = {}): object => ({
  model: 'm',
  stream,
  ...more,
  input: items
})
const responsesPlaces: readonly Place[] = [
  { name: 'system', body: (instructions, stream) => input('Go on.', stream, { instructions }) },
  { name: 'user', body: (text, stream) => input(text, stream) },
  { name: 'tool result', body: (output, stream) => input(afterFunction('{}', output), stream) },
  {
    name: 'tool arguments',
    body: (text, stream) => input(afterFunction(JSON.stringify(paragraphs(text)), 'done'), stream)
  },
  {
    name: 'document',
    body(text, stream) {
      const file_data = `data:text/plain;base64,${base64(text)}`
      const content = [{ type: 'input_file', filename: 'a.txt', file_data }]
      return input([{ type: 'message', role: 'user', content }], stream)
    }
  }
]

const afterFunction = (args: string, output: string): object[] => [
  { type: 'function_call', call_id: 'call_1', name: 'edit', arguments: args },
  { type: 'function_call_output', call_id: 'call_1', output }
]

export const routes: readonly Route[] = [
  { path: '/chat/completions', streams: true, speaks: true, places: chatPlaces },
  { path: '/messages', streams: true, speaks: true, places: messagesPlaces },
  { path: '/messages/count_tokens', streams: false, speaks: false, places: messagesPlaces },
  { path: '/responses', streams: true, speaks: true, places: responsesPlaces },
  { path: '/responses/compact', streams: false, speaks: false, places: responsesPlaces },
  {
    path: '/embeddings',
    streams: false,
    speaks: false,
    places: [{ name: 'user', body: (text) => ({ model: 'm', input: [text] }) }]
  }
]

const base64Text = /^(?:data:[^,]*,)?([A-Za-z0-9+/]{16,}={0,2})$/

/** All texts of a body: its strings and keys, those inside JSON in a string, and decoded base64. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...decoded(value).flatMap(textsIn)]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)])
}

function decoded(text: string): unknown[] {
  const payload = base64Text.exec(text)?.[1]
  if (payload !== undefined) return [Buffer.from(payload, 'base64').toString('utf8')]
  try {
    const inner: unknown = JSON.parse(text)
    return typeof inner === 'object' ? [inner] : []
  } catch {
    return []
  }
}
