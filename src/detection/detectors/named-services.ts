/**
 * The long tail: services whose keys have no sign of their own and no kind of their own here. A name from the table, a
 * word such as `key` or `token` behind it, and a value that reads like no word make a key of some service. The names
 * are the anchors, since texts have more words like `key` than names of services, however many of those there are.
 */
import { wordGuard } from '../engine/anchor-guard.ts'
import {
  base62Set,
  charSet,
  codeAt,
  countOf,
  digitSet,
  foldCode,
  hexSet,
  inSet,
  leftClear,
  lowerSet,
  quoteSet,
  runEnd,
  runStart,
  upperSet,
  wordSet
} from '../text/chars.ts'
import { spellings } from '../keys/context-key.ts'
import { commonServiceNames, serviceNames } from './service-names.ts'
import { isWholeWord } from '../engine/context-words.ts'
import type { Detector, Match } from '../detector.ts'
import { isPublicBlob } from '../values/friends.ts'
import { hasDigitAndLetter } from '../keys/key-shape.ts'
import { isWordsInCapitals } from '../values/names-of-things.ts'
import { rarity } from '../values/rarity.ts'
import { isNameChain } from '../values/references.ts'
import { filler, hexLetters } from '../sample-text.ts'
import { WordList } from '../text/word-list.ts'

/** What makes a key of what follows on a name. They differ in their first letters. */
const keyWords = ['key', 'token', 'secret', 'private', 'access']
const keyWordUnitsMax = 7
const keyHeadSet = charSet(...keyWords.flatMap((word) => [word.charAt(0), word.charAt(0).toUpperCase()]))
/** What says that the value is known to be something else. */
const otherWords = new Set(
  'sha sha1 sha256 sha512 md5 commit digest checksum hash integrity etag rev revision version'.split(' ')
)
const chunkSet = base62Set
const valueSet = charSet('A-Z', 'a-z', '0-9', '_-')
/** What may go on in a value of which the first part stands: tokens in parts, base64. */
const tailSet = charSet('A-Z', 'a-z', '0-9', '_.+/=~:-')
const blankSet = charSet(' ', '\t', '\r')
const leadingSet = charSet(':', '=', '(', '[', '{', '>', ',', '|', '"', "'", '`', '\\')
const breakSet = charSet('nrt')
const reachUnits = 48
const valueUnitsMin = 16
const valueUnitsMax = 300
const wordsMax = 5
/** What letters of both cases have that are no name in camelCase. */
const letterBits = 9
/** What a name in camelCase and a chain of names with dots between have less of: `ED25519SignerVerifier`, `ed25519.PublicKey`. */
const chainBits = 7
const attemptsMax = 3
/** What stands before a value that is looked up elsewhere, or before a path. */
const referenceSet = charSet('$@#/({<%')

/** The key behind a word like `token`. It reads the words behind it one by one until one of them can be the value. */
function keyBehind(text: string, from: number): Match | undefined {
  const limit = Math.min(text.length, from + reachUnits)
  let words = 0
  let lines = 0
  let attempts = 0
  let at = from
  while (at < limit) {
    const code = text.charCodeAt(at)
    if (!inSet(chunkSet, code)) {
      if (code === 59 || code === 38 || code === 47) return undefined
      if (code === 10 && (++lines > 2 || !(leadsOn(text, at) || fillsLine(text, from, at)))) return undefined
      // The letter behind a backslash is that of a line break in a text of JSON.
      at += code === 92 && inSet(breakSet, codeAt(text, at + 1)) ? 2 : 1
      continue
    }
    if (at > from && runEnd(text, at, tailSet, valueUnitsMin) - at === valueUnitsMin) {
      if (runEnd(text, at, valueSet, valueUnitsMax) - at === valueUnitsMax) return undefined
      const match = valueAt(text, at)
      if (match !== undefined || ++attempts === attemptsMax) return match
    }
    const end = runEnd(text, at, chunkSet, limit - at)
    if (otherWords.has(text.slice(at, Math.min(end, at + 20)).toLowerCase()) || ++words > wordsMax) return undefined
    at = end
  }
  return undefined
}

/** Whether as many characters as a value has at least stand in a row where one may begin behind the word at `at`. */
function mayHoldValue(text: string, at: number): boolean {
  const limit = Math.min(text.length, at + keyWordUnitsMax + reachUnits + valueUnitsMin)
  // Such a row covers one of these places.
  for (let i = at + valueUnitsMin; i < limit; i += valueUnitsMin) {
    if (!inSet(tailSet, text.charCodeAt(i))) continue
    const start = runStart(text, i, tailSet, valueUnitsMin)
    if (runEnd(text, i, tailSet, start + valueUnitsMin - i) - start === valueUnitsMin) return true
  }
  return false
}

/** Whether a line ends in a sign that its value is still to come; else the next line speaks of something else. */
function leadsOn(text: string, lineEnd: number): boolean {
  let at = lineEnd - 1
  while (inSet(blankSet, codeAt(text, at))) at--
  return inSet(leadingSet, codeAt(text, at))
}

/** Whether the telling word ends its line, and the next line is one word and nothing else. */
function fillsLine(text: string, from: number, lineEnd: number): boolean {
  if (from !== lineEnd) return false
  const end = runEnd(text, lineEnd + 1, tailSet, valueUnitsMax)
  return end - lineEnd > valueUnitsMin && (end === text.length || text.charCodeAt(end) === 10)
}

function valueAt(text: string, start: number): Match | undefined {
  if (inSet(referenceSet, text.charCodeAt(start - 1))) return undefined
  const head = runEnd(text, start, valueSet, valueUnitsMax)
  // A path or the name of a host begins like that.
  if (head - start < valueUnitsMin && text.charCodeAt(head) === 47) return undefined
  let end = runEnd(text, head, tailSet, valueUnitsMax)
  while (end > head && (text.charCodeAt(end - 1) === 46 || text.charCodeAt(end - 1) === 58)) end--
  const length = end - start
  if (length < valueUnitsMin || length >= valueUnitsMax || inSet(wordSet, text.charCodeAt(end))) return undefined
  if (text.charCodeAt(end) === 40 || !readsDrawn(text, start, end)) return undefined
  if (isNameChain(text, start, end) && rarity(text, start, end) < chainBits) return undefined
  if (
    isWordsInCapitals(text, start, end) ||
    isMangled(text, start) ||
    isCamelCase(text, start, end) ||
    isTime(text, start, end) ||
    isPublicBlob(text, start, end)
  )
    return undefined
  return looksInventedWord(text, start, end) ? undefined : { start, end, confidence: 'medium', byContext: true }
}

/**
 * Letters and digits together, in words that are too long or too mixed for a name; or one run of a single case that is
 * longer than any word.
 */
function readsDrawn(text: string, start: number, end: number): boolean {
  const length = end - start
  const digits = countOf(text, start, end, digitSet)
  const { longest, mixes } = chunksOf(text, start, end)
  if (digits === 0) {
    const upper = countOf(text, start, end, upperSet)
    const isOneCase = upper === 0 || upper === length
    return (
      longest === length &&
      length >= 20 &&
      (isOneCase || countsLetters(text, start, end) || rarity(text, start, end) >= letterBits)
    )
  }
  if (digits === length) return length >= 20
  return mixes && ((digits >= 2 && longest >= 12) || digits * 6 >= length)
}

/** `ED25519SignerVerifier`, `Verifier_X509Certificate`: a word with a capital in it, and few digits. */
function isCamelCase(text: string, start: number, end: number): boolean {
  if (countOf(text, start, end, digitSet) * 3 > end - start || rarity(text, start, end) >= chainBits) return false
  if (runEnd(text, start, wordSet, end - start) !== end || countsLetters(text, start, end)) return false
  for (let i = start; i < end - camelUnitsMin; i++) {
    if (!inSet(upperSet, text.charCodeAt(i))) continue
    if (runEnd(text, i + 1, lowerSet, camelUnitsMin) === i + 1 + camelUnitsMin) return true
  }
  return false
}
/** Small letters behind the capital of such a word. */
const camelUnitsMin = 4

/** A piece of `_ZN5clang9ASTReader...`, as linkers print the names of C++. */
function isMangled(text: string, start: number): boolean {
  if (!inSet(wordSet, codeAt(text, start - 1))) return false
  return text.startsWith('_Z', runStart(text, start, wordSet, mangledUnitsMax))
}
const mangledUnitsMax = 1_000

/** `2014-01-30T15:30:58.000000Z`, or a part of it. */
function isTime(text: string, start: number, end: number): boolean {
  const hour = text.slice(start, end).indexOf('T') + start + 1
  return hour > start && runEnd(text, hour, digitSet, 3) === hour + 2 && text.charCodeAt(hour + 2) === 58
}

/** Ten letters in the order of the alphabet: what is typed into a sample of a key, and into no name. */
function countsLetters(text: string, start: number, end: number): boolean {
  let rising = 1
  for (let i = start + 1; i < end && rising < 10; i++)
    rising = foldCode(text.charCodeAt(i)) - foldCode(text.charCodeAt(i - 1)) === 1 ? rising + 1 : 1
  return rising >= 10
}

/** The longest run of letters and digits, and whether one of them has both: `TOKEN_2024` has not. */
function chunksOf(text: string, start: number, end: number): { longest: number; mixes: boolean } {
  let longest = 0
  let mixes = false
  for (let at = start; at < end; at++) {
    const stop = runEnd(text, at, chunkSet, end - at)
    longest = Math.max(longest, stop - at)
    mixes ||= stop - at > 3 && hasDigitAndLetter(text, at, stop)
    at = stop
  }
  return { longest, mixes }
}

/** Words that somebody wrote in place of a key. A row of letters in order is found in keys of documents, and stays. */
function looksInventedWord(text: string, start: number, end: number): boolean {
  return inventedWords.standsIn(text, start, end)
}
const madeUp = 'example your_ your- xxxx placeholder changeme redacted dummy test_key'
const inventedWords = new WordList(madeUp.split(' '))

/** How far behind a name `key` or `token` may begin; behind a common word it must be a part of the same name. */
const nameUnits = 24
const commonUnits = 5

/** Names by their first three characters. A blank in a name stands for itself, `_` and `-`. */
type NameTable = ReadonlyMap<string, readonly string[]>

const headUnits = 3

function nameTable(list: readonly string[]): NameTable {
  const table = new Map<string, string[]>()
  for (const name of list) {
    const head = name.slice(0, headUnits)
    table.set(head, [...(table.get(head) ?? []), name])
  }
  return table
}

function standsAt(text: string, at: number, name: string): boolean {
  if (at + name.length > text.length) return false
  for (let i = 0; i < name.length; i++) {
    const code = foldCode(text.charCodeAt(at + i))
    const wanted = name.charCodeAt(i)
    if (code !== wanted && !(wanted === 32 && (code === 45 || code === 95))) return false
  }
  return true
}

/** The word for a key that begins at `at`. */
function keyWordAt(text: string, at: number): string | undefined {
  if (!inSet(keyHeadSet, codeAt(text, at))) return undefined
  const word = keyWords.find((one) => standsAt(text, at, one))
  // `splitAccessor` is no access.
  return word !== undefined && text.startsWith('or', at + word.length) ? undefined : word
}

/** Finds the keys behind the names of one table. */
class ServiceKeys {
  readonly #names: NameTable
  readonly #unitsMax: number
  /** Words before this place of a text were looked at for names that stand close before the next one. */
  #seenTo = 0
  #textNumber = 0

  constructor(list: readonly string[], unitsMax: number) {
    this.#names = nameTable(list)
    this.#unitsMax = unitsMax
  }

  /** The keys behind all words for a key that stand close behind the name at `at`. */
  find(text: string, at: number, textNumber: number): Match | undefined {
    const names = this.#names.get(text.slice(at, at + headUnits).toLowerCase())
    if (names === undefined) return undefined
    let from = text.length
    let to = 0
    for (const name of names) {
      const end = at + name.length
      if (!standsAt(text, at, name) || !isWholeWord(text, at, end)) continue
      from = Math.min(from, end)
      to = Math.max(to, Math.min(text.length, end + this.#unitsMax + 1))
    }
    const nameEnd = from
    if (textNumber === this.#textNumber) from = Math.max(from, this.#seenTo)
    else this.#seenTo = 0
    this.#textNumber = textNumber
    this.#seenTo = Math.max(this.#seenTo, to)
    return (
      keysWithin(text, from, to) ??
      (nameEnd < to && leftClear(text, at, wordSet) ? assignedKey(text, nameEnd) : undefined)
    )
  }
}

/** The keys behind the words for a key that begin in `[from, to)`. */
function keysWithin(text: string, from: number, to: number): Match | undefined {
  let found: Match | undefined
  for (let i = from; i < to; i++) {
    const word = keyWordAt(text, i)
    if (word === undefined || !mayHoldValue(text, i)) continue
    const match = keyBehind(text, i + word.length)
    if (match !== undefined) found = found === undefined ? match : { ...match, next: found }
  }
  return found
}

const assignedUnitsMin = 24
const assignedBits = 8.5

/** The key that is assigned to a name itself: `pyowm='...'`, `"shodan": "..."`. It must read like nothing else. */
function assignedKey(text: string, nameEnd: number): Match | undefined {
  let at = inSet(quoteSet, codeAt(text, nameEnd)) ? nameEnd + 1 : nameEnd
  while (at < nameEnd + 3 && codeAt(text, at) === 32) at++
  const sign = codeAt(text, at)
  if (sign !== 61 && sign !== 58) return undefined
  at++
  const limit = at + 3
  while (at < limit && (codeAt(text, at) === 32 || inSet(quoteSet, codeAt(text, at)))) at++
  const end = runEnd(text, at, valueSet, valueUnitsMax)
  if (end - at < assignedUnitsMin || runEnd(text, at, hexSet, end - at) === end || isPublicBlob(text, at, end))
    return undefined
  return rarity(text, at, end) >= assignedBits && countOf(text, at, end, digitSet) > 2 ? valueAt(text, at) : undefined
}

function serviceDetector(
  parts: Pick<Detector, 'id' | 'label' | 'hits' | 'misses'>,
  list: readonly string[],
  unitsMax: number
): Detector {
  const joined = [...new Set(list.map((name) => name.replaceAll('_', ' ').replaceAll('-', ' ')))]
  const keys = new ServiceKeys(joined, unitsMax)
  const spelled = joined.flatMap((name) => (name.includes(' ') ? spellings(name).slice(1) : [name]))
  return {
    ...parts,
    lengthMin: 20,
    title: 'key of a service',
    group: 'secret',
    tier: 'medium',
    anchors: spelled.map((literal) => ({ literal, fold: true, guard: wordGuard(literal, 's') })),
    match: (text, at, { textNumber }) => keys.find(text, at, textNumber),
    source:
      'Names of services in the rules of kingfisher, TruffleHog and gitleaks; the value is judged by its look alone.'
  }
}

const named = serviceDetector(
  {
    id: 'named_service_key',
    label: 'SERVICE_KEY',
    hits: () => [
      `SHODAN_API_KEY=${filler(32)}`,
      `shodan, pyowm='${filler(32)}'`,
      `browshot key ${filler(28)}`,
      `"rapidapiKey": "${filler(50)}"`,
      `finnhubSECRET-${filler(20)}`,
      `virustotal access token: ${filler(64, hexLetters)}`,
      `my eventbrite private key\n${filler(24)}\n`,
      `glassnode KEY abcdefghijklmnop${filler(8, 'QWERTYUIOP')}`,
      `waka-time key ${filler(32)}`,
      `shodan and censys key ${filler(32)}`,
      `pyowm='${filler(32)}'`,
      `"shodan": "${filler(32)}"`
    ],
    misses: () => [
      `bitly: split the token of the batch\n${filler(40, hexLetters)} 2026-04-11`,
      `shodan key commit ${filler(40, hexLetters)}`,
      `shodan ${filler(40, hexLetters)}`,
      `shodan: ${filler(40, hexLetters)}`,
      `"shodan": "sha512-${filler(86)}=="`,
      'shodan: quarterly-report-of-2026-with-figures',
      'SHODAN_API_KEY=os.environ["SHODAN_API_KEY"]',
      'const shodanKey = getShodanKeyFromEnvironment()',
      'https://api.shodan.io/shodan/host/8.8.8.8?key=short',
      'SHODAN_API_KEY=your_api_key_1234',
      'func shodanVerifierKey(name string, key ed25519.PublicKey) (string, error)',
      'linkedin: https://www.linkedin.com/in/jo-doe-44a21b5/',
      `https://open.spotify.com/track/${filler(22)}`,
      'spotify key (*ED25519SignerVerifier, error)',
      `"shodanAccessor":"${filler(32)}"`,
      'spotify.PublicKeyDetails.PKIX_ECDSA_P256_SHA_256,',
      'undefined reference to `_ZN6shodan3KeyERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE',
      'shodan private, "created_at":"2011-08-01T21:18:34Z"',
      `shodan key, "node_id":"${['MDEwOlJlcG9z', 'aXRvcnkxMjk2MjY5'].join('')}"`
    ]
  },
  serviceNames,
  nameUnits
)

const commonNamed = serviceDetector(
  {
    id: 'common_service_key',
    label: 'SERVICE_KEY',
    hits: () => [`BOX_SECRET = "${filler(32)}"`, `front_api_key: ${filler(40)}`],
    misses: () => [`a box of ${filler(32)}`, `front row seat ${filler(32)}`, `box of the keys ${filler(32)}`]
  },
  commonServiceNames,
  commonUnits
)

export const namedServiceDetectors: readonly Detector[] = [named, commonNamed]
