/**
 * Whether events of a stream can be let go before they are read. What is put back, and what has to wait, shows in the bytes
 * of a JSON text: a tag, or a string that ends as a placeholder begins. A glance at those is all that a client waits for.
 */
import { isTagUnit, tagUnits, type RestoreTable } from '../../policy/restore/restore.ts'

const quote = 0x22
const backslash = 0x5c
const letterU = 0x75
const underscore = 0x5f

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39
const isCapital = (byte: number): boolean => byte >= 0x41 && byte <= 0x5a
/** Of these a placeholder is made, and nothing that JSON writes after a backslash is among them but in `\u`. */
const isUnit = (byte: number): boolean => isCapital(byte) || isDigit(byte) || byte === underscore

/** Bytes that tell nothing: all but three. */
const isPlain = new Uint8Array(256).fill(1)
for (const byte of [quote, underscore, backslash]) isPlain[byte] = 0

/**
 * Whether something in these events may be put back, or has to wait for what follows, when nothing waits yet. It may say
 * so of events in which nothing does, and never the other way round.
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

/** Whether the string that ends at `end` may go on as a placeholder. Labels begin with a capital. */
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
