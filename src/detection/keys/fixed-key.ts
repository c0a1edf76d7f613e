/** Matchers for keys with a fixed signature: a prefix, an alphabet, a length, boundaries, and perhaps a checksum. */
import {
  base64Set,
  consistsOf,
  countOf,
  digitSet,
  hexSet,
  leftClear,
  lowerSet,
  rightClear,
  runEnd,
  upperSet,
  wordSet,
  type CharSet
} from '../text/chars.ts'
import type { Anchor, Detector, Match } from '../detector.ts'
import type { Confidence, Tier } from '../findings.ts'
import { isFilled, looksLikeDummy, namesGap } from '../values/placeholders.ts'

/** One written form of a key. */
export interface KeyForm {
  readonly prefix: string
  /** The alphabet of what follows the prefix (the body). */
  readonly set: CharSet
  /** The least and the most code units of the body. */
  readonly min: number
  readonly max: number
  /** Characters that may not stand on either side. Default: the alphabet together with word characters. */
  readonly boundary?: CharSet
  /**
   * Judges the body, for checksums and marks inside it. Default: `strong`; undefined is no match.
   * @param body what follows the prefix
   */
  judge?(body: string): Confidence | undefined
  readonly tier?: Tier
}

type Parts = Pick<Detector, 'id' | 'label' | 'title' | 'hits' | 'misses' | 'source'> & {
  /** Default `high`. */
  readonly tier?: Tier
}

/** The detector of a secret that its written forms identify. */
export function keyDetector(parts: Parts, forms: readonly KeyForm[]): Detector {
  const lengthMin = Math.min(...forms.map((form) => form.prefix.length + form.min))
  return { tier: 'high', ...parts, group: 'secret', lengthMin, anchors: anchorsOf(forms), match: matchForms(forms) }
}

export function anchorsOf(forms: readonly KeyForm[]): Anchor[] {
  return forms.map((form) => ({
    literal: form.prefix,
    guard: { notBefore: edgesOf(form).guardEdge, behind: form.set, behindUnits: form.min }
  }))
}

/** What may not stand on either side of a key, and what may not stand before it: there, `=` is an assignment. */
interface Edges {
  readonly edge: CharSet
  readonly leftEdge: CharSet
  /** `leftEdge` without the characters that may stand before a line; see `leftClear`. */
  readonly guardEdge: CharSet
}

const edgesOfBoundary = new Map<CharSet, Edges>()
const edgesOfSet = new Map<CharSet, Edges>()

/** The edges of a form. Forms with the same alphabet and boundary share them. */
function edgesOf({ set, boundary }: KeyForm): Edges {
  const known = boundary === undefined ? edgesOfSet.get(set) : edgesOfBoundary.get(boundary)
  if (known !== undefined) return known
  const edge = boundary ?? set.map((bit, code) => bit | (wordSet[code] as number))
  const leftEdge = edge.map((bit, code) => (code === 61 ? 0 : bit))
  const edges = { edge, leftEdge, guardEdge: leftEdge.map((bit, code) => (code === 43 || code === 45 ? 0 : bit)) }
  if (boundary === undefined) edgesOfSet.set(set, edges)
  else edgesOfBoundary.set(boundary, edges)
  return edges
}

/** Groups forms by the first two units of their prefix, as {@link headAt} reads them: the list may be long, and few begin alike. */
export function byHead<Form extends { readonly prefix: string }>(
  forms: readonly Form[]
): ReadonlyMap<number, readonly Form[]> {
  return Map.groupBy(forms, ({ prefix }) => headAt(prefix, 0))
}

/** The two units at `at`, as one number. */
export function headAt(text: string, at: number): number {
  return text.charCodeAt(at) * 0x10000 + text.charCodeAt(at + 1)
}

/** A matcher for keys that begin at their anchor. */
export function matchForms(forms: readonly KeyForm[]): (text: string, at: number) => Match | undefined {
  const bounded = forms.map((form) => ({ ...form, ...edgesOf(form) }))
  const table = byHead(bounded)
  return (text, at) => {
    const alike = table.get(headAt(text, at))
    if (alike === undefined) return undefined
    for (const form of alike) {
      if (!text.startsWith(form.prefix, at) || !leftClear(text, at, form.leftEdge)) continue
      const from = at + form.prefix.length
      const stop = runEnd(text, from, form.set, form.max + 2)
      const end = form.set[dotCode] === 1 ? withoutDot(text, stop) : stop
      if (end - from < form.min || end - from > form.max || !rightClear(text, stop, form.edge)) continue
      const confidence = form.judge === undefined ? 'strong' : form.judge(text.slice(from, end))
      if (confidence === undefined) continue
      return guarded(text, { start: at, end, confidence, ...(form.tier && { tier: form.tier }) })
    }
    return undefined
  }
}

const dotCode = 46

/** Drops a full stop that ends the sentence behind a key whose alphabet contains dots. */
function withoutDot(text: string, end: number): number {
  return text.charCodeAt(end - 1) === dotCode ? end - 1 : end
}

/**
 * Whether `[start, to)` consists of `set` alone and has a left boundary. For keys that a mark in their middle
 * identifies.
 */
export function reaches(text: string, start: number, to: number, set: CharSet, edge: CharSet): boolean {
  return start >= 0 && leftClear(text, start, edge) && consistsOf(text, start, to, set)
}

/** A {@link KeyForm.judge} for prefixes that words begin with as well: a key has a digit, a path or a slug rarely. */
export function digitJudge(body: string): Confidence | undefined {
  return countOf(body, 0, body.length, digitSet) > 0 ? 'strong' : undefined
}

/** Whether the rest of a value was left out, as in documentation: `ya29.a0AW...`. */
function isCutOff(text: string, end: number): boolean {
  return text.startsWith('...', end) || text.charCodeAt(end) === ellipsis
}
const ellipsis = 0x2026

/**
 * Lowers a strong match to medium if the value reads as made up or is cut off, so that it is masked but does not block.
 * @returns undefined if the value is one character over and over, or says what to put there
 */
export function guarded(text: string, match: Match): Match | undefined {
  if (isFilled(text, match.start, match.end) || namesGap(text, match.start, match.end)) return undefined
  return match.confidence === 'strong' && (looksLikeDummy(text, match.start, match.end) || isCutOff(text, match.end))
    ? { ...match, confidence: 'medium' }
    : match
}

/** Room between a name and its value for closing quotes, blanks, an operator, a short word (`is`) and a type. */
const gapUnitsMax = 32

/**
 * The base64 value that follows a name: the first run of a fitting length that begins within `unitsMax` of `from`, on
 * the same line or the next one.
 * @returns start and end (exclusive), or undefined
 */
export function valueAfter(
  text: string,
  from: number,
  min: number,
  max: number,
  unitsMax = gapUnitsMax
): { start: number; end: number } | undefined {
  const limit = Math.min(text.length, from + unitsMax)
  let lines = 0
  let i = from
  while (i < limit) {
    const code = text.charCodeAt(i)
    if (code === 10 && ++lines > 1) return undefined
    if (base64Set[code] !== 1) {
      i++
      continue
    }
    const end = runEnd(text, i, base64Set, max + 1)
    if (end - i >= min) return end - i <= max && rightClear(text, end, wordSet) ? { start: i, end } : undefined
    i = Math.max(end, i + 1)
  }
  return undefined
}

/**
 * Whether a value mixes upper case, lower case and digits, and is not hexadecimal. Names in camelCase rarely have a
 * digit.
 */
export function looksRandom(text: string, start: number, end: number): boolean {
  const length = end - start
  const digits = countOf(text, start, end, digitSet)
  if (digits === 0 || countOf(text, start, end, hexSet) === length) return false
  return countOf(text, start, end, upperSet) >= 2 && countOf(text, start, end, lowerSet) >= 2
}
