/** Members of a record in display form: units move from the name to the value. */
import { formatBytes, formatCount, formatDuration, formatName, formatTime, formatWord, formatWords } from './format.ts'

const units = /(Ms|Bytes)$/

/** `scanMs` becomes `Scan`, `policyRevision` becomes `Policy revision`. */
export const factName = (name: string): string => formatWord(name.replace(units, ''))

/** The same within a sentence: `scan`, `policy revision`. */
export const factWords = (name: string): string => formatWords(name.replace(units, ''))

/** A value with the unit that its member's name implies. */
export function factValue(name: string, value: unknown): string {
  if (typeof value === 'number') {
    if (name.endsWith('Ms')) return formatDuration(value)
    if (name.endsWith('Bytes')) return formatBytes(value)
    return name.endsWith('At') ? formatTime(new Date(value)) : formatCount(value)
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string') return formatName(value)
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return value.map((one) => factValue('', one)).join(', ')
  return Object.entries(value)
    .map(([member, inner]) => `${formatName(member)} ${factValue(member, inner)}`)
    .join(', ')
}
