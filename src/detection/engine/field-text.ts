/** A short text together with the name of the field whose value it is. */

/** The longest text that is read together with the name of its field, and the longest such name. */
const textUnitsMax = 4096
const nameUnitsMax = 64
const quotes = ['"', "'", '`'] as const

/** What a program would write: `"password": "..."`. */
export interface FieldText {
  readonly text: string
  /** Where the value begins. */
  readonly from: number
}

/**
 * Writes a text behind the name of its field, as if both stood in one text.
 * @returns undefined if there is no name, one of the two is long, or the text has all quotes
 */
export function fieldText(name: string, value: string): FieldText | undefined {
  if (name === '' || name.length > nameUnitsMax || value.length > textUnitsMax) return undefined
  const quote = quotes.find((one) => !value.includes(one))
  if (quote === undefined) return undefined
  const head = quote + name + quote + ': ' + quote
  return { text: head + value + quote, from: head.length }
}
