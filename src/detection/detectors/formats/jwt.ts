/** JSON Web Tokens. */
import { base64UrlSet, charSet, leftClear, padSet, rightClear, runEnd } from '../../text/chars.ts'
import type { Detector, Match } from '../../detector.ts'
import { filler } from '../../sample-text.ts'
import { decodeJsonObject } from '../../validators/base64url.ts'

const headerUnitsMax = 2048
const payloadUnitsMax = 16_384
const signatureUnitsMax = 2048
const partUnitsMin = 20
const signatureUnitsMin = 10
const signedUnitsMin = 20
/**
 * The beginning of 2025. There is no clock here, but a token that expired before opens nothing any more, so it is
 * masked at most.
 */
const pastSeconds = 1_735_689_600
/** The end of the century: servers issue no token that lasts so long, and tests do. */
const farSeconds = 4_102_444_800
const looseUnitsMax = 4096
const looseSet = charSet('A-Z', 'a-z', '0-9', '_/\\-')
const start = 'ey' + 'J'

/** A header with `alg` and a payload in base64url; made of pieces so that no scanner finds a token here. */
const header = start + 'hbGciOiJIUzI1NiJ9'
const payload = start + 'zdWIiOiJ1c2VyLTQ3In0'

const encryptedHeader = start + 'hbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0'

function decoded(text: string, at: number): Match | undefined {
  const headerEnd = runEnd(text, at, base64UrlSet, headerUnitsMax)
  if (text.charCodeAt(headerEnd) !== 46 || !text.startsWith(start, headerEnd + 1)) return undefined
  const payloadEnd = runEnd(text, headerEnd + 1, base64UrlSet, payloadUnitsMax)
  if (text.charCodeAt(payloadEnd) !== 46) return undefined
  const head = decodeJsonObject(text, at, headerEnd)
  if (typeof head?.['alg'] !== 'string') return undefined
  const claims = decodeJsonObject(text, headerEnd + 1, payloadEnd)
  if (claims === undefined) return undefined
  const end = runEnd(text, payloadEnd + 1, base64UrlSet, signatureUnitsMax)
  if (!rightClear(text, end, base64UrlSet)) return undefined
  // A token of the role `anon` is made to be published; one without a signature proves nothing to anybody.
  if (claims['role'] === 'anon') return { start: at, end, confidence: 'strong', tier: 'low' }
  // A proof of possession is good for one request, and John Doe is the person in the sample of jwt.io.
  const isSpent =
    end - payloadEnd < signedUnitsMin ||
    !registered.some((name) => name in claims) ||
    (typeof claims['exp'] === 'number' && (claims['exp'] < pastSeconds || claims['exp'] > farSeconds)) ||
    claims['name'] === 'John Doe' ||
    head['typ'] === 'dpop+jwt'
  return { start: at, end, confidence: isSpent ? 'medium' : 'certain' }
}

/** Claims of an issued token. One without any is a sample from documentation. */
const registered = ['iat', 'exp', 'iss', 'sub', 'aud', 'nbf', 'jti', 'scope', 'scp', 'azp', 'sid']

/** Five parts: an encrypted token, used like any other. Its key part may be empty. */
function encrypted(text: string, at: number): Match | undefined {
  const headerEnd = runEnd(text, at, base64UrlSet, headerUnitsMax)
  let end = headerEnd
  let length = 0
  for (let part = 1; part < encryptedParts; part++) {
    if (text.charCodeAt(end) !== 46) return undefined
    const from = end + 1
    end = runEnd(text, from, base64UrlSet, payloadUnitsMax)
    if (part > 1 && end - from < signatureUnitsMin) return undefined
    length += end - from
  }
  if (length < encryptedUnitsMin || text.charCodeAt(end) === 46) return undefined
  return typeof decodeJsonObject(text, at, headerEnd)?.['enc'] === 'string'
    ? { start: at, end, confidence: 'medium' }
    : undefined
}
const encryptedParts = 5
const encryptedUnitsMin = 40

/**
 * Three parts of the right form that cannot be decoded: a token with a typo, cut out of a larger one, or made up. It
 * may still be somebody's, so it is masked.
 */
function undecoded(text: string, at: number): Match | undefined {
  const headerEnd = runEnd(text, at, base64UrlSet, headerUnitsMax)
  if (headerEnd - at < partUnitsMin || text.charCodeAt(headerEnd) !== 46 || !text.startsWith(start, headerEnd + 1))
    return undefined
  const payloadEnd = runEnd(text, headerEnd + 1, looseSet, looseUnitsMax)
  if (payloadEnd - headerEnd <= partUnitsMin || text.charCodeAt(payloadEnd) !== 46) return undefined
  const body = runEnd(text, payloadEnd + 1, base64UrlSet, signatureUnitsMax)
  if (body - payloadEnd <= signatureUnitsMin) return undefined
  return { start: at, end: runEnd(text, body, padSet, 2), confidence: 'medium' }
}

export const jwtDetectors: readonly Detector[] = [
  {
    id: 'jwt',
    label: 'JWT',
    lengthMin: 30,
    title: 'JSON Web Token',
    group: 'secret',
    tier: 'high',
    anchors: [{ literal: start }],
    match(text, at) {
      if (!leftClear(text, at, base64UrlSet)) return undefined
      return decoded(text, at) ?? encrypted(text, at) ?? undecoded(text, at)
    },
    hits: () => [
      [header, payload, filler(43)].join('.'),
      `Authorization: Bearer ${[header, payload, filler(342)].join('.')}`,
      [start + filler(20), start + filler(30), filler(43)].join('.'),
      [encryptedHeader, '', filler(16), filler(80), filler(22)].join('.'),
      [encryptedHeader, filler(256), filler(16), filler(80), filler(22)].join('.')
    ],
    misses: () => [
      header,
      [header, payload].join('.'),
      [encryptedHeader, filler(16), filler(22)].join('.'),
      [start + filler(20), filler(30), filler(43)].join('.'),
      [start + 'short', start + 'short', filler(43)].join('.'),
      [
        'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9',
        'eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ',
        'SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c'
      ].join('.')
    ],
    source:
      'RFC 7519 and RFC 7515: three parts in base64url, a JSON header with alg; RFC 7516: five parts, a header with enc.'
  }
]
