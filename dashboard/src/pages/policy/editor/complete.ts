/** Completion by the documents' schemas: names of settings, and the values that they accept. */
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import type { SyntaxNode } from '@lezer/common'
import type { JsonSchema } from '../../../../../src/policy/policy-schemas.ts'
import { builtInKindIds } from '../kinds.ts'
import { nameIn, pathTo, treeOf, type Path } from './json-path.ts'
import { schemasAt } from './schema-at.ts'

/** @returns null if nothing is known about the position */
export function completePolicy(context: CompletionContext): CompletionResult | null {
  // Parsed to the end of the text: an object's members after the cursor count as existing too.
  const node = treeOf(context.state, context.state.doc.length).resolveInner(context.pos, -1)
  const property = node.name === 'PropertyName' ? node : undefined
  if (property || isBetweenProperties(node)) {
    const object = around(node, 'Object')
    if (!object || !(context.explicit || property)) return null
    return propose(names(context, object, property), property, context.pos)
  }
  const value = ['String', 'True', 'False', 'Null', 'Number'].includes(node.name) ? node : undefined
  if (!value && !context.explicit && node.name !== 'Property') return null
  const place = value ?? (node.name === ':' ? node.parent : node)
  if (!place || (!value && place.name !== 'Property' && place.name !== 'Array')) return null
  const path = pathTo(context.state, place)
  return propose(values(place.name === 'Array' ? [...path, 0] : path), value, context.pos)
}

function propose(options: readonly Completion[], node: SyntaxNode | undefined, at: number): CompletionResult | null {
  if (options.length === 0) return null
  return { from: node?.from ?? at, ...(node && { to: node.to }), options, validFor: /^"?[\w-]*"?$/ }
}

const isBetweenProperties = ({ name, parent }: SyntaxNode): boolean =>
  name === 'Object' || ((name === '{' || name === ',' || name === '⚠') && parent?.name === 'Object')

function around(node: SyntaxNode, name: string): SyntaxNode | undefined {
  for (let outer: SyntaxNode | null = node; outer !== null; outer = outer.parent) if (outer.name === name) return outer
  return undefined
}

/** Names that the object may have and does not have yet. */
function names(context: CompletionContext, object: SyntaxNode, current: SyntaxNode | undefined): Completion[] {
  const { state } = context
  const path = pathTo(state, object)
  const taken = new Set(
    object.getChildren('Property').flatMap((property) => {
      const name = property.getChild('PropertyName')
      return name && name.from !== current?.from ? [nameIn(state, name)] : []
    })
  )
  const hasColon = current !== undefined && /^\s*:/.test(state.doc.sliceString(current.to, current.to + 20))
  const known = schemasAt(path).flatMap((schema) => namesOf(schema, path))
  const first = new Map(known.map((one) => [one.name, one]))
  return [...first.values()]
    .filter(({ name }) => !taken.has(name))
    .map(({ name, schema }) => ({
      label: `"${name}"`,
      type: 'property',
      apply: hasColon ? `"${name}"` : `"${name}": ${startOf(schema)}`,
      ...(schema?.description !== undefined && { info: schema.description })
    }))
}

function namesOf({ properties, propertyNames }: JsonSchema, path: Path) {
  const named: { name: string; schema: JsonSchema | undefined }[] = [
    ...Object.entries(properties ?? {}).map(([name, schema]) => ({ name, schema })),
    ...((propertyNames?.enum ?? []) as string[]).map((name) => ({ name, schema: undefined }))
  ]
  // The schema accepts any name for a kind; the built-in ones are suggested.
  const isKinds = path.join('.') === 'redactionProfile.actions.kinds'
  return isKinds ? builtInKindIds.map((name) => ({ name, schema: undefined })) : named
}

/** The initial value of a new setting. */
function startOf(schema: JsonSchema | undefined): string {
  if (schema === undefined) return ''
  if (schema.default !== undefined) return JSON.stringify(schema.default)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.type === 'object') return '{}'
  if (schema.type === 'array') return '[]'
  return schema.type === 'string' && schema.enum === undefined ? '""' : ''
}

/** Values of enumerations, switches and constants. */
function values(path: Path): Completion[] {
  const all = schemasAt(path).flatMap(({ enum: listed, const: constant, type }) => [
    ...(listed ?? []),
    ...(constant === undefined ? [] : [constant]),
    ...(type === 'boolean' ? [true, false] : [])
  ])
  return [...new Set(all)].map((value) => ({ label: JSON.stringify(value), type: 'enum' }))
}
