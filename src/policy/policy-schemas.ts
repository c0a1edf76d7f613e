/** The documents as JSON Schema: for editors, the API description, and the documentation. */
import { z } from 'zod'
import { redactionProfileSchema } from './redaction/profile.ts'
import { toolPolicySchema } from './tools/policy.ts'

/** The schema of each document, by its name in a revision. */
export const documentSchemas = { mcpToolPolicy: toolPolicySchema, redactionProfile: redactionProfileSchema } as const
export type DocumentName = keyof typeof documentSchemas
export const documentNames = Object.keys(documentSchemas) as DocumentName[]

/** The part of JSON Schema (2020-12) that the documents need. */
export interface JsonSchema {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly additionalProperties?: JsonSchema | boolean
  readonly propertyNames?: JsonSchema
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

const made = new Map<DocumentName, JsonSchema>()

/** The JSON Schema of a document in the form in which an author writes it, with defaults and descriptions. */
export function jsonSchemaOf(name: DocumentName): JsonSchema {
  const known = made.get(name)
  if (known !== undefined) return known
  const schema = z.toJSONSchema(documentSchemas[name], { io: 'input' }) as JsonSchema
  made.set(name, schema)
  return schema
}

/** The alternatives of a schema, with references resolved. */
export function alternativesOf(schema: JsonSchema, root: JsonSchema): JsonSchema[] {
  const definition = schema.$ref?.startsWith('#/$defs/') ? root.$defs?.[schema.$ref.slice(8)] : undefined
  const parts = [...(definition ? [definition] : []), ...(schema.anyOf ?? []), ...(schema.allOf ?? [])]
  return [schema, ...parts.flatMap((part) => alternativesOf(part, root))]
}

/** The names that an object at a path of a document may have; none if any name is allowed. */
export function knownNamesAt(name: DocumentName, path: readonly PropertyKey[]): string[] {
  const root = jsonSchemaOf(name)
  let schemas = alternativesOf(root, root)
  for (const step of path) {
    schemas = schemas.flatMap(({ properties, items, additionalProperties }) => {
      const inner = typeof step === 'number' ? items : (properties?.[String(step)] ?? additionalProperties)
      return typeof inner === 'object' ? alternativesOf(inner, root) : []
    })
  }
  return [
    ...new Set(
      schemas.flatMap(({ properties, propertyNames }) => [
        ...Object.keys(properties ?? {}),
        ...((propertyNames?.enum ?? []) as string[])
      ])
    )
  ]
}
