/** Searches very many bytes for very many needles at once; one search per needle would take minutes. */

const prefixBytes = 4
const slotBits = 18

const slotOf = (bytes: Uint8Array, at: number): number => {
  const word =
    ((bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24)) >>>
    0
  return Math.imul(word, 0x9e3779b1) >>> (32 - slotBits)
}

/**
 * Finds which texts occur anywhere in `bytes`, as UTF-8.
 * @param needles at least 4 bytes each
 */
export function occurring(bytes: Uint8Array, needles: Iterable<string>): Set<string> {
  const bySlot = new Map<number, { readonly text: string; readonly needle: Buffer }[]>()
  const isTaken = new Uint8Array(1 << slotBits)
  for (const text of needles) {
    const needle = Buffer.from(text)
    if (needle.length < prefixBytes) throw new RangeError('A needle must have at least 4 bytes.')
    const slot = slotOf(needle, 0)
    isTaken[slot] = 1
    bySlot.set(slot, [...(bySlot.get(slot) ?? []), { text, needle }])
  }
  const haystack = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found = new Set<string>()
  for (let at = 0; at + prefixBytes <= haystack.length; at++) {
    const slot = slotOf(haystack, at)
    if (isTaken[slot] === 0) continue
    for (const { text, needle } of bySlot.get(slot) ?? []) {
      if (!found.has(text) && haystack.subarray(at, at + needle.length).equals(needle)) found.add(text)
    }
  }
  return found
}
