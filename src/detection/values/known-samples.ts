/**
 * Values that are never findings because they are public: samples of vendors and standards, and mail addresses at
 * domains reserved for documentation. A scan ignores them silently. This lists them for whoever tries a text and
 * wonders why its card number is not masked.
 */
import { base62Set, charSet, domainSet, inSet, runEnd, runStart } from '../text/chars.ts'
import { documentationDomains, publishedSamples } from './placeholders.ts'

export interface KnownSample {
  /** In UTF-16 code units; the end is exclusive. */
  readonly start: number
  readonly end: number
  readonly reason: 'published_sample' | 'documentation_domain'
}

const localSet = charSet('A-Z', 'a-z', '0-9', '._%+-')
const localUnitsMax = 64
const domainUnitsMax = 253
const groupSeparators = charSet(' -')

/** Samples by their first character, longest first: one JWT may begin like another. */
const samplesByFirst = Map.groupBy(
  [...publishedSamples].toSorted((a, b) => b.length - a.length),
  (sample) => sample.charCodeAt(0)
)

/**
 * Lists the known samples of a text, sorted and disjoint.
 * @param most the most samples to list
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

/**
 * The end of the sample that begins at `start`, written as published or with a blank or dash between its groups;
 * undefined if it is not that sample.
 */
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
