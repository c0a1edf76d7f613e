/** Keys that a scheme puts together: a prefix or a number, and behind it digits that a machine drew. */
import { charSet, countOf, digitSet, lowerSet, runEnd, runStart, upperSet, hexSet } from '../text/chars.ts'
import { isUuid } from './friends.ts'

const headSet = charSet('A-Z', 'a-z', '0-9', '_.-')
const lowerDigitSet = charSet('a-z', '0-9')
const joints = '_-.'
const hexUnitsMin = 20
const uuidUnits = 36
const headUnitsMax = 80

/** What begins the names of versions, of digests, and of what goes with a lesson. */
const otherHeads = [
  'quickstart',
  'tutorial',
  'demo',
  'sha',
  'md5',
  'git',
  'rev',
  'commit',
  'etag',
  'build',
  'release',
  'version',
  'v1',
  'v2',
  'image'
]

/**
 * Whether the value ends in hexadecimal digits of one case behind a joint, as `live_9f3c...`; where even a UUID alone
 * is a secret, also in one.
 */
export function endsInDrawn(text: string, start: number, end: number, uuids: boolean): boolean {
  if (uuids && end - start > uuidUnits && isUuid(text, end - uuidUnits, end))
    return isHead(text, start, end - uuidUnits)
  const from = runStart(text, end, hexSet, end - start)
  if (end - from < hexUnitsMin || from - start < 2 || !isHead(text, start, from)) return false
  const digits = countOf(text, from, end, digitSet)
  const isOneCase = countOf(text, from, end, upperSet) === 0 || countOf(text, from, end, lowerSet) === 0
  return isOneCase && digits * 4 >= end - from && end - from - digits >= 4
}

function isHead(text: string, start: number, end: number): boolean {
  if (end - start > headUnitsMax || !joints.includes(text.charAt(end - 1))) return false
  if (runEnd(text, start, headSet, end - start) !== end) return false
  const head = text.slice(start, end).toLowerCase()
  return !otherHeads.some((one) => head.startsWith(one))
}

const bootstrapUnits = 23
const bootstrapIdUnits = 6

/** `abcdef.0123456789abcdef`, with which a machine joins a cluster of Kubernetes. */
export function isBootstrapToken(text: string, start: number, end: number): boolean {
  if (end - start !== bootstrapUnits || text.charCodeAt(start + bootstrapIdUnits) !== 46) return false
  return (
    runEnd(text, start, lowerDigitSet, bootstrapUnits) === start + bootstrapIdUnits &&
    runEnd(text, start + bootstrapIdUnits + 1, lowerDigitSet, bootstrapUnits) >= end &&
    countOf(text, start, end, digitSet) >= bootstrapIdUnits
  )
}
