/** Generates what coding agents declare as tools, and their calls of them. */
import { block, choice, parameterName, path, remark, toolName } from './agent-text.ts'
import type { SeededRandom } from '../test/support/random.ts'

export type Json = Record<string, unknown>

/** A call, without the id that its result refers to. */
export interface ToolCall {
  /** What the model said before it, often nothing. */
  readonly said: string
  readonly name: string
  readonly input: Json
}

/** A tool: its description, and a JSON Schema of its parameters. A kilobyte of it holds some six strings, most of them short. */
export function tool(random: SeededRandom): { name: string; description: string; schema: Json } {
  const properties = parameters(random, 3 + random.below(7))
  const required = Object.keys(properties).slice(0, 2)
  return {
    name: toolName(random),
    description: block(random, 6 + random.below(20), 'prose'),
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties,
      required,
      additionalProperties: false
    }
  }
}

function parameters(random: SeededRandom, count: number): Json {
  return Object.fromEntries(Array.from({ length: count }, () => [parameterName(random), parameter(random, count > 4)]))
}

function parameter(random: SeededRandom, mayNest: boolean): Json {
  const described = (type: string, rest: Json = {}): Json => ({ type, description: remark(random), ...rest })
  switch (random.below(mayNest ? 8 : 6)) {
    case 0:
      return described('integer', { minimum: 0, maximum: random.below(9000) })
    case 1:
      return described('boolean', { default: false })
    case 2:
      return described('string', { enum: [choice(random), choice(random), choice(random)] })
    case 6:
      return described('array', { items: { type: 'string' } })
    case 7:
      return described('array', { items: { type: 'object', properties: parameters(random, 3), required: [] } })
    default:
      return described('string')
  }
}

/** @param mayEdit whether it may be a long one, which replaces lines of a file */
export function call(random: SeededRandom, mayEdit: boolean): ToolCall {
  const said = random.below(3) === 0 ? block(random, 1, 'prose') : ''
  const file = { file_path: `/srv/app/${path(random)}` }
  if (!mayEdit || random.below(4) > 0) return { said, name: 'read_file', input: { ...file, offset: random.below(900) } }
  const lines = (): string => block(random, 1 + random.below(12), 'code')
  return { said, name: 'edit_file', input: { ...file, old_string: lines(), new_string: lines() } }
}
