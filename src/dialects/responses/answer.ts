/**
 * The answer of the responses dialect, whole and streamed. Its stream tells every text twice and more: in pieces, whole
 * when it is done, and again with the item and with the response. Reasoning is left alone.
 */
import {
  ToolNames,
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

/** Tools that the client runs and that have no name but their type, with the field of their arguments. */
const ownCalls: Readonly<Record<string, string>> = {
  shell_call: 'action',
  local_shell_call: 'action',
  apply_patch_call: 'operation',
  computer_call: 'action'
}

function partTexts(index: JsonIndex, part: number): AnswerText[] {
  const type = stringOf(index, part, 'type')
  if (type === 'output_text') return one(stringNode(index, part, 'text'), { form: 'plain' })
  return type === 'refusal' ? one(stringNode(index, part, 'refusal'), { form: 'plain' }) : []
}

function itemTexts(index: JsonIndex, item: number): AnswerText[] {
  if (item < 0 || index.kind(item) !== nodeKind.object) return []
  const type = stringOf(index, item, 'type') ?? ''
  const tool = stringOf(index, item, 'name') ?? ''
  if (type === 'message') {
    const parts = [...itemsOf(index, containerNode(index, item, 'content'))]
    return parts.flatMap((part) => (index.kind(part) === nodeKind.object ? partTexts(index, part) : []))
  }
  if (type === 'function_call') return one(stringNode(index, item, 'arguments'), { form: 'json', tool })
  if (type === 'custom_tool_call') return one(stringNode(index, item, 'input'), { form: 'plain', tool })
  const own = Object.hasOwn(ownCalls, type) ? ownCalls[type] : undefined
  return own === undefined ? [] : [...argumentTexts(index, containerNode(index, item, own), type)]
}

const outputTexts = (index: JsonIndex, response: number): AnswerText[] =>
  [...itemsOf(index, containerNode(index, response, 'output'))].flatMap((item) => itemTexts(index, item))

/** Fields of the events that bring a text in pieces and whole. */
const pieces: Readonly<Record<string, { readonly whole: string; readonly form: AnswerText['form'] }>> = {
  'response.output_text': { whole: 'text', form: 'plain' },
  'response.refusal': { whole: 'refusal', form: 'plain' },
  'response.function_call_arguments': { whole: 'arguments', form: 'json' },
  'response.custom_tool_call_input': { whole: 'input', form: 'plain' }
}

const ignores = ignoresAllBut(new Set(['type', 'output_index', 'content_index', 'name']))

export function createResponsesAnswerReader(): AnswerReader {
  /** Names of tools by the place of their item. */
  const tools = new ToolNames()

  function piece(index: JsonIndex, subject: string, isDone: boolean): AnswerEvent {
    const { whole, form } = pieces[subject] as (typeof pieces)[string]
    const place = placeOf(index, index.root, 'output_index')
    const isCall = whole === 'arguments' || whole === 'input'
    const channel = `${place}/${isCall ? 'call' : placeOf(index, index.root, 'content_index')}/`
    const tool = isCall ? { tool: tools.get(place) ?? '' } : {}
    if (!isDone) return { texts: one(stringNode(index, index.root, 'delta'), { form, channel, ...tool }), ended: [] }
    return { texts: one(stringNode(index, index.root, whole), { form, ...tool }), ended: [channel] }
  }

  function item(index: JsonIndex, isDone: boolean): AnswerEvent {
    const place = placeOf(index, index.root, 'output_index')
    const node = containerNode(index, index.root, 'item')
    const name = stringOf(index, node, 'name')
    if (name !== undefined) tools.set(place, name)
    return { texts: itemTexts(index, node), ended: isDone ? [`${place}/`] : [] }
  }

  function read(index: JsonIndex): AnswerEvent {
    const type = stringOf(index, index.root, 'type')
    if (type === undefined) return { texts: outputTexts(index, index.root), ended: [] }
    const [, subject = '', step] = /^(response\.[a-z_]+)\.(delta|done|added)$/.exec(type) ?? []
    if (Object.hasOwn(pieces, subject) && step !== 'added') return piece(index, subject, step === 'done')
    if (subject === 'response.output_item') return item(index, step === 'done')
    if (subject === 'response.content_part')
      return { texts: partTexts(index, containerNode(index, index.root, 'part')), ended: [] }
    const response = containerNode(index, index.root, 'response')
    if (response < 0) return nothingToRead
    const isLast = /\.(completed|incomplete|failed)$/.test(type)
    return { texts: outputTexts(index, response), ended: isLast ? [''] : [] }
  }

  return {
    read,
    ignores,
    get revision() {
      return tools.revision
    }
  }
}
