/** Seed phrases, private keys and addresses of crypto currencies. */
import { wordAt, wordBits, wordPlace } from '../../validators/bip39-words.ts'
import {
  anyBase64Set,
  assignSet,
  base62Set,
  charSet,
  codeAt,
  countOf,
  foldCode,
  hexSet,
  inSet,
  leftClear,
  letterSet,
  plainBlankSet,
  rightClear,
  runEnd,
  runStart,
  upperSet,
  wordSet
} from '../../text/chars.ts'
import { contextAnchors, matchContextForms, type ContextForm } from '../../keys/context-key.ts'
import { contextMatch, type Detector, type Match, type MatchContext } from '../../detector.ts'
import type { Confidence } from '../../findings.ts'
import { guarded } from '../../keys/fixed-key.ts'
import { digitAndLetterJudge, matchShapes, type ShapedForm } from '../../keys/key-shape.ts'
import { base32Letters, filler, hexLetters } from '../../sample-text.ts'
import { base58Set, decodeBase58Check, encodeBase58Check } from '../../validators/base58.ts'
import { bech32Checksum, bech32Letters, bech32Set, isBech32 } from '../../validators/bech32.ts'
import { hasNkeyChecksum, stellarSeed } from '../../validators/nkey.ts'
import { sha256 } from '../../validators/sha256.ts'

const phraseNames = ['mnemonic', 'phrase', 'bip39', 'seed', 'wallet']
const wordCounts = [24, 21, 18, 15, 12]
const wordsMax = 24
const wordUnitsMax = 8
/** How far behind its name a phrase may begin, in code units, and what may stand between two of its words. */
const leadUnitsMax = 48
const betweenUnitsMax = 8
const betweenSet = charSet(' \t\r\n"\'`,.)[]', '0-9')
/** Between words that blanks or commas separate, these end what the phrase is written in. */
const closingSet = charSet('\n"\'`.])')

const nameEndSet = charSet(' "\'`*')

/**
 * A name within a list of words does not announce a phrase; three words of the list before it are enough to see that.
 */
const wordsBeforeMax = 3

interface Phrase {
  readonly start: number
  readonly places: readonly number[]
  /** Where each of the words ends. */
  readonly ends: readonly number[]
  /** After how many words the phrase may be over, though words of the list follow: `'...' WHERE`, `"...")\nclient`. */
  readonly closings: readonly number[]
}

/** The BIP-39 value of the word in `[start, end)`, or undefined. */
function placeAt(text: string, start: number, end: number): number | undefined {
  if (end - start < 3 || end - start > wordUnitsMax) return undefined
  // In lower case, or with a capital first.
  if (!inSet(upperSet, codeAt(text, start)) && countOf(text, start, end, upperSet) > 0) return undefined
  const place = wordPlace(text, start, end)
  return place < 0 ? undefined : place
}

function standsAmongWords(text: string, at: number): boolean {
  // `please use this seed phrase: ...`: three words of the list as well, but a list assigns nothing.
  if (inSet(assignSet, codeAt(text, runEnd(text, runEnd(text, at, wordSet, leadUnitsMax), nameEndSet, 3)))) return false
  let end = at
  for (let left = wordsBeforeMax; left > 0; left--) {
    const gap = runStart(text, end, betweenSet, betweenUnitsMax)
    const start = runStart(text, gap, letterSet, wordUnitsMax + 1)
    if (gap === end || placeAt(text, start, gap) === undefined) return false
    end = start
  }
  return true
}

/**
 * The longest run of BIP-39 words that begins shortly behind `from`; undefined if it is longer than any phrase, and none
 * can end within it.
 */
function phraseBehind(text: string, from: number): Phrase | undefined {
  const limit = Math.min(text.length, from + leadUnitsMax)
  for (let at = from; at < limit;) {
    if (!inSet(letterSet, text.charCodeAt(at))) {
      at++
      continue
    }
    const phrase = phraseAt(text, at)
    if (phrase.places.length >= 12)
      return phrase.places.length <= wordsMax || phrase.closings.length > 0 ? phrase : undefined
    at = phrase.ends.at(-1) ?? runEnd(text, at, wordSet, limit - at)
  }
  return undefined
}

function phraseAt(text: string, start: number): Phrase {
  const places: number[] = []
  const ends: number[] = []
  const closings: number[] = []
  let closesEach = false
  for (let at = start; places.length <= wordsMax;) {
    const end = runEnd(text, at, letterSet, wordUnitsMax + 1)
    const place = inSet(wordSet, text.charCodeAt(at - 1)) ? undefined : placeAt(text, at, end)
    if (place === undefined || !rightClear(text, end, wordSet)) break
    places.push(place)
    ends.push(end)
    at = runEnd(text, end, betweenSet, betweenUnitsMax)
    let closes = countOf(text, end, at, closingSet) > 0
    // In a string literal, words may be separated by an escape such as `\n`.
    if (text.charCodeAt(at) === 92 && text.charCodeAt(at + 1) === 110) {
      closes = true
      at += 2
    }
    if (places.length === 1) closesEach = closes
    else if (closes && !closesEach && wordCounts.includes(places.length)) closings.push(places.length)
  }
  return { start, places, ends, closings }
}

/** Whether the checksum holds: the last bits of the words are the first bits of the SHA-256 of the others. */
function hasPhraseChecksum(places: readonly number[]): boolean {
  const sumBits = (places.length * wordBits) / 33
  const bytes: number[] = []
  let held = 0
  let bits = 0
  for (const place of places) {
    held = ((held << wordBits) | place) & 0x7ffff
    bits += wordBits
    for (; bits >= 8 && bytes.length < sumBits * 4; bits -= 8) bytes.push((held >> (bits - 8)) & 0xff)
  }
  return (held & ((1 << sumBits) - 1)) === (sha256(bytes)[0] as number) >> (8 - sumBits)
}

/** Whether punctuation, a quote or a line break separates the name from the phrase. */
function isSetApart(text: string, start: number): boolean {
  const before = runStart(text, start, plainBlankSet, betweenUnitsMax)
  return !inSet(letterSet, text.charCodeAt(before - 1))
}

/** Whether most words are the same, as in the phrases that developer tools publish: `test test test ... junk`. */
function isSamplePhrase(places: readonly number[]): boolean {
  return new Set(places).size * 2 <= places.length
}

const seedPhrase: Detector = {
  id: 'crypto_wallet_seed_phrase',
  label: 'SEED_PHRASE',
  lengthMin: 50,
  title: 'seed phrase of a wallet',
  group: 'secret',
  tier: 'high',
  anchors: phraseNames.map((literal) => ({ literal, fold: true })),
  match(text, at) {
    if (standsAmongWords(text, at)) return undefined
    const name = phraseNames.find((one) => foldCode(text.charCodeAt(at)) === one.charCodeAt(0)) as string
    const nameEnd = runEnd(text, at, wordSet, leadUnitsMax)
    const phrase = phraseBehind(text, Math.max(nameEnd, at + name.length))
    if (phrase === undefined) return undefined
    const { start, places, ends, closings } = phrase
    // The longest phrase that fits, those that are closed, and the usual length. Each attempt costs a hash.
    const isBounded = places.length <= wordsMax
    const longest = wordCounts.find((count) => count <= places.length) as number
    for (const count of new Set([
      ...(isBounded ? [longest] : []),
      ...closings.toReversed(),
      ...(isBounded ? [12] : [])
    ])) {
      if (!hasPhraseChecksum(places.slice(0, count))) continue
      const isSample = isSamplePhrase(places.slice(0, count))
      return { start, end: ends[count - 1] as number, confidence: isSample ? 'medium' : 'certain', byContext: true }
    }
    // Without a valid checksum, only the separation tells which words belong to the phrase and which to the sentence.
    const count = wordCounts.includes(places.length) ? places.length : closings[0]
    return count !== undefined && isSetApart(text, start) ? contextMatch(start, ends[count - 1] as number) : undefined
  },
  hits: () => [
    `mnemonic: "${phraseOf(11, 3)}"`,
    `My recovery phrase is ${phraseOf(23, 5)}.`,
    `SEED_PHRASE='${phraseOf(11, 9)}'`,
    `seed words: ${phraseOf(11, 3).split(' ').slice(1).join(' ')} zoo`,
    `please use this seed phrase: ${phraseOf(11, 3)}`,
    `UPDATE wallets SET recovery_phrase = '${phraseOf(23, 5)}' WHERE id = 7`,
    `MNEMONIC = "${phraseOf(23, 5)}"\nclient = connect()`,
    `variable "mnemonic" {\n  type    = string\n  default = "${phraseOf(11, 3)}"\n}`
  ],
  misses: () => [
    `mnemonic: ${phraseOf(11, 3).split(' ').slice(0, 10).join(' ')}`,
    phraseOf(11, 3),
    'a seed phrase is a list of words from which a wallet can be made again by anybody who has read it',
    `wallet ${Array.from({ length: 40 }, (_, i) => wordAt(i)).join(' ')}`
  ],
  source: 'BIP-39: 12, 15, 18, 21 or 24 words of a list of 2,048; the last bits are a checksum. English list only.'
}

/** A valid phrase of made-up words: `free` pseudo-random ones, and a last one that makes the checksum right. */
function phraseOf(free: number, seed: number): string {
  const places = Array.from({ length: free }, (_, i) => (seed * 977 + i * i * 131 + i * 17) % 2048)
  for (let last = 0; ; last++) if (hasPhraseChecksum([...places, last])) return [...places, last].map(wordAt).join(' ')
}

const wifStarts = charSet('5KLc9')
const privateNames = ['private_key', 'privatekey', 'private-key', 'private key', 'privkey', 'priv_key', 'wif']
const coinNames = ['ethereum', 'metamask', 'bitcoin', 'solana', 'deployer', 'hardhat', 'foundry', 'wallet']
const wifJudge = (value: string): Confidence | undefined =>
  wifStarts[value.charCodeAt(0)] !== 1 ? undefined : decodeBase58Check(value) === undefined ? 'medium' : 'certain'
const hexPrefixedSet = hexSet.slice()
hexPrefixedSet[120] = 1
const privateForms: ContextForm[] = [
  { names: privateNames, set: base58Set, min: 51, max: 52, bare: true, judge: wifJudge },
  { names: [...privateNames, ...coinNames], set: hexSet, min: 64, max: 64, judge: digitAndLetterJudge },
  {
    names: [...privateNames, ...coinNames],
    set: hexPrefixedSet,
    min: 66,
    max: 66,
    judge: (value) => (value.startsWith('0x') ? digitAndLetterJudge(value.slice(2)) : undefined)
  },
  { names: [...privateNames, 'solana'], set: base58Set, min: 86, max: 88, judge: digitAndLetterJudge }
]
const extendedForms: ShapedForm[] = ['xprv', 'yprv', 'zprv', 'tprv', 'uprv', 'vprv'].map((prefix) => ({
  prefix,
  parts: [[base58Set, 107]],
  judge: (text, start, end) => (decodeBase58Check(text.slice(start, end)) === undefined ? 'medium' : 'certain')
}))
const matchExtended = matchShapes(extendedForms)
const matchPrivate = matchContextForms(privateForms)
const nostr = 'nsec1'
const stellarUnits = 56
const wifUnits = [51, 52]
const stellarLead = 'S'

/** A key with a checksum of its own, whatever stands next to it: Bitcoin's WIF, a Stellar seed, a Nostr key. */
function provenKey(text: string, start: number, end: number): Match | undefined {
  const length = end - start
  const value = text.slice(start, end)
  const isProven =
    length === stellarUnits
      ? value.startsWith(stellarLead) && hasNkeyChecksum(value)
      : wifUnits.includes(length) && wifJudge(value) === 'certain'
  return isProven ? { start, end, confidence: 'certain' } : undefined
}

function nostrKey(text: string, at: number): Match | undefined {
  const end = runEnd(text, at + nostr.length, bech32Set, 60)
  if (end - at !== 63 || !leftClear(text, at, wordSet) || !rightClear(text, end, wordSet)) return undefined
  return isBech32(text.slice(at, end)) ? { start: at, end, confidence: 'certain' } : undefined
}

function keyAt(text: string, at: number, context: MatchContext): Match | undefined {
  if (context.by === 'token') {
    const end = runEnd(text, at, base62Set, stellarUnits + 1)
    return inSet(anyBase64Set, codeAt(text, end)) ? undefined : provenKey(text, at, end)
  }
  return text.startsWith(nostr, at) ? nostrKey(text, at) : (matchExtended(text, at) ?? matchPrivate(text, at, context))
}
const sampleBytes = (length: number) => Array.from({ length }, (_, i) => (i * 67 + 41) % 256)

const privateKey: Detector = {
  id: 'crypto_private_key',
  label: 'CRYPTO_PRIVATE_KEY',
  lengthMin: 54,
  title: 'private key of a crypto currency',
  group: 'secret',
  tier: 'high',
  anchors: [
    ...extendedForms.map(({ prefix }) => ({ literal: prefix })),
    { literal: nostr },
    { token: [...wifUnits, stellarUnits] },
    ...contextAnchors(privateForms)
  ],
  match: keyAt,
  hits: () => [
    encodeBase58Check(Uint8Array.from([0x04, 0x88, 0xad, 0xe4, ...sampleBytes(74)])),
    `PRIVATE_KEY=0x${filler(64, hexLetters)}`,
    `wif key: ${encodeBase58Check(Uint8Array.from([0x80, ...sampleBytes(32), 1]))}`,
    `privateKey: '${filler(64, hexLetters)}'`,
    encodeBase58Check(Uint8Array.from([0x80, ...sampleBytes(32), 1])),
    stellarSeed(sampleBytes(32)),
    nostr + filler(52, bech32Letters) + bech32Checksum('nsec', filler(52, bech32Letters))
  ],
  misses: () => [
    filler(64, hexLetters),
    `sha256: ${filler(64, hexLetters)}`,
    'xprv' + filler(20),
    `K${filler(51)}`,
    `S${filler(55, base32Letters)}`,
    nostr + filler(58, bech32Letters),
    `tx 0x${filler(64, hexLetters)}`,
    `run(t, NewPrivateKey44, NewPublicKey44, "${filler(64, hexLetters)}")`
  ],
  source:
    'BIP-32 (xprv: 111 characters of base58check); Bitcoin wiki, "Wallet import format"; 32 bytes in hexadecimal; Stellar SEP-23 (strkey); NIP-19.'
}

const addressForms: ContextForm[] = [
  {
    names: ['bitcoin', 'btc', 'wallet', 'litecoin', 'dogecoin'],
    set: base58Set,
    min: 26,
    max: 35,
    bare: true,
    judge: (value) => (decodeBase58Check(value) === undefined ? undefined : 'strong')
  },
  {
    names: ['ethereum', 'eth_address', 'wallet', 'usdt', 'usdc'],
    set: hexPrefixedSet,
    min: 42,
    max: 42,
    bare: true,
    judge: (value) => (value.startsWith('0x') ? digitAndLetterJudge(value.slice(2)) : undefined)
  }
]
const matchAddress = matchContextForms(addressForms)

function segwitAddress(text: string, at: number): Match | undefined {
  if (inSet(wordSet, text.charCodeAt(at - 1))) return undefined
  const end = runEnd(text, at + 3, bech32Set, 88)
  if (end - at < 14 || end - at > 90 || !rightClear(text, end, wordSet)) return undefined
  return isBech32(text.slice(at, end)) ? guarded(text, { start: at, end, confidence: 'certain' }) : undefined
}

const address: Detector = {
  id: 'btc_eth_address',
  label: 'CRYPTO_ADDRESS',
  lengthMin: 14,
  title: 'address of a crypto currency',
  group: 'financial',
  tier: 'low',
  anchors: [{ literal: 'bc1' }, { literal: 'tb1' }, ...contextAnchors(addressForms)],
  match: (text, at, context) =>
    text.startsWith('bc1', at) || text.startsWith('tb1', at)
      ? segwitAddress(text, at)
      : matchAddress(text, at, context),
  hits: () => [
    `bc1${filler(32, 'qpzry9x8gf2tvdw0s3jn54khce6mua7l')}${bech32Checksum('bc', filler(32, 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'))}`,
    `bitcoin: ${encodeBase58Check(Uint8Array.from([0, ...sampleBytes(20)]))}`,
    `wallet 0x${filler(40, hexLetters)}`
  ],
  misses: () => [
    'bc1' + filler(40, 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'),
    `commit ${filler(40, hexLetters)}`,
    'bitcoin core 27.0'
  ],
  source: 'BIP-173 and BIP-350; base58check. EIP-55 needs Keccak-256, so the case of an Ethereum address is not judged.'
}

export const cryptoCurrencyDetectors: readonly Detector[] = [seedPhrase, privateKey, address]
