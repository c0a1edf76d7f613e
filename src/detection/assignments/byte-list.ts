/**
 * Lists of byte numbers, as programs write a key: `key = bytes([18, 170, ...])`, `aes_key[16] = {0x12, 0xaa, ...}`,
 * `psk: [u8; 16] = [...]`.
 */
import {
  charSet,
  closeBracketSet,
  codeAt,
  digitSet,
  hexSet,
  inSet,
  openBracketSet,
  runEnd,
  spaceSet
} from '../text/chars.ts'
import { NextOf } from '../text/next-of.ts'

/** Where the numbers begin and end. A single object serves all readings. */
export interface ByteList {
  start: number
  end: number
  count: number
}

/** How many bytes keys and key pairs have. */
const keySizes = new Set([16, 24, 32, 48, 64])

/** Between a name and its list stand types and constructors: `[]byte{`, `Uint8Array.from([`, `new byte[] {`. */
const headUnitsMax = 80
const headSet = charSet('A-Z', 'a-z', '0-9', '_.:;=<>*&)]} \t\r\n', '-')
/** Finds the next bracket that opens a list of bytes, or a character that cannot stand before one. */
const headStop = new NextOf(
  headSet,
  'notIn',
  (text, at) => !inSet(openBracketSet, text.charCodeAt(at)) || opensBytes(text, at)
)
/** A number, its sign, or the bracket of a cast. */
const firstSet = charSet('0-9', '-(')
const bytesMin = 12
const bytesMax = 128
const byteMax = 255
/** Words that say that numbers are bytes. */
const byteWords = ['byte', 'u8', 'uint8', 'char', 'buffer']

/**
 * Reads the bytes listed behind a name and its operator.
 * @param from where the value may begin
 * @param nameStart the words before it on its line may say that the numbers are bytes
 * @param isKey whether the name promises a key, so that numbers as many as a key has bytes need no further sign
 * @param textNumber identifies the text, so that what stands before no list is read once; 0 for none
 * @returns whether there is a list of at least twelve bytes that look random
 */
export function readByteList(
  text: string,
  nameStart: number,
  from: number,
  list: ByteList,
  isKey = false,
  textNumber = 0
): boolean {
  const limit = Math.min(text.length, from + headUnitsMax)
  const open = headStop.at(text, from, limit, textNumber)
  if (open === limit || !inSet(openBracketSet, text.charCodeAt(open))) return false
  const first = firstNumber(text, open)
  readBytes(text, first, list)
  return saysBytes(text, nameStart, first) || (isKey && keySizes.has(list.count))
}

/** Where the first number behind the bracket at `open` may begin. */
function firstNumber(text: string, open: number): number {
  return runEnd(text, open + 1, spaceSet, 80)
}

function opensBytes(text: string, open: number): boolean {
  const first = firstNumber(text, open)
  return inSet(firstSet, codeAt(text, first)) && readBytes(text, first, scratch)
}
const scratch: ByteList = { start: 0, end: 0, count: 0 }

/** Whether hexadecimal numbers stand there, or a word says that the numbers are bytes. */
export function saysBytes(text: string, nameStart: number, first: number): boolean {
  const number = text.startsWith(cast, first) ? first + cast.length : first
  if ((codeAt(text, number + 1) | 32) === 120) return true
  const before = text.slice(Math.max(0, nameStart - headUnitsMax), first)
  const line = before.slice(before.lastIndexOf('\n', before.length - (first - nameStart)) + 1).toLowerCase()
  return byteWords.some((word) => line.includes(word))
}

/** How Java and Kotlin make a byte of a number that is none there. */
const cast = '(byte)'
const conversion = '.toByte()'
/** The magnitude of the least signed byte. */
const signedMax = 128

/** By byte, the number of the last list that it was seen in. */
const seen = new Uint32Array(byteMax + 1)
let lists = 0
/** The first four bytes of the keys in the examples of NIST SP 800-38A, as one number. */
const published = new Set([0x2b7e1516, 0x8e73b0f7, 0x603deb10])

function readBytes(text: string, from: number, list: ByteList): boolean {
  lists++
  let count = 0
  let distinct = 0
  let step = 0
  let steady = 0
  let last = -1
  let head = 0
  let i = from
  while (count < bytesMax) {
    if (text.startsWith(cast, i)) i = runEnd(text, i + cast.length, spaceSet, 2)
    const isNegative = codeAt(text, i) === 45
    if (isNegative) i++
    const isHex = codeAt(text, i) === 48 && (codeAt(text, i + 1) | 32) === 120
    const start = isHex ? i + 2 : i
    const end = runEnd(text, start, isHex ? hexSet : digitSet, 4)
    if (end === start || end - start > (isHex ? 2 : 3)) return false
    const number = Number.parseInt(text.slice(start, end), isHex ? 16 : 10)
    if (number > (isNegative ? signedMax : byteMax)) return false
    const byte = isNegative ? byteMax + 1 - number : number
    if (last >= 0 && byte - last === step) steady++
    step = byte - last
    last = byte
    if (count < 4) head = head * 256 + byte
    count++
    if (seen[byte] !== lists) distinct++
    seen[byte] = lists
    list.end = text.startsWith(conversion, end) ? end + conversion.length : end
    list.count = count
    const next = runEnd(text, list.end, spaceSet, 80)
    if (codeAt(text, next) !== 44) {
      if (!inSet(closeBracketSet, codeAt(text, next))) return false
      break
    }
    i = runEnd(text, next + 1, spaceSet, 80)
    // A comma may stand behind the last one as well.
    if (inSet(closeBracketSet, codeAt(text, i))) break
  }
  list.start = from
  // Tables and samples count up, or repeat few numbers.
  if (count < bytesMin || count >= bytesMax || published.has(head)) return false
  return distinct * 3 >= count * 2 && steady * 3 < count
}

/**
 * Whether the text in `[start, end)` is a string of at least twelve bytes written as escapes that look random:
 * `\\x9a\\x12...`.
 */
export function isEscapedBytes(text: string, start: number, end: number): boolean {
  const count = (end - start) / escapeUnits
  if (!Number.isInteger(count) || count < bytesMin || count > bytesMax) return false
  lists++
  let distinct = 0
  for (let i = start; i < end; i += escapeUnits) {
    if (codeAt(text, i) !== 92 || (codeAt(text, i + 1) | 32) !== 120 || runEnd(text, i + 2, hexSet, 2) !== i + 4)
      return false
    const byte = Number.parseInt(text.slice(i + 2, i + 4), 16)
    if (seen[byte] !== lists) distinct++
    seen[byte] = lists
  }
  return distinct * 3 >= count * 2
}
const escapeUnits = 4
