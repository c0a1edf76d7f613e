/** What the documents' JSON Schemas say about a position. */
import {
  alternativesOf,
  documentNames,
  jsonSchemaOf,
  type DocumentName,
  type JsonSchema
} from '../../../../../src/policy/policy-schemas.ts'
import type { Path } from './json-path.ts'

/** The object with both documents. */
const top: JsonSchema = {
  properties: {
    redactionProfile: { type: 'object', description: 'What happens to secrets and personal data.' },
    mcpToolPolicy: { type: 'object', description: 'Which tools an agent may call.' }
  }
}

const isDocument = (name: unknown): name is DocumentName => (documentNames as readonly unknown[]).includes(name)

/** Every schema that applies at a path of the policy; none if anything or nothing is allowed there. */
export function schemasAt([name, ...path]: Path): readonly JsonSchema[] {
  if (name === undefined) return [top]
  if (!isDocument(name)) return []
  const root = jsonSchemaOf(name)
  let schemas = alternativesOf(root, root)
  for (const step of path) {
    schemas = schemas.flatMap(({ properties, items, additionalProperties }) => {
      const inner = typeof step === 'number' ? items : (properties?.[step] ?? additionalProperties)
      return typeof inner === 'object' ? alternativesOf(inner, root) : []
    })
  }
  return schemas
}

/** The description of a setting. */
export function meaningAt(path: Path): string | undefined {
  const name = path.at(-1)
  if (typeof name !== 'string') return undefined
  const described = schemasAt(path.slice(0, -1)).map(({ properties }) => properties?.[name]?.description)
  return described.find((text) => text !== undefined)
}
