/** Cleans a short text of the service's own records: a name, a label, a header that is written down. */
import type { Scanner } from '../../detection/findings.ts'

/** Of texts known to be clean: how many, and how long. A fleet uses the same few names over and over. */
const knownMax = 4096
const knownLengthMax = 64

/**
 * Makes a function that writes the kind's label in place of every value that a scan finds, whatever the profile says:
 * what is recorded is not up to a policy.
 * @returns the same text where nothing is found
 */
export function createScrubber(scanner: Scanner): (text: string) => string {
  // Only texts in which nothing was found, so that no value stays in memory.
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
