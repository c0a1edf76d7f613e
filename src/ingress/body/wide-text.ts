/**
 * Finds text in units of two or four bytes that was not decoded as such: UTF-16 that is cut inside a unit or begins
 * with another script, UTF-32, and strings inside executables or office files.
 */

import { letGo } from './let-go.ts'

/** Shorter runs are chance: in nearly all media, some bytes have a zero beside them. */
const runMin = 8
/** A UTF-32 unit has three zeros. */
const zerosMax = 3
/** Code units between two pauses: a fraction of a millisecond. */
const unitsPerStep = 32_768
const lineFeed = 0x0a
/** The largest output: the shortest run, whose last character may have no zero after it, and a line break. */
const bytesPerUnitMax = (runMin + 1) / (2 * runMin - 1)

const isPrintable = (unit: number): boolean => (unit >= 0x20 && unit <= 0x7e) || unit === 0x09

/**
 * The runs of printable ASCII whose characters are separated by zeros, without the zeros and with a line break between
 * runs.
 * @param content bytes in an encoding that represents ASCII, including zero, as itself
 */
export function* wideText(content: string): Generator<void, string, void> {
  if (!content.includes('\0')) return ''
  // A string that grows by one character at a time allocates an object for each.
  const runs = Buffer.alloc(Math.ceil(content.length * bytesPerUnitMax) + runMin)
  let runStart = 0
  let to = 0
  for (let at = 0, pauseAt = unitsPerStep; at < content.length;) {
    if (at >= pauseAt) {
      pauseAt = at + unitsPerStep
      yield
    }
    if (to === runStart) {
      // In most media zeros are rare, and no run begins far from one.
      const zero = content.indexOf('\0', at)
      if (zero < 0) break
      at = Math.max(at, zero - 1)
    }
    const unit = content.charCodeAt(at)
    let next = at + 1
    while (next < content.length && next - at <= zerosMax && content.charCodeAt(next) === 0) next++
    const isWide = next > at + 1
    if (isPrintable(unit)) runs[to++] = unit
    // In big-endian text, zeros come first, so the last unit has none after it.
    if (!isWide || !isPrintable(unit)) {
      if (to - runStart >= runMin) runs[to++] = lineFeed
      else to = runStart
      runStart = to
    }
    at = next
  }
  const text = runs.toString('latin1', 0, to - runStart >= runMin ? to : Math.max(0, runStart - 1))
  letGo(runs)
  return text
}
