/** Different spellings of one JSON value, which vendors read as the same. */

/** A way to write a body. */
interface Writer {
  readonly name: string
  /** Whether it repeats the member with the planted value. */
  readonly isDoubled: boolean
  write(value: unknown, planted: unknown): string
}

const escapedText = (text: string): string =>
  `"${Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')}"`

type Entries = readonly (readonly [name: string, value: unknown])[]

/** Serialises JSON with the given spelling of texts and order of members. */
function written(value: unknown, text: (text: string) => string, order: (entries: Entries) => Entries): string {
  if (typeof value === 'string') return text(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item) => written(item, text, order)).join(',')}]`
  const members = order(Object.entries(value)).map(([name, inner]) => `${text(name)}:${written(inner, text, order)}`)
  return `{${members.join(',')}}`
}

const asIs = (entries: Entries): Entries => entries
const isAt = (value: unknown, planted: unknown): boolean =>
  value === planted || (Array.isArray(value) && value.some((item) => isAt(item, planted)))

/** Writes the member with the planted value twice. @param first whether the planted one comes first */
const doubled =
  (first: boolean): Writer['write'] =>
  (value, planted) =>
    written(value, JSON.stringify, (entries) =>
      entries.flatMap(([name, inner]) => {
        const pair: Entries = [
          [name, inner],
          [name, 'a']
        ]
        return isAt(inner, planted) ? (first ? pair : pair.toReversed()) : [[name, inner]]
      })
    )

/**
 * Every text and name of a body, one per line, including duplicates: the same for every form except the doubled ones.
 */
export const textsOf = (body: string): string =>
  [...body.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([text]) => JSON.stringify(JSON.parse(text))).join('\n')

/** The forms; with the last two a body may be refused, since vendors differ in which of two members they use. */
export const forms: readonly Writer[] = [
  { name: 'as the SDK writes it', isDoubled: false, write: (value) => JSON.stringify(value) },
  {
    name: 'with lines and tabs',
    isDoubled: false,
    write: (value) => JSON.stringify(value, undefined, '\t').replaceAll('\n', '\r\n')
  },
  { name: 'with every character escaped', isDoubled: false, write: (value) => written(value, escapedText, asIs) },
  {
    name: 'with its members turned round',
    isDoubled: false,
    write: (value) => written(value, JSON.stringify, (entries) => entries.toReversed())
  },
  { name: 'twice, first', isDoubled: true, write: doubled(true) },
  { name: 'twice, last', isDoubled: true, write: doubled(false) }
]
