/** Structured outputs: requests whose answer is a text that is JSON. */
import type { Dialect } from '../dialect.ts'
import { containerNode, stringOf } from './answer.ts'
import type { JsonIndex } from '../json/json-index.ts'

/** Whether a request wants the text of its answer to be JSON. */
export function wantsJson(index: JsonIndex, { jsonAnswer = [] }: Pick<Dialect, 'jsonAnswer'>): boolean {
  return jsonAnswer.some((path) => {
    let node = index.root
    for (const name of path) node = containerNode(index, node, name)
    const type = stringOf(index, node, 'type') ?? 'text'
    return type !== 'text'
  })
}
