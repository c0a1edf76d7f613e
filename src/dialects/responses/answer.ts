/**
 * The answer of the responses dialect, whole and streamed. A stream has every text more than once: in pieces, whole
 * when it is done, and again with the item and with the response. Reasoning is not touched.
 */
import {
  ToolNames,
  answerReader,
  argumentTexts,
  containerNode,
  ignoresAllBut,
  itemsOf,
  nothingToRead,
  placeOf,
  stringNode,
  stringOf,
  type AnswerEvent,
  type AnswerReader,
  type AnswerText
} from '../answer/answer.ts'
import { nodeKind, type JsonIndex } from '../json/json-index.ts'

const one = (node: number, more: Omit<AnswerText, 'node'>): AnswerText[] => (node < 0 ? [] : [{ node, ...more }])

/** The channel of a text by its position. */
const channelOf = (place: string, within: string | number): string => `${place}/${within}/`

/** Tools that the client runs and whose only name is their type, with the fields of their arguments. */
const ownCalls: Readonly<Record<string, readonly string[]>> = {
  shell_call: ['action'],
  local_shell_call: ['action'],
  apply_patch_call: ['operation'],
  computer_call: ['action', 'actions'],
  // Only if its `execution` says that the client searches.
  tool_search_call: ['arguments']
}

/** @param repeats the channel on which its text was streamed */
function partTexts(index: JsonIndex, part: number, repeats: string): AnswerText[] {
  const type = stringOf(index, part, 'type')
  if (type === 'output_text') return one(stringNode(index, part, 'text'), { form: 'plain', isJoined: true, repeats })
  // A compaction returns the client's own messages.
  if (type === 'input_text') return one(stringNode(index, part, 'text'), { form: 'plain' })
  return type === 'refusal' ? one(stringNode(index, part, 'refusal'), { form: 'plain' }) : []
}

/** @param place its position in the output */
function itemTexts(index: JsonIndex, item: number, place: string): AnswerText[] {
  if (item < 0 || index.kind(item) !== nodeKind.object) return []
  const type = stringOf(index, item, 'type') ?? ''
  const tool = stringOf(index, item, 'name') ?? ''
  if (type === 'message') {
    const plain = stringNode(index, item, 'content')
    if (plain >= 0) return one(plain, { form: 'plain' })
    const parts = [...itemsOf(index, containerNode(index, item, 'content'))]
    return parts.flatMap((part, i) =>
      index.kind(part) === nodeKind.object ? partTexts(index, part, channelOf(place, i)) : []
    )
  }
  if (type === 'function_call') return one(stringNode(index, item, 'arguments'), { form: 'json', tool })
  if (type === 'custom_tool_call') return one(stringNode(index, item, 'input'), { form: 'plain', tool })
  const isServers = type === 'tool_search_call' && stringOf(index, item, 'execution') !== 'client'
  const own = isServers || !Object.hasOwn(ownCalls, type) ? [] : (ownCalls[type] ?? [])
  return own.flatMap((field) => [...argumentTexts(index, containerNode(index, item, field), type)])
}

const outputTexts = (index: JsonIndex, response: number): AnswerText[] =>
  [...itemsOf(index, containerNode(index, response, 'output'))].flatMap((item, i) => itemTexts(index, item, String(i)))

/** A text that arrives in pieces, and whole when it is done. */
interface Pieces {
  /** The field of the whole text. */
  readonly whole: string
  readonly form: AnswerText['form']
  /** Tells the texts of one item apart: a field that numbers them, or a fixed word. */
  readonly within: string
  readonly isCall?: boolean
  /** Whether clients join it with others of its kind. */
  readonly isJoined?: true
  /** The tool, if the call does not name one. */
  readonly tool?: string
}

const pieces: Readonly<Record<string, Pieces>> = {
  'response.output_text': { whole: 'text', form: 'plain', within: 'content_index', isJoined: true },
  'response.refusal': { whole: 'refusal', form: 'plain', within: 'content_index' },
  // A transcript has no position of its own, and is never sent whole.
  'response.audio.transcript': { whole: 'transcript', form: 'plain', within: 'transcript' },
  'response.function_call_arguments': { whole: 'arguments', form: 'json', within: 'call', isCall: true },
  'response.custom_tool_call_input': { whole: 'input', form: 'plain', within: 'call', isCall: true },
  'response.shell_call_command': {
    whole: 'command',
    form: 'plain',
    within: 'command_index',
    isCall: true,
    tool: 'shell_call'
  }
}

const ignores = ignoresAllBut(new Set(['type', 'output_index', 'content_index', 'command_index', 'name', 'execution']))

export function createResponsesAnswerReader(): AnswerReader {
  /** Names of tools by the position of their item. */
  const tools = new ToolNames()

  function piece(index: JsonIndex, subject: string, step: string): AnswerEvent {
    const { whole, form, within, isCall = false, tool: ownName, isJoined } = pieces[subject] as Pieces
    const place = placeOf(index, index.root, 'output_index')
    const channel = channelOf(place, within.endsWith('_index') ? placeOf(index, index.root, within) : within)
    const joined = isJoined ? { isJoined } : {}
    const tool = isCall ? { tool: ownName ?? tools.get(place) ?? '' } : {}
    if (step === 'done')
      return {
        texts: one(stringNode(index, index.root, whole), { form, ...tool, ...joined, repeats: channel }),
        ended: [channel]
      }
    // An event that starts a text may contain its first words.
    const words = stringNode(index, index.root, step === 'delta' ? step : whole)
    return { texts: one(words, { form, channel, ...tool, ...joined }), ended: [] }
  }

  function item(index: JsonIndex, isDone: boolean): AnswerEvent {
    const place = placeOf(index, index.root, 'output_index')
    const node = containerNode(index, index.root, 'item')
    const name = stringOf(index, node, 'name')
    if (name !== undefined) tools.set(place, name)
    return { texts: itemTexts(index, node, place), ended: isDone ? [`${place}/`] : [] }
  }

  function read(index: JsonIndex): AnswerEvent {
    const type = stringOf(index, index.root, 'type')
    if (type === undefined) return { texts: outputTexts(index, index.root), ended: [] }
    const [, subject = '', step = ''] = /^(response\.[a-z_.]+)\.(delta|done|added)$/.exec(type) ?? []
    if (Object.hasOwn(pieces, subject)) return piece(index, subject, step)
    if (subject === 'response.output_item') return item(index, step === 'done')
    if (subject === 'response.content_part') {
      const channel = channelOf(placeOf(index, index.root, 'output_index'), placeOf(index, index.root, 'content_index'))
      return { texts: partTexts(index, containerNode(index, index.root, 'part'), channel), ended: [] }
    }
    const response = containerNode(index, index.root, 'response')
    if (response < 0) return nothingToRead
    const isLast = /\.(completed|incomplete|failed)$/.test(type)
    return { texts: outputTexts(index, response), ended: isLast ? [''] : [] }
  }

  return answerReader(read, ignores, tools)
}
