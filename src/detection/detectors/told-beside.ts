/** Passwords and tokens right behind their name in a sentence: "password (X)", "use token X", "the password from X to Y". */
import { faintName, likelyName, nameStart, plainName, rateName, type NameRating } from '../values/key-names.ts'
import type { Match } from '../detector.ts'
import { base64UrlSet, charSet, codeAt, countOf, digitSet, inSet, runEnd, upperSet } from '../text/chars.ts'
import { isHexDigest } from '../values/friends.ts'
import { isSecretValue } from '../values/generic-value.ts'
import { isDrawn, isToldBeside, mixesCase } from '../values/told-value.ts'
import { isDefined } from './told-nearby.ts'

/** What the name at `at` promises, with the word before it that makes a secret of a key. */
export function ratingAt(text: string, at: number, end: number): NameRating {
  const rating = rateName(text, nameStart(text, at), end, at)
  return rating === faintName && keyBefore(text, at) ? likelyName : rating
}

/** `the password from X to Y`: what it was, and what it is. */
export function changed(text: string, at: number, nameTo: number): Match | undefined {
  if (!text.startsWith(' from ', nameTo) || ratingAt(text, at, nameTo) !== plainName) return undefined
  const [start, end] = quotedPlace(text, nameTo + 6)
  const to = inSet(quoteSet, codeAt(text, end)) ? end + 1 : end
  const before: Match | undefined = isToldBeside(text, start, end) ? toldMatch(start, end) : undefined
  if (!text.startsWith(' to ', to)) return before
  const [nextStart, nextEnd] = quotedPlace(text, to + 4)
  const next = isToldBeside(text, nextStart, nextEnd) ? toldMatch(nextStart, nextEnd) : undefined
  return before === undefined ? next : next === undefined ? before : { ...before, next }
}

const toldMatch = (start: number, end: number): Match => ({ start, end, confidence: 'medium', byContext: true })

/** Where a word begins and ends, without quotes around it. */
function quotedPlace(text: string, from: number): readonly [start: number, end: number] {
  const start = inSet(quoteSet, codeAt(text, from)) ? from + 1 : from
  let end = runEnd(text, start, besidePasswordSet, 64)
  if (codeAt(text, end - 1) === 45 && isDrawn(text, start, end)) return [start, end]
  while (end > start && inSet(besideTailSet, text.charCodeAt(end - 1))) end--
  return [start, end]
}

const quoteSet = charSet('"\'`')
const besideUnitsMin = 16
const besideUnitsMax = 256

const besidePasswordSet = charSet('A-Z', 'a-z', '0-9', '_!@#$%^&*.+-')
const besideTailSet = charSet('.-')
/** What may stand between `password` and a value that nothing else announces. */
const besideSigns = ['- ', '– ', '— ', '(']

/** What they begin with. */
function isBesideSign(code: number): boolean {
  return code === 45 || code === 40 || code === 0x2013 || code === 0x2014
}

/** `password (X)`, `root password - X`, `# password X`: what is no word, right behind the name. */
export function besidePassword(text: string, nameTo: number): Match | undefined {
  const from = nameTo + 1
  const sign = besideSigns.find((one) => text.startsWith(one, from))
  const start = from + (sign?.length ?? 0)
  const [, end] = quotedPlace(text, start)
  if (isDefined(text, start, end)) return undefined
  return isToldBeside(text, start, end) ? toldMatch(start, end) : undefined
}

/** `use token 8f4b2c...`: a long token right behind the name. */
export function besideName(text: string, at: number, nameTo: number): Match | undefined {
  const from = nameTo + 1
  // To see that a short word, or one without digits, follows costs less than to rate the name.
  if (!isBesideSign(codeAt(text, from))) {
    const wordEnd = runEnd(text, from, besidePasswordSet, besideUnitsMax)
    if (wordEnd < from + 8) return undefined
    if (
      countOf(text, from, wordEnd, digitSet) < 2 &&
      !endsInDigit(text, from, wordEnd) &&
      !isDrawn(text, from, wordEnd)
    )
      return undefined
  }
  const rating = ratingAt(text, at, nameTo)
  if (rating === plainName) return besidePassword(text, nameTo)
  const sign = besideSigns.find((one) => text.startsWith(one, from))
  const valueAt = from + (sign?.length ?? 0)
  // `API key - 8f4b2c...`: only behind a sign may quotes stand around it.
  const start = sign !== undefined && inSet(quoteSet, codeAt(text, valueAt)) ? valueAt + 1 : valueAt
  const end = runEnd(text, start, base64UrlSet, besideUnitsMax)
  if (rating < likelyName || !isKeyText(text, start, end) || isDefined(text, start, end)) return undefined
  // A key that signs packages is known by the digest of its public half.
  if (isKeyWord(text, at) && isHexDigest(text, start, end) && !apiBefore(text, at)) return undefined
  return isSecretValue(text, start, end, likelyName, { quoted: true, doubtful: true })
    ? { start, end, confidence: 'medium', byContext: true }
    : undefined
}

/** `Harbor_Kettle7`: a capital first, and its one digit last. */
function endsInDigit(text: string, start: number, end: number): boolean {
  return inSet(upperSet, text.charCodeAt(start)) && inSet(digitSet, text.charCodeAt(end - 1))
}

/** Long, with digits: four, or two where capitals stand inside of words. */
export function isKeyText(text: string, start: number, end: number): boolean {
  const digits = countOf(text, start, end, digitSet)
  return (
    end - start >= besideUnitsMin && digits >= (end - start >= mixedUnitsMin && mixesCase(text, start, end) ? 2 : 4)
  )
}
const mixedUnitsMin = 20

export function isKeyWord(text: string, at: number): boolean {
  return (text.charCodeAt(at) | 32) === 107
}

/** `api key is ...`: the word before makes the key one. */
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
