/** Merges the changes of two authors who started from the same policy. */
import { canonicalJson } from '../../../../src/protocol/canonical-json.ts'
import { isObject } from './documents.ts'

interface Merged {
  readonly value: unknown
  /** JSON pointers of what both changed differently. The author's own change is kept there. */
  readonly clashes: readonly string[]
}

/** Lists whose order matters, or whose entries have no name, are merged as a whole. */
const wholeLists = new Set(['command', 'when', 'except', 'match', 'noMatch'])

/**
 * Semantic merge: settings by name, list entries by id.
 * @param base what both started from
 * @param mine this author's version
 * @param theirs what was published in the meantime
 */
export function merge(base: unknown, mine: unknown, theirs: unknown): Merged {
  const clashes: string[] = []
  return { value: mergeAt(base, mine, theirs, '', clashes), clashes }
}

function mergeAt(base: unknown, mine: unknown, theirs: unknown, pointer: string, clashes: string[]): unknown {
  if (isSame(mine, base) || isSame(mine, theirs)) return theirs
  if (isSame(theirs, base)) return mine
  if (isObject(mine) && isObject(theirs)) {
    const names = new Set([...Object.keys(theirs), ...Object.keys(mine)])
    const old = isObject(base) ? base : {}
    const inner = [...names].map((name): [string, unknown] => {
      const at = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
      return [name, mergeAt(own(old, name), own(mine, name), own(theirs, name), at, clashes)]
    })
    return Object.fromEntries(inner.filter(([, value]) => value !== undefined))
  }
  const name = pointer.slice(pointer.lastIndexOf('/') + 1)
  if (Array.isArray(mine) && Array.isArray(theirs) && !wholeLists.has(name)) {
    return mergeLists(Array.isArray(base) ? base : [], mine, theirs, pointer, clashes)
  }
  clashes.push(pointer)
  return mine
}

function mergeLists(
  base: readonly unknown[],
  mine: readonly unknown[],
  theirs: readonly unknown[],
  pointer: string,
  clashes: string[]
): unknown[] {
  const [old, own, other] = [byName(base), byName(mine), byName(theirs)]
  const names = new Set([...other.keys(), ...own.keys()])
  return [...names].flatMap((name, place) => {
    const value = mergeAt(old.get(name), own.get(name), other.get(name), `${pointer}/${place}`, clashes)
    return value === undefined ? [] : [value]
  })
}

/** Entries by their name: an id, the tool of a pin, or the value itself. */
function byName(list: readonly unknown[]): Map<string, unknown> {
  return new Map(list.map((value) => [nameOf(value), value]))
}

function nameOf(value: unknown): string {
  if (!isObject(value)) return canonicalJson(value)
  if (typeof value['id'] === 'string') return `id ${value['id']}`
  if (typeof value['tool'] === 'string') return `tool ${String(value['server'])}/${value['tool']}`
  return canonicalJson(value)
}

const own = (object: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined

const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b))
