/** The private members of JSON Web Keys. */
import type { Detector, Match } from '../../detector.ts'
import { filler } from '../../sample-text.ts'
import { decodePrintable } from '../../text/base64-text.ts'
import { base64UrlSet, charSet, inSet, runEnd, runStart, wordSet } from '../../text/chars.ts'
import { isDummyValue } from '../../values/generic-value.ts'

const jwkUnitsMax = 6000
const jwkSecretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']
const quoteSet = charSet('"\'\\')
const memberValueMin = 20
/** Characters around names and values, also in JSON within JSON. */
const frameSet = charSet(' "\'\\')

/**
 * The private members of the JSON object around a `kty`. Everything from the first private value to the last is one
 * finding, so that a mask leaves `"d":"..."` and the JSON valid. Both walks end at another `kty`, so no unit is read
 * more than twice.
 */
function privateMembers(text: string, at: number): Match | undefined {
  let from = at
  for (const limit = Math.max(0, at - jwkUnitsMax); from > limit; from--) {
    const code = text.charCodeAt(from - 1)
    if (code === 123 || code === 125 || isKtyAt(text, from - 1)) break
  }
  let start = -1
  let end = -1
  for (let i = from; i < at + jwkUnitsMax && i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 125 || (i > at && isKtyAt(text, i))) break
    if (code !== 58) continue
    const value = runEnd(text, i + 1, frameSet, 4)
    if (value === i + 1 || !inSet(base64UrlSet, text.charCodeAt(value))) continue
    if (isKtyAt(text, value)) break
    const valueEnd = runEnd(text, value, base64UrlSet, jwkUnitsMax)
    if (valueEnd - value >= memberValueMin && isSecretMember(text, i)) {
      if (start < 0) start = value
      end = valueEnd
    }
    i = valueEnd
  }
  if (start < 0) return undefined
  const words = decodePrintable(text, start, end)
  const isSample =
    countedUp.some((bytes) => text.startsWith(bytes, start)) ||
    (words !== undefined && isDummyValue(words, 0, words.length))
  return { start, end, confidence: isSample ? 'medium' : 'certain', byContext: true }
}

/** Bytes that count up from one and from zero: keys of tests and manuals. */
const countedUp = ['AQIDBAUGBwgJCgsM', 'AAECAwQFBgcICQoL']

/** Whether the name before the colon at `at` is that of a private member. */
function isSecretMember(text: string, at: number): boolean {
  const end = runStart(text, at, frameSet, 4)
  const start = runStart(text, end, wordSet, 4)
  return end > start && jwkSecretMembers.includes(text.slice(start, end))
}

function isKtyAt(text: string, at: number): boolean {
  return text.charCodeAt(at) === 107 && text.charCodeAt(at + 1) === 116 && text.charCodeAt(at + 2) === 121
}

export const jwk: Detector = {
  id: 'jwk_private',
  label: 'JWK_PRIVATE_KEY',
  lengthMin: 40,
  title: 'private JSON Web Key',
  group: 'secret',
  tier: 'high',
  anchors: [{ literal: 'kty' }],
  match(text, at) {
    const isName = inSet(quoteSet, text.charCodeAt(at + 3)) || text.charCodeAt(at + 3) === 58
    if (!isName || inSet(wordSet, text.charCodeAt(at - 1))) return undefined
    return privateMembers(text, at)
  },
  hits: () => [
    `{"kty":"EC","crv":"P-256","x":"${filler(43)}","y":"${filler(43)}","d":"${filler(43)}"}`,
    `{\\"kty\\":\\"RSA\\",\\"n\\":\\"${filler(342)}\\",\\"d\\":\\"${filler(342)}\\",\\"p\\":\\"${filler(171)}\\"}`,
    `{ d: '${filler(43)}', kty: 'OKP' }`,
    `{"kty":"oct","k":"${filler(43)}"}`
  ],
  misses: () => [
    `{"kty":"EC","crv":"P-256","x":"${filler(43)}","y":"${filler(43)}"}`,
    `{"kty":"RSA","n":"${filler(342)}","e":"AQAB"},{"d":"${filler(43)}"}`,
    'pretty: "d"'
  ],
  source: 'RFC 7517 and RFC 7518 section 6: d, p, q, dp, dq, qi of a private key, k of a symmetric one.'
}
