/** Passwords and tokens whose name follows in the sentence: "X is the new root password", "use X as token". */
import { NameIndex } from '../../text/name-index.ts'
import { likelyName, passwordName, type NameRating } from '../../values/key-names.ts'
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
  letterSet,
  quoteSet,
  runEnd,
  runStart
} from '../../text/chars.ts'
import { isSecretValue } from '../../values/generic-value.ts'
import { isAdjacentSecret, statedSet } from '../../values/stated-value.ts'

/** Characters that end a sentence or part of it. */
const stopSet = charSet('.,;:!?)\n\r"\'`')
const guard: Guard = { behind: stopSet, behindUnits: 1 }

/** Words that may follow the name without making another name of it. */
const goingOn = [
  'for ',
  'in ',
  'on ',
  'at ',
  'of ',
  'now',
  'and ',
  'but ',
  'from ',
  'when ',
  'with ',
  'here',
  'to ',
  'please'
]
const goingOnIndex = new NameIndex(goingOn.map((word) => [word, true]))

const endNames = [
  ...[
    ' password',
    ' passphrase',
    ' passcode',
    ' passwort',
    ' pw',
    ' pass',
    ' token',
    ' secret',
    ' api key',
    ' hmac key',
    ' secret key'
  ]
]
const endNameIndex = new NameIndex(endNames.map((name) => [name, true]))

/** Names at the end of a sentence. In the middle of one, the anchors of `prose-passwords.ts` cover them. */
export const namesAtEnd = endNames.map((literal) => ({ literal, fold: true as const, guard }))

/**
 * Where the last word of the name begins that stands at `at` and ends the sentence or part of it: `key` in ` api key.`;
 * -1 if there is none. It repeats the check of the names' guard.
 */
export function lastWordAt(text: string, at: number): number {
  const name = endNameIndex.at(text, at)?.[0]
  if (name === undefined) return -1
  const end = at + name.length
  return end < text.length && !inSet(stopSet, text.charCodeAt(end)) ? -1 : at + name.lastIndexOf(' ') + 1
}

const wordsMax = 5
const wordUnitsMax = 10
const valueUnitsMax = 128

const openSet = charSet(' \t\n\r("\'`')

/** The value before the name at `at`: `X is the`, `X as my`. */
export function secretBeforeName(text: string, at: number): Match | undefined {
  const nameTo = nameEndAt(text, at)
  if (!goesOn(text, nameTo)) return undefined
  const copulaAt = copulaStart(text, at)
  if (copulaAt === 0) return undefined
  const name: NameRating = (codeAt(text, at) | 32) === 112 ? passwordName : likelyName
  return wordBefore(text, verbStart(text, copulaAt) - 1, name)
}

/** The word or quoted text before the blank at `to`, if it can be a password. */
export function passwordBefore(text: string, to: number): Match | undefined {
  return wordBefore(text, to, passwordName)
}

function wordBefore(text: string, valueTo: number, name: NameRating): Match | undefined {
  const quote = codeAt(text, valueTo - 1)
  const end = inSet(quoteSet, quote) ? valueTo - 1 : valueTo
  const start = end < valueTo ? quotedStart(text, end, quote) : runStart(text, end, statedSet, valueUnitsMax)
  if (start < 0 || (start > 0 && !inSet(openSet, codeAt(text, start - 1)))) return undefined
  return isSecretOf(text, start, end, name) ? contextMatch(start, end) : undefined
}

function isSecretOf(text: string, start: number, end: number, name: NameRating): boolean {
  if (name === passwordName) return isAdjacentSecret(text, start, end)
  if (end - start < tokenUnitsMin || !consistsOf(text, start, end, base64UrlSet)) return false
  if (countOf(text, start, end, digitSet) < 2) return false
  return isSecretValue(text, start, end, likelyName, { quoted: true, doubtful: true })
}
const tokenUnitsMin = 16

/** Past the name, including the second word of `api key`. */
function nameEndAt(text: string, at: number): number {
  const end = runEnd(text, at, letterSet, wordUnitsMax + 2)
  return end - at === 3 ? runEnd(text, end + 1, letterSet, wordUnitsMax) : end
}

function goesOn(text: string, nameTo: number): boolean {
  const code = codeAt(text, nameTo)
  if (code !== 32) return nameTo >= text.length || inSet(stopSet, code)
  return goingOnIndex.at(text, nameTo + 1) !== undefined
}

/** Where a copula such as `is` or `as` begins, at most five words before the name at `at`; 0 if there is none. */
function copulaStart(text: string, at: number): number {
  let to = at
  for (let words = 0; words < wordsMax; words++) {
    if (codeAt(text, to - 1) !== 32) return 0
    const start = runStart(text, to - 1, letterSet, wordUnitsMax)
    if (start === to - 1) return 0
    if (isCopula(text, start, to - 1)) return codeAt(text, start - 1) === 32 ? start : 0
    to = start
  }
  return 0
}

/** Where a verb such as `doesn't work` begins that ends right before the copula at `to`; `to` if there is none. */
function verbStart(text: string, to: number): number {
  const before = text.slice(Math.max(0, to - verbUnitsMax), to)
  const verb = verbs.find((one) => before.endsWith(one))
  return verb === undefined ? to : to - verb.length + 1
}
const verbs = [" doesn't work ", ' does not work ', ' works ', ' worked ', ' work ']
const verbUnitsMax = 16

/** `is`, `as`, `was`, `als`, `ist`. */
function isCopula(text: string, start: number, end: number): boolean {
  if (end - start > 3 || end - start < 2) return false
  const word = text.slice(start, end)
  return word === 'is' || word === 'as' || word === 'was' || word === 'als' || word === 'ist'
}

/** Past the quote that opens before `end` on the same line; -1 if there is none. */
function quotedStart(text: string, end: number, quote: number): number {
  const least = Math.max(0, end - valueUnitsMax)
  for (let i = end - 1; i >= least; i--) {
    const code = text.charCodeAt(i)
    if (code === quote) return i + 1
    if (code === 10) return -1
  }
  return -1
}
