/** Where the findings in a text within a text stand in the outer text, and which of them count there. */
import type { Finding } from '../findings.ts'
import type { DecodedText } from '../normalise/decoded-text.ts'
import type { Decoded } from '../normalise/encoded-run.ts'
import { hasMargin, MarginReader } from '../normalise/margins.ts'
import type { Shadow } from '../normalise/shadow.ts'
import type { FieldText } from './field-text.ts'
import { fillsLine } from './lone-line.ts'
import { tellsItself } from './overlap.ts'

/** Takes over a finding at a place of the outer text. */
export type Adopt = (finding: Finding, start: number, end: number) => void

/** How far before a value its context extends, in code units. */
const contextReach = 64

/**
 * Of a shadow, those near something that reads differently.
 * @param found what is found in the outer text so far
 */
export function adoptShadow(
  { map, joins }: Shadow,
  findings: readonly Finding[],
  found: readonly Finding[],
  adopt: Adopt
): void {
  for (const finding of findings) {
    const { start, end } = finding
    if (!map.changedWithin(start - contextReach, end)) continue
    const from = map.startOf(start)
    if (joins.some((join) => join > start && join < end)) {
      if (!isSure(finding) && !tellsItself(finding)) continue
      if (isFoundAt(found, finding.kind, from)) continue
    }
    adopt(finding, from, map.endOf(end - 1))
  }
}

/** How many of the latest findings are searched. */
const latestMax = 64

/** Whether a surer finding of a kind begins at `start`, so that the key ends with its line. */
function isFoundAt(found: readonly Finding[], kind: string, start: number): boolean {
  for (let i = found.length - 1; i >= 0 && i >= found.length - latestMax; i--) {
    const one = found[i] as Finding
    if (one.start === start && one.kind === kind && one.confidence !== 'weak' && one.confidence !== 'medium')
      return true
  }
  return false
}

/** Of text that was decoded from base64. */
export function adoptDecoded(
  { starts, ends, whole, isText }: Decoded,
  findings: readonly Finding[],
  adopt: Adopt
): void {
  for (const finding of findings) {
    if (finding.confidence === 'weak' || finding.tier === 'low' || finding.tier === 'none') continue
    // Decoded public keys and archives contain names of people. They are not readable, and would not become less so by a
    // partial mask.
    if (!isText && finding.group !== 'secret') continue
    if (whole === undefined) adopt(finding, starts[finding.start] as number, ends[finding.end - 1] as number)
    else adopt(finding, whole.start, whole.end)
  }
}

/**
 * Of a text behind the name of its field, those in the text.
 * @param units the length of the text
 */
export function adoptField({ from }: FieldText, units: number, findings: readonly Finding[], adopt: Adopt): void {
  for (const finding of findings) {
    const start = finding.start - from
    const end = finding.end - from
    if (start >= 0 && end <= units) adopt(finding, start, end)
  }
}

/** A text within a text, and where its units are written. */
type NestedText = Pick<DecodedText, 'text' | 'startOf' | 'endOf'>

/** A text in a string, without its margin if it has one. */
export function withoutMargin(nested: DecodedText): NestedText {
  if (!hasMargin(nested.text)) return nested
  const reader = new MarginReader(nested.text)
  reader.step(Infinity)
  return {
    text: reader.plain,
    startOf: (unit) => nested.startOf(reader.placeOf(unit)),
    endOf: (unit) => nested.endOf(reader.placeOf(unit))
  }
}

/** Of a text in a string, a URL, markup or a dump. */
export function adoptNested(nested: NestedText, findings: readonly Finding[], adopt: Adopt): void {
  let last: { finding: Finding; start: number; end: number } | undefined
  for (const finding of findings) {
    // A number on a line of its own is significant in a message, but not in a file within a string.
    if (finding.group !== 'secret' && !isSure(finding) && fillsLine(nested.text, finding)) continue
    const start = nested.startOf(finding.start)
    const end = nested.endOf(finding.end - 1)
    // Two findings in one line of a dump, which is masked to its end.
    if (last !== undefined && start < last.end) last.end = end
    else {
      if (last !== undefined) adopt(last.finding, last.start, last.end)
      last = { finding, start, end }
    }
  }
  if (last !== undefined) adopt(last.finding, last.start, last.end)
}

function isSure({ confidence }: Finding): boolean {
  return confidence === 'strong' || confidence === 'certain'
}
