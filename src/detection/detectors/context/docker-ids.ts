/** Ids that commands of Docker print, which look like secrets. */
import { lowerDigitSet, lowerHexSet, runEnd } from '../../text/chars.ts'
import type { Match } from '../../detector.ts'

/**
 * Whether the command in `[from, to)` prints the id of what it makes (`docker run -d`, `docker secret create`), and the
 * value looks like one: 64 hexadecimal digits, or 25 letters and digits. What runs in a container may print a secret.
 */
export function isIdOfDocker(text: string, from: number, to: number, { start, end }: Match): boolean {
  const length = end - start
  if (length !== 64 && length !== 25) return false
  if (runEnd(text, start, length === 64 ? lowerHexSet : lowerDigitSet, length) !== end) return false
  const [program, ...words] = text.slice(from, to).split(' ')
  if (program !== 'docker') return false
  return (
    words.slice(0, 2).includes('create') ||
    (words.slice(0, 2).includes('run') && words.some((word) => detached.has(word)))
  )
}
const detached = new Set('-d -dt -td -di -id -dit -itd --detach'.split(' '))
