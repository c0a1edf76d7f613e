/**
 * The members of a JSON object that decide what a message is. JSON parsers differ: of a repeated key, one uses the
 * first and another the last, and some (Go's `encoding/json` among them) accept `Method` for `method`. A message that
 * two parsers may understand differently is not judged but refused.
 */
import { nodeKind, type JsonIndex } from '../../../dialects/json/json-index.ts'

/** A key as read by a parser that ignores case, compatibility forms (`ſ`, the Kelvin sign) or invisible characters. */
export function foldedKey(key: string): string {
  // Neither compatibility forms nor invisible characters are ASCII.
  if (ascii.test(key)) return key.toLowerCase()
  return key
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .toLowerCase()
}

// oxlint-disable-next-line no-control-regex -- every ASCII character, the control characters included
const ascii = /^[\0-\x7f]*$/
const plainKey = /^[a-z0-9_./-]*$/

/** Whether a key may be taken for one of these names without being one. Names are ASCII. */
export function isLookAlike(key: string, names: readonly string[]): boolean {
  if (plainKey.test(key)) return false
  const folded = foldedKey(key)
  return names.some((name) => name !== key && name.toLowerCase() === folded)
}

/** A longer key is none of the names, however it is escaped. */
const keyBytesMax = 512
/**
 * No message has more members in an object that decides what it is, and comparing a million keys would take a second in
 * which nobody else is served.
 */
export const membersMax = 16_384
/** Keys visited between two pauses. */
const keysPerStep = 4096

/**
 * Finds members by name.
 * @returns the node of each value in the order of the names, -1 for one that is absent; undefined if a name is
 *   repeated, or a key could be taken for one, or if there are more than {@link membersMax}
 */
export function membersOf(index: JsonIndex, object: number, names: readonly string[]): number[] | undefined {
  const found = names.map(() => -1)
  if (object < 0 || index.kind(object) !== nodeKind.object) return found
  const end = index.nexts[object] as number
  let count = 0
  for (let key = object + 1; key < end; key = index.nexts[key + 1] as number) {
    if (++count > membersMax) return undefined
    const at = names.findIndex((name) => index.is(key, name))
    if (at < 0) {
      if (index.byteLength(key) <= keyBytesMax && isLookAlike(index.text(key), names)) return undefined
    } else if ((found[at] as number) >= 0) return undefined
    else found[at] = key + 1
  }
  return found
}

/** The text of a string node; undefined if it is not a string, or longer than `bytesMax` bytes. */
export function textOf(index: JsonIndex, node: number | undefined, bytesMax = 4096): string | undefined {
  if (node === undefined || node < 0 || index.kind(node) !== nodeKind.string) return undefined
  return index.byteLength(node) > bytesMax ? undefined : index.text(node)
}

interface KeysBelow {
  readonly isDoubled: boolean
  readonly hasTwins: boolean
}

/** Whether an object at or below a node has a repeated key, or two keys that a parser may take for the same. */
export function* keysBelow(index: JsonIndex, root: number): Generator<void, KeysBelow, void> {
  const end = index.nexts[root] as number
  let hasTwins = false
  let count = 0
  for (let node = root; node < end; node++) {
    if (index.kind(node) !== nodeKind.object) continue
    const first = node + 1
    const last = index.nexts[node] as number
    if (first >= last || (index.nexts[first + 1] as number) >= last) continue
    /** Keys by how a lenient parser reads them. */
    const seen = new Map<string, string | Set<string>>()
    for (let key = first; key < last; key = index.nexts[key + 1] as number) {
      if (++count % keysPerStep === 0) yield
      const text = index.text(key)
      const fold = plainKey.test(text) ? text : foldedKey(text)
      const alike = seen.get(fold)
      if (alike === undefined) {
        seen.set(fold, text)
        continue
      }
      const twins = typeof alike === 'string' ? new Set([alike]) : alike
      if (twins.has(text)) return { isDoubled: true, hasTwins: true }
      hasTwins = true
      seen.set(fold, twins.add(text))
    }
  }
  return { isDoubled: false, hasTwins }
}
