/** The answer of the chat-completions dialect, whole and streamed. Reasoning is not touched. */
import {
  ToolNames,
  answerReader,
  containerNode,
  ignoresAllBut,
  itemsOf,
  placeOf,
  stringNode,
  stringOf,
  type AnswerEvent,
  type AnswerReader,
  type AnswerText
} from '../answer/answer.ts'
import { nodeKind, type JsonIndex } from '../json/json-index.ts'

const ignoresMember = ignoresAllBut(new Set(['index', 'name']))
/** The ID of a call may tell which one it is. That of the whole answer, which may differ from event to event, does not. */
const ignores: AnswerReader['ignores'] = (index, node) =>
  ignoresMember(index, node) && !(index.is(index.keyOf(node), 'id') && index.parents[index.parents[node]!]! >= 0)

function* contentTexts(index: JsonIndex, message: number, channel?: string): Generator<AnswerText, void, void> {
  for (const field of ['content', 'refusal']) {
    const place = channel === undefined ? {} : { channel: `${channel}text/${field}` }
    const content = message < 0 ? -1 : index.findLast(message, field)
    if (content < 0) continue
    if (index.kind(content) === nodeKind.string) yield { node: content, form: 'plain', ...place }
    // Some servers answer in parts, in the form of requests.
    for (const part of itemsOf(index, content)) {
      const text = index.kind(part) === nodeKind.object ? stringNode(index, part, 'text') : -1
      if (text >= 0) yield { node: text, form: 'plain', ...place }
    }
  }
}

/** The transcript of spoken output. */
function* transcriptTexts(index: JsonIndex, message: number, channel?: string): Generator<AnswerText, void, void> {
  const node = stringNode(index, containerNode(index, message, 'audio'), 'transcript')
  if (node >= 0) yield { node, form: 'plain', ...(channel === undefined ? {} : { channel: `${channel}text/audio` }) }
}

/** @param tools names of earlier calls, to which those of this message are added */
function* callTexts(
  index: JsonIndex,
  message: number,
  tools: ToolNames,
  choice?: string
): Generator<AnswerText, void, void> {
  for (const call of itemsOf(index, containerNode(index, message, 'tool_calls'))) {
    if (index.kind(call) !== nodeKind.object) continue
    const channel = choice === undefined ? undefined : `${choice}tool/${callOf(index, call, tools, choice)}`
    for (const [kind, field, form] of [
      ['function', 'arguments', 'json'],
      ['custom', 'input', 'plain']
    ] as const) {
      yield* argumentTexts(index, containerNode(index, call, kind), tools, { field, form, channel })
    }
  }
  const channel = choice === undefined ? undefined : `${choice}function`
  const legacy = containerNode(index, message, 'function_call')
  yield* argumentTexts(index, legacy, tools, { field: 'arguments', form: 'json', channel })
}

/** Which call a piece belongs to. Some servers send no numbers: a new ID then begins another call. */
function callOf(index: JsonIndex, call: number, tools: ToolNames, choice: string): string {
  const number = index.findLast(call, 'index')
  if (number >= 0 && index.kind(number) === nodeKind.number) return placeOf(index, call, 'index')
  const newest = `${choice}newest call`
  const id = stringOf(index, call, 'id')
  if (id) tools.set(newest, `id ${id}`)
  return tools.get(newest) ?? '0'
}

/** The arguments of one call, or a piece of them. */
function* argumentTexts(
  index: JsonIndex,
  called: number,
  tools: ToolNames,
  text: { readonly field: string; readonly form: AnswerText['form']; readonly channel: string | undefined }
): Generator<AnswerText, void, void> {
  const { field, form, channel } = text
  // Some servers begin with an empty name, or send one with every later piece. Clients do not take it for a name.
  const name = stringOf(index, called, 'name') || tools.get(channel ?? '')
  if (name !== undefined && channel !== undefined) tools.set(channel, name)
  const node = stringNode(index, called, field)
  if (node >= 0) yield { node, form, tool: name ?? '', ...(channel === undefined ? {} : { channel }) }
}

export function createChatAnswerReader(): AnswerReader {
  /** Names come only with the first piece of a call. */
  const tools = new ToolNames()

  function read(index: JsonIndex): AnswerEvent {
    const texts: AnswerText[] = []
    const ended: string[] = []
    for (const choice of itemsOf(index, containerNode(index, index.root, 'choices'))) {
      if (index.kind(choice) !== nodeKind.object) continue
      const message = containerNode(index, choice, 'message')
      for (const text of contentTexts(index, message)) texts.push(text)
      for (const text of transcriptTexts(index, message)) texts.push(text)
      for (const text of callTexts(index, message, tools)) texts.push(text)
      const delta = containerNode(index, choice, 'delta')
      const place = `${placeOf(index, choice, 'index')}/`
      const calls = [...callTexts(index, delta, tools, place)]
      for (const text of contentTexts(index, delta, place)) texts.push(text)
      for (const text of transcriptTexts(index, delta, place)) texts.push(text)
      for (const text of calls) texts.push(text)
      if (stringNode(index, choice, 'finish_reason') >= 0) ended.push(place)
      else if (calls.length > 0) ended.push(`${place}text`)
    }
    return { texts, ended }
  }

  return answerReader(read, ignores, tools)
}
