/** Private keys outside of PEM armour: in the formats of other tools, or bare. */
import { base64Set, blankSet, charSet, digitSet, leftClear, runEnd, runStart, wordSet } from '../../text/chars.ts'
import type { Detector, Match } from '../../detector.ts'
import { guarded } from '../../keys/fixed-key.ts'
import { shapedDetector } from '../../keys/key-shape.ts'
import { base64Letters, filler } from '../../sample-text.ts'
import { bech32Checksum, bech32Set, isBech32 } from '../../validators/bech32.ts'
import { pemBase64 } from './encoded-pem.ts'
import { jwk } from './json-web-keys.ts'
import { bodyEnd, pemLines, showsModulusAlone } from './private-keys.ts'

const bodyUnitsMin = 64
const lineEndSet = charSet(' \r\n\\n')
const breakSet = charSet(' \r\n')
const openingSet = charSet(' \t"\'')

/**
 * How the DER of a private key begins in base64, behind the six characters of its length. A version number and an
 * algorithm stand there, so nearly every key of an algorithm begins alike.
 */
const derMarks = [
  { mark: 'IBADANBgkqhkiG9w0BAQ', offset: 6, start: 'MII' },
  { mark: 'IBAAKCAQEA', offset: 6, start: 'MII' },
  { mark: 'IBAAKCAgEA', offset: 6, start: 'MII' },
  { mark: 'IBAAKBgQ', offset: 6, start: 'MII' },
  { mark: 'MIGHAgEAMBMGByqGSM49AgEG', offset: 0, start: 'MIG' },
  { mark: 'MHcCAQEEI', offset: 0, start: 'MHc' },
  { mark: 'MC4CAQAwBQYDK2VwBCIEI', offset: 0, start: 'MC4' }
]
const sshMark = 'b3BlbnNzaC1' + 'rZXktdjE'

/** A base64 key without its PEM frame. */
function bareKey(text: string, start: number, markAt: number, mark: string): Match | undefined {
  if (start < 0 || !leftClear(text, start, base64Set)) return undefined
  if (runEnd(text, start, base64Set, markAt - start + 1) <= markAt) return undefined
  const body = bodyEnd(text, start, mark, markAt - start)
  if (body.units < bodyUnitsMin) return undefined
  const confidence = isTestKey(text, start) || showsModulusAlone(text, start, body) ? 'medium' : 'strong'
  return guarded(text, { start, end: body.end, confidence })
}

/** Whether the frame says that the key is a published test key: `-----BEGIN TESTING KEY-----`. */
function isTestKey(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - frameUnits), start)
  return before.includes('TESTING KEY-----') || before.includes('TEST KEY-----')
}
const frameUnits = 24

const der: Detector = {
  id: 'der_private_key',
  label: 'PRIVATE_KEY_DER',
  lengthMin: bodyUnitsMin,
  title: 'private key in base64 without a frame',
  group: 'secret',
  tier: 'high',
  anchors: derMarks.map(({ mark }) => ({ literal: mark })),
  match(text, at) {
    for (const { mark, offset, start } of derMarks) {
      if (text.startsWith(mark, at) && text.startsWith(start, at - offset)) return bareKey(text, at - offset, at, mark)
    }
    return undefined
  },
  hits: () => [
    'MIIEvQ' + 'IBADANBgkqhkiG9w0BAQ' + 'EFAASC' + filler(600, base64Letters),
    'privateKey: "MIIEpA' + 'IBAAKCAQEA' + filler(600, base64Letters) + '=="',
    'MHcCAQEEI' + filler(150, base64Letters)
  ],
  misses: () => ['MIIEvQ' + 'IBADANBgkqhkiG9w0BAQ', 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A' + filler(300, base64Letters)],
  source: 'RFC 5958 and RFC 8017 appendix A.1.2: version 0 and the algorithm are the same in every key.'
}

const sshRaw: Detector = {
  id: 'ssh_private_openssh',
  label: 'SSH_PRIVATE_KEY',
  lengthMin: bodyUnitsMin,
  title: 'OpenSSH private key without its frame',
  group: 'secret',
  tier: 'high',
  anchors: [{ literal: sshMark }],
  match: (text, at) => bareKey(text, at, at, sshMark),
  hits: () => [sshMark + 'AAAABG5vbmU' + filler(300, base64Letters)],
  misses: () => [sshMark, sshMark + filler(20)],
  source: 'openssh-portable PROTOCOL.key: the text openssh-key-v1 begins every key.'
}

const puttyMark = 'Private-Lines: '
/** The private part of a Curve25519 key fits in one line. */
const puttyUnitsMin = 40
const putty: Detector = {
  id: 'putty_ppk',
  label: 'PUTTY_PRIVATE_KEY',
  lengthMin: 80,
  title: 'PuTTY private key',
  group: 'secret',
  tier: 'high',
  anchors: [{ literal: puttyMark }],
  match(text, at) {
    const countEnd = runEnd(text, at + puttyMark.length, digitSet, 4)
    if (countEnd === at + puttyMark.length) return undefined
    const body = bodyEnd(text, countEnd)
    if (body.units < puttyUnitsMin) return undefined
    // The line of the checksum that follows begins with a word that is not part of the key.
    const start = runEnd(text, countEnd, lineEndSet, 8)
    const end = endBeforeChecksum(text, start, body.end)
    return { start, end, confidence: 'certain', byContext: true }
  },
  hits: () => [
    `PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nPrivate-Lines: 3\n${pemLines('\n')}\nPrivate-MAC: 00aa`,
    `PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\n${filler(47, base64Letters)}=\nPrivate-MAC: 00aa`
  ],
  misses: () => [
    'Private-Lines: 14',
    `Private-Lines: 1\n${filler(30, base64Letters)}\n`,
    'PuTTY-User-Key-File-2: ssh-rsa'
  ],
  source: 'PuTTY documentation, appendix C, "PPK file format". From memory, not confirmed.'
}

/** The end without the beginning of the word `Private-MAC` behind it. */
function endBeforeChecksum(text: string, start: number, end: number): number {
  let at = end
  for (let left = 15; left > 0 && at > start; left--, at--) {
    if (text.startsWith('Private', at)) return runStart(text, at, breakSet, 4)
  }
  return end
}

const ageMark = 'AGE-SECRET-KEY-'
const age = shapedDetector(
  {
    id: 'age_secret_key',
    label: 'AGE_SECRET_KEY',
    title: 'age secret key',
    hits: () => {
      const body = filler(52, 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L')
      return [`${ageMark}1${body}${bech32Checksum(ageMark, body).toUpperCase()}`]
    },
    misses: () => [ageMark + '1' + filler(20), 'age1' + filler(58, 'qpzry9x8gf2tvdw0s3jn54khce6mua7l')],
    source: 'age specification (C2SP): Bech32 of 32 bytes behind AGE-SECRET-KEY-.'
  },
  [
    {
      prefix: ageMark + '1',
      parts: [[bech32Set, 58]],
      judge: (text, start, end) => (isBech32(text.slice(start, end)) ? 'certain' : 'medium')
    }
  ]
)

const wireguardNames = ['PrivateKey', 'PresharedKey', 'wg_private_key', 'WG_PRIVATE_KEY', 'wireguard_private_key']
const wireguard: Detector = {
  id: 'wireguard_key',
  label: 'WIREGUARD_KEY',
  lengthMin: 54,
  title: 'WireGuard private key',
  group: 'secret',
  tier: 'high',
  anchors: wireguardNames.map((literal) => ({ literal })),
  match(text, at) {
    const nameEnd = runEnd(text, at, wordSet, 24)
    const gap = runEnd(text, nameEnd, blankSet, 4)
    if (text.charCodeAt(gap) !== 61) return undefined
    const start = runEnd(text, gap + 1, openingSet, 4)
    const end = runEnd(text, start, base64Set, 44)
    if (end - start !== 43 || text.charCodeAt(end) !== 61 || text.charCodeAt(end + 1) === 61) return undefined
    return guarded(text, { start, end: end + 1, confidence: 'strong', byContext: true })
  },
  hits: () => [
    `[Interface]\nPrivateKey = ${filler(42, base64Letters)}A=`,
    `PresharedKey=${filler(42, base64Letters)}E=`
  ],
  misses: () => [`PublicKey = ${filler(43, base64Letters)}=`, 'PrivateKey = <key>', `PrivateKey = ${filler(30)}=`],
  source: 'wg(8), "Configuration file format": 32 bytes in base64.'
}

const pfxMark = 'IBAzCC'
const jksMark = '/u3+7QAAAAI'
const keyStore: Detector = {
  id: 'pkcs12_file_or_jks',
  label: 'KEY_STORE',
  lengthMin: bodyUnitsMin,
  title: 'key store in base64',
  group: 'secret',
  tier: 'medium',
  anchors: [{ literal: pfxMark }, { literal: jksMark }],
  match(text, at) {
    if (text.startsWith(jksMark, at)) return bareKey(text, at, at, jksMark)
    return text.startsWith('MII', at - 6) ? bareKey(text, at - 6, at, pfxMark) : undefined
  },
  hits: () => ['MIIKYQ' + pfxMark + filler(400, base64Letters), jksMark + filler(200, base64Letters)],
  misses: () => [pfxMark + filler(300), 'MIIKYQ' + pfxMark],
  source: 'RFC 7292: a PFX begins with version 3; OpenJDK JavaKeyStore: the magic number FEEDFEED and version 2.'
}

export const keyFileDetectors: readonly Detector[] = [pemBase64, der, sshRaw, putty, age, wireguard, jwk, keyStore]
