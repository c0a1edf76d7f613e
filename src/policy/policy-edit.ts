/** Small edits of a policy: another list entry, or another value. */
import { pointerSteps } from './json-pointer.ts'
import type { PolicyDocuments } from './revision.ts'

/** `add` appends the value to the list at the path, `set` writes it there. Missing objects on the path are created. */
export interface PolicyEdit {
  readonly op: 'add' | 'set'
  /** JSON pointer into `{mcpToolPolicy, redactionProfile}` (RFC 6901). */
  readonly path: string
  readonly value: unknown
}

type Node = Record<string, unknown> | unknown[]

/**
 * Applies edits to copies of both documents.
 * @throws RangeError for a path that leads through a scalar, or that adds to something other than a list
 */
export function editPolicy(documents: PolicyDocuments, edits: readonly PolicyEdit[]): PolicyDocuments {
  const { mcpToolPolicy, redactionProfile } = documents
  const copy = structuredClone({ mcpToolPolicy, redactionProfile }) as unknown as Record<string, unknown>
  for (const edit of edits) apply(copy, edit)
  return copy as unknown as PolicyDocuments
}

function apply(root: Record<string, unknown>, { op, path, value }: PolicyEdit): void {
  const steps = pointerSteps(path)
  const last = steps.pop() as string
  let node: Node = root
  for (const step of steps) node = childOf(node, step)
  if (op === 'set') {
    put(node, last, value)
    return
  }
  const list = get(node, last) ?? []
  if (!Array.isArray(list)) throw new RangeError('an entry can be added to a list alone')
  put(node, last, [...(list as unknown[]), value])
}

function childOf(node: Node, step: string): Node {
  const child = get(node, step)
  if (typeof child === 'object' && child !== null) return child as Node
  if (child !== undefined || Array.isArray(node)) throw new RangeError('the path leads through a value')
  const made = {}
  put(node, step, made)
  return made
}

const get = (node: Node, step: string): unknown =>
  Object.hasOwn(node, step) ? (node as Record<string, unknown>)[step] : undefined

/** Defines an own member of any name, so that none reaches a prototype. */
const put = (node: Node, step: string, value: unknown): void =>
  void Object.defineProperty(node, step, { value, enumerable: true, writable: true, configurable: true })
