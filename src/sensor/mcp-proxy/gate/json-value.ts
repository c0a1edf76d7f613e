/** Reads values from an index, as `JSON.parse` would return them. */
import { nodeKind, type JsonIndex } from '../../../dialects/json/json-index.ts'

/**
 * The value at a node. Keys are decoded one by one, since V8's `JSON.parse` may give wrong names if an object has
 * escaped keys (nodejs/node#63785); `__proto__` is an ordinary member, and of equal keys the last one counts. The
 * index's depth limits the recursion.
 */
export function valueAt(index: JsonIndex, node: number): unknown {
  switch (index.kind(node)) {
    case nodeKind.object:
      return objectAt(index, node)
    case nodeKind.array: {
      const items: unknown[] = []
      const end = index.nexts[node] as number
      for (let item = node + 1; item < end; item = index.nexts[item] as number) items.push(valueAt(index, item))
      return items
    }
    case nodeKind.string:
      return index.text(node)
    case nodeKind.number:
      return Number(index.raw(node))
    case nodeKind.null:
      return null
    default:
      return index.kind(node) === nodeKind.true
  }
}

function objectAt(index: JsonIndex, node: number): Record<string, unknown> {
  const object = Object.create(null) as Record<string, unknown>
  const end = index.nexts[node] as number
  for (let key = node + 1; key < end; key = index.nexts[key + 1] as number)
    object[index.text(key)] = valueAt(index, key + 1)
  return object
}
