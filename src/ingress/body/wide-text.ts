/**
 * Text in units of two or four bytes that was not read as such: UTF-16 that is cut in the middle of a unit or
 * begins with other scripts, UTF-32, the texts of a program or of a file of an office.
 */

import { letGo } from './let-go.ts'

/** Shorter runs are chance: nearly all bytes of media have a zero beside them now and then. */
const runMin = 8
/** A unit of UTF-32 has three. */
const zerosMax = 3
/** Units between two pauses: a fraction of a millisecond. */
const unitsPerStep = 32_768
const lineFeed = 0x0a
/** What is kept at most: the shortest run, whose last letter may have no zero behind it, and a line break. */
const bytesPerUnitMax = (runMin + 1) / (2 * runMin - 1)

const isPrintable = (unit: number): boolean => (unit >= 0x20 && unit <= 0x7e) || unit === 0x09

/**
 * The runs of printable ASCII that have zeros between their letters, without these and with a line break between two runs.
 * @param content bytes in an encoding in which those of ASCII, zero among them, stand for themselves
 */
export function* wideText(content: string): Generator<void, string, void> {
  if (!content.includes('\0')) return ''
  // A string that grows by letters holds an object for each.
  const runs = Buffer.alloc(Math.ceil(content.length * bytesPerUnitMax) + runMin)
  let runStart = 0
  let to = 0
  for (let at = 0, pauseAt = unitsPerStep; at < content.length;) {
    if (at >= pauseAt) {
      pauseAt = at + unitsPerStep
      yield
    }
    if (to === runStart) {
      // Nearly all bytes of media stand far from a zero, and no run begins there.
      const zero = content.indexOf('\0', at)
      if (zero < 0) break
      at = Math.max(at, zero - 1)
    }
    const unit = content.charCodeAt(at)
    let next = at + 1
    while (next < content.length && next - at <= zerosMax && content.charCodeAt(next) === 0) next++
    const isWide = next > at + 1
    if (isPrintable(unit)) runs[to++] = unit
    // Of units that begin with their zeros the last one has none behind it.
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
