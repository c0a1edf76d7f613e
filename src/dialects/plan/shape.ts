/**
 * How a dialect describes its fields: a table of shapes. A field without a shape, and a block of an unknown type, is
 * ordinary text of its surroundings.
 */
import type { TextOrigin } from '../dialect.ts'
import { decisiveNames, NameTable, schemaWords } from './names.ts'
import { labelCode, type LabelCode, type TextLabel } from './text-list.ts'

/**
 * What a field claims to hold. If the value looks like it, it is sealed or has an encoding; otherwise it is ordinary
 * text.
 * - `id`: an id issued by the vendor
 * - `word`: a short word of the API
 * - `seal`: a signature or encrypted data, in base64
 * - `opaque`: something issued by the vendor that must be returned, in any form: an id or a seal
 * - `signed`: text that the `signature` beside it covers
 * - `media_type`: a media type
 * - `data`: base64 whose type is in the `media_type` beside it
 * - `media`: base64 of sound or an image
 * - `url`: a URL, which may be a data URI
 * - `file`: a data URI, or base64 of a file of unknown type
 * - `json`: a JSON object or array as text
 */
const claims = ['id', 'word', 'seal', 'opaque', 'signed', 'media_type', 'data', 'media', 'url', 'file', 'json'] as const
export type Claim = (typeof claims)[number]

/** Field name to a claim or the name of a shape. A rule applies to a value, or to each item of an array. */
type Fields = Readonly<Record<string, string>>

/** What differs for a block of one `type`. */
export interface BlockSpec {
  /** Whom its texts come from, in messages whose texts are masked. */
  readonly origin?: TextOrigin
  /** Its texts are not the speaker's own words (a tool definition inside a message). */
  readonly scope?: 'watched'
  readonly fields?: Fields | undefined
}

export interface ShapeSpec {
  /** What a string in place of an object of this shape claims. Without it, the string is ordinary text. */
  readonly plain?: Claim
  readonly fields?: Fields | undefined
  /** The rule of every member that `fields` do not name, if the names are the client's own. */
  readonly entries?: string
  readonly types?: Readonly<Record<string, BlockSpec>>
}

/** A part of the body: who speaks, and the shape (or claim) of the value. */
export interface PartSpec {
  readonly label: Pick<TextLabel, 'scope' | 'origin'>
  readonly rule?: string
}

/** Where the conversation is, and what its items may be besides objects with a role. */
interface ConversationSpec {
  readonly field: 'messages' | 'input'
  readonly isRequired: boolean
  /** For a conversation that is a plain string, or an item that is not an object. Without it both are refused. */
  readonly plain?: PartSpec
  /** Items without a role, by `type`. Without it every item must have a role. */
  readonly items?: Readonly<Record<string, PartSpec>>
}

/** Everything that the walk needs to know about a dialect. */
export interface DialectSpec {
  readonly conversation: ConversationSpec
  readonly shapes: Readonly<Record<string, ShapeSpec>>
  /** Top-level fields that come before the conversation. */
  readonly leading: Readonly<Record<string, PartSpec>>
  /** Messages by role; the rule applies to the message object. */
  readonly roles: Readonly<Record<string, PartSpec>>
  /** A message of another role, and an item of another type. */
  readonly otherRole: PartSpec
  /** Other top-level fields; those not listed are `watched` text. */
  readonly trailing: Readonly<Record<string, PartSpec>>
}

export type Rule = Claim | Shape | undefined

/** Rules of an object by name id, for one block type. */
export interface Block {
  readonly origin: TextOrigin | undefined
  readonly scope: 'watched' | undefined
  readonly rules: Rule[]
  /** The rule of a member without one of its own. */
  rest: Rule
}

export interface Shape {
  readonly plain: Claim | undefined
  /** For objects without a `type`, or of an unknown one. */
  readonly base: Block
  /** By name id of the `type`. */
  readonly types: (Block | undefined)[]
  /** Whether blocks of this shape are told apart by their type. */
  readonly isTyped: boolean
}

interface Part {
  readonly code: LabelCode
  readonly rule: Rule
}

/** A {@link DialectSpec} with names converted to numbers. */
export interface DialectTables {
  readonly names: NameTable
  readonly conversation: {
    readonly field: ConversationSpec['field']
    readonly isRequired: boolean
    readonly plain: Part | undefined
    readonly items: (Part | undefined)[] | undefined
  }
  readonly leading: (Part | undefined)[]
  readonly roles: (Part | undefined)[]
  readonly otherRole: Part
  readonly trailing: (Part | undefined)[]
}

function* namesOf(spec: DialectSpec, fieldNames: readonly string[]): Generator<string> {
  yield* decisiveNames
  yield* fieldNames
  for (const part of [spec.leading, spec.roles, spec.trailing, spec.conversation.items ?? {}]) yield* Object.keys(part)
  for (const shape of Object.values(spec.shapes)) {
    yield* Object.keys(shape.fields ?? {})
    for (const [type, block] of Object.entries(shape.types ?? {})) {
      yield type
      yield* Object.keys(block.fields ?? {})
    }
  }
  yield* schemaWords
}

/** Claims that are judged by a neighbour, which is looked up and read again for each value: none may be repeated. */
const byNeighbour: ReadonlySet<string> = new Set<Claim>(['signed', 'data'])
const isDecisive = (field: string): boolean => (decisiveNames as readonly string[]).includes(field)

/**
 * @param fieldNames further names of the API, which no rule mentions
 * @throws Error for a rule that is neither a claim nor a shape, and for one that would have to be judged repeatedly
 */
export function compileDialect(spec: DialectSpec, fieldNames: readonly string[]): DialectTables {
  const names = new NameTable(namesOf(spec, fieldNames))
  const byId = <T>(): (T | undefined)[] => Array.from({ length: names.count })
  const emptyBlock = (): Block => ({ origin: undefined, scope: undefined, rules: byId<Rule>(), rest: undefined })
  // Shapes refer to one another in cycles, so all exist before any is filled.
  const shapes = new Map(
    Object.entries(spec.shapes).map(([name, { plain, types }]): [string, Shape] => [
      name,
      { plain, base: emptyBlock(), types: byId<Block>(), isTyped: types !== undefined }
    ])
  )
  const isClaim = (name: string): name is Claim => (claims as readonly string[]).includes(name)

  function ruleOf(name: string | undefined): Rule {
    if (name === undefined || isClaim(name)) return name
    const shape = shapes.get(name)
    if (shape === undefined) throw new Error(`A dialect names the rule ${name}, which is neither a claim nor a shape.`)
    return shape
  }

  function fill(rules: Rule[], fields: Fields | undefined): void {
    for (const [field, rule] of Object.entries(fields ?? {})) {
      if (byNeighbour.has(rule) && !isDecisive(field))
        throw new Error(`The field ${field}, whose rule reads a neighbour, is no decisive name.`)
      rules[names.id(field)] = ruleOf(rule)
    }
  }

  function part(from: PartSpec): Part {
    return { code: labelCode(from.label.scope, from.label.origin), rule: ruleOf(from.rule) }
  }

  function parts(from: Readonly<Record<string, PartSpec>>): (Part | undefined)[] {
    const table = byId<Part>()
    for (const [name, one] of Object.entries(from)) table[names.id(name)] = part(one)
    return table
  }

  for (const [name, shape] of Object.entries(spec.shapes)) {
    const { base, types } = shapes.get(name)!
    fill(base.rules, shape.fields)
    base.rest = ruleOf(shape.entries)
    for (const [type, block] of Object.entries(shape.types ?? {})) {
      const rules = [...base.rules]
      fill(rules, block.fields)
      types[names.id(type)] = { origin: block.origin, scope: block.scope, rules, rest: base.rest }
    }
  }
  const { field, isRequired, plain, items } = spec.conversation
  return {
    names,
    conversation: { field, isRequired, plain: plain && part(plain), items: items && parts(items) },
    leading: parts(spec.leading),
    roles: parts(spec.roles),
    otherRole: part(spec.otherRole),
    trailing: parts(spec.trailing)
  }
}
