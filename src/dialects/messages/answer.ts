/**
 * The answer of the messages dialect, whole and streamed. Thinking is signed and not touched; the arguments of the
 * vendor's own tools are not executed by the client.
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

const ignores = ignoresAllBut(new Set(['type', 'index', 'name']))

function* blockTexts(index: JsonIndex, block: number): Generator<AnswerText, void, void> {
  if (block < 0 || index.kind(block) !== nodeKind.object) return
  const type = stringOf(index, block, 'type')
  const text = stringNode(index, block, 'text')
  if (type === 'text' && text >= 0) yield { node: text, form: 'plain', isJoined: true }
  if (type === 'tool_use')
    yield* argumentTexts(index, containerNode(index, block, 'input'), stringOf(index, block, 'name') ?? '')
}

export function createMessagesAnswerReader(): AnswerReader {
  /** Names of the client's tools by the position of their block. */
  const tools = new ToolNames()

  function startBlock(index: JsonIndex, place: string): AnswerEvent {
    const block = containerNode(index, index.root, 'content_block')
    const name = stringOf(index, block, 'name')
    if (stringOf(index, block, 'type') === 'tool_use' && name !== undefined) tools.set(place, name)
    // A block's initial text continues in its deltas. Arguments that arrive as an object are complete.
    const texts = [...blockTexts(index, block)].map((text) =>
      text.tool === undefined ? { ...text, channel: `${place}/` } : text
    )
    return { texts, ended: [] }
  }

  function delta(index: JsonIndex, place: string): AnswerEvent {
    const change = containerNode(index, index.root, 'delta')
    const type = stringOf(index, change, 'type')
    const channel = `${place}/`
    const tool = tools.get(place)
    const text = stringNode(index, change, 'text')
    const json = stringNode(index, change, 'partial_json')
    if (type === 'text_delta' && text >= 0)
      return { texts: [{ node: text, channel, form: 'plain', isJoined: true }], ended: [] }
    if (type === 'input_json_delta' && json >= 0 && tool !== undefined)
      return { texts: [{ node: json, channel, form: 'json', tool }], ended: [] }
    return nothingToRead
  }

  function read(index: JsonIndex): AnswerEvent {
    const place = placeOf(index, index.root, 'index')
    switch (stringOf(index, index.root, 'type')) {
      case 'message':
        return {
          texts: [...itemsOf(index, containerNode(index, index.root, 'content'))].flatMap((block) => [
            ...blockTexts(index, block)
          ]),
          ended: []
        }
      case 'content_block_start':
        return startBlock(index, place)
      case 'content_block_delta':
        return delta(index, place)
      case 'content_block_stop':
        return { texts: [], ended: [`${place}/`] }
      case 'message_delta':
      case 'message_stop':
        return { texts: [], ended: [''] }
      default:
        return nothingToRead
    }
  }

  return answerReader(read, ignores, tools)
}
