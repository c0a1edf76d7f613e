/** What the scripted model reads from a request and what it answers, independent of the APIs' wire formats. */

export const apis = ['chat-completions', 'messages', 'responses'] as const
export type Api = (typeof apis)[number]

export type Json = Record<string, unknown>

/** One step of a conversation to which the model answers: a user's text, or a tool's result. */
export interface Step {
  readonly from: 'user' | 'tool'
  readonly text: string
}

/** One request as the model receives it, after Sluice. */
export interface Turn {
  readonly model: string
  readonly stream: boolean
  /** Whether tools are offered; agents make side calls, for titles and the like, without any. */
  readonly hasTools: boolean
  /** Whether the client enabled thinking. */
  readonly thinks: boolean
  readonly steps: readonly Step[]
}

export interface ToolCall {
  readonly name: string
  readonly args: Json
}

/** A text, or tool calls that may be made in parallel. */
export type Reply = { readonly text: string } | { readonly calls: readonly [ToolCall, ...ToolCall[]] }

/** One API as used by the model. */
export interface ApiForm {
  read(body: Json): Turn
  /** @param id unique, without a prefix */
  whole(reply: Reply, turn: Turn, id: string): Json
  /** Whole server-sent events. */
  frames(reply: Reply, turn: Turn, id: string): string[]
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
export const objects = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])
const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The text of a content field: a string, or a list of parts that have a `text`. */
export const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : objects(content)
        .map(({ text }) => stringOf(text))
        .join('\n')

export const headOf = ({ model, stream, tools, thinking }: Json): Omit<Turn, 'steps'> => ({
  model: stringOf(model),
  stream: stream === true,
  hasTools: objects(tools).length > 0,
  thinks: isObject(thinking) && (thinking['type'] === 'enabled' || thinking['type'] === 'adaptive')
})

/** Pieces of a few characters, so that placeholders are split between events, as with real models. */
export const pieces = (text: string): string[] => text.match(/.{1,6}/gsu) ?? []

export const dataFrame = (data: Json): string => `data: ${JSON.stringify(data)}\n\n`
export const namedFrame = (data: Json & { readonly type: string }): string => `event: ${data.type}\n${dataFrame(data)}`
