/**
 * Values that are never findings because everybody knows them: what vendors and standards publish, and addresses at domains
 * that are reserved for documentation. A scan passes them without a word; here they are listed, for somebody who tries a text
 * and wonders why its card number stays.
 */
import { base62Set, charSet, inSet, runEnd, runStart } from '../text/chars.ts'
import { documentationDomains, publishedSamples } from './placeholders.ts'

export interface KnownSample {
  /** UTF-16 units of the text, half-open. */
  readonly start: number
  readonly end: number
  readonly reason: 'published_sample' | 'documentation_domain'
}

const localSet = charSet('A-Z', 'a-z', '0-9', '._%+-')
const domainSet = charSet('A-Z', 'a-z', '0-9', '.-')
const localUnitsMax = 64
const domainUnitsMax = 253
const groupSeparators = charSet(' -')

/** Samples by their first character, the longest first: one JWT may begin as another does. */
const samplesByFirst = Map.groupBy(
  [...publishedSamples].toSorted((a, b) => b.length - a.length),
  (sample) => sample.charCodeAt(0)
)

/**
 * Lists the known samples of a text, in order and disjoint.
 * @param most how many to list
 */
export function findKnownSamples(text: string, most: number): KnownSample[] {
  const found: KnownSample[] = []
  for (let i = 0; i < text.length && found.length < most; i++) {
    const sample = sampleAt(text, i) ?? addressAt(text, i)
    if (sample === undefined) continue
    if (sample.start >= (found.at(-1)?.end ?? 0)) found.push(sample)
    i = sample.end - 1
  }
  return found
}

function sampleAt(text: string, start: number): KnownSample | undefined {
  const samples = samplesByFirst.get(text.charCodeAt(start))
  if (samples === undefined || inSet(base62Set, text.charCodeAt(start - 1))) return undefined
  for (const sample of samples) {
    const end = endOfSample(text, start, sample)
    if (end !== undefined && !inSet(base62Set, text.charCodeAt(end))) return { start, end, reason: 'published_sample' }
  }
  return undefined
}

/** Where the sample ends that begins at `start`, written as published or with a blank or dash between its groups. */
function endOfSample(text: string, start: number, sample: string): number | undefined {
  let at = start
  for (let i = 0; i < sample.length; i++) {
    const code = sample.charCodeAt(i)
    if (text.charCodeAt(at) !== code && inSet(groupSeparators, text.charCodeAt(at))) at++
    if (text.charCodeAt(at) !== code) return undefined
    at++
  }
  return at
}

/** The address whose `@` stands at `at`. */
function addressAt(text: string, at: number): KnownSample | undefined {
  if (text.charCodeAt(at) !== 64) return undefined
  const start = runStart(text, at, localSet, localUnitsMax)
  let end = runEnd(text, at + 1, domainSet, domainUnitsMax)
  while (end > at + 1 && !inSet(base62Set, text.charCodeAt(end - 1))) end--
  const domain = text.slice(at + 1, end).toLowerCase()
  const isReserved = documentationDomains.some((one) => domain === one || domain.endsWith(`.${one}`))
  return start < at && isReserved ? { start, end, reason: 'documentation_domain' } : undefined
}
