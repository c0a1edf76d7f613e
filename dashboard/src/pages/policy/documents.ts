/** The policy as text and as an object, and small edits of it. */
import type { DocumentName } from '../../../../src/policy/policy-schemas.ts'
import type { PolicyDocuments } from '../../../../src/policy/revision.ts'

export type Documents = Record<DocumentName, Record<string, unknown>>

/** The policy as text, in the form used by the editor and drafts. */
export function textOf({ redactionProfile, mcpToolPolicy }: PolicyDocuments): string {
  return `${JSON.stringify({ redactionProfile, mcpToolPolicy }, null, 2)}\n`
}

export type Read = { readonly documents: Documents } | { readonly problem: string }

/** Parses a policy: an object with exactly the two documents. The service validates their contents. */
export function readText(text: string): Read {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { problem: 'The text is not JSON.' }
  }
  if (!isObject(value)) return { problem: 'The policy must be an object.' }
  const { mcpToolPolicy, redactionProfile, ...others } = value
  if (!isObject(mcpToolPolicy)) return { problem: 'The policy needs the object mcpToolPolicy.' }
  if (!isObject(redactionProfile)) return { problem: 'The policy needs the object redactionProfile.' }
  if (Object.keys(others).length > 0) return { problem: 'A policy has only mcpToolPolicy and redactionProfile.' }
  return { documents: { mcpToolPolicy, redactionProfile } }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value if it is a string, otherwise the fallback. */
export const textOr = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise)

/** The value at a path of names; undefined if there is none. */
export function valueAt(documents: PolicyDocuments, path: readonly string[]): unknown {
  let value: unknown = documents
  for (const name of path) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined
    value = value[name]
  }
  return value
}

/** A copy with a value set at a path of names; `undefined` removes the setting, so that its default applies. */
export function withValue(documents: PolicyDocuments, path: readonly string[], value: unknown): Documents {
  const copy = structuredClone(documents) as Documents
  let inner: Record<string, unknown> = copy
  for (const name of path.slice(0, -1)) {
    const next = Object.hasOwn(inner, name) ? inner[name] : undefined
    const found = isObject(next) ? next : {}
    inner[name] = found
    inner = found
  }
  const last = path.at(-1) as string
  if (value === undefined) delete inner[last]
  else inner[last] = value
  return copy
}

/** The strings of a list at a path; none if there is no list. */
export function textsAt(documents: PolicyDocuments, path: readonly string[]): string[] {
  const list = valueAt(documents, path)
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []
}

/** The objects of a list at a path; none if there is no list. */
export function entriesAt(documents: PolicyDocuments, path: readonly string[]): Record<string, unknown>[] {
  const list = valueAt(documents, path)
  return Array.isArray(list) ? list.filter(isObject) : []
}
