/** Cleans a short text of the service's own records: a name, a label, a header that is written down. */
import type { Scanner } from '../detection/findings.ts'

/**
 * Makes a function that writes the kind's label in place of every value that a scan finds, whatever the profile says:
 * what is recorded is not up to a policy.
 * @returns the same text where nothing is found
 */
export function createScrubber(scanner: Scanner): (text: string) => string {
  return (text) => {
    let out = ''
    let from = 0
    for (const { kind, start, end } of scanner.scan(text)) {
      out += text.slice(from, start) + (scanner.kinds.get(kind)?.label ?? 'MASKED')
      from = end
    }
    return out + text.slice(from)
  }
}
