/** Describes a difference between two policies. */
import type { RawChange } from './diff.ts'
import { documentNames, jsonSchemaOf, type JsonSchema } from '../policy-schemas.ts'

/** Lists whose entries have names that may be repeated: ids, and names of servers and tools. */
const named: Readonly<Record<string, string>> = {
  rules: 'Rule',
  servers: 'Server',
  custom: 'Custom pattern'
}

/** @returns a sentence such as `Rule "no-delete": effect changes from deny to allow.` */
export function sayChange({ steps, kind, isEntry, before, after }: RawChange): string {
  const [, list = '', id = '', ...inner] = steps
  const noun = named[list]
  if (noun !== undefined && steps.length > 2) {
    const subject = `${noun} "${id}"`
    if (inner.length === 0) return `${subject} is ${kind}${kind === 'added' ? ruleSummary(after) : ''}.`
    return `${subject}: ${isEntry ? sayEntry(inner, kind) : say(inner, kind, before, after)}`
  }
  if (list === 'actions' && inner.length === 1) return sayAction(id, inner[0] as string, kind, before, after)
  const settings = steps.slice(1)
  return capitalised(isEntry ? sayEntry(settings, kind) : say(settings, kind, before, after))
}

/** The names of such entries are their values, which are not repeated. */
function sayEntry(settings: readonly string[], kind: string): string {
  return `an entry is ${kind} ${kind === 'added' ? 'to' : 'from'} ${settings.slice(0, -1).join('.')}.`
}

function ruleSummary(rule: unknown): string {
  const { effect } = rule as { effect?: unknown }
  return typeof effect === 'string' ? ` (${effect})` : ''
}

function sayAction(what: string, name: string, kind: string, before: unknown, after: unknown): string {
  const subject = `The action for ${what === 'groups' ? 'the group' : 'the kind'} ${name}`
  if (kind === 'added') return `${subject} is now ${shown(after)}.`
  if (kind === 'removed') return `${subject} is the preset default again, no longer ${shown(before)}.`
  return `${subject} changes from ${shown(before)} to ${shown(after)}.`
}

function say(settings: readonly string[], kind: string, before: unknown, after: unknown): string {
  const setting = settings.join('.')
  const values = [shown(before), shown(after)]
  if (kind === 'added') return `${setting} is set${values[1] === '' ? '' : ` to ${values[1]}`}.`
  if (kind === 'removed') return `${setting} is no longer set.`
  return values.includes('') ? `${setting} changes.` : `${setting} changes from ${values[0]} to ${values[1]}.`
}

/** Numbers, booleans and words listed in the schemas are shown; free text is not. */
function shown(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  words ??= new Set(documentNames.flatMap((name) => [...listedWords(jsonSchemaOf(name))]))
  return typeof value === 'string' && words.has(value) ? value : ''
}

let words: ReadonlySet<unknown> | undefined

function* listedWords(schema: unknown): Generator {
  if (typeof schema !== 'object' || schema === null) return
  yield* (schema as JsonSchema).enum ?? []
  for (const inner of Object.values(schema)) yield* listedWords(inner)
}

const capitalised = (sentence: string): string => sentence.charAt(0).toUpperCase() + sentence.slice(1)
