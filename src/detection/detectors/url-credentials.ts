/** Passwords in URLs. */
import { charSet, inSet, letterSet, runStart } from '../chars.ts'
import type { Detector } from '../detector.ts'
import { looksInvented } from '../placeholders.ts'
import { filler } from '../sample-text.ts'

const schemeSet = charSet('a-z', 'A-Z', '0-9', '+.-')
const userInfoUnitsMax = 512
/** What ends the authority of a URL, or cannot stand in one. */
const stopSet = charSet(' /?#\\"\'`<>|\n\r\t')
/** What shows that a value is filled in later. */
const templateSet = charSet('${}<>*()[]')
const hostSet = charSet('A-Z', 'a-z', '0-9', '[_%{$')

const namePlaceholders = new Set([
  'password',
  'pass',
  'passwd',
  'pwd',
  'pw',
  'secret',
  'token',
  'your_password',
  'yourpassword',
  'mypassword',
  'user',
  'username',
  'pswd',
  'db_password',
  'dbpassword',
  'x-oauth-basic',
  'x',
  'api_key',
  'apikey',
  'key',
  'redacted',
  'p',
  'pass1'
])
const samplePasswords = new Set([
  'postgres',
  'root',
  'admin',
  'guest',
  'test',
  'secret',
  'mysql',
  'redis',
  'minio',
  'minioadmin',
  'changeme',
  '1234',
  '12345',
  '123456',
  'foo',
  'bar'
])
const loopbackHosts = ['localhost', '127.', '0.0.0.0', '[::1]', 'host.docker.internal', 'example.']

interface Authority {
  readonly user: string
  readonly passwordStart: number
  readonly at: number
}

/** Splits `user:password@` off the text behind `://`; the last `@` before the authority ends is the one that counts. */
function authority(text: string, from: number): Authority | undefined {
  const limit = Math.min(text.length, from + userInfoUnitsMax)
  let colon = -1
  let at = -1
  for (let i = from; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (inSet(stopSet, code)) break
    if (code === 58 && colon < 0 && at < 0) colon = i
    else if (code === 64) at = i
    // A comma or a bracket after the host belongs to prose: no second address may reach into this one.
    else if (at >= 0 && (code === 44 || code === 59 || code === 41)) break
  }
  return colon < 0 || at <= colon + 1 ? undefined : { user: text.slice(from, colon), passwordStart: colon + 1, at }
}

export const urlCredentialDetectors: readonly Detector[] = [
  {
    id: 'url_credentials',
    label: 'URL_PASSWORD',
    lengthMin: 8,
    title: 'password in a URL',
    group: 'secret',
    tier: 'high',
    anchors: [{ literal: '://' }],
    match(text, at) {
      if (!inSet(letterSet, text.charCodeAt(runStart(text, at, schemeSet, 24)))) return undefined
      const found = authority(text, at + 3)
      if (found === undefined || !inSet(hostSet, text.charCodeAt(found.at + 1))) return undefined
      const { passwordStart: start, at: end } = found
      const password = text.slice(start, end)
      for (let i = 0; i < password.length; i++) if (inSet(templateSet, password.charCodeAt(i))) return undefined
      const lower = password.toLowerCase()
      if (namePlaceholders.has(lower) || password.startsWith('%s') || password.startsWith('%(')) return undefined
      const host = text.slice(end + 1, end + 24).toLowerCase()
      const mild =
        loopbackHosts.some((one) => host.startsWith(one)) ||
        samplePasswords.has(lower) ||
        lower === found.user.toLowerCase() ||
        password.length < 4 ||
        looksInvented(text, start, end)
      return mild ? { start, end, confidence: 'medium', tier: 'medium' } : { start, end, confidence: 'strong' }
    },
    hits: () => [
      `postgres://app:${filler(14)}@db.internal:5432/shop`,
      `https://deploy:${filler(20)}@git.corp.dev/x.git`,
      'redis://:' + filler(9) + '@cache:6379',
      'postgres://postgres:postgres@localhost/x'
    ],
    misses: () => [
      'https://user:password@host/x',
      'postgres://app:${DB_PASSWORD}@db/x',
      'https://app:<password>@db',
      'http://localhost:3000/@scope/x',
      'git@github.com:a/b.git',
      'https://app:@host',
      'postgres://app:URL_PASSWORD_7Q2MKX4TAB@db',
      'https://x.dev/a:b@c'
    ],
    source: 'RFC 3986 section 3.2.1: userinfo.'
  }
]
