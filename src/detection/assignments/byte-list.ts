/**
 * Lists of byte numbers, as programs write a key: `key = bytes([18, 170, ...])`, `aes_key[16] = {0x12, 0xaa, ...}`,
 * `psk: [u8; 16] = [...]`.
 */
import { charSet, codeAt, digitSet, hexSet, inSet, runEnd } from '../text/chars.ts'

/** Where the numbers begin and end. A single object serves all readings. */
export interface ByteList {
  start: number
  end: number
}

/** Between a name and its list stand types and constructors: `[]byte{`, `Uint8Array.from([`, `new byte[] {`. */
const headUnitsMax = 80
const headSet = charSet('A-Z', 'a-z', '0-9', '_.:;=<>*&()[]{} \t\r\n', '-')
const openSet = charSet('[{(')
const signSet = charSet('=:')
const closeSet = charSet(']})')
const gapSet = charSet(' \t\r\n')
const bytesMin = 12
const bytesMax = 128
const byteMax = 255
/** Words that say that numbers are bytes. */
const byteWords = ['byte', 'u8', 'uint8', 'char', 'buffer']

/**
 * Reads the bytes listed behind the name that ends at `nameEnd`.
 * @param nameStart the words before it on its line may say that the numbers are bytes
 * @returns whether there is a list of at least twelve bytes that look drawn
 */
export function readByteList(text: string, nameStart: number, nameEnd: number, list: ByteList): boolean {
  const limit = Math.min(text.length, nameEnd + headUnitsMax)
  let isAssigned = false
  for (let i = nameEnd; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (!inSet(headSet, code)) return false
    if (inSet(signSet, code)) isAssigned = true
    if (!inSet(openSet, code)) continue
    const first = runEnd(text, i + 1, gapSet, 80)
    if (!inSet(digitSet, codeAt(text, first))) continue
    if (isAssigned && readBytes(text, first, list)) return saysBytes(text, nameStart, first)
  }
  return false
}

/** Whether hexadecimal numbers stand there, or a word says that the numbers are bytes. */
function saysBytes(text: string, nameStart: number, first: number): boolean {
  if ((codeAt(text, first + 1) | 32) === 120) return true
  const before = text.slice(Math.max(0, nameStart - headUnitsMax), first)
  const line = before.slice(before.lastIndexOf('\n', before.length - (first - nameStart)) + 1).toLowerCase()
  return byteWords.some((word) => line.includes(word))
}

const seen = new Uint8Array(byteMax + 1)
/** The first four bytes of the keys in the examples of NIST SP 800-38A, as one number. */
const published = new Set([0x2b7e1516, 0x8e73b0f7, 0x603deb10])

function readBytes(text: string, from: number, list: ByteList): boolean {
  seen.fill(0)
  let count = 0
  let distinct = 0
  let step = 0
  let steady = 0
  let last = -1
  let head = 0
  let i = from
  while (count < bytesMax) {
    const isHex = codeAt(text, i) === 48 && (codeAt(text, i + 1) | 32) === 120
    const start = isHex ? i + 2 : i
    const end = runEnd(text, start, isHex ? hexSet : digitSet, 4)
    if (end === start || end - start > (isHex ? 2 : 3)) return false
    const byte = Number.parseInt(text.slice(start, end), isHex ? 16 : 10)
    if (byte > byteMax) return false
    if (last >= 0 && byte - last === step) steady++
    step = byte - last
    last = byte
    if (count < 4) head = head * 256 + byte
    count++
    if (seen[byte] === 0) distinct++
    seen[byte] = 1
    list.end = end
    const next = runEnd(text, end, gapSet, 80)
    if (codeAt(text, next) !== 44) {
      if (!inSet(closeSet, codeAt(text, next))) return false
      break
    }
    i = runEnd(text, next + 1, gapSet, 80)
    // A comma may stand behind the last one as well.
    if (inSet(closeSet, codeAt(text, i))) break
  }
  list.start = from
  // Tables and samples count up, or repeat few numbers.
  if (count < bytesMin || count >= bytesMax || published.has(head)) return false
  return distinct * 3 >= count * 2 && steady * 3 < count
}
