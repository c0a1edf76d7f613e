/** Passwords and tokens directly behind their name: "password (X)", "use token X", "the password from X to Y". */
import { weakName, likelyName, nameStart, passwordName, rateName, type NameRating } from '../../values/key-names.ts'
import { contextMatch, type Match, withNext } from '../../detector.ts'
import {
  anyBase64Set,
  base64UrlSet,
  charSet,
  codeAt,
  countOf,
  digitSet,
  inSet,
  padSet,
  quoteSet,
  runEnd,
  runStart,
  upperSet
} from '../../text/chars.ts'
import { WordList } from '../../text/word-list.ts'
import { isHexDigest } from '../../values/non-secret-formats.ts'
import { isSecretValue } from '../../values/generic-value.ts'
import { letterGroupsEnd } from '../../values/passphrases.ts'
import { isGenerated, isAdjacentSecret, mixesCase, statedSet, statedTailSet } from '../../values/stated-value.ts'
import { isDefined } from './value-of-message.ts'

/** The rating of the name in `[at, end)`, raised if the word before it makes a key a secret (`api key`). */
export function ratingAt(text: string, at: number, end: number): NameRating {
  const rating = rateName(text, nameStart(text, at), end, at)
  return rating === weakName && keyBefore(text, at) ? likelyName : rating
}

/** Whether the key at `at` is that of a wireless network, which people choose like a password. */
export function isOfNetwork(text: string, at: number): boolean {
  return wireless.standsIn(text, Math.max(0, at - wirelessUnits), at)
}
const wireless = new WordList(['wifi', 'wi-fi', 'wlan', 'wpa', 'ssid', 'wireless', 'the network is'])
const wirelessUnits = 80

/** The old and the new value of `the password from X to Y`. */
export function changedPassword(text: string, at: number, nameTo: number): Match | undefined {
  if (!text.startsWith(' from ', nameTo) || ratingAt(text, at, nameTo) !== passwordName) return undefined
  const [start, end] = quotedPlace(text, nameTo + 6)
  const to = inSet(quoteSet, codeAt(text, end)) ? end + 1 : end
  const before: Match | undefined = isAdjacentSecret(text, start, end) ? contextMatch(start, end) : undefined
  if (!text.startsWith(' to ', to)) return before
  const [nextStart, nextEnd] = quotedPlace(text, to + 4)
  const next = isAdjacentSecret(text, nextStart, nextEnd) ? contextMatch(nextStart, nextEnd) : undefined
  return before === undefined ? next : withNext(before, next)
}

/** The start and end of a word, without quotes around it. */
function quotedPlace(text: string, from: number): readonly [start: number, end: number] {
  const start = inSet(quoteSet, codeAt(text, from)) ? from + 1 : from
  const end = runEnd(text, start, statedSet, 64)
  const isWhole = codeAt(text, end - 1) === 45 && isGenerated(text, start, end)
  return [start, isWhole ? end : runStart(text, end, statedTailSet, end - start)]
}

const tokenUnitsMin = 16
const tokenUnitsMax = 256

/** What may stand between `password` and a value without a copula. */
const introducingSigns = ['- ', '– ', '— ', '(']

/** Whether a code begins one of those. */
function isIntroducingSign(code: number): boolean {
  return code === 45 || code === 40 || code === 0x2013 || code === 0x2014
}

/** A value that is not a word, directly behind the name: `password (X)`, `root password - X`, `# password X`. */
export function passwordAfterName(text: string, nameTo: number): Match | undefined {
  const from = nameTo + 1
  const sign = introducingSigns.find((one) => text.startsWith(one, from))
  const [start, end] = quotedPlace(text, from + (sign?.length ?? 0))
  const groupsEnd = letterGroupsEnd(text, start)
  if (groupsEnd > start) return contextMatch(start, groupsEnd)
  if (isDefined(text, start, end)) return undefined
  return isAdjacentSecret(text, start, end) ? contextMatch(start, end) : undefined
}

/** A long token directly behind the name: `use token 8f4b2c...`. */
export function tokenAfterName(text: string, at: number, nameTo: number): Match | undefined {
  const from = nameTo + 1
  // It costs less to see that a short word, or one without digits, follows than to rate the name.
  if (!isIntroducingSign(codeAt(text, from))) {
    const wordEnd = runEnd(text, from, statedSet, tokenUnitsMax)
    if (wordEnd < from + 8) {
      if (letterGroupsEnd(text, from) === from || ratingAt(text, at, nameTo) !== passwordName) return undefined
      return passwordAfterName(text, nameTo)
    }
    if (
      countOf(text, from, wordEnd, digitSet) < 2 &&
      !endsInDigit(text, from, wordEnd) &&
      !isGenerated(text, from, wordEnd)
    )
      return undefined
  }
  const rating = ratingAt(text, at, nameTo)
  if (rating === passwordName) return passwordAfterName(text, nameTo)
  const sign = introducingSigns.find((one) => text.startsWith(one, from))
  const valueAt = from + (sign?.length ?? 0)
  // Quotes may stand around it only behind a separator: `API key - 8f4b2c...`.
  const start = sign !== undefined && inSet(quoteSet, codeAt(text, valueAt)) ? valueAt + 1 : valueAt
  const end = tokenEnd(text, start, sign !== undefined)
  if (rating < likelyName || !isKeyText(text, start, end) || isDefined(text, start, end)) return undefined
  // Git names the key that signs commits by its ID.
  if (text.startsWith('user.signing', at - 12)) return undefined
  // A package signing key is identified by the digest of its public half.
  if (isKeyWord(text, at) && isHexDigest(text, start, end) && !apiBefore(text, at)) return undefined
  return isSecretValue(text, start, end, likelyName, { quoted: true, doubtful: true })
    ? contextMatch(start, end)
    : undefined
}

/**
 * The end of a token, which may be base64 if it mixes cases. Only behind a bracket or a dash may it have slashes:
 * elsewhere they are those of a path.
 */
function tokenEnd(text: string, start: number, isSetOff: boolean): number {
  const end = runEnd(text, start, base64UrlSet, tokenUnitsMax)
  const code = codeAt(text, end)
  if ((code !== 43 && code !== 61 && !(isSetOff && code === 47)) || !mixesCase(text, start, end)) return end
  return runEnd(text, runEnd(text, end, isSetOff ? anyBase64Set : plusSet, tokenUnitsMax), padSet, 2)
}
const plusSet = charSet('A-Z', 'a-z', '0-9', '+_-')

/** A capital first, and a single digit last: `Harbor_Kettle7`. */
function endsInDigit(text: string, start: number, end: number): boolean {
  return inSet(upperSet, text.charCodeAt(start)) && inSet(digitSet, text.charCodeAt(end - 1))
}

/** Whether a value is long and has digits: four, or two if capitals stand within words. */
export function isKeyText(text: string, start: number, end: number): boolean {
  const digits = countOf(text, start, end, digitSet)
  return end - start >= tokenUnitsMin && digits >= (end - start >= mixedUnitsMin && mixesCase(text, start, end) ? 2 : 4)
}
const mixedUnitsMin = 20

export function isKeyWord(text: string, at: number): boolean {
  return (text.charCodeAt(at) | 32) === 107
}

/** Whether the word before makes a key a secret: `api key is ...`. */
function keyBefore(text: string, at: number): boolean {
  return endsIn(text, at, ['api', 'access', 'secret', 'private', 'signing', 'license', 'encryption'])
}

function apiBefore(text: string, at: number): boolean {
  return endsIn(text, at, ['api', 'access', 'secret'])
}

function endsIn(text: string, at: number, words: readonly string[]): boolean {
  const before = text
    .slice(Math.max(0, at - 12), at)
    .toLowerCase()
    .trimEnd()
  return words.some((one) => before.endsWith(one))
}
