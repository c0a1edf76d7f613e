/** The surroundings of a finding, for people to find it by, without anything that was found. */
import type { Finding } from '../../detection/findings.ts'

const unitsBefore = 48
const unitsAfter = 32
/** Shorter values stand in any text by chance. */
const repeatedUnitsMin = 4

/**
 * The line around `findings[index]`, cut to a readable length. This finding and its neighbours are written as their
 * labels, and so is any further place of this value. Control characters, which could steer a terminal, become blanks.
 * @param line the bounds of the line in which the finding starts
 */
export function excerptOf(
  text: string,
  findings: readonly Finding[],
  index: number,
  line: { readonly start: number; readonly end: number },
  labelOf: (kind: string) => string
): string {
  const finding = findings[index] as Finding
  const from = Math.max(line.start, finding.start - unitsBefore)
  const to = Math.max(finding.end, Math.min(line.end, finding.end + unitsAfter))
  let first = index
  while (first > 0 && (findings[first - 1] as Finding).end > from) first--
  const value = text.slice(finding.start, finding.end)
  const own = `<${labelOf(finding.kind)}>`
  const plain = (start: number, end: number): string => {
    const part = text.slice(start, end)
    return value.length < repeatedUnitsMin ? part : part.replaceAll(value, () => own)
  }
  let out = from > line.start ? '…' : ''
  let at = from
  for (let i = first; i < findings.length; i++) {
    const one = findings[i] as Finding
    if (one.start >= to) break
    out += plain(at, Math.max(at, one.start)) + `<${labelOf(one.kind)}>`
    at = Math.max(at, one.end)
  }
  // Of a value over several lines only the first is shown: the tail would not help to find it.
  const isLong = finding.end > line.end
  if (!isLong && at < to) out += plain(at, to)
  if (!isLong && to < line.end) out += '…'
  return printable(out.trim())
}

/** A text without control characters and without marks that turn the direction of writing. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
}
