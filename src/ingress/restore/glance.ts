/**
 * Decides whether events of a stream can be passed on before they are parsed. What is restored, and what has to wait,
 * is visible in the bytes of the JSON: a tag, or a string that ends like the beginning of a placeholder. The client
 * waits for no more than this search.
 */
import { tagUnits } from '../../policy/redaction/placeholder.ts'
import { isTagUnit, type RestoreTable } from '../../policy/restore/restore.ts'

const quote = 0x22
const backslash = 0x5c
const letterU = 0x75
const underscore = 0x5f

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39
const isCapital = (byte: number): boolean => byte >= 0x41 && byte <= 0x5a
/** The characters of a placeholder. JSON writes none of them after a backslash, except in `\u`. */
const isUnit = (byte: number): boolean => isCapital(byte) || isDigit(byte) || byte === underscore

/** Bytes that can be skipped: all but three. */
const isPlain = new Uint8Array(256).fill(1)
for (const byte of [quote, underscore, backslash]) isPlain[byte] = 0

/**
 * Whether something in these events may be restored, or has to wait for what follows, given that nothing waits yet. May
 * be true for events without either, but never false for events with one.
 * @param events whole events from `from` on
 */
export function mayHoldPlaceholder(events: Buffer, from: number, table: Pick<RestoreTable, 'openFrom'>): boolean {
  for (let at = from, to = events.length; at < to; at++) {
    const byte = events[at]!
    if (isPlain[byte] === 1) continue
    if (byte === quote) {
      if (at > from && isUnit(events[at - 1]!) && isOpen(events, from, at, table)) return true
    } else if (byte === underscore) {
      if (isTag(events, at + 1)) return true
    } else if (byte === backslash && events[at + 1] === letterU) return true
  }
  return false
}

/** Whether the string that ends at `end` may continue as a placeholder. Labels begin with a capital. */
function isOpen(events: Buffer, from: number, end: number, table: Pick<RestoreTable, 'openFrom'>): boolean {
  let start = end
  let hasCapital = false
  for (; start > from && isUnit(events[start - 1]!); start--) hasCapital ||= isCapital(events[start - 1]!)
  if (!hasCapital) return false
  return table.openFrom(events.toString('latin1', start, end)) < end - start
}

function isTag(events: Buffer, from: number): boolean {
  if (from + tagUnits > events.length) return false
  for (let at = from; at < from + tagUnits; at++) if (!isTagUnit(events[at]!)) return false
  return true
}
