/** Structured outputs: requests that ask for an answer in JSON. */
import type { Dialect } from '../dialect.ts'
import { containerNode, stringOf } from './answer.ts'
import type { JsonIndex } from '../json/json-index.ts'

/** Whether a request asks for an answer whose text is JSON. */
export function wantsJson(index: JsonIndex, { jsonAnswer = [] }: Pick<Dialect, 'jsonAnswer'>): boolean {
  return jsonAnswer.some((path) => {
    let node = index.root
    for (const name of path) node = containerNode(index, node, name)
    const type = stringOf(index, node, 'type') ?? 'text'
    return type !== 'text'
  })
}
