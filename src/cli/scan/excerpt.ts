/** The text around a finding, so that people can locate it, without anything that was found. */
import type { Finding } from '../../detection/findings.ts'

const unitsBefore = 48
const unitsAfter = 32
/** Shorter values occur in any text by chance. */
const repeatedUnitsMin = 4

/**
 * The line around `findings[index]`, cut to a readable length. This finding and its neighbours are replaced by their
 * labels, and so is any further occurrence of this value. Control characters, which could steer a terminal, become
 * blanks.
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
  // Of a value over several lines only the first is shown: the rest would not help to locate it.
  const isLong = finding.end > line.end
  if (!isLong && at < to) out += plain(at, to)
  if (!isLong && to < line.end) out += '…'
  return printable(out.trim())
}

/** A text without control characters and without marks that change the direction of writing. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
}
