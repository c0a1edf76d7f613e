/** Checks that a document can be examined. Runs before everything else, in bounded time. */
import { policyBounds } from '../bounds.ts'
import { pointerTo } from '../json-pointer.ts'
import { error, type LintFinding } from './finding.ts'

const { documentUnitsMax, depthMax, itemsMax, valuesMax } = policyBounds

interface Entry {
  readonly value: unknown
  readonly name: PropertyKey
  readonly parent: Entry | undefined
  readonly depth: number
}

/**
 * Finds the first limit that a document exceeds, or a key that the schemas would drop without a word. Walks without
 * recursion and stops there, so a document of any size costs no more than one at the limits.
 * @param path pointer to the document
 */
export function findUnexaminable(document: unknown, path: string): LintFinding | undefined {
  const open: Entry[] = [{ value: document, name: '', parent: undefined, depth: 0 }]
  let values = 0
  let units = 0
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    const { value, depth } = entry
    values++
    if (typeof value === 'string') units += value.length
    if (values > valuesMax || units > documentUnitsMax) {
      return error(
        path,
        'too_large',
        `The document has more than ${documentUnitsMax} characters or ${valuesMax} values.`
      )
    }
    if (typeof value !== 'object' || value === null) continue
    if (depth >= depthMax) {
      const message = `Objects and lists are nested more than ${depthMax} levels deep.`
      return error(pointerTo(path, pathOf(entry)), 'too_deep', message)
    }
    const names = Object.keys(value)
    if (names.length > itemsMax) {
      return error(pointerTo(path, pathOf(entry)), 'too_large', `There are more than ${itemsMax} items.`)
    }
    // zod leaves it out of maps such as `actions.groups`, so that no setting would ever say that it does not exist.
    if (Object.hasOwn(value, '__proto__')) {
      const pointer = pointerTo(path, [...pathOf(entry), '__proto__'])
      return error(pointer, 'unknown_key', 'There is no setting with this name here.')
    }
    const isList = Array.isArray(value)
    for (const name of names) {
      if (!isList) units += name.length
      open.push({ value: (value as Record<string, unknown>)[name], name, parent: entry, depth: depth + 1 })
    }
  }
  return undefined
}

function pathOf(entry: Entry): PropertyKey[] {
  const path: PropertyKey[] = []
  for (let at = entry; at.parent !== undefined; at = at.parent) path.unshift(at.name)
  return path
}
