/** Credentials in HTTP headers: bearer tokens, basic authentication. Cookies are read by `session-cookies.ts`. */
import { decodePrintable } from '../../text/base64-text.ts'
import {
  base64Set,
  charSet,
  consistsOf,
  countOf,
  digitSet,
  isAscii,
  labelSet,
  leftClear,
  lowerSet,
  runEnd,
  upperSet,
  wordSet
} from '../../text/chars.ts'
import { contextMatch, type Detector, type Match } from '../../detector.ts'
import { isHexDigest, isPublicBlob } from '../../values/non-secret-formats.ts'
import { isDummyValue, isShownSecret } from '../../values/generic-value.ts'
import { isOwnPlaceholder } from '../../values/placeholders.ts'
import { rarity } from '../../values/rarity.ts'
import { passwordConfidence } from '../../values/stated-value.ts'
import { filler } from '../../sample-text.ts'

/** Without the characters that also precede a value, so that no value reaches into the next one. */
const tokenSet = charSet('A-Z', 'a-z', '0-9', '-._~+/%|')
const tokenUnitsMax = 4096
const bearerUnitsMin = 12

/** Skips what separates a scheme from its value: blanks, escaped or not, a colon, quotes. */
function skipGap(text: string, from: number): number {
  let i = from
  while (i < from + 6 && gapSet[text.charCodeAt(i)] === 1) i++
  return i
}
const gapSet = charSet(' \t"\'\\:')

/** The end without the marks that follow a token in a sentence or header. */
export function trimEnd(text: string, start: number, end: number): number {
  let to = end
  while (to > start && tailSet[text.charCodeAt(to - 1)] === 1) to--
  return to
}
const tailSet = charSet('.:~|-%')

/** Past base64 padding. */
export function paddedEnd(text: string, end: number): number {
  let to = end
  while (to < end + 2 && text.charCodeAt(to) === 61) to++
  return to
}

/** Whether a value is a token rather than a word: it has digits or both cases, and is rare. */
export function isToken(text: string, start: number, end: number): boolean {
  return looksGenerated(text, start, end) && !isDummyValue(text, start, end) && !isPublicBlob(text, start, end)
}

function looksGenerated(text: string, start: number, end: number): boolean {
  const digits = countOf(text, start, end, digitSet)
  const score = rarity(text, start, end)
  if (digits > 3 && isHexDigest(text, start, end)) return true
  if (digits > 0) return score >= (digits >= 3 ? 4.8 : 6)
  const mixed = countOf(text, start, end, upperSet) > 0 && countOf(text, start, end, lowerSet) > 0
  return score >= (mixed && end - start >= 24 ? 6 : 8)
}

const bearer: Detector = {
  id: 'bearer_token',
  label: 'BEARER_TOKEN',
  title: 'bearer token',
  group: 'secret',
  tier: 'medium',
  lengthMin: 7 + bearerUnitsMin,
  anchors: [
    { literal: 'bearer', fold: true },
    { literal: 'authorization', fold: true }
  ],
  match(text, at) {
    const authorization = (text.charCodeAt(at) | 32) === 97
    return authorization
      ? schemedToken(text, at + 13)
      : leftClear(text, at, wordSet)
        ? tokenAt(text, at + 6)
        : undefined
  },
  hits: () => [
    'Authorization: Bearer ' + filler(32),
    `"Authorization": "Bearer ${filler(40)}"`,
    `headers: { authorization: 'ApiKey ${filler(20)}' }`,
    'authorization: token ' + filler(40, '0123456789abcdef'),
    'Authorization: Api-Token ' + filler(40, '0123456789abcdef'),
    `-H 'Authorization: ${filler(24)}'`,
    `headers.common['Authorization'] = 'Bearer ' + '${filler(32)}'`,
    `{"Authorization": "${filler(40, '0123456789abcdef')}"}`,
    `curl -H "Authorization: Bearer ${filler(64)}"`,
    `Authorization: Bearer ${filler(24)}...`,
    `{"Authorization": "${filler(32)} "}`,
    `Authorization: Bearer ${filler(32)}:your-token-here`,
    `Authorization: Bearer 1/${filler(16, '123456789')}:${filler(32, '0123456789abcdef')}`
  ],
  misses: () => [
    'Authorization: Bearer <token>',
    'Authorization: Bearer ${token}',
    'Authorization: Bearer $TOKEN',
    `'Bearer ' + store.session9Token4Current`,
    'Bearer YOUR_API_TOKEN_GOES_HERE',
    'Authorization: Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6...',
    'Authorization: Bearer abcd1234efgh...',
    'the bearer of this letter',
    'Bearer authentication is required',
    'Authorization: Bearer xxxxxxxxxxxxxxxxxxxxxxxx',
    'authorization: this.authorizationHeader',
    'Authorization = "AWS4-HMAC-SHA256 test",',
    'authorization: v2/AuthorizationPolicy2024',
    'Authorization: OAuth oauth_consumer_key="shop", oauth_version="1.0"'
  ],
  source: 'RFC 6750 section 2.1; RFC 9110 section 11.6.2.'
}

function tokenAt(text: string, from: number): Match | undefined {
  const start = joinedStart(text, skipGap(text, from))
  if (start === from) return undefined
  const end = paddedEnd(text, trimEnd(text, start, partsEnd(text, start)))
  // A value that continues in dots was shortened, for documentation unless what is shown is random.
  const isCut = text.startsWith('..', end) || text.charCodeAt(end) === 0x2026
  if (isCut && !isShownSecret(text, start, end)) return undefined
  if (end - start < bearerUnitsMin || isOwnPlaceholder(text, start, end)) return undefined
  return isToken(text, start, end) ? contextMatch(start, end) : undefined
}

/** Past a token and the parts that some services join to it: `1/1204...:8d5f...` (Asana), `00D...!AQ...` (Salesforce). */
function partsEnd(text: string, start: number): number {
  let end = runEnd(text, start, tokenSet, tokenUnitsMax)
  while (end > start && end - start < tokenUnitsMax && partJointSet[text.charCodeAt(end)] === 1) {
    const next = runEnd(text, end + 1, tokenSet, tokenUnitsMax)
    // `Bearer ...:expires_at`, `Bearer ...!important`: another field, or a remark.
    if (next - end <= partUnitsMin || countOf(text, end, next, digitSet) < 2) break
    end = next
  }
  return end
}
/** Letters of schemes that say how a request is signed. */
const signedSet = charSet('A-Z', '0-9', '-')
const partJointSet = charSet(':!')
const partUnitsMin = 8

/** Past the operator between the scheme and a quoted token, `'Bearer ' + '...'`; `at` if there is none. */
function joinedStart(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code !== 43 && code !== 46) return at
  const start = skipGap(text, at + 1)
  const quote = text.charCodeAt(start - 1)
  return quote === 34 || quote === 39 ? start : at
}

const schemes = (
  'token apikey api-key api-token apitoken access-token accesstoken key digest sharedkey oauth oauth2 zoho-oauthtoken bot ' +
  'jwt geniekey splunk session accesskey'
).split(' ')

/** The value of `Authorization` with a scheme other than bearer and basic. */
function schemedToken(text: string, from: number): Match | undefined {
  const start = skipGap(text, from)
  if (start === from) return undefined
  const wordEnd = runEnd(text, start, labelSet, 16)
  if (text.charCodeAt(wordEnd) !== 32) return bareToken(text, from)
  const scheme = text.slice(start, wordEnd).toLowerCase()
  return schemes.includes(scheme) ? tokenAt(text, wordEnd) : undefined
}

const bareUnitsMin = 16
const bareEndSet = charSet(' \t\r\n"\'`\\,;')

/** A value without a scheme, as many services accept it: `Authorization: 8f2b...`. */
function bareToken(text: string, from: number): Match | undefined {
  const sign = runEnd(text, from, nameGapSet, 4)
  const code = text.charCodeAt(sign)
  if (code !== 58 && code !== 61) return undefined
  const start = runEnd(text, sign + 1, gapSet, 6)
  const end = paddedEnd(text, runEnd(text, start, tokenSet, tokenUnitsMax))
  // `"AWS4-HMAC-SHA256 ..."`
  if (text.charCodeAt(end) === 32 && consistsOf(text, start, end, signedSet) && text.slice(start, end).includes('-'))
    return undefined
  if (end - start < bareUnitsMin || !rightEnded(text, end) || countOf(text, start, end, digitSet) < 2) return undefined
  return isToken(text, start, end) && !isOwnPlaceholder(text, start, end) ? contextMatch(start, end) : undefined
}
const nameGapSet = charSet(' "\'\\')

function rightEnded(text: string, end: number): boolean {
  return end >= text.length || bareEndSet[text.charCodeAt(end)] === 1
}

const basicPasswordUnitsMin = 3

/** The credentials behind `Basic`: base64 of a user, a colon and a password. */
function basicAt(text: string, start: number): Match | undefined {
  const end = runEnd(text, start, base64PadSet, 512)
  if (end - start < 6) return undefined
  const decoded = decodePrintable(text, start, end)
  const colon = decoded?.indexOf(':') ?? -1
  // An ordinary word can be decoded as well, but hardly to an ASCII pair.
  if (decoded === undefined || colon < 0 || !isAscii(decoded) || rarity(text, start, end) < 6) {
    // Not valid for the scheme, but not written by hand either.
    const rare = end - start >= 10 && countOf(text, start, end, upperSet) > 0 && rarity(text, start, end) >= 8.5
    return rare && !isDummyValue(text, start, end) ? { start, end, confidence: 'medium', tier: 'medium' } : undefined
  }
  if (decoded.length - colon - 1 < basicPasswordUnitsMin && colon < basicPasswordUnitsMin) return undefined
  if (isSamplePair(decoded, colon)) return { start, end, confidence: 'medium', tier: 'medium', byContext: true }
  const isWord = passwordConfidence(decoded, colon + 1, decoded.length) === 'medium'
  return { start, end, confidence: isWord ? 'medium' : 'certain', byContext: true }
}
const base64PadSet = base64Set.map((bit, code) => (code === 61 || code === 45 || code === 95 ? 1 : bit))

const samplePairs = new Set([
  'aladdin:open sesame',
  'aladdin:opensesame',
  'user:password',
  'username:password',
  'admin:admin'
])
/** The length of a password that no server accepts, as in `me:pass`. */
const samplePasswordUnits = 4

function isSamplePair(pair: string, colon: number): boolean {
  return (
    samplePairs.has(pair.toLowerCase()) ||
    pair.length - colon - 1 <= samplePasswordUnits ||
    pair.slice(0, colon) === pair.slice(colon + 1) ||
    isDummyValue(pair, colon + 1, pair.length)
  )
}

/** base64 of `app:` and a made-up password. */
const basicSample = ['YXBwOm', 'VzajRMdzlx', 'dlh0MnVCMQ=='].join('')

const basic: Detector = {
  id: 'basic_auth_header',
  label: 'BASIC_AUTH',
  title: 'basic authentication',
  group: 'secret',
  tier: 'high',
  lengthMin: 12,
  anchors: [
    { literal: 'basic ', fold: true },
    { literal: '"auth', fold: true },
    { literal: '_auth', fold: true }
  ],
  match(text, at) {
    const first = text.charCodeAt(at)
    if (first !== 34 && first !== 95)
      return leftClear(text, at, wordSet) ? basicAt(text, skipGap(text, at + 5)) : undefined
    // `"auth": "..."` in a Docker configuration, `_auth=...` for npm: the same pair without a scheme.
    const nameTo = first === 34 ? at + 6 : at + 5
    if (first === 34 && text.charCodeAt(at + 5) !== 34) return undefined
    const found = bareBasicAt(text, nameTo)
    return found?.confidence === 'certain' || found?.byContext === true ? found : undefined
  },
  hits: () => [
    'Authorization: Basic ' + basicSample,
    `{"auths": {"packages.acme.dev": {"auth": "${basicSample}"}}}`,
    `//packages.acme.dev/:_auth=${basicSample}`,
    `'Basic ${basicSample}'`
  ],
  misses: () => [
    'WWW-Authenticate: Basic realm="x"',
    'Basic usage',
    'Authorization: Basic ${credentials}',
    'a basic understanding of it',
    'Basic AuthenticationFilter',
    '"auth": "required"'
  ],
  source: 'RFC 7617 section 2; Docker and npm documentation of their configuration files.'
}

/** The pair behind a name and its operator. */
function bareBasicAt(text: string, from: number): Match | undefined {
  let i = from
  while (i < from + 4 && pairGapSet[text.charCodeAt(i)] === 1) i++
  return i === from ? undefined : basicAt(text, i)
}
const pairGapSet = charSet(' :="')

export const authHeaderDetectors: readonly Detector[] = [bearer, basic]
