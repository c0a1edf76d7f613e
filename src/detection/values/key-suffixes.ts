/** Keys composed by a scheme: a prefix or number, and generated digits behind it. */
import {
  consistsOf,
  countOf,
  digitSet,
  dottedNameSet,
  hexSet,
  lowerDigitSet,
  lowerSet,
  runEnd,
  runStart,
  upperSet
} from '../text/chars.ts'
import { isUuid } from './non-secret-formats.ts'

const joints = '_-.'
const hexUnitsMin = 20
const uuidUnits = 36
const headUnitsMax = 80

/** Beginnings of the names of versions, digests and tutorials. */
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
 * Whether the value ends in hexadecimal digits of one case behind a separator (`live_9f3c...`); with `uuids`, also in a
 * UUID.
 */
export function hasGeneratedSuffix(text: string, start: number, end: number, uuids: boolean): boolean {
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
  if (!consistsOf(text, start, end, dottedNameSet)) return false
  const head = text.slice(start, end).toLowerCase()
  return !otherHeads.some((one) => head.startsWith(one))
}

const bootstrapUnits = 23
const bootstrapIdUnits = 6

/** Whether it is a bootstrap token, with which a machine joins a Kubernetes cluster: `abcdef.0123456789abcdef`. */
export function isBootstrapToken(text: string, start: number, end: number): boolean {
  if (end - start !== bootstrapUnits || text.charCodeAt(start + bootstrapIdUnits) !== 46) return false
  return (
    runEnd(text, start, lowerDigitSet, bootstrapUnits) === start + bootstrapIdUnits &&
    runEnd(text, start + bootstrapIdUnits + 1, lowerDigitSet, bootstrapUnits) >= end &&
    countOf(text, start, end, digitSet) >= bootstrapIdUnits
  )
}
