/** Masks a short text of the service's own records: a name, a label, a header. */
import type { Scanner } from '../../detection/findings.ts'

/** How many texts known to be clean are kept, and how long they may be. A fleet uses the same few names repeatedly. */
const knownMax = 4096
const knownLengthMax = 64

/**
 * Makes a function that replaces every value that a scan finds by its kind's label, whatever the profile says: no
 * policy decides what is recorded.
 * @returns the same text if nothing is found
 */
export function createScrubber(scanner: Scanner): (text: string) => string {
  // Only texts without findings, so that no value stays in memory.
  const known = new Set<string>()
  return (text) => {
    if (known.has(text)) return text
    let out = ''
    let from = 0
    for (const { kind, start, end } of scanner.scan(text)) {
      out += text.slice(from, start) + (scanner.kinds.get(kind)?.label ?? 'MASKED')
      from = end
    }
    if (from > 0) return out + text.slice(from)
    if (text.length > knownLengthMax) return text
    if (known.size >= knownMax) known.clear()
    known.add(text)
    return text
  }
}
