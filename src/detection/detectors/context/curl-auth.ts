/** Users and passwords that are given to curl and similar clients: `curl -u ops:X`. */
import { quotedEnd } from '../../assignments/quoted-end.ts'
import { blankSet, charSet, countOf, digitSet, inSet, runEnd, runStart, spaceSet } from '../../text/chars.ts'
import type { Detector, Match } from '../../detector.ts'
import { isDummyValue, isSecretValue } from '../../values/generic-value.ts'
import { likelyName, passwordName } from '../../values/key-names.ts'
import { isConstant } from '../../values/program-identifiers.ts'
import { isReference } from '../../values/references.ts'
import { passwordConfidence } from '../../values/stated-value.ts'
import { filler } from '../../sample-text.ts'
import { wordStopSet } from './piped-passwords.ts'
import { isNameOfSecret } from './url-credentials.ts'

export const userSet = charSet('A-Z', 'a-z', '0-9', '._@+-\\!~{}')
export const wordUnitsMax = 160

export function wordEnd(text: string, from: number): number {
  const limit = Math.min(text.length, from + wordUnitsMax)
  let i = from
  while (i < limit && !inSet(wordStopSet, text.charCodeAt(i)) && !isLineBreak(text, i)) i++
  return i
}

/**
 * The end of the word that begins at `start` within quotes: the closing quote, however many other marks the word holds.
 * What has blanks in it may be the rest of an expression: `'ops:" + password + "'`.
 * @param quote the quote that was opened, or 0
 */
function quotedWordEnd(text: string, start: number, quote: number): number {
  const word = wordEnd(text, start)
  if (quote === 0 || word === start) return word
  const end = quotedEnd(text, start, quote, 0)
  if (text.charCodeAt(end) !== quote || end - start > wordUnitsMax) return word
  return countOf(text, start, end, spaceSet) === 0 ? end : word
}

/** Whether an escaped line break stands at `i`, in a text within a string literal. */
export function isLineBreak(text: string, i: number): boolean {
  if (text.charCodeAt(i) !== 92) return false
  const next = text.charCodeAt(i + 1)
  return next === 110 || next === 114 || next === 116
}

/** The password of `user:password`, with quotes around either part or both; or the key of `key:`, as some APIs take it. */
function pairAt(text: string, from: number): Match | undefined {
  const first = text.charCodeAt(from)
  const quoted = first === 34 || first === 39
  const at = quoted ? from + 1 : from
  const user = runEnd(text, at, userSet, 64)
  const apart = quoted && text.charCodeAt(user) === first && text.charCodeAt(user + 1) === 58
  const colon = apart ? user + 1 : user
  // Some services take a token for a password and no user.
  if (text.charCodeAt(colon) !== 58) return undefined
  const opener = text.charCodeAt(colon + 1)
  // `ops:'...'` and `"ops":"..."`; within one pair of quotes, a quote is part of the password.
  const isOpened = (opener === 34 || opener === 39) && (apart || !quoted)
  const start = colon + (isOpened ? 2 : 1)
  const end = quotedWordEnd(text, start, isOpened ? opener : quoted && !apart ? first : 0)
  if (end === start) return keyAlone(text, at, colon)
  if (text.charCodeAt(start) === 47 || countOf(text, at, end, digitSet) === end - at - 1) return undefined
  return text.slice(at, colon) === text.slice(start, end) ? undefined : judged(text, start, end)
}

function keyAlone(text: string, start: number, end: number): Match | undefined {
  if (end - start < 12 || !isSecretValue(text, start, end, likelyName, { quoted: true, doubtful: false }))
    return undefined
  return { start, end, confidence: 'medium', tier: 'medium', byContext: true }
}

/** A match for a value whose position makes it a password, unless it is a placeholder. */
export function judged(text: string, start: number, end: number): Match | undefined {
  if (end - start < 4 || isReference(text, start, end) || namesItself(text, start, end)) return undefined
  // What a script replaces before it runs: `DOMAIN_ADMIN_PW`.
  if (isConstant(text, start, end, passwordName, true) || isNameOfSecret(text.slice(start, end))) return undefined
  return isDummyValue(text, start, end)
    ? { start, end, confidence: 'medium', tier: 'medium', byContext: end - start >= 8 }
    : { start, end, confidence: passwordConfidence(text, start, end), byContext: true }
}

const selfNames = new Set([
  'password',
  'passwd',
  'pass',
  'pwd',
  'secret',
  'token',
  'your_password',
  'mypassword',
  'xxxx',
  '{password}',
  '{apikey}'
])

function namesItself(text: string, start: number, end: number): boolean {
  const value = text.slice(start, Math.min(end, start + 24)).toLowerCase()
  return selfNames.has(value) || value.startsWith('xxx') || value.startsWith('***') || value.startsWith('your')
}

const curlUnitsMax = 400
const indentUnitsMax = 16

/** Whether the option at `at` begins a line, and the lines before it from `curl` on all end in a backslash. */
function continuesCurl(text: string, at: number): boolean {
  const end = text.charCodeAt(at) === lineBreak ? at : runStart(text, at, blankSet, indentUnitsMax) - 1
  if (text.charCodeAt(end) !== lineBreak || !isContinued(text, end)) return false
  const before = text.slice(Math.max(0, end - curlUnitsMax), end)
  const call = before.lastIndexOf('curl ')
  if (call < 0) return false
  for (let i = before.indexOf('\n', call); i >= 0; i = before.indexOf('\n', i + 1))
    if (!isContinued(before, i)) return false
  return true
}

function isContinued(text: string, lineEnd: number): boolean {
  return text.charCodeAt(lineEnd - 1) === backslash || text.charCodeAt(lineEnd - 2) === backslash
}
const lineBreak = 10
const backslash = 92

export const curlAuth: Detector = {
  id: 'curl_auth',
  label: 'PASSWORD',
  title: 'password of a command',
  group: 'secret',
  tier: 'high',
  lengthMin: 12,
  anchors: [
    { literal: ' -u ' },
    { literal: '\n-u ' },
    { literal: ' --user ' },
    { literal: " -u'" },
    { literal: ' -u"' },
    { literal: ' --user=' },
    { literal: ' -U ' },
    { literal: ' --proxy-user ' }
  ],
  context: ['curl', 'wget', 'http', 'https', 'httpie', 'ab'],
  match(text, at, context) {
    let from = at + 3
    if (text.charCodeAt(at + 2) === 45) from = at + (text.charCodeAt(at + 3) === 112 ? 14 : 8)
    else if (text.charCodeAt(from) === 32) from++
    const found = pairAt(text, from)
    return found !== undefined && (context.near(at, 64) || continuesCurl(text, at)) ? found : undefined
  },
  hits: () => [
    `curl -u deploy:${filler(14)} https://ci.acme.dev/api`,
    `curl -s -k --user "admin:${filler(12)}" https://packages.acme.dev/v2/`,
    `curl -u 'ops:${filler(10)}' -X POST`,
    `curl -x proxy:3128 --proxy-user ops:${filler(14)} https://ci.acme.dev`,
    `curl --user "ops":"${filler(14)}" https://ci.acme.dev/api`,
    `curl -X POST https://ci.acme.dev/v2/caches/default/items \\\n  -H 'Content-Type: text/plain' \\\n  -u ops:${filler(14)}`,
    `curl -u ":${filler(14)}" https://ci.acme.dev/api`,
    `curl --digest -u ops:'${filler(14)}' https://ci.acme.dev/api`
  ],
  misses: () => [
    'curl -XGET -u "username:access-token" -H "Accept: application/json" https://api.acme.dev',
    'curl -u $USER:$PASSWORD https://x',
    'curl -u user:password https://x',
    'curl -u : --negotiate https://ci.acme.dev/api',
    `curl https://ci.acme.dev/api\n${'x'.repeat(64)}\nchown -u ops:${filler(14)}`,
    "curl -u SEARCH_ADMIN_USER:SEARCH_ADMIN_PW 'https://SEARCH_ENDPOINT'",
    'docker run -u 1000:1000 image',
    'curl -u "${USER}:${PASS}" https://x',
    'curl -u "{user}":"{password}" https://x',
    'sudo -u postgres psql'
  ],
  source: 'curl manual, option --user.'
}
