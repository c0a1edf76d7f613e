/**
 * Values that look random but are no secrets, recognised by their structure: identifiers, digests, media, versions.
 * They are tested first, so that no rule that rates randomness sees them.
 */
import {
  base64Set,
  base64UrlSet,
  charSet,
  consistsOf,
  countOf,
  digitSet,
  dotSet,
  dottedDigitSet,
  hexSet,
  inSet,
  letterSet,
  lowerDigitSet,
  lowerSet,
  runEnd,
  runStart,
  upperSet,
  uuidSet,
  wordSet
} from '../text/chars.ts'
import { WordSet } from '../text/word-set.ts'
import { hasNkeyChecksum } from '../validators/nkey.ts'

/** Whether `[start, end)` is a UUID, in braces or not. */
export function isUuid(text: string, start: number, end: number): boolean {
  let from = start
  let to = end
  if (text.charCodeAt(from) === 123 && text.charCodeAt(to - 1) === 125) {
    from++
    to--
  }
  if (to - from !== 36) return false
  for (let i = 0; i < 36; i++) {
    const code = text.charCodeAt(from + i)
    const dash = i === 8 || i === 13 || i === 18 || i === 23
    if (dash ? code !== 45 : hexSet[code] !== 1) return false
  }
  return true
}

/** Whether `[start, end)` is part of a UUID: its groups are as long as many personal numbers. */
export function isPieceOfUuid(text: string, start: number, end: number): boolean {
  if (end - start >= 36) return false
  const from = runStart(text, start, uuidSet, 36)
  return isUuid(text, from, runEnd(text, end, uuidSet, 37))
}

const digestNames = [
  'sha256=',
  'sha384=',
  'sha512=',
  'sha1-',
  'sha256-',
  'sha384-',
  'sha512-',
  'sha256:',
  'sha512:',
  'sha1:',
  'md5:',
  'md5-',
  'h1:'
]
const publicStarts = [
  'GHSA-',
  'CVE-',
  // Node ids of GitHub in base64: `010:Repository`, `04:User`, `012:Organization`.
  'MDEwOlJlcG9zaXRvcn',
  'MDQ6VXNlc',
  'MDEyOk9yZ2FuaXph',
  // The first line of a script, not only its sign, with which a password may begin as well.
  '#!/bin/',
  '#!/sbin/',
  '#!/usr/bin/',
  '#!/usr/local/bin/',
  'ssh-rsa ',
  'ssh-ed25519 ',
  'ssh-dss ',
  'ecdsa-sha2-',
  'AAAAB3NzaC1',
  'AAAAC3NzaC1',
  'AAAAE2VjZHNh',
  '-----BEGIN',
  'data:',
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS',
  'LS0tLS1CRUdJTiBQVUJMSUMg',
  'iVBORw0KGgo',
  '/9j/',
  'R0lGOD',
  'UEsDB',
  'JVBERi0',
  'AAABAA',
  'd09GMg',
  'd09GRg',
  'PHN2Zy',
  'MIIBIjANBgkqhkiG9w0BAQEFAAOC',
  // A public key of minisign, with its comment.
  'dW50cnVzdGVkIGNvbW1lbnQ6IG1pbmlzaWduIHB1YmxpYyBrZXk',
  'MIIBCgKCAQEA',
  'MIGfMA0GCSqGSIb3DQEBAQUAA4GN',
  'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE'
]

/** How such values begin, by their first character. */
const publicHeads = Map.groupBy([...digestNames, ...publicStarts], (head) => head.charCodeAt(0))
const publicFirstSet = charSet(String.fromCharCode(...publicHeads.keys()))

/** Whether the value is a digest with its algorithm, a public key, a certificate, or media in base64. */
export function isPublicBlob(text: string, start: number, end: number): boolean {
  const first = text.charCodeAt(start)
  if (publicFirstSet[first] === 1)
    for (const head of publicHeads.get(first) as readonly string[]) if (text.startsWith(head, start)) return true
  if (end - start === ulidUnits && isUlid(text, start, end)) return true
  if (end - start === nkeyUnits && (isPublicNkey(text, start, end) || isMinisignKey(text, start, end))) return true
  if (isAgeRecipient(text, start, end)) return true
  // The body of a certificate below its header.
  if (text.startsWith('MII', start) && text.slice(start - certificateHead.length - 4, start).includes(certificateHead))
    return true
  if (isSealed(text, start, end) || isLicense(text, start, end) || isLanguageTag(text, start, end)) return true
  return isNodeId(text, start, end) || isPathData(text, start, end)
}
const ulidUnits = 26
const certificateHead = 'CERTIFICATE-----'

const nkeyUnits = 56

/** Whether it is the public key of a user, account or server of NATS: `U...` and `A...` with their checksum. */
function isPublicNkey(text: string, start: number, end: number): boolean {
  return inSet(nkeyKindSet, text.charCodeAt(start)) && hasNkeyChecksum(text.slice(start, end))
}
const nkeyKindSet = charSet('UANCOX')

/** Whether it is a public key of minisign or signify: the letters `Ed`, eight bytes of its number and 32 of the key. */
function isMinisignKey(text: string, start: number, end: number): boolean {
  if (!text.startsWith('RW', start) || !inSet(minisignSet, text.charCodeAt(start + 2))) return false
  return runEnd(text, start, base64Set, end - start) === end
}
const minisignSet = charSet('Q-T')

/** Whether it is a recipient of age, to whom everybody may encrypt: `age1...` in Bech32. */
function isAgeRecipient(text: string, start: number, end: number): boolean {
  if (!text.startsWith('age1', start) || end - start < ageUnitsMin) return false
  return runEnd(text, start + 'age1'.length, lowerDigitSet, end - start) === end
}
const ageUnitsMin = 62

/** Whether it is a node id of GitHub: its type, an underscore, and numbers in MessagePack as base64: `LA_kwDOCsUTCM8`. */
function isNodeId(text: string, start: number, end: number): boolean {
  if (!inSet(upperSet, text.charCodeAt(start))) return false
  const type = runEnd(text, start, upperSet, typeUnitsMax)
  if (text.charCodeAt(type) !== 95 || runEnd(text, type + 1, base64UrlSet, end - type) !== end) return false
  return packedHeads.some((head) => text.startsWith(head, type + 1))
}
const typeUnitsMax = 8
/** Arrays of two to four numbers, the first of which is zero or one, and then one of 32 bits. */
const packedHeads = ['kgDO', 'kwDO', 'kwHO', 'lADO', 'lQDO']

/** Whether it is a piece of the outline of a drawing: `57V37.352H37.896V34.6H54.504`. */
function isPathData(text: string, start: number, end: number): boolean {
  if (!inSet(pathDataSet, text.charCodeAt(start)) || !consistsOf(text, start, end, pathDataSet)) return false
  const letters = countOf(text, start, end, letterSet)
  const digits = countOf(text, start, end, digitSet)
  return letters > 1 && digits > letters * 2 && countOf(text, start, end, dotSet) > 1
}
/** Commands of a path in SVG, and its numbers. */
const pathDataSet = charSet('MLHVCSQTAZmlhvcsqtaz', '0-9', '.,-')

/** Whether it is the tag of a language with its script, and perhaps its country: `zh-Hant-TW` (BCP 47). */
function isLanguageTag(text: string, start: number, end: number): boolean {
  if (end - start > tagUnitsMax) return false
  const language = runEnd(text, start, lowerSet, end - start)
  if (language < start + 2 || language > start + 3 || text.charCodeAt(language) !== 45) return false
  const script = language + 1
  if (!inSet(upperSet, text.charCodeAt(script)) || runEnd(text, script + 1, lowerSet, 4) !== script + 4) return false
  const country = script + scriptUnits + 1
  return (
    country > end ||
    (text.charCodeAt(country - 1) === 45 && runEnd(text, country, upperSet, 3) === end && end === country + 2)
  )
}
const scriptUnits = 4
const tagUnitsMax = 'pau-Latn-PW'.length

const licenses = ['gpl-', 'lgpl-', 'agpl-', 'apache-', 'mpl-', 'bsd-', 'epl-', 'cc-by', 'cc0-', 'eupl-', 'artistic-']

/** Whether it is an SPDX licence id: `gpl-3.0`, `cc-by-sa-4.0`. */
function isLicense(text: string, start: number, end: number): boolean {
  const name = end - start < licenseUnitsMax ? text.slice(start, end).toLowerCase() : ''
  return licenses.some((one) => name.startsWith(one) && countOf(name, 0, name.length, digitSet) < 3)
}
const licenseUnitsMax = 18

/** Whether it is the value of a SealedSecret, which only the cluster can decrypt: it begins with a two-byte length. */
function isSealed(text: string, start: number, end: number): boolean {
  if (end - start < sealedUnitsMin || (!text.startsWith('AgA', start) && !text.startsWith('AgB', start))) return false
  return runEnd(text, start, base64Set, sealedUnitsMin) === start + sealedUnitsMin
}
const sealedUnitsMin = 128

/** Whether it is the address of an account or contract of Ethereum, which is public: `0x5FbD...`. */
export function isAddress(text: string, start: number, end: number): boolean {
  return (
    end - start === addressUnits &&
    text.startsWith('0x', start) &&
    runEnd(text, start + 2, hexSet, addressUnits) === end
  )
}
const addressUnits = 42

const crockfordSet = charSet('0-9', 'A-H', 'J-K', 'M-N', 'P-T', 'V-Z')

function isUlid(text: string, start: number, end: number): boolean {
  return text.charCodeAt(start) === 48 && runEnd(text, start, crockfordSet, 26) === end
}

/** Whether the value is a hexadecimal digest of a common length. */
export function isHexDigest(text: string, start: number, end: number): boolean {
  const length = end - start
  if (length !== 32 && length !== 40 && length !== 64 && length !== 96 && length !== 128) return false
  return runEnd(text, start, hexSet, length) === end
}

/** Whether the value is a number, a version, a date, a time, a duration or a count. */
export function isNumeric(text: string, start: number, end: number): boolean {
  let letters = 0
  let dots = 0
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i)
    if (letterSet[code] === 1) letters++
    else if (code === 46 || code === 58) dots++
    else if (digitSet[code] !== 1 && code !== 45 && code !== 95 && code !== 43 && !(code === 126 && i === start))
      return false
  }
  if (letters === 0) return true
  const length = end - start
  const first = text.charCodeAt(start)
  if (inSet(aboutSet, first)) return isCount(text, start + 1, end)
  if (digitSet[first] !== 1) return false
  if (isCount(text, start, end)) return true
  if (letters === 1 && isExponent(text, start, end)) return true
  if (letters < 4 && isDuration(text, start, end)) return true
  // `2024-01-01T00:00:00Z`, `1.2.3-rc.1`.
  if (letters <= 4 && dots >= 2) return true
  if (text.charCodeAt(start) === 48 && (text.charCodeAt(start + 1) | 32) === 120)
    return length <= 10 || (length <= suffixedUnitsMax && runEnd(text, start + 2, hexSet, hexDigitsMax) >= end - 2)
  // `30s`, `4096UL`, `250ms`: the letters are a unit or suffix.
  return letters <= 3 && length <= 10 && runEnd(text, start, dottedDigitSet, length) >= end - letters
}

/** Digits of a hexadecimal constant of 32 bits, which may have a suffix: `0x494F4600UL`. */
const hexDigitsMax = 8
const suffixedUnitsMax = '0x'.length + hexDigitsMax + 'UL'.length

/** A duration of Go: `999h0m0s`, `1h30m`. */
function isDuration(text: string, start: number, end: number): boolean {
  for (let i = start; i < end;) {
    const unit = runEnd(text, i, digitSet, durationDigitsMax)
    if (unit === i || !inSet(unitSet, text.charCodeAt(unit))) return false
    i = unit + 1
  }
  return true
}
const durationDigitsMax = 6
const unitSet = charSet('hms')

/** Whether it counts something, or is a range of such counts: `250k`, `1.5GB`, `50-100k`. */
function isCount(text: string, start: number, end: number): boolean {
  const to = countEnd(text, start)
  // A password of groups has more of them, `73-81-92k`.
  return to === end || (to > start && text.charCodeAt(to) === 45 && countEnd(text, to + 1) === end)
}

/** Past a number and perhaps its unit; -1 if there is none. */
function countEnd(text: string, from: number): number {
  const unit = runEnd(text, from, dottedDigitSet, countDigitsMax)
  const to = runEnd(text, unit, letterSet, countUnits.unitsMax)
  return unit === from || (to > unit && !countUnits.stands(text, unit, to)) ? -1 : to
}
/** What stands before a number: `~250k`. */
const aboutSet = charSet('+-~')
const countDigitsMax = 9
const countUnits = new WordSet('k m g b t kb mb gb tb kib mib gib'.split(' '))

/** `1.25e-6`. */
function isExponent(text: string, start: number, end: number): boolean {
  for (let i = start + 1; i < end - 1; i++)
    if ((text.charCodeAt(i) | 32) === 101) {
      const sign = text.charCodeAt(i + 1)
      return (sign === 45 || sign === 43) && runEnd(text, i + 2, digitSet, end - i) === end
    }
  return false
}

/** Whether it is a hex colour: `#d8dee9`. */
export function isColour(text: string, start: number, end: number): boolean {
  const length = end - start
  return text.charCodeAt(start) === 35 && length <= 9 && runEnd(text, start + 1, hexSet, length) === end
}

/** How many of lower case, upper case, digits and symbols the value uses. */
export function characterClasses(text: string, start: number, end: number): number {
  let lower = 0
  let upper = 0
  let digit = 0
  let sign = 0
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i)
    if (lowerSet[code] === 1) lower = 1
    else if (upperSet[code] === 1) upper = 1
    else if (digitSet[code] === 1) digit = 1
    else if (wordSet[code] !== 1) sign = 1
  }
  return lower + upper + digit + sign
}

/** Whether all of the value is of one token alphabet. */
export function isTokenText(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i)
    if (base64UrlSet[code] !== 1 && base64Set[code] !== 1 && code !== 61 && code !== 46 && code !== 126) return false
  }
  return true
}
