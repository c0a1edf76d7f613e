/** Describes the table of variables, for `--help` and for the documentation. */
import { variables, type Section, type Variable } from './variables.ts'

/** A variable in `--help` and in the documentation. */
interface VariableDescription {
  readonly name: string
  readonly section: Section
  /** The values that it accepts: `integer, 1 to 65535`. */
  readonly takes: string
  /** The value if it is unset; empty if there is none. */
  readonly default: string
  readonly description: string
  /** For secrets, the variable that names a file with the value. */
  readonly fileForm?: string
}

/** The descriptions, in the order of the table. */
export function listVariables(table: Readonly<Record<string, Variable>> = variables): VariableDescription[] {
  return Object.entries(table).map(([name, variable]) => ({
    name,
    section: variable.section,
    takes: takes(variable),
    default: 'default' in variable ? String(variable.default) : '',
    description: variable.description,
    ...(variable.type === 'secret' ? { fileForm: `${name}_FILE` } : {})
  }))
}

const secretForms = {
  header: 'secret',
  headers: 'secret, `name=value,...`',
  key: 'secret, 32 bytes',
  postgres: 'secret, `postgres` URL'
} as const

const textForms = {
  line: 'text',
  issuer: 'https URL',
  networks: 'comma-separated addresses or networks',
  workspace: 'workspace ID',
  'role-map': '`group=role`, comma-separated'
} as const

function takes(variable: Variable): string {
  switch (variable.type) {
    case 'integer':
      return `integer${variable.unit ? `, ${variable.unit}` : ''}, ${variable.min} to ${variable.max}`
    case 'enum':
      return variable.values.map((value) => `\`${value}\``).join(', ')
    case 'switch':
      return variable.others === undefined ? '`true`, `false`' : '`false` for off, anything else for on'
    case 'text':
      return textForms[variable.format]
    case 'list':
      return 'comma-separated names'
    case 'hosts':
      return 'comma-separated hosts'
    case 'url':
      return 'http or https URL'
    case 'host':
      return 'host name or IP address'
    case 'file':
      return 'path of a file'
    case 'path':
      return 'path'
    case 'name':
      return 'name'
    case 'word':
      return 'word'
    case 'secret':
      return secretForms[variable.format]
  }
}

const helpColumns = 88

/** The table as printed by `--help`: plain text without a final line end. */
export function describeVariables(table: Readonly<Record<string, Variable>> = variables): string {
  return listVariables(table)
    .map(({ name, takes: form, default: value, description, fileForm }) => {
      const head = `  ${name}${fileForm ? `, ${fileForm}` : ''}`
      const facts = `(${form}${value === '' ? '' : `; default ${value}`})`
      return [head, ...wrap(`${description} ${facts}`.replaceAll('`', ''), '      ')].join('\n')
    })
    .join('\n')
}

function wrap(text: string, indent: string): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= helpColumns) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(indent + word)
  }
  return lines
}
