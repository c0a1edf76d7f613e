/** Passwords announced by words that refer to what was said before: "changed it. new one: X". */
import { NameIndex } from '../../text/name-index.ts'
import { likelyName } from '../../values/key-names.ts'
import { contextMatch, type Match } from '../../detector.ts'
import type { Guard } from '../../anchor-guard.ts'
import {
  base64UrlSet,
  charSet,
  codeAt,
  consistsOf,
  countOf,
  digitSet,
  inSet,
  leftClear,
  plainBlankSet,
  quoteSet,
  runEnd,
  runStart,
  wordSet
} from '../../text/chars.ts'
import { isSecretValue } from '../../values/generic-value.ts'
import { isPassphrase } from '../../values/passphrases.ts'
import { isGenerated, isAdjacentSecret, statedSet, statedTailSet } from '../../values/stated-value.ts'

const guard: Guard = { notBefore: wordSet }
const one = ['new one', 'correct one', 'right one', 'working one']
/** Words that hand a key over, so that the value needs no further topic. */
const keysHanded = ["here's the key", "here's my key", "here's the token"]
const handed = [...keysHanded, 'this one instead', 'take this one']
const index = new NameIndex([...one, ...handed].map((words) => [words, handed.includes(words)]))
export const anaphoraAnchors = [...one, ...handed].map((literal) => ({ literal, fold: true as const, guard }))

/** Topics that must be mentioned shortly before. */
const topics = [
  'passw',
  'passp',
  'passc',
  'pw ',
  'pwd',
  'login',
  'log in',
  'cred',
  'auth',
  'user is',
  'user on',
  'secret'
]
const keyTopics = ['key', 'token', 'secret', 'rotat']
const topicUnitsMax = 200
/** The topic may also follow: `correct one: X (login stays ...)`. */
const behindUnits = 24
const copulas = [' is now ', ' is ', ': ', ':', ' was ', ' should be ', ' = ', ', ', '']
const spaceSet = charSet(' \r\n')
const valueUnitsMax = 96
const keyUnitsMin = 20
const handedUnitsMin = 24

/** The value behind the words at `at`. */
export function referencedPassword(text: string, at: number): Match | undefined {
  const words = index.at(text, at)
  if (words === undefined || !leftClear(text, at, wordSet)) return undefined
  const from = at + words[0].length
  const copula = copulas.find((words) => text.startsWith(words, from)) as string
  const value = runEnd(text, from + copula.length, copula === ': ' || copula === ':' ? spaceSet : plainBlankSet, 4)
  const quoted = inSet(quoteSet, codeAt(text, value))
  const start = quoted ? value + 1 : value
  const end = quoted ? quotedEnd(text, start, codeAt(text, value)) : bareEnd(text, start)
  if (words[1] && isHanded(text, start, end, keysHanded.includes(words[0]))) return contextMatch(start, end)
  if (end - start < 7 || !isRareHere(text, at, start, end, quoted)) return undefined
  return contextMatch(start, end)
}

/** Whether it is a long key; hexadecimal only if the words say that it is one. */
function isHanded(text: string, start: number, end: number, isNamed: boolean): boolean {
  if (end - start < handedUnitsMin) return false
  return isNamed
    ? isSecretValue(text, start, end, likelyName, { quoted: true, doubtful: true })
    : isGenerated(text, start, end)
}

function isRareHere(text: string, at: number, start: number, end: number, quoted: boolean): boolean {
  const isPassword = isAdjacentSecret(text, start, end) || (quoted && isPassphrase(text, start, end))
  const isKey = end - start >= keyUnitsMin && consistsOf(text, start, end, base64UrlSet)
  if (!isPassword && !isKey) return false
  const around = text.slice(Math.max(0, at - topicUnitsMax), end + behindUnits).toLowerCase()
  if (isPassword && topics.some((topic) => around.includes(topic))) return true
  if (!isKey || countOf(text, start, end, digitSet) < 3 || !keyTopics.some((topic) => around.includes(topic)))
    return false
  return isSecretValue(text, start, end, likelyName, { quoted: true, doubtful: true })
}

/** Where the quote closes; `start` if it does not. */
function quotedEnd(text: string, start: number, quote: number): number {
  for (let i = start; i < start + valueUnitsMax; i++) {
    const code = codeAt(text, i)
    if (code === quote) return i
    if (code === 10) break
  }
  return start
}

/**
 * The end of the word, without the full stop of the sentence; `start` if it continues in characters that no password
 * has.
 */
function bareEnd(text: string, start: number): number {
  const end = runEnd(text, start, statedSet, valueUnitsMax)
  return inSet(joinedSet, codeAt(text, end)) ? start : runStart(text, end, statedTailSet, end - start)
}
const joinedSet = charSet('/=(<[{:\\')
