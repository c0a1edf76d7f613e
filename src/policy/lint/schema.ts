/** Schema errors of a document, as findings with pointers. No message repeats a value. */
import type { z } from 'zod'
import { pointerTo } from '../json-pointer.ts'
import { error, type LintCode, type LintFinding } from './finding.ts'
import { nearestName } from './nearest-name.ts'
import { findUnexaminable } from './unexaminable.ts'
import { documentSchemas, knownNamesAt, type DocumentName } from '../policy-schemas.ts'

type Parsed<T> = { readonly document: T } | { readonly findings: LintFinding[] }
type Issue = z.core.$ZodIssue

/**
 * Parses a document.
 * @returns it with its defaults, or what is wrong with it
 */
export function parseDocument<N extends DocumentName>(
  name: N,
  document: unknown
): Parsed<z.output<(typeof documentSchemas)[N]>> {
  const unexaminable = findUnexaminable(document, `/${name}`)
  if (unexaminable !== undefined) return { findings: [unexaminable] }
  const unknownVersion = findUnknownVersion(name, document)
  if (unknownVersion !== undefined) return { findings: [unknownVersion] }
  const result = documentSchemas[name].safeParse(document)
  if (result.success) return { document: result.data as z.output<(typeof documentSchemas)[N]> }
  return { findings: result.error.issues.flatMap((issue) => findingsOf(name, issue, [])) }
}

/** Nothing else can be said about a document of another version. */
function findUnknownVersion(name: DocumentName, document: unknown): LintFinding | undefined {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return undefined
  const path = `/${name}/version`
  if (!Object.hasOwn(document, 'version')) return error(path, 'missing_key', 'The document needs a version: 1.')
  if ((document as { version: unknown }).version === 1) return undefined
  return error(path, 'unknown_version', 'This program reads only version 1 of the document.')
}

function findingsOf(name: DocumentName, issue: Issue, base: readonly PropertyKey[]): LintFinding[] {
  const path = [...base, ...issue.path]
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(name, path, key))
  if (issue.code === 'invalid_union') {
    const inner = nearestAlternative(issue.errors)
    if (inner.length > 0) return inner.flatMap((one) => findingsOf(name, one, path))
  }
  const { code, message } = explain(issue)
  return [error(pointerTo(`/${name}`, path), code, message)]
}

/** The alternative of a union that was probably meant: the one that fails latest, and not because of its type. */
function nearestAlternative(alternatives: readonly (readonly Issue[])[]): readonly Issue[] {
  const isOfType = (issues: readonly Issue[]): boolean =>
    issues.every((issue) => issue.code !== 'invalid_type' || issue.path.length > 0)
  return alternatives.find(isOfType) ?? []
}

function unknownKey(name: DocumentName, path: readonly PropertyKey[], key: string): LintFinding {
  const known = knownNamesAt(name, path)
  const nearest = nearestName(key, known, 3) ?? known.find((one) => one.toLowerCase() === key.toLowerCase())
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
  const pointer = pointerTo(`/${name}`, [...path, key])
  return error(pointer, 'unknown_key', `There is no setting with this name here.${hint}`)
}

const article = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`)
const typeNames: Readonly<Record<string, string>> = { array: 'list', int: 'whole number', record: 'object' }

function explain(issue: Issue): { code: LintCode; message: string } {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined && issue.message.endsWith('received undefined'))
        return { code: 'missing_key', message: 'This setting is missing.' }
      return { code: 'invalid_type', message: `It must be ${article(typeNames[issue.expected] ?? issue.expected)}.` }
    case 'invalid_value':
      return {
        code: 'invalid_value',
        message: `It must be ${issue.values.map((one) => JSON.stringify(one)).join(' or ')}.`
      }
    case 'too_big':
      return { code: 'invalid_value', message: `It must have at most ${sizeOf(issue.maximum, issue.origin)}.` }
    case 'too_small':
      return { code: 'invalid_value', message: `It must have at least ${sizeOf(issue.minimum, issue.origin)}.` }
    case 'invalid_format':
      return { code: 'invalid_value', message: formatMessage(issue.format, issue.pattern) }
    case 'invalid_key':
      return { code: 'invalid_value', message: 'A key like this is not allowed here.' }
    case 'custom':
      return { code: 'invalid_value', message: `It ${issue.message}.` }
    default:
      return { code: 'invalid_value', message: 'It has none of the forms that are allowed here.' }
  }
}

function sizeOf(bound: number | bigint, origin: string): string {
  if (origin === 'string') return `${bound} characters`
  return origin === 'array' ? `${bound} items` : `the value ${bound}`
}

function formatMessage(format: string, pattern: string | undefined): string {
  if (format === 'datetime') return 'It must be a time in UTC such as 2027-01-31T00:00:00Z.'
  if (format === 'url') return 'It must be an http or https URL.'
  return pattern === undefined ? `It must have the form ${format}.` : `It must match ${pattern}.`
}
