/** Password hashes in the tables of users of MySQL and Redis. */
import { charSet, hexSet, rightClear, runEnd, upperHexSet, wordSet } from '../../text/chars.ts'
import { chained, type Detector, type Match } from '../../detector.ts'
import { filler, hexLetters } from '../../sample-text.ts'

const nativeNames = ['mysql_native_password', 'by password', 'password_hash', 'authentication_string']
const nativeGapSet = charSet(' \t"\'`|\\aAsS=>:,')
const nativeGapMax = 40
/** Hexadecimal digits of a SHA-256 digest. */
const digestUnits = 64
const ruleMarks = ['on #', 'off #', '-payload #']

/** A match of exactly `units` characters of `set` from `from` on. */
function digits(text: string, start: number, from: number, set: typeof hexSet, units: number): Match | undefined {
  const end = runEnd(text, from, set, units + 1)
  return end - from === units && rightClear(text, end, wordSet) ? { start, end, confidence: 'strong' } : undefined
}

const nativeHash = (text: string, star: number): Match | undefined => digits(text, star, star + 1, upperHexSet, 40)

const columnName = 'authentication_string'
const columnUnitsMax = 2000

/** The hashes in the rows below the name of the column, or behind it in a statement. The next such name ends the reading. */
function hashesBelow(text: string, from: number): Match | undefined {
  const limit = Math.min(text.length, from + columnUnitsMax)
  const found: Match[] = []
  for (let i = from; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code === 97 && text.startsWith(columnName, i)) break
    const match = code === 42 ? nativeHash(text, i) : undefined
    if (match !== undefined) found.push(match)
  }
  return chained(found)
}

export const databaseHash: Detector = {
  id: 'database_password_hash',
  label: 'PASSWORD_HASH',
  lengthMin: 45,
  title: 'hash of a password in the tables of users of MySQL and Redis',
  group: 'secret',
  tier: 'medium',
  anchors: [
    ...nativeNames.map((literal) => ({ literal, fold: true as const })),
    ...ruleMarks.map((literal) => ({ literal }))
  ],
  match(text, at) {
    const mark = ruleMarks.find((one) => text.startsWith(one, at))
    if (mark !== undefined) return digits(text, at + mark.length, at + mark.length, hexSet, digestUnits)
    const name = nativeNames.find((one) => text.slice(at, at + one.length).toLowerCase() === one) as string
    const star = runEnd(text, at + name.length, nativeGapSet, nativeGapMax)
    if (text.charCodeAt(star) === 42) return nativeHash(text, star)
    return name === columnName ? hashesBelow(text, star) : undefined
  },
  hits: () => [
    `| wiki | localhost | mysql_native_password | *${filler(40, '0123456789ABCDEF')} |`,
    `IDENTIFIED WITH 'mysql_native_password' AS '*${filler(40, '0123456789ABCDEF')}'`,
    `GRANT USAGE ON *.* TO 'wiki'@'%' IDENTIFIED BY PASSWORD '*${filler(40, '0123456789ABCDEF')}'`,
    `password_hash => '*${filler(40, '0123456789ABCDEF')}',`,
    `user queue on #${filler(64, hexLetters)} ~jobs:* +@list`
  ],
  misses: () => [
    'mysql_native_password is deprecated',
    "IDENTIFIED BY PASSWORD '*'",
    'comments on #42',
    `on #${filler(65, hexLetters)}`
  ],
  source:
    'MySQL 8.0 Reference Manual, "Native Pluggable Authentication": an asterisk and the SHA-1 of a SHA-1 in capitals; Redis documentation, "ACL": a hash and the SHA-256 of the password.'
}
