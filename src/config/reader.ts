/** Reads single variables from the environment and collects the faults of all of them. */
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Secret } from './secret.ts'
import * as values from './values.ts'
import type { Variable, VariableName } from './variables.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** A fault of one variable. Neither field ever holds a value. */
export interface ConfigFault {
  readonly name: string
  /** The rule that is broken, to follow the name: `must be an integer from 0 to 65535`. */
  readonly rule: string
}

/** A file with one secret or a certificate chain is small; anything longer is the wrong file. */
const fileBytesMax = 65_536

const secretParsers = {
  header: values.parseHeaderSecret,
  headers: values.parseHeaderList,
  key: values.parseKeySecret,
  postgres: values.parsePostgresUrl
} as const

const textParsers = {
  line: values.parseLine,
  issuer: values.parseIssuer,
  networks: values.parseNetworks,
  workspace: values.parseWorkspace,
  'role-map': (text: string): values.Parsed<string> => {
    const map = values.parseRoleMap(text)
    return map.ok ? { ok: true, value: text } : map
  }
} as const

/** A file with a secret, which can be read again. */
export interface SecretFile {
  /** Absolute. */
  readonly path: string
  /** @returns the secret, or the rule that the file breaks, which repeats nothing of its content */
  read(): values.Parsed<Secret>
}

/** @typeParam Name of a variable in the table that is read */
export interface Reader<Name extends string = VariableName> {
  integer(name: Name): number
  text(name: Name): string
  names(name: Name): readonly string[]
  hosts(name: Name): readonly string[]
  /** Absolute path of a readable file, or undefined if the variable is unset. */
  file(name: Name): string | undefined
  secret(name: Name): Secret | undefined
  /** The file that gives a secret, or undefined if a file does not. */
  secretFile(name: Name): SecretFile | undefined
  isOn(name: Name): boolean
}

/** Reads single variables and collects their faults; a faulty variable gets its default until all faults are found. */
export function createReader<Name extends string>(
  variables: Readonly<Record<Name, Variable>>,
  env: Environment,
  cwd: string,
  faults: ConfigFault[]
): Reader<Name> {
  function take<T>(name: string, parsed: values.Parsed<T>, fallback: T): T {
    if (parsed.ok) return parsed.value
    // A limit that is the default of another one is read twice.
    if (!faults.some((fault) => fault.name === name)) faults.push({ name, rule: parsed.rule })
    return fallback
  }
  const reader: Reader<Name> = {
    integer(name) {
      const variable = variables[name]
      if (variable.type !== 'integer') throw new TypeError(`${name} is no integer`)
      const { min, max } = variable
      const fallback =
        typeof variable.default === 'number' ? variable.default : reader.integer(variable.default as Name)
      return env[name] ? take(name, values.parseInteger(env[name], min, max), fallback) : fallback
    },
    text(name) {
      const variable = variables[name]
      const fallback = 'default' in variable ? String(variable.default) : ''
      return env[name] ? take(name, parseText(variable, env[name]), fallback) : fallback
    },
    names: (name) => (env[name] ? take(name, values.parseNames(env[name]), []) : []),
    file(name) {
      if (!env[name]) return undefined
      const read = take(name, readSmallFile(cwd, env[name]), undefined)
      return read === undefined ? undefined : resolve(cwd, env[name])
    },
    hosts: (name) => (env[name] ? take(name, values.parseHosts(env[name]), []) : []),
    secret(name) {
      const variable = variables[name]
      if (variable.type !== 'secret') throw new TypeError(`${name} is no secret`)
      const parse = secretParsers[variable.format]
      const fileName = `${name}_FILE`
      if (env[name] && env[fileName])
        return take(name, { ok: false, rule: `and ${fileName} must not both be set` }, undefined)
      if (env[name]) return take<Secret | undefined>(name, parse(env[name]), undefined)
      const file = reader.secretFile(name)
      return file && take<Secret | undefined>(fileName, file.read(), undefined)
    },
    secretFile(name) {
      const variable = variables[name]
      if (variable.type !== 'secret') throw new TypeError(`${name} is no secret`)
      const parse = secretParsers[variable.format]
      const path = env[`${name}_FILE`]
      if (!path) return undefined
      const read = (): values.Parsed<Secret> => {
        const text = readSmallFile(cwd, path)
        return text.ok ? about(parse(text.value)) : text
      }
      return { path: resolve(cwd, path), read }
    },
    isOn(name) {
      const variable = variables[name]
      if (variable.type !== 'switch') throw new TypeError(`${name} is no switch`)
      if (!env[name] || variable.others === 'on') return env[name] !== 'false'
      return take(name, values.parseSwitch(env[name]), true)
    }
  }
  return reader
}

function parseText(variable: Variable, text: string): values.Parsed<string> {
  if (variable.type === 'url') return values.parseBase(text)
  if (variable.type === 'host') return values.parseHost(text)
  if (variable.type === 'name') return values.parseName(text)
  if (variable.type === 'enum') return values.parseEnum(text, variable.values)
  if (variable.type === 'text') return textParsers[variable.format](text)
  return values.parsePath(text)
}

/** Says that a rule concerns the contents of the file, not its path. */
function about<T>(parsed: values.Parsed<T>): values.Parsed<T> {
  return parsed.ok ? parsed : { ok: false, rule: `names a file whose content ${parsed.rule}` }
}

function readSmallFile(cwd: string, name: string): values.Parsed<string> {
  const named = values.parsePath(name)
  if (!named.ok) return named
  const path = resolve(cwd, name)
  try {
    const stat = statSync(path)
    if (!stat.isFile()) return { ok: false, rule: 'must name a file' }
    if (stat.size > fileBytesMax) return { ok: false, rule: `must name a file of at most ${fileBytesMax} bytes` }
    return { ok: true, value: readFileSync(path, 'utf8').trim() }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    return { ok: false, rule: `must name a file that can be read (${code ?? 'unknown error'})` }
  }
}
