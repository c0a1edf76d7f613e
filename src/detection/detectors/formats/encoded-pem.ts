/** Private keys in PEM armour that is encoded in base64 as a whole, as Kubernetes and CI systems store files. */
import type { Detector } from '../../detector.ts'
import { base64Alphabet } from '../../text/base64-text.ts'
import { base64Set, leftClear, padSet, runEnd } from '../../text/chars.ts'
import { bodyEnd, pemFrame, pemLines } from './private-keys.ts'

/** `-----BEGIN` in base64. */
const pemMark = 'LS0tLS1' + 'CRUdJTi'
const headerUnits = 72
/** The shortest framed key, Ed25519, has 160 units; a frame around nothing has less than 100. */
const framedUnitsMin = 140

/** The first characters of a base64 text, as far as the header of a key; bytes beyond ASCII become `?`. */
function decodeStart(text: string, start: number): string {
  let out = ''
  let held = 0
  let bits = 0
  for (let i = start; i < start + headerUnits; i++) {
    const value = base64Alphabet.indexOf(text.charAt(i))
    if (value < 0) continue
    held = ((held << 6) | value) & 0xfff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    const byte = (held >> bits) & 0xff
    out += byte < 128 ? String.fromCharCode(byte) : '?'
  }
  return out
}

/**
 * Where a frame in base64 ends: with its footer and the line break behind that. What follows is base64 by chance: the
 * next words of a sentence, the name on the next line.
 * @param limit the end of what may be base64, which is the answer if there is no footer
 */
function frameEnd(text: string, start: number, limit: number): number {
  let held = 0
  let bits = 0
  let dashes = 0
  let isFooter = false
  let end = -1
  for (let i = start; i < limit; i++) {
    const value = base64Alphabet.indexOf(text.charAt(i))
    if (value < 0) {
      if (end >= 0) break
      continue
    }
    held = ((held << 6) | value) & 0xfff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    const byte = (held >> bits) & 0xff
    if (end >= 0) {
      if (byte !== 10 && byte !== 13) break
      end = i + 1
    } else if (byte === 45) {
      dashes++
      if (isFooter && dashes === dashUnits) end = i + 1
    } else {
      // In the header, `B` stands behind the dashes.
      isFooter ||= dashes >= dashUnits && byte === 69
      dashes = 0
    }
  }
  return end < 0 ? limit : runEnd(text, end, padSet, 2)
}
const dashUnits = 5

function encode(text: string): string {
  let out = ''
  let held = 0
  let bits = 0
  for (let i = 0; i < text.length; i++) {
    held = ((held << 8) | text.charCodeAt(i)) & 0xffff
    bits += 8
    for (; bits >= 6; bits -= 6) out += base64Alphabet.charAt((held >> (bits - 6)) & 63)
  }
  return bits > 0 ? out + base64Alphabet.charAt((held << (6 - bits)) & 63) : out
}

export const pemBase64: Detector = {
  id: 'pem_base64',
  label: 'PRIVATE_KEY_BASE64',
  lengthMin: 100,
  title: 'private key in base64',
  group: 'secret',
  tier: 'high',
  anchors: [{ literal: pemMark }],
  match(text, at) {
    if (!leftClear(text, at, base64Set)) return undefined
    const header = decodeStart(text, at)
    const typeEnd = header.indexOf('PRIVATE KEY')
    if (typeEnd < 0) return undefined
    const body = bodyEnd(text, at, pemMark)
    if (body.units < framedUnitsMin) return undefined
    const isSealed = header.includes('ENCRYPTED')
    const end = frameEnd(text, at, body.end)
    return { start: at, end, confidence: 'certain', ...(isSealed && { tier: 'medium' as const }) }
  },
  hits: () => [
    encode(pemFrame('RSA PRIVATE KEY', pemLines('\n'))),
    `key: ${encode(pemFrame('OPENSSH PRIVATE KEY', pemLines('\n')))}`
  ],
  misses: () => [
    encode(pemFrame('CERTIFICATE', pemLines('\n'))),
    encode(pemFrame('PUBLIC KEY', pemLines('\n'))),
    encode(pemFrame('RSA PRIVATE KEY', '...')),
    pemMark
  ],
  source: 'RFC 7468 inside of RFC 4648, as Kubernetes and CI systems store it; the header is decoded.'
}
