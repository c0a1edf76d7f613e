/** Seeds from which keys and one-time passwords are made. */
import {
  base32Set,
  charSet,
  countOf,
  digitSet,
  inSet,
  leftClear,
  rightClear,
  runEnd,
  wordSet
} from '../../text/chars.ts'
import { contextAnchors, matchContextForms, type ContextForm } from '../../keys/context-key.ts'
import type { Detector, Match } from '../../detector.ts'
import type { Confidence } from '../../findings.ts'
import { guarded } from '../../keys/fixed-key.ts'
import { digitAndLetterJudge, hasDigitAndLetter } from '../../keys/key-shape.ts'
import { filler } from '../../sample-text.ts'
import { hasNkeyChecksum, nkeySeed, nkeySeedUnits } from '../../validators/nkey.ts'

const nkeyKinds = ['SUA', 'SAA', 'SOA', 'SNA', 'SCA', 'SXA']
const nkeyDigitsMin = 3
const nkeyStart = charSet('ACNOPUX')
const nkeyNames: ContextForm[] = [
  {
    names: ['nkey', 'nats', 'seed'],
    set: base32Set,
    min: nkeySeedUnits,
    max: nkeySeedUnits,
    bare: true,
    judge: (value) =>
      value.startsWith('S') && nkeyStart[value.charCodeAt(1)] === 1 && hasDigitAndLetter(value, 0, value.length)
        ? hasNkeyChecksum(value)
          ? 'certain'
          : 'medium'
        : undefined
  }
]
const matchNkeyName = matchContextForms(nkeyNames)

/** A long base32 value that begins like a seed but fits neither the checksum nor the kinds. */
function seedOfNoKind(text: string, at: number): Match | undefined {
  const end = at + nkeySeedUnits
  if (text.charCodeAt(at) !== 83 || !inSet(nkeyStart, text.charCodeAt(at + 1))) return undefined
  if (runEnd(text, at, base32Set, nkeySeedUnits) !== end || countOf(text, at, end, digitSet) < nkeyDigitsMin)
    return undefined
  return { start: at, end, confidence: 'medium' }
}

/** A seed with a typo in its third letter. */
function changed(seed: string): string {
  return seed.slice(0, 2) + 'Q' + seed.slice(3)
}

const sampleKey = Array.from({ length: 32 }, (_, i) => (i * 91 + 13) % 256)

const nkey: Detector = {
  id: 'nkey_seed',
  label: 'NKEY_SEED',
  lengthMin: nkeySeedUnits,
  title: 'seed of a NATS key',
  group: 'secret',
  tier: 'high',
  anchors: [...nkeyKinds.map((literal) => ({ literal })), { token: [nkeySeedUnits] }, ...contextAnchors(nkeyNames)],
  match(text, at, context) {
    if (context.by === 'token') return seedOfNoKind(text, at)
    if (!nkeyKinds.some((kind) => text.startsWith(kind, at))) return matchNkeyName(text, at, context)
    const end = runEnd(text, at, base32Set, nkeySeedUnits + 1)
    if (end - at !== nkeySeedUnits || !leftClear(text, at, wordSet) || !rightClear(text, end, wordSet)) return undefined
    const confidence: Confidence = hasNkeyChecksum(text.slice(at, end)) ? 'certain' : 'medium'
    return { start: at, end, confidence }
  },
  hits: () => [
    nkeySeed(160, sampleKey),
    `nkey = "${nkeySeed(0, sampleKey)}"`,
    `| operator | ${changed(nkeySeed(112, sampleKey))} |`
  ],
  misses: () => [
    'SUA' + filler(30, 'ABCDEFGH234567'),
    'U' + nkeySeed(160, sampleKey).slice(1),
    changed(nkeySeed(160, sampleKey)) + 'A',
    'SU' + filler(56, 'ABCDEFGHIJKLMNOP')
  ],
  source: 'nats-io/nkeys: 36 bytes in base32, a kind that makes the third letter an A, and CRC-16 at the end.'
}

const otpNames: ContextForm[] = [
  {
    names: ['otp_secret', 'otpsecret', 'mfa_secret', 'two_factor', '2fa', 'mfa', 'qr code'],
    set: base32Set,
    min: 16,
    max: 64,
    judge: digitAndLetterJudge
  },
  // Whole bytes: shorter words in capitals are names.
  {
    names: ['seed', 'totp'],
    set: base32Set,
    min: 16,
    max: 64,
    bare: true,
    judge: (value) => (value.length % 8 === 0 ? digitAndLetterJudge(value) : undefined)
  }
]
const matchOtpName = matchContextForms(otpNames)
const otpScheme = 'otpauth://'
const otpUnitsMax = 400

/** The alphabet of base32 itself. */
const base32Head = 'ABCDEFGH'

const otp: Detector = {
  id: 'otp_seed',
  label: 'OTP_SEED',
  lengthMin: 20,
  title: 'seed of one-time passwords',
  group: 'secret',
  tier: 'medium',
  anchors: [{ literal: otpScheme }, ...contextAnchors(otpNames)],
  match(text, at, context) {
    if (!text.startsWith(otpScheme, at)) {
      const named = matchOtpName(text, at, context)
      return named !== undefined && text.startsWith(base32Head, named.start) ? undefined : named
    }
    const limit = Math.min(text.length, at + otpUnitsMax)
    for (let i = at + otpScheme.length; i < limit && text.charCodeAt(i) > 32; i++) {
      // Another URL begins here; it is matched by itself.
      if (text.startsWith('://', i)) return undefined
      if (text.charCodeAt(i) !== 115 || !text.startsWith('secret=', i)) continue
      const start = i + 7
      const end = runEnd(text, start, charSet('A-Z', 'a-z', '2-7'), 129)
      return end - start < 16 ? undefined : guarded(text, { start, end, confidence: 'strong', byContext: true })
    }
    return undefined
  },
  hits: () => [
    `otpauth://totp/acme:jo?secret=${filler(32, 'ABCDEFGHJKMNPQRS234567')}&issuer=acme`,
    `"totp": "${filler(32, 'ABCDEFGHJKMNPQRS234567')}"`,
    `TOTP_SECRET=${filler(32, 'ABCDEFGHJKMNPQRS234567')}`,
    `private const string Seed = "${filler(32, 'ABCDEFGHJKMNPQRS234567')}";`
  ],
  misses: () => [
    'otpauth://totp/acme:jo?secret=',
    filler(32, 'ABCDEFGHJKMNPQRS234567'),
    'totp: "enabled"',
    'const seed = "ABCDEFGHIJKLMNOP"',
    "createTotp() { const CHARS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'"
  ],
  source: 'google-authenticator wiki, "Key Uri Format": base32 without padding.'
}

export const seedDetectors: readonly Detector[] = [nkey, otp]
