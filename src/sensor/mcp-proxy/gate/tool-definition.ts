/** A server's definition of a tool, reduced to what policy needs: its hints, and a digest of each component. */
import { createHash } from 'node:crypto'
import { nodeKind, type JsonIndex } from '../../../dialects/json/json-index.ts'
import { annotationNames, type ToolAnnotations } from '../../../policy/tools/policy.ts'
import { canonicalJson } from '../../../protocol/canonical-json.ts'
import { headerParametersOf, namesHeaders, type HeaderParameter } from '../messages/header-parameters.ts'
import { valueAt } from './json-value.ts'
import { membersOf, textOf } from './members.ts'

/** Components of a definition that are pinned separately. */
export const pinnedComponents = ['title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const
export type PinnedComponent = (typeof pinnedComponents)[number]

/** SHA-256 in hex by component. Missing components have no digest; `''` means that the trusted value is unknown. */
export type ToolDigests = Readonly<Partial<Record<PinnedComponent, string>>>

export interface ToolDefinition {
  readonly name: string
  readonly annotations: ToolAnnotations
  readonly digests: ToolDigests
  /** Parameters that a client repeats in headers. */
  readonly headers: readonly HeaderParameter[]
}

const nothing: readonly HeaderParameter[] = []
const nameUnitsMax = 1024
/** A larger component is hashed byte for byte: normalising it would block everything else. */
const normalisedBytesMax = 262_144

/**
 * Reads an entry of `tools`.
 * @returns undefined if it is not a definition, or is ambiguous
 */
export function readDefinition(index: JsonIndex, node: number): ToolDefinition | undefined {
  if (index.kind(node) !== nodeKind.object) return undefined
  const members = membersOf(index, node, ['name', ...pinnedComponents])
  if (members === undefined) return undefined
  const [nameNode, ...components] = members
  const nodeOf = (component: PinnedComponent): number => components[pinnedComponents.indexOf(component)] as number
  const name = textOf(index, nameNode, nameUnitsMax * 6)
  if (name === undefined || name === '' || name.length > nameUnitsMax) return undefined
  const annotations = hintsOf(index, nodeOf('annotations'))
  if (annotations === undefined) return undefined
  const digests: Partial<Record<PinnedComponent, string>> = {}
  for (const component of pinnedComponents) {
    const at = nodeOf(component)
    if (at >= 0) digests[component] = digestOf(index, at)
  }
  return { name, annotations, digests, headers: headersOf(index, nodeOf('inputSchema')) }
}

function headersOf(index: JsonIndex, schema: number): readonly HeaderParameter[] {
  if (schema < 0 || !namesHeaders(index.bytes.subarray(index.starts[schema], index.ends[schema]))) return nothing
  return headerParametersOf(valueAt(index, schema))
}

function hintsOf(index: JsonIndex, node: number): ToolAnnotations | undefined {
  const members = membersOf(index, node, annotationNames)
  if (members === undefined) return undefined
  const hints: ToolAnnotations = {}
  annotationNames.forEach((name, i) => {
    const at = members[i] as number
    const kind = at < 0 ? -1 : index.kind(at)
    if (kind === nodeKind.true || kind === nodeKind.false) hints[name] = kind === nodeKind.true
  })
  return hints
}

/** For a text, the digest of its UTF-8 in NFC. For anything else, of its canonical JSON, with all texts in NFC. */
function digestOf(index: JsonIndex, node: number): string {
  const [start, end] = [index.starts[node] as number, index.ends[node] as number]
  const isText = index.kind(node) === nodeKind.string
  if (end - start > normalisedBytesMax) return sha256(index.bytes.subarray(start, end))
  return sha256(isText ? index.text(node).normalize('NFC') : canonicalJson(normalised(valueAt(index, node))))
}

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

function normalised(value: unknown): unknown {
  if (typeof value === 'string') return value.normalize('NFC')
  if (Array.isArray(value)) return value.map(normalised)
  if (typeof value !== 'object' || value === null) return value
  const object = Object.create(null) as Record<string, unknown>
  for (const [key, member] of Object.entries(value)) object[key.normalize('NFC')] = normalised(member)
  return object
}

/** The hints on which two definitions of one name agree. */
export function commonHints(one: ToolAnnotations, other: ToolAnnotations): ToolAnnotations {
  return Object.fromEntries(
    annotationNames.flatMap((name) => (one[name] !== undefined && one[name] === other[name] ? [[name, one[name]]] : []))
  )
}
