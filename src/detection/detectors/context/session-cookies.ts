/** Session cookies in headers, fields and the lists that browsers write. */
import { skipSpace, valueLabelEnd } from '../../assignments/lexing.ts'
import type { Guard } from '../../anchor-guard.ts'
import {
  charSet,
  consistsOf,
  countOf,
  digitSet,
  dotSet,
  dottedDigitSet,
  hexSet,
  runEnd,
  runStart,
  upperSet
} from '../../text/chars.ts'
import { contextMatch, type Detector, type Match } from '../../detector.ts'
import { isUuid } from '../../values/non-secret-formats.ts'
import { nameParts, nameStart } from '../../values/key-names.ts'
import { filler, fillerUuid } from '../../sample-text.ts'
import { isToken, paddedEnd, trimEnd } from './auth-headers.ts'

const cookieSet = charSet('A-Z', 'a-z', '0-9', '-._~+/%:!*|@')
const cookieUnitsMin = 16
/** What browsers keep. */
const cookieUnitsMax = 4096
const sessionWords = new Set([
  'sid',
  'session',
  'sessionid',
  'sess',
  'sessid',
  'phpsessid',
  'jsessionid',
  'aspsessionid',
  'remember',
  'auth',
  'sso'
])

/** Parts of names of desktop, window and terminal sessions, whose ids are not cookies: `TERM_SESSION_ID`. */
const terminals = new Set(['term', 'iterm', 'xdg', 'kitty', 'wezterm', 'tmux', 'security'])

/** Names that only session cookies have, so that their values count in fields as well. */
const cookieNames = ['jsessionid', 'phpsessid', 'asp.net_sessionid', 'connect.sid', 'laravel_session', 'ci_session']
const fieldGuard: Guard = { behindName: [[charSet('"\'\\:=')]] }

/** Ends of names of session cookies in the lists that browsers write. */
const listedNames = ['sid",', 'session",', 'sessionid",', 'session_id",', 'sess",', 'sessid",']
/** What else such a list says of a cookie. */
const attributes = ['"domain"', '"path"', '"httponly"', '"secure"', '"expires"', '"samesite"']
const attributeUnitsMax = 64

/** `{"name": "session", "value": "...", "domain": ...}`: a cookie as HAR files and tools that drive browsers keep it. */
function listedCookie(text: string, nameEnd: number): Match | undefined {
  const from = nameStart(text, nameEnd - 1)
  if (text.charCodeAt(from - 1) !== 34 || !isSessionName(nameParts(text, from, nameEnd))) return undefined
  const match = cookieField(text, nameEnd)
  if (match === undefined) return undefined
  const rest = text.slice(match.end, match.end + attributeUnitsMax).toLowerCase()
  return attributes.some((one) => rest.includes(one)) ? match : undefined
}

function isSessionName(words: readonly string[]): boolean {
  const last = words.at(-1) ?? ''
  return sessionWords.has(last) || (last === 'id' && sessionWords.has(words.at(-2) ?? ''))
}

/** `"JSESSIONID": "..."`, `phpsessid: ...`. */
function cookieField(text: string, from: number): Match | undefined {
  const colon = runEnd(text, from, closeSet, 4)
  // A browser lists its cookies as objects: `"name": "connect.sid", "value": "..."`.
  const label = text.charCodeAt(colon) === 44 ? valueLabelEnd(text, skipSpace(text, colon + 1)) : -1
  if (text.charCodeAt(colon) !== 58 && label < 0) return undefined
  const start = runEnd(text, label < 0 ? colon + 1 : label, openSet, 6)
  const end = paddedEnd(text, trimEnd(text, start, runEnd(text, start, cookieSet, cookieUnitsMax)))
  if (end - start < cookieUnitsMin || !isToken(text, start, end) || countOf(text, start, end, digitSet) < 2)
    return undefined
  return contextMatch(start, end)
}
const closeSet = charSet('"\'\\')
const openSet = charSet(' "\'\\')

/**
 * Whether it is a Windows security id (`objectSID=S-1-5-21-...`) or a Twilio message id (`MessageSid=SM` and 32
 * digits), neither of which is secret.
 */
function isOtherSid(text: string, start: number, end: number): boolean {
  if (text.startsWith('S-1-', start)) return true
  return (
    end - start === twilioUnits &&
    runEnd(text, start, upperSet, 2) === start + 2 &&
    runEnd(text, start + 2, hexSet, 32) === end
  )
}
const twilioUnits = 34

/** Whether the name at `at` is a field of a log line, where a UUID only identifies a session: `user=7 session=...`. */
function isField(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  if (at > 0 && before !== 32 && before !== 10) return false
  // What curl sends as a cookie.
  if (text.startsWith('-b ', at - 3)) return false
  const line = text.slice(Math.max(0, at - lineUnitsMax), at)
  const start = line.lastIndexOf('\n') + 1
  return text.charCodeAt(at - 2) !== 59 && !line.slice(start).toLowerCase().includes('cookie')
}
const lineUnitsMax = 240

const dateSet = charSet('0-9', '/')

export const sessionCookieDetectors: readonly Detector[] = [
  {
    id: 'session_cookie',
    label: 'SESSION_COOKIE',
    title: 'session cookie',
    group: 'secret',
    tier: 'medium',
    lengthMin: 4 + cookieUnitsMin,
    anchors: [
      ...['sid=', 'sessionid=', 'session_id=', 'session=', 'sessid=', '_session=', 'sess='].map((literal) => ({
        literal,
        fold: true as const
      })),
      ...cookieNames.map((literal) => ({ literal, fold: true as const, guard: fieldGuard })),
      ...listedNames.map((literal) => ({ literal, fold: true as const }))
    ],
    match(text, at) {
      const name = cookieNames.find((one) => text.slice(at, at + one.length).toLowerCase() === one)
      if (name !== undefined && text.charCodeAt(at + name.length) !== 61) return cookieField(text, at + name.length)
      const listed = listedNames.find((one) => text.slice(at, at + one.length).toLowerCase() === one)
      if (listed !== undefined) return listedCookie(text, at + listed.length - 2)
      const sign = text.indexOf('=', at)
      const from = nameStart(text, at)
      const words = nameParts(text, from, sign)
      if (terminals.has(words[0] ?? '')) return undefined
      if (!isSessionName(words)) return undefined
      const start = text.charCodeAt(sign + 1) === 34 ? sign + 2 : sign + 1
      const end = paddedEnd(text, trimEnd(text, start, runEnd(text, start, cookieSet, cookieUnitsMax)))
      if (end - start < cookieUnitsMin || !isToken(text, start, end)) return undefined
      if (countOf(text, start, end, digitSet) < 2 || isOtherSid(text, start, end)) return undefined
      if (isUuid(text, start, end) && isField(text, from)) return undefined
      // A counter, `ipsSessionId=1328559940562927`, or an article by its date, `sid=02/08/03/2314232`.
      if (consistsOf(text, start, end, dateSet)) return undefined
      // The id of a telephone call: `SessionID="17a483d-eb8cc0-556164ab@192.0.2.4"`.
      const host = runStart(text, end, dottedDigitSet, end - start)
      if (text.charCodeAt(host - 1) === 64 && countOf(text, host, end, dotSet) === 3) return undefined
      return contextMatch(start, end)
    },
    hits: () => [
      'Cookie: theme=dark; connect.sid=s%3A' + filler(32) + '.' + filler(43),
      'Set-Cookie: JSESSIONID=' + filler(32, '0123456789ABCDEF') + '; Path=/; HttpOnly',
      'Cookie: _gitlab_session=' + filler(32, '0123456789abcdef'),
      `{"JSESSIONID": "${filler(32, '0123456789ABCDEF')}"}`,
      `{"name": "connect.sid", "value": "s%3A${filler(32)}.${filler(43)}", "domain": "acme.dev"}`,
      `{"name": "shop_session", "value": "${filler(43)}", "domain": ".acme.dev", "path": "/"}`,
      `{\n  "name": "sessionid",\n  "value": "${filler(32, 'abcdefghijklmnopqrstuv0123456789')}",\n  "path": "/"\n}`,
      'phpsessid: ' + filler(26, 'abcdefghijklmnopqrstuv0123456789'),
      `Cookie: theme=dark; session=${fillerUuid()}`,
      `curl -b session=${fillerUuid()} https://shop.acme.dev/cart`
    ],
    misses: () => [
      'Cookie: session=abc',
      'sid=${sid}',
      'http://news.acme.dev/article.pl?sid=04/11/28/1714205&mode=flat',
      `login ok user=7 session=${fillerUuid()}`,
      'Cookie: _ga=GA1.2.1234567890.1234567890',
      'const session=createSessionFromRequest',
      'csrftoken=' + filler(32),
      `objectSID=S-1-5-21-73586283-${'15204' + '9171'}-839522115-1111`,
      `MessageSid=SM${filler(32, '0123456789abcdef')}&From=`,
      `TERM_SESSION_ID=w0t0p0:${fillerUuid().toUpperCase()}`,
      `{"sessionId": "${filler(32, '0123456789ABCDEF')}"}`,
      '"JSESSIONID": "the name of the cookie"',
      `{"name": "session", "value": "${filler(32, '0123456789abcdef')}", "type": "string"}`,
      '{"name": "session", "value": "the cookie of a session", "domain": "acme.dev"}'
    ],
    source:
      'RFC 6265 section 4; HTTP Archive 1.2, "cookies"; the names that common web frameworks give their cookies. The names are from memory.'
  }
]
