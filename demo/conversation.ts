/**
 * Reads a request body of either API as a list of turns: enough for an upstream that echoes, and for a person who
 * compares what was sent with what arrived.
 */
export type Api = 'chat-completions' | 'messages'

export interface Turn {
  /** `system`, `developer`, `user`, `assistant`, `tool`; in the messages API a tool result is shown as `tool`. */
  readonly role: string
  readonly text: string
}

export type Json = Record<string, unknown>

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The text of a `content` field: a string, or the parts that hold text. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .filter(isObject)
    .map((part) => (typeof part['text'] === 'string' ? part['text'] : textOf(part['content'])))
    .filter((text) => text !== '')
    .join('\n')
}

function isToolResult(content: unknown): boolean {
  return Array.isArray(content) && content.some((part) => isObject(part) && part['type'] === 'tool_result')
}

/**
 * Reads the turns of a body, starting with the top-level `system` of the messages API. Turns without text are omitted.
 * @param body a parsed request body; anything of an unexpected form is skipped
 */
export function readConversation(body: unknown): Turn[] {
  if (!isObject(body)) return []
  const turns: Turn[] = [{ role: 'system', text: textOf(body['system']) }]
  for (const message of Array.isArray(body['messages']) ? body['messages'] : []) {
    if (!isObject(message) || typeof message['role'] !== 'string') continue
    const role = isToolResult(message['content']) ? 'tool' : message['role']
    turns.push({ role, text: textOf(message['content']) })
  }
  return turns.filter((turn) => turn.text !== '')
}

/** The last text from the user's side: a user's text or a tool's result. Empty if there is none. */
export function lastUserText(turns: readonly Turn[]): string {
  return turns.findLast((turn) => turn.role === 'user' || turn.role === 'tool')?.text ?? ''
}
