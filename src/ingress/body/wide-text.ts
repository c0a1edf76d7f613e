/**
 * Text in units of two or four bytes that was not read as such: UTF-16 that is cut in the middle of a unit or
 * begins with other scripts, UTF-32, the texts of a program or of a file of an office.
 */

/** Shorter runs are chance: nearly all bytes of media have a zero beside them now and then. */
const runMin = 8
/** A unit of UTF-32 has three. */
const zerosMax = 3
/** Units between two pauses: a fraction of a millisecond. */
const unitsPerStep = 131_072

const isPrintable = (unit: number): boolean => (unit >= 0x20 && unit <= 0x7e) || unit === 0x09

/**
 * The runs of printable ASCII that have zeros between their letters, without these and with a line break between two runs.
 * @param content bytes in an encoding in which those of ASCII, zero among them, stand for themselves
 */
export function* wideText(content: string): Generator<void, string, void> {
  if (!content.includes('\0')) return ''
  const runs: string[] = []
  let run = ''
  const end = (): void => {
    if (run.length >= runMin) runs.push(run)
    run = ''
  }
  for (let at = 0, pauseAt = unitsPerStep; at < content.length;) {
    if (at >= pauseAt) {
      pauseAt = at + unitsPerStep
      yield
    }
    const unit = content.charCodeAt(at)
    let next = at + 1
    while (next < content.length && next - at <= zerosMax && content.charCodeAt(next) === 0) next++
    const isWide = next > at + 1
    if (isPrintable(unit)) run += content.charAt(at)
    // Of units that begin with their zeros the last one has none behind it.
    if (!isWide || !isPrintable(unit)) end()
    at = next
  }
  end()
  return runs.join('\n')
}
