/**
 * Whether a path is in a folder, as the author of a rule means it. A path can be read in several ways: a tool may or
 * may not undo percent-encoding, treat a backslash as a separator or as a character, and its file system may be
 * case-insensitive. If these readings disagree, or if the path depends on something outside it (the working directory,
 * a variable, a home directory), the question cannot be judged.
 */
import { judge, maybe, no, yes, type Judgement } from './three-valued.ts'

/** A path in steps, with `.` and `..` resolved. */
interface Resolved {
  /** What a path starts from: `/`, a drive such as `c:`, a home such as `~`, or empty for a relative path. */
  readonly root: string
  readonly steps: readonly string[]
}

/** Nobody encodes deeper than this by accident: what is still encoded after so many decodings is not judged. */
const decodingsMax = 4

/**
 * Makes the test for one folder.
 * @param folder absolute (`/srv/app`, `C:\work`, `~/notes`), or relative if the paths are
 */
export function isWithin(folder: string): (path: string) => Judgement {
  const base = resolve(withSlashes(folder).normalize('NFC'))
  const foldedBase = folded(base)
  const prefix = base.root === '/' ? base.steps.map((step) => `/${step}`).join('') : undefined
  return (path) => {
    if (prefix !== undefined && isPlain.test(path) && !magic.test(path)) return isBelow(path, prefix)
    const readings = readingsOf(path)
    if (readings === undefined) return maybe
    let isInside: boolean | undefined
    for (const reading of readings) {
      const resolved = resolve(reading)
      if (dependsOnMore(resolved) || !areComparable(base.root, resolved.root)) return maybe
      const isInReading = contains(foldedBase, folded(resolved))
      // File systems on drives are case-insensitive; others may be.
      if (isInReading && !isDrive(base.root) && !contains(base, resolved)) return maybe
      if (isInside !== undefined && isInside !== isInReading) return maybe
      isInside = isInReading
    }
    return isInside === undefined ? maybe : judge(isInside)
  }
}

/** Links of the kernel, which lead anywhere: `/proc/self/root/etc/shadow` is `/etc/shadow` on every Linux. */
const magic =
  /^\/(?:proc\/[^/]+\/(?:task\/[^/]+\/)?(?:root|cwd|fd|exe|map_files)|dev\/(?:fd|std(?:in|out|err)))(?:\/|$)/i

/** An absolute path with only one reading, as most paths have. */
const isPlain = /^(?:\/[a-z0-9_][a-z0-9_.-]*)+$/i

function isBelow(path: string, prefix: string): Judgement {
  const isInside = path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/')
  if (isInside) return yes
  const lower = path.toLowerCase()
  const isInsideFolded = lower.startsWith(prefix.toLowerCase()) && (lower[prefix.length] ?? '/') === '/'
  return isInsideFolded ? maybe : no
}

/** Two drives can be compared, as can paths with the same root; where a home or a working directory is, is unknown. */
function areComparable(one: string, other: string): boolean {
  return one === other || (isDrive(one) && isDrive(other))
}

/**
 * The ways to read a path, each with slashes between its steps; undefined if it is encoded too often to know them all.
 */
function readingsOf(path: string): Set<string> | undefined {
  const readings = new Set<string>()
  let text = path.normalize('NFC')
  const file = /^file:\/\/(?:localhost)?(?=\/)/i.exec(text)
  if (file) text = decoded(text.slice(file[0].length).split(/[?#]/, 1)[0] as string)
  for (let i = 0; i < decodingsMax; i++) {
    if (!/^(?:[a-z]:\\|\\\\)/i.test(text)) readings.add(text)
    readings.add(withSlashes(text))
    const next = decoded(text).normalize('NFC')
    if (next === text) return readings
    text = next
  }
  return undefined
}

/** A text with its percent-encoding decoded; unchanged if that is malformed. */
export function decoded(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const withSlashes = (text: string): string => text.replaceAll('\\', '/')

function resolve(path: string): Resolved {
  const root = /^(?:[a-z]:(?=\/|$)|~[^/]*|\/)/i.exec(path)?.[0] ?? ''
  const steps: string[] = []
  for (const step of path.slice(root.length).split('/')) {
    if (step === '' || step === '.') continue
    if (step !== '..') steps.push(step)
    else if (steps.length > 0 && steps.at(-1) !== '..') steps.pop()
    else if (root === '' || root.startsWith('~')) steps.push(step)
  }
  // A file URL writes a drive as `/C:/x`.
  const drive = root === '/' && /^[a-z]:$/i.test(steps[0] ?? '') ? steps.shift() : undefined
  return { root: drive ?? root, steps }
}

const isDrive = (root: string): boolean => root.endsWith(':')

/**
 * A path above its own root, through a link of the kernel, with a variable, a command or a control character in it, or in a form specific to Windows.
 */
function dependsOnMore({ steps, root }: Resolved): boolean {
  if (steps[0] === '..' && root !== '/') return true
  if (root === '/' && magic.test(`/${steps.slice(0, 5).join('/')}`)) return true
  return steps.some((step) => /[$`\p{Cc}]|%[a-z_]+%/iu.test(step)) || (isDrive(root) && steps.some(isWindowsOdd))
}

/** Windows drops trailing dots and blanks, and has streams after colons and short names with tildes. */
const isWindowsOdd = (step: string): boolean => /[. ]$|:|~\d/.test(step)

function folded({ root, steps }: Resolved): Resolved {
  return { root: root.toLowerCase(), steps: steps.map((step) => step.toLowerCase()) }
}

function contains(base: Resolved, path: Resolved): boolean {
  if (base.root !== path.root || base.steps.length > path.steps.length) return false
  return base.steps.every((step, i) => step === path.steps[i])
}
