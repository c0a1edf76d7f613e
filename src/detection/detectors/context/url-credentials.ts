/** Passwords and tokens in URLs, those of databases included. */
import {
  charSet,
  consistsOf,
  constantSet,
  countOf,
  digitSet,
  dottedNameSet,
  hexSet,
  inSet,
  letterSet,
  lowerSet,
  runEnd,
  runStart,
  wordSet
} from '../../text/chars.ts'
import { rarity } from '../../values/rarity.ts'
import type { Detector, Match } from '../../detector.ts'
import { isDummyValue } from '../../values/generic-value.ts'
import { isHostList } from '../../values/non-secret-arguments.ts'
import { isCovered } from '../../values/placeholders.ts'
import { filler, hexLetters } from '../../sample-text.ts'
import { passwordConfidence } from '../../values/stated-value.ts'

const schemeSet = charSet('a-z', 'A-Z', '0-9', '+.-')
const userInfoUnitsMax = 512
/** Characters that end the authority of a URL, or cannot occur in one. */
const stopSet = charSet(' /?#\\"\'`<>|\n\r\t')
/** Marks of a value that is filled in later. */
const templateSigns = ['{', '<']
const variableSet = charSet('A-Z', '_')
const hostSet = charSet('A-Z', 'a-z', '0-9', '[_%{$')

/** The words of a list, for whole comparisons. */
export const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

const namePlaceholders = words(
  'password pass passwd pwd pw secret token your_password yourpassword mypassword my_password user username pswd ' +
    'db_password dbpassword x-oauth-basic x api_key apikey key redacted p pass1 psw pword passwort clave senha'
)
/** Default passwords that images and documentation ship with. */
export const samplePasswords = words(
  'postgres root admin guest test secret mysql redis minio minioadmin changeme 1234 12345 123456 foo bar baz elastic ' +
    'rabbitmq neo4j mongo mongodb example dev docker sa letmein letmein123 testpwd pwd1 foobar'
)
/** Users that a server accepts with any password: anonymous FTP and CVS. */
const publicUsers = words('anonymous anoncvs ftp')
const loopbackHosts = ['localhost', '127.', '0.0.0.0', '[::1]', 'host.docker.internal', 'example.']
const sampleHosts = ['.example.', '.example/', '.example:', '.test', '.invalid', '.localhost']
const databaseSchemes = words(
  'postgres postgresql mysql mysqli mariadb mongodb redis rediss amqp amqps mssql sqlserver oracle clickhouse ' +
    'cockroachdb cassandra couchbase neo4j bolt memcached nats sqlalchemy ldap ldaps jdbc db2 snowflake ibmdb mymysql'
)

interface Authority {
  readonly user: string
  readonly passwordStart: number
  readonly at: number
}

/** Splits `user:password@` off the text behind `://`. The last `@` before the end of the authority counts. */
function authority(text: string, from: number): Authority | undefined {
  const limit = Math.min(text.length, from + userInfoUnitsMax)
  let colon = -1
  let at = -1
  for (let i = from; i < limit; i++) {
    const code = text.charCodeAt(i)
    // `#` may occur in a password that was not encoded; behind the host it begins the fragment.
    if (inSet(stopSet, code) && !(code === 35 && colon >= 0 && at < 0)) break
    if (code === 58 && colon < 0 && at < 0) colon = i
    else if (code === 64) at = i
    // A comma or bracket behind the host belongs to the sentence. This URL must not reach into the next one.
    else if (at >= 0 && (code === 44 || code === 59 || code === 41)) break
  }
  return colon < 0 || at <= colon + 1 ? undefined : { user: text.slice(from, colon), passwordStart: colon + 1, at }
}

/** Whether a host exists only on a developer's machine: loopback, or a name without a dot. */
function isLocalHost(text: string, host: number): boolean {
  const end = runEnd(text, host, dottedNameSet, 64)
  const name = text.slice(host, Math.max(end, host + 22)).toLowerCase()
  return loopbackHosts.some((one) => name.startsWith(one)) || !text.slice(host, end).includes('.')
}

function isSampleHost(text: string, host: number): boolean {
  const name = text.slice(host, host + 64).toLowerCase()
  return name.startsWith('example.') || sampleHosts.some((one) => name.includes(one))
}

/** The last URL that has no credentials: both kinds are asked about each. */
const bare = { textNumber: 0, at: 0 }

/**
 * The credentials of the URL whose `://` is at `at`.
 * @param database whether to match database schemes, or all others
 */
function credentialsAt(text: string, at: number, database: boolean, textNumber: number): Match | undefined {
  const isBare = textNumber === bare.textNumber && at === bare.at
  const found = isBare ? undefined : authority(text, at + 3)
  if (found === undefined) {
    bare.textNumber = textNumber
    bare.at = at
    if (database) return undefined
  }
  const start = runStart(text, at, schemeSet, 24)
  // The sign of an added or removed line in a diff is not part of the scheme.
  const scheme = inSet(letterSet, text.charCodeAt(start)) || !isLineStart(text, start) ? start : start + 1
  if (!inSet(letterSet, text.charCodeAt(scheme))) return undefined
  if (found === undefined) return tokenUser(text, at + 3)
  if (isDatabase(text, scheme, at) !== database) return undefined
  if (!inSet(hostSet, text.charCodeAt(found.at + 1))) return undefined
  return rate(text, found)
}

function isLineStart(text: string, at: number): boolean {
  return at === 0 || text.charCodeAt(at - 1) === 10
}

const tokenUnitsMin = 20
const tokenUnitsMax = 255
const tokenDigitsMin = 3

/**
 * A token in place of the user: `https://8f4bQx...@git.acme.dev/`. Hexadecimal digits alone are public there, as in the
 * addresses for error reports.
 */
function tokenUser(text: string, start: number): Match | undefined {
  const end = runEnd(text, start, wordSet, tokenUnitsMax)
  if (end - start < tokenUnitsMin || text.charCodeAt(end) !== 64) return undefined
  if (!inSet(letterSet, text.charCodeAt(end + 1)) || runEnd(text, start, hexSet, tokenUnitsMax) === end)
    return undefined
  if (countOf(text, start, end, digitSet) < tokenDigitsMin || rarity(text, start, end) < tokenBits) return undefined
  return isDummyValue(text, start, end)
    ? undefined
    : { start, end, confidence: 'medium', tier: 'medium', byContext: true }
}
const tokenBits = 7

function isDatabase(text: string, start: number, end: number): boolean {
  const scheme = text.slice(start, end).toLowerCase()
  const plus = scheme.indexOf('+')
  return databaseSchemes.has(plus < 0 ? scheme : scheme.slice(0, plus)) || databaseSchemes.has(scheme.slice(plus + 1))
}

const portDigitsMax = 5

function rate(text: string, found: Authority): Match | undefined {
  const { passwordStart: start, at: end } = found
  const password = text.slice(start, end)
  // A URL pattern: `https://([[:alnum:]_:]+)@`, `https://user[:password]@`.
  if (found.user.includes('[')) return undefined
  if (isTemplate(password) || found.user.lastIndexOf('{') > found.user.lastIndexOf('}') || isNameOfSecret(password))
    return undefined
  // A host and its port: `reverse:https://upstream.dev:8085@localhost:8080`, `http://localhost:8545@1400000`.
  const port = runEnd(text, start, digitSet, portDigitsMax)
  const isHost = found.user === 'localhost' || found.user.includes('.')
  if (isHost && port > start && (port === end || text.startsWith('#@', port))) return undefined
  // A list of brokers, and an object as Java prints it: `http://shop:8080,org.acme.Listener@1fc032aa`.
  if (port > start && isHostList(text, port, end)) return undefined
  if (found.user === 'mailto' || areNames(found.user, password)) return undefined
  const lower = password.toLowerCase()
  if (namePlaceholders.has(lower) || isFormat(password) || isMaskedOut(password)) return undefined
  // `:pserver:anoncvs@` names a method and a user, but no password.
  if (publicUsers.has(found.user.toLowerCase()) || publicUsers.has(lower.slice(lower.lastIndexOf(':') + 1)))
    return undefined
  const local = isLocalHost(text, end + 1)
  const sample = samplePasswords.has(lower) || lower === found.user.toLowerCase() || isDummyValue(text, start, end)
  // The default password of a server on this machine protects nothing, and masking it breaks compose files.
  // `https://a:b@c` is how documentation draws a URL.
  if (password.length < 4 && (found.user.length < 4 || isSampleHost(text, end + 1))) return undefined
  if (local && sample) return { start, end, confidence: 'medium', tier: 'low' }
  if (local || sample || password.length < 5 || isSampleHost(text, end + 1))
    return { start, end, confidence: 'medium', tier: 'medium', byContext: password.length >= 8 }
  const plain = decodePercent(password)
  return { start, end, confidence: passwordConfidence(plain, 0, plain.length), byContext: true }
}

/** The password with its percent escapes decoded: encoded characters look random. */
function decodePercent(password: string): string {
  try {
    return decodeURIComponent(password)
  } catch {
    return password
  }
}

/** Whether it is a template or a variable: `$name` as a whole, `$NAME` anywhere. */
function isTemplate(value: string): boolean {
  // `@@NAME@@`, as build tools fill it in.
  if (value.startsWith('@@') && value.endsWith('@@') && consistsOf(value, 2, value.length - 2, constantSet)) return true
  return templateSigns.some((sign) => value.includes(sign)) || isVariable(value)
}

/** The same without single template characters, which occur in passwords too where nothing encodes them. */
export function isVariable(value: string): boolean {
  if ((value.startsWith('(') && value.endsWith(')')) || (value.startsWith('[') && value.endsWith(']'))) return true
  for (let i = 0; i < value.length; i++) {
    if (value.charCodeAt(i) !== 36) continue
    if (i === 0 && inSet(letterSet, value.charCodeAt(1))) return true
    if (runEnd(value, i + 1, variableSet, 3) === i + 4) return true
  }
  return false
}

/**
 * Whether both are names in capitals, as in a manual: `linkedin://TOKEN:USER_ID@default`. One word behind the name of a
 * user may be a password, as in `SYSTEM:MANAGER`.
 */
function areNames(user: string, password: string): boolean {
  if (!isInCapitals(user) || !isInCapitals(password)) return false
  return password.includes('_') || secretWords.some((word) => user.endsWith(word))
}

function isInCapitals(value: string): boolean {
  return value !== '' && runEnd(value, 0, variableSet, value.length) === value.length
}

const secretWords = ['PASSWORD', 'TOKEN', 'SECRET', 'KEY', 'PASS', 'PWD']

/**
 * Whether it is a name, to be filled in: `PERSONAL_ACCESS_TOKEN`, `YOUR_PASSWORD_HERE`, or in camelCase `authKey`.
 */
export function isNameOfSecret(value: string): boolean {
  const from = keyFrom(value)
  if (from > 0 && value.startsWith('YOUR_', from)) return isNameOfSecret(value.slice(from))
  if (memberNames.includes(value)) return true
  if (runEnd(value, 0, sampleNameSet, value.length) === value.length)
    return sampleTails.some((tail) => value.endsWith(tail))
  const isJoined = value.includes('_')
  return isInCapitals(value) && secretWords.some((word) => (isJoined ? value.includes(word) : value.endsWith(word)))
}
/** Names in tests and manuals: `app_password`, `url-pass`, `old_gitlab_token`. */
const sampleTails = ['-password', '_password', '-pass', '_pass', '-token', '_token']
const sampleNameSet = charSet('a-z', '_-')
/** Names of members. Other words before these, as in `mySuperSecret`, are those of passwords that people choose. */
const memberNames = ['auth', 'api', 'access', 'client', 'app', 'user', 'private', 'refresh', 'session'].flatMap(
  (name) => ['Key', 'Password', 'Secret', 'Token'].map((tail) => name + tail)
)

/** Whether it is a format directive: `%s`, `%q`, `%(name)s`, `%name%`. */
function isFormat(value: string): boolean {
  return value.startsWith('%(') || (value.startsWith('%') && (value.length === 2 || value.endsWith('%')))
}

/** Whether the value is covered or cut short in the text itself: `****`, `abc...`, `xxxx`, `ghp_xxxx`. */
export function isMaskedOut(value: string): boolean {
  if (isCovered(value) || value.includes('...') || value.slice(0, 3).toLowerCase() === 'x'.repeat(3)) return true
  // A password may go on with them, `my_xxxlarge`.
  const from = keyFrom(value)
  return from > 0 && value.length - from > 2 && runEnd(value, from, crossSet, value.length) === value.length
}
const crossSet = charSet('xX')

/** Where a value goes on behind the prefix of a key, `ghp_`. */
const keyFrom = (value: string): number => {
  const joint = runEnd(value, 0, lowerSet, prefixUnitsMax)
  return joint > 0 && value.charCodeAt(joint) === 95 ? joint + 1 : 0
}
const prefixUnitsMax = 8

const urlAnchors = [{ literal: '://' }] as const

const url: Detector = {
  id: 'url_credentials',
  label: 'URL_PASSWORD',
  lengthMin: 8,
  title: 'password in a URL',
  group: 'secret',
  tier: 'high',
  anchors: urlAnchors,
  match: (text, at, { textNumber }) => credentialsAt(text, at, false, textNumber),
  hits: () => [
    `https://deploy:${filler(20)}@git.corp.dev/x.git`,
    `https://deploy:8080,${filler(16)}!@git.corp.dev/x.git`,
    `@@ -1 +1 @@\n-https://deploy:${filler(20)}@git.corp.dev/x.git\n`,
    `ftp://ops:${filler(9)}@files.corp.dev/`,
    'ftp://ops:51862@3232235777',
    `https://ops:@@${filler(12)}@@@api.acme.dev/`,
    `https://ADMIN:${filler(14, 'BCDFGHJKLMNPQRSTVWXZ')}@git.corp.dev/`,
    'http://svc:' + filler(12) + '@localhost:8080',
    `https://svc:${filler(6)}$${filler(5)}*!@api.acme.dev/`,
    `https://svc:acme_xxx${filler(9)}@api.acme.dev/`,
    `git remote add origin https://${filler(24)}@git.acme.dev/shop.git`
  ],
  misses: () => [
    'the block behind the node, `http://localhost:8545@1400000`',
    'https://app:@@SHOP_SECRET7@@@api.acme.dev/',
    'reverse:https://upstream.dev:8085@localhost:8080',
    'https://user:password@host/x',
    'https://ci:YOUR_TOKEN_HERE@git.acme.dev/x',
    'https://ci:ghp_YOUR_TOKEN_HERE@git.acme.dev/x',
    `https://ci:ghp_${'x'.repeat(12)}@git.acme.dev/x`,
    'http://clientID:authKey@rtc.acme.dev:8045',
    '[[ "$url" =~ https://([[:alnum:]_:]+)@github.com/(.*)$ ]]',
    'protocol://benutzer[:passwort]@host/share',
    `postgres://app:${filler(14)}@db.internal:5432/shop`,
    'https://app:<password>@db',
    'http://localhost:3000/@scope/x',
    'git@github.com:a/b.git',
    'https://app:@host',
    'https://x.dev/a:b@c',
    'url=http://shop:8080,org.acme.Listener@1fc032aa',
    'linkedin://TOKEN:USER_ID@default',
    'mailgun+smtp://KEY:DOMAIN@mail.acme.dev',
    `https://mailto:${['jonas', 'johnson'].join('')}@acme.dev`,
    'cvs://:pserver:anoncvs@sources.acme.dev:/cvs/src',
    `https://deploy:${'\u2022'.repeat(8)}@git.acme.dev/x.git`,
    'ftp://anonymous:jane@ftp.acme.dev/pub',
    'https://a_name_with_many_letters_2024@git.acme.dev/shop.git',
    `https://${filler(32, hexLetters)}@errors.acme.dev/4501`
  ],
  source: 'RFC 3986 section 3.2.1: userinfo.'
}

const database: Detector = {
  id: 'db_connection_string',
  label: 'DB_PASSWORD',
  lengthMin: 8,
  title: 'password in a connection string',
  group: 'secret',
  tier: 'high',
  anchors: urlAnchors,
  match: (text, at, { textNumber }) => credentialsAt(text, at, true, textNumber),
  hits: () => [
    `postgres://app:${filler(14)}@db.internal:5432/shop`,
    'postgres://app:' + 'mySuperSecret' + '@db.internal:5432/shop',
    `mongodb+srv://app:${filler(16)}@cluster0.acme.mongodb.net/shop`,
    `postgresql+psycopg2://app:${filler(16)}@db.acme.dev/shop`,
    'redis://:' + filler(9) + '@cache:6379',
    'amqps://svc:' + filler(14) + '@mq.acme.dev/vhost'
  ],
  misses: () => [
    'postgres://app:${DB_PASSWORD}@db/x',
    'postgres://app:URL_PASSWORD_7Q2MKX4TAB@db',
    'mysql://root:password@localhost/x',
    'mysql://shop:YOUR_PASSWORD_HERE@10.0.0.3/shop',
    'redis://localhost:6379',
    'mongodb://app:**@db.acme.dev:27017/',
    `postgres://app:${'\u25cf'.repeat(6)}@db.acme.dev/shop`,
    `mysql://app:${'\u2022'.repeat(4)}3fQ9@db.acme.dev/shop`,
    'redis://${REDIS_PASSWORD:-}@${REDIS_HOST}:6379',
    `https://deploy:${filler(20)}@git.corp.dev/x.git`
  ],
  source: 'The documentation of PostgreSQL, MySQL, MongoDB, Redis and RabbitMQ on connection addresses.'
}

export const urlCredentialDetectors: readonly Detector[] = [url, database]
