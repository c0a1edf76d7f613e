/** The semantic differences between two policies: order and spelled-out defaults do not count. */
import { canonicalJson } from '../../protocol/canonical-json.ts'
import { pointerTo } from '../json-pointer.ts'
import { parseDocument } from '../lint/schema.ts'
import { documentNames } from '../policy-schemas.ts'
import type { PolicyDocuments } from '../revision.ts'
import { sayChange } from './sentence.ts'
import { softens } from './softens.ts'

/** One difference, before it is judged. */
export interface RawChange {
  /** Names on the path to the setting; list entries by their id: `mcpToolPolicy`, `rules`, `no-delete`, `effect`. */
  readonly steps: readonly string[]
  readonly kind: 'added' | 'removed' | 'changed'
  /** Set if a list entry was added or removed; the last step then is its name or its value. */
  readonly isEntry?: true
  /** Absent if something was added. */
  readonly before?: unknown
  /** Absent if something was removed. */
  readonly after?: unknown
}

export interface PolicyChange extends Omit<RawChange, 'steps' | 'isEntry'> {
  /** JSON pointer into the later documents; for what was removed, into the earlier ones. */
  readonly path: string
  /** A sentence for people. Repeats no free text of the documents. */
  readonly says: string
  /** Whether more may pass than before. True if that depends on the calls made. */
  readonly softens: boolean
}

/** The differences between two policies, in the order of the documents' settings. */
export function diffPolicies(before: PolicyDocuments, after: PolicyDocuments): PolicyChange[] {
  const changes: PolicyChange[] = []
  for (const name of documentNames) {
    const documents = [readable(name, before[name]), readable(name, after[name])] as const
    for (const raw of compare(documents[0], documents[1], [name], `/${name}`)) {
      const { pointer, kind, before: old, after: fresh } = raw
      const values = { ...(old !== undefined && { before: old }), ...(fresh !== undefined && { after: fresh }) }
      changes.push({ path: pointer, kind, ...values, says: sayChange(raw), softens: softens(raw, documents) })
    }
  }
  return changes
}

/** A document with its defaults; one that this version cannot read is compared as written. */
function readable(name: (typeof documentNames)[number], document: unknown): unknown {
  const parsed = parseDocument(name, document)
  return 'document' in parsed ? parsed.document : document
}

type Located = RawChange & { readonly pointer: string }

function* compare(before: unknown, after: unknown, steps: readonly string[], pointer: string): Generator<Located> {
  if (canonicalJson(before ?? null) === canonicalJson(after ?? null)) return
  if (isObject(before) && isObject(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
      yield* compare(own(before, name), own(after, name), [...steps, name], pointerTo(pointer, [name]))
    return
  }
  const lists = listsOf(before, after, steps)
  if (lists !== undefined) return yield* compareLists(lists[0], lists[1], steps, pointer)
  if (before === undefined) yield { steps, pointer, kind: 'added', after }
  else if (after === undefined) yield { steps, pointer, kind: 'removed', before }
  else yield { steps, pointer, kind: 'changed', before, after }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads own members only: a kind may be called `constructor`, which every object inherits. */
const own = (object: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** Lists whose order matters, or whose entries have no name. */
const wholeLists = new Set(['command', 'when', 'except'])
/** Settings that accept one glob or a list of them. */
const globSettings = new Set(['server', 'tool'])

function listsOf(before: unknown, after: unknown, steps: readonly string[]): [unknown[], unknown[]] | undefined {
  const name = steps.at(-1) as string
  if (globSettings.has(name) && before !== undefined && after !== undefined) return [[before].flat(), [after].flat()]
  return Array.isArray(before) && Array.isArray(after) && !wholeLists.has(name) ? [before, after] : undefined
}

function* compareLists(
  before: unknown[],
  after: unknown[],
  steps: readonly string[],
  pointer: string
): Generator<Located> {
  const old = byName(before)
  const fresh = byName(after)
  for (const [name, { value, index }] of old) {
    const now = fresh.get(name)
    const inner = [...steps, name]
    if (now !== undefined) yield* compare(value, now.value, inner, `${pointer}/${now.index}`)
    else yield { steps: inner, pointer: `${pointer}/${index}`, kind: 'removed', isEntry: true, before: value }
  }
  for (const [name, { value, index }] of fresh) {
    if (old.has(name)) continue
    yield { steps: [...steps, name], pointer: `${pointer}/${index}`, kind: 'added', isEntry: true, after: value }
  }
}

/** Entries by their name: an id, the tool of a pin, or the value itself. */
function byName(list: readonly unknown[]): Map<string, { value: unknown; index: number }> {
  return new Map(
    list.map((value, index) => {
      const { id, server, tool } = isObject(value) ? (value as Record<string, string | undefined>) : {}
      return [id ?? (tool === undefined ? canonicalJson(value) : `${server}/${tool}`), { value, index }]
    })
  )
}
