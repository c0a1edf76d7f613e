/** The effective value of each variable in a form that may be displayed: of a secret, only whether it is set. */
import type { Environment } from './reader.ts'
import type { Section, Variable } from './variables.ts'

export interface ShownSetting {
  readonly name: string
  readonly section: Section
  readonly description: string
  /** The value as text; null for a secret, and for an unset variable without a default. */
  readonly value: string | null
  /** Whether the environment sets it. */
  readonly isSet: boolean
  readonly isSecret: boolean
}

/** @param env an environment without faults */
export function showSettings(table: Readonly<Record<string, Variable>>, env: Environment): ShownSetting[] {
  return Object.entries(table).map(([name, variable]) => {
    const { section, description } = variable
    const isSecret = variable.type === 'secret'
    const isSet = Boolean(env[name]) || (isSecret && Boolean(env[`${name}_FILE`]))
    const value = isSecret ? null : valueOf(table, env, name)
    return { name, section, description, value, isSet, isSecret }
  })
}

/** A default may be the name of another variable, whose value then applies. */
function valueOf(table: Readonly<Record<string, Variable>>, env: Environment, name: string): string | null {
  const variable = table[name]
  if (variable === undefined) return null
  if (env[name]) return variable.type === 'switch' ? String(env[name] !== 'false') : env[name]
  if (!('default' in variable)) return null
  const text = String(variable.default)
  return Object.hasOwn(table, text) ? valueOf(table, env, text) : text === '' ? null : text
}
