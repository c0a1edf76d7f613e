/**
 * The long tail: services whose keys have neither a form nor a kind of their own. A name from the table, a word such as
 * `key` or `token` behind it, and a value that does not read like a word make the key of some service. The names are
 * the anchors: texts contain more words like `key` than names of services, however many those are.
 */
import { wordGuard } from '../../anchor-guard.ts'
import {
  base62Set,
  charSet,
  codeAt,
  consistsOf,
  countOf,
  digitSet,
  foldCode,
  hexSet,
  inSet,
  leftClear,
  letterSet,
  nameSet,
  quoteSet,
  runEnd,
  runStart,
  wordSet
} from '../../text/chars.ts'
import { spellings } from '../../keys/context-key.ts'
import { looksLikeKey } from './service-key-value.ts'
import { commonServiceNames, serviceNames } from './service-names.ts'
import { isWholeWord } from '../../text/whole-word.ts'
import { contextMatch, type Detector, type Match, withNext } from '../../detector.ts'
import { isPublicBlob } from '../../values/non-secret-formats.ts'
import { rarity } from '../../values/rarity.ts'
import { filler, fillerUuid, hexLetters } from '../../sample-text.ts'
import { NextOf } from '../../text/next-of.ts'
import { WordSet } from '../../text/word-set.ts'

/** Words that make what follows a name a key. Their first letters differ. */
const keyWords = ['key', 'token', 'secret', 'private', 'access']
const keyWordUnitsMax = 7
/** By their first letter in either case. */
const keyWordsByHead = Array.from({ length: 128 }, (_, code) =>
  keyWords.find((word) => word.charCodeAt(0) === foldCode(code))
)
/** Words that say that the value is something else. */
const otherWords = new Set(
  'sha sha1 sha256 sha512 md5 commit digest checksum hash integrity etag rev revision version'.split(' ')
)
const chunkSet = base62Set
/** Characters with which a value may continue behind its first part: tokens in parts, base64. */
const tailSet = charSet('A-Z', 'a-z', '0-9', '_.+/=~:-')
const blankSet = charSet(' ', '\t', '\r')
const leadingSet = charSet(':', '=', '(', '[', '{', '>', ',', '|', '"', "'", '`', '\\')
const breakSet = charSet('nrt')
const reachUnits = 48
const valueUnitsMin = 16
const valueUnitsMax = 300
const wordsMax = 5
const attemptsMax = 3
/** Characters before a reference or a path. */
const referenceSet = charSet('$@#/({<%')

/** The key behind a word such as `token`: the first of the following words that can be the value. */
function keyBehind(text: string, from: number, textNumber: number): Match | undefined {
  const limit = Math.min(text.length, from + reachUnits)
  let words = 0
  let lines = 0
  let attempts = 0
  let at = from
  while (at < limit) {
    const code = text.charCodeAt(at)
    if (!inSet(chunkSet, code)) {
      if (code === 59 || code === 38 || code === 47) return undefined
      if (code === 58 && lines > 0 && isLabel(text, at)) return undefined
      if (code === 10 && (++lines > 2 || !(leadsOn(text, at) || fillsLine(text, from, at)))) return undefined
      // The letter of an escaped line break, as in JSON.
      at += code === 92 && inSet(breakSet, codeAt(text, at + 1)) ? 2 : 1
      continue
    }
    if (at > from && runEnd(text, at, tailSet, valueUnitsMin) - at === valueUnitsMin) {
      if (runEnd(text, at, nameSet, valueUnitsMax) - at === valueUnitsMax) return undefined
      const match = valueAt(text, at, textNumber)
      if (match !== undefined || ++attempts === attemptsMax) return match
    }
    const end = runEnd(text, at, chunkSet, limit - at)
    if (otherWords.has(text.slice(at, Math.min(end, at + 20)).toLowerCase()) || ++words > wordsMax) return undefined
    at = end
  }
  return undefined
}

/** Whether a member of its own ends before the colon at `at`, so that what follows is not the key: `"created_by": "..."`. */
function isLabel(text: string, at: number): boolean {
  if (codeAt(text, at - 1) !== 34) return false
  return text.slice(runStart(text, at - 1, letterSet, labelUnitsMax), at - 1).toLowerCase() !== 'value'
}
const labelUnitsMax = 6

/** Whether a run of the minimum length of a value stands where one may begin behind the word at `at`. */
function mayHoldValue(text: string, at: number): boolean {
  const limit = Math.min(text.length, at + keyWordUnitsMax + reachUnits + valueUnitsMin)
  // Such a run covers one of these places.
  for (let i = at + valueUnitsMin; i < limit; i += valueUnitsMin) {
    if (!inSet(tailSet, text.charCodeAt(i))) continue
    const start = runStart(text, i, tailSet, valueUnitsMin)
    if (runEnd(text, i, tailSet, start + valueUnitsMin - i) - start === valueUnitsMin) return true
  }
  return false
}

/** Whether the last character of a line announces a value on the next line. */
function leadsOn(text: string, lineEnd: number): boolean {
  let at = lineEnd - 1
  while (inSet(blankSet, codeAt(text, at))) at--
  // A quote behind a word closes what was quoted.
  if (inSet(quoteSet, codeAt(text, at)) && inSet(wordSet, codeAt(text, at - 1))) return false
  return inSet(leadingSet, codeAt(text, at))
}

/** Whether the word for a key ends its line, and the next line is a single word. */
function fillsLine(text: string, from: number, lineEnd: number): boolean {
  if (from !== lineEnd) return false
  const end = runEnd(text, lineEnd + 1, tailSet, valueUnitsMax)
  return end - lineEnd > valueUnitsMin && (end === text.length || text.charCodeAt(end) === 10)
}

/** Where the run of a tail ends. Names glued to each other make one run, which would be read again for each. */
const tailEnds = new NextOf(tailSet, 'notIn')

function valueAt(text: string, start: number, textNumber: number): Match | undefined {
  if (inSet(referenceSet, text.charCodeAt(start - 1))) return undefined
  const head = runEnd(text, start, nameSet, valueUnitsMax)
  // The rest of the name: `TOKEN=...` behind `BOX_ACCESS_`, `BOX_TOKEN=...` on the next line of a diff.
  if (isAssigned(text, start, head)) return undefined
  // Another setting: `SOURCE=main.cpp`.
  if (head - start < valueUnitsMin && isSetting(text, head)) return undefined
  // The beginning of a path or of a host name.
  if (head - start < valueUnitsMin && text.charCodeAt(head) === 47) return undefined
  let end = tailEnds.at(text, head, Math.min(text.length, head + valueUnitsMax), textNumber)
  while (end > head && (text.charCodeAt(end - 1) === 46 || text.charCodeAt(end - 1) === 58)) end--
  const length = end - start
  if (length < valueUnitsMin || length >= valueUnitsMax || inSet(wordSet, text.charCodeAt(end))) return undefined
  if (text.charCodeAt(end) === 40 || !looksLikeKey(text, start, end)) return undefined
  return contextMatch(start, end)
}

/** Whether an equals sign at `at` assigns a value, and is not the padding of base64. */
function isSetting(text: string, at: number): boolean {
  return codeAt(text, at) === 61 && codeAt(text, at + 1) !== 61 && inSet(tailSet, codeAt(text, at + 1))
}

/** Whether a value is assigned to the word in `[start, end)`, which ends in `key`, `token` and the like. */
function isAssigned(text: string, start: number, end: number): boolean {
  const sign = codeAt(text, end)
  if ((sign !== 61 && sign !== 58) || !inSet(tailSet, codeAt(text, end + 1)) || codeAt(text, end + 1) === 61)
    return false
  return keyWords.some((word) => end - start >= word.length && standsAt(text, end - word.length, word))
}

/** How far behind a name `key` or `token` may begin, in code units; behind a common word, only in the same identifier. */
const nameUnits = 24
const commonUnits = 5

/** Names by their first three characters. A blank in a name also stands for `_` and `-`. */
const headUnits = 3

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
  const word = keyWordsByHead[codeAt(text, at)]
  if (word === undefined || !standsAt(text, at, word)) return undefined
  // `splitAccessor` has nothing to do with access.
  return text.startsWith('or', at + word.length) ? undefined : word
}

/** Finds the keys behind the names of one table. */
class ServiceKeys {
  /** How names begin, and those that begin so. */
  readonly #heads: WordSet
  readonly #names: readonly (readonly string[])[]
  readonly #unitsMax: number
  /** Words before this place were already tried for an earlier name nearby. */
  #seenTo = 0
  #textNumber = 0

  constructor(list: readonly string[], unitsMax: number) {
    const byHead = Map.groupBy(list, (name) => name.slice(0, headUnits))
    this.#heads = new WordSet([...byHead.keys()])
    this.#names = [...byHead.values()]
    this.#unitsMax = unitsMax
  }

  /** The keys behind all words for a key that stand close behind the name at `at`. */
  find(text: string, at: number, textNumber: number): Match | undefined {
    const place = this.#heads.placeOf(text, at, Math.min(text.length, at + headUnits))
    if (place < 0) return undefined
    let from = text.length
    let to = 0
    for (const name of this.#names[place] as readonly string[]) {
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
      keysWithin(text, from, to, textNumber) ??
      (nameEnd < to && leftClear(text, at, wordSet) ? assignedKey(text, nameEnd, textNumber) : undefined)
    )
  }
}

/** The keys behind the words for a key that begin in `[from, to)`. */
function keysWithin(text: string, from: number, to: number, textNumber: number): Match | undefined {
  let found: Match | undefined
  for (let i = from; i < to; i++) {
    const word = keyWordAt(text, i)
    if (word === undefined || !mayHoldValue(text, i) || isPublicKey(text, i)) continue
    const match = keyBehind(text, i + word.length, textNumber)
    if (match !== undefined) found = withNext(match, found)
  }
  return found
}

/** Words before a `key` that pages show to everybody: `RECAPTCHA_SITE_KEY`, `data-sitekey`. */
const publicHeads = ['site', 'site ', 'public ', 'publishable ']
const isPublicKey = (text: string, at: number): boolean =>
  publicHeads.some((head) => standsAt(text, at - head.length, head))

const assignedUnitsMin = 24
const assignedBits = 8.5

/** The key that is assigned to a name itself: `pyowm='...'`, `"shodan": "..."`. It must read like nothing else. */
function assignedKey(text: string, nameEnd: number, textNumber: number): Match | undefined {
  let at = inSet(quoteSet, codeAt(text, nameEnd)) ? nameEnd + 1 : nameEnd
  while (at < nameEnd + 3 && codeAt(text, at) === 32) at++
  const sign = codeAt(text, at)
  if (sign !== 61 && sign !== 58) return undefined
  at += text.startsWith(':=', at) ? 2 : 1
  const limit = at + 3
  while (at < limit && (codeAt(text, at) === 32 || inSet(quoteSet, codeAt(text, at)))) at++
  const end = runEnd(text, at, nameSet, valueUnitsMax)
  if (end - at < assignedUnitsMin || consistsOf(text, at, end, hexSet) || isPublicBlob(text, at, end)) return undefined
  return rarity(text, at, end) >= assignedBits && countOf(text, at, end, digitSet) > 2
    ? valueAt(text, at, textNumber)
    : undefined
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
      `shodan := "${filler(32)}"`,
      `"shodan": "${filler(32)}"`
    ],
    misses: () => [
      `"--etherscan-api-key", next_key(),\n"0x${filler(40, hexLetters)}"`,
      `bitly: split the token of the batch\n${filler(40, hexLetters)} 2026-04-11`,
      `<div class="g-recaptcha" data-sitekey="${filler(40)}"></div>`,
      `shodan key commit ${filler(40, hexLetters)}`,
      `SHODAN_API_KEY=${'0'.repeat(32)}`,
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
    misses: () => [
      `a box of ${filler(32)}`,
      `front row seat ${filler(32)}`,
      `box of the keys ${filler(32)}`,
      '// Branch key "Skip" instead of "Enter"\nSOURCE=QXS348783.cpp',
      `"Front Secret)",\n  "created_by": "identity--${fillerUuid()}"`
    ]
  },
  commonServiceNames,
  commonUnits
)

export const namedServiceDetectors: readonly Detector[] = [named, commonNamed]
