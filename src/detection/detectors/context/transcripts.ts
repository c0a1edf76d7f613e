/** Passwords in transcripts of protocols: FTP and POP3, SMTP sign-in, Redis, the passphrase prompt of ssh. */
import {
  base62Set,
  charSet,
  codeAt,
  countOf,
  digitSet,
  dottedNameSet,
  inSet,
  letterSet,
  lineBreakSet,
  paddedBase64Set,
  runEnd
} from '../../text/chars.ts'
import { contextMatch, type Detector, type Match } from '../../detector.ts'
import { filler } from '../../sample-text.ts'
import { Places } from '../../text/places.ts'
import { lineEnd } from '../../assignments/name-value-members.ts'
import { isPassphrase } from '../../values/passphrases.ts'
import { delimitedPassword } from '../../values/delimited-password.ts'

const wordUnitsMax = 160
/** Characters that end a word, also within a string literal. */
const stopSet = charSet(' \t\r\n"\'`')
/** Marks of the client's lines, if the transcript has any. */
const speakers = ['C: ', '> ', 'c: ', ' -> ', '-> ']

/** The end of the word at `from`: a blank, a quote, or an escaped line break. */
function wordEnd(text: string, from: number): number {
  const limit = Math.min(text.length, from + wordUnitsMax)
  let i = from
  while (i < limit && !inSet(stopSet, text.charCodeAt(i)) && !isBreak(text, i)) i++
  return i
}

/** Whether an escaped line break stands at `at`. */
function isBreak(text: string, at: number): boolean {
  return text.charCodeAt(at) === 92 && (text.startsWith('\\r', at) || text.startsWith('\\n', at))
}

function endsHere(text: string, at: number): boolean {
  const code = codeAt(text, at)
  return code === 0 || code === 10 || code === 13 || code === 34 || isBreak(text, at)
}

const sessionUnitsMax = 240

/** `USER ops`, an answer, `PASS ...`; or `PASS` where a packet dump names the protocol. */
function command(text: string, at: number, textNumber: number): Match | undefined {
  if (inSet(letterSet, codeAt(text, at - 1))) return undefined
  const start = at + 5
  const end = wordEnd(text, start)
  if (!endsHere(text, end)) return undefined
  // A system call: `write(5, "PASS X\r\n", 24)`.
  if (codeAt(text, at - 1) === 34 && isBreak(text, end)) return delimitedPassword(text, start, end)
  return text.endsWith('FTP: ', at) || text.endsWith('POP: ', at) || isBehindUser(text, at, textNumber)
    ? delimitedPassword(text, start, end)
    : undefined
}

/** Where a user signs in. */
const signIns = new Places((text, at) => {
  const code = text.charCodeAt(at)
  const isUser = code === 85 ? text.startsWith('USER ', at) : code === 10 && text.startsWith('\nUser ', at)
  return isUser ? true : undefined
})

/** Whether a user signs in shortly before `at`. */
function isBehindUser(text: string, at: number, textNumber: number): boolean {
  return signIns.readLast(text, Math.max(0, at - sessionUnitsMax), at, textNumber) >= 0
}

/** `AUTH PLAIN` and base64 that begins with a zero byte; the user follows, and behind another zero byte the password. */
function plainSignIn(text: string, from: number): Match | undefined {
  const end = runEnd(text, from, paddedBase64Set, 512)
  const isZero = codeAt(text, from) === 65 && inSet(firstSet, codeAt(text, from + 1))
  return isZero && (end - from) % 4 === 0 && end - from >= 12 ? contextMatch(from, end) : undefined
}
/** The second letter of base64 whose first byte is zero. */
const firstSet = charSet('A-P')

/** The client's line behind the server's question for the password. */
function answered(text: string, from: number): Match | undefined {
  const line = runEnd(text, from, lineBreakSet, 2)
  if (line === from) return undefined
  const value = line + speakerUnits(text, line)
  const end = runEnd(text, value, paddedBase64Set, 256)
  // A placeholder, once the value is masked, continues with an underscore.
  const isWhole = codeAt(text, end) !== 95
  return isWhole && end - value >= 8 && (end - value) % 4 === 0 ? contextMatch(value, end) : undefined
}

/** The length of the speaker's mark at the start of a line: `C: `, `[AUTH] C: `. */
function speakerUnits(text: string, line: number): number {
  const speaker = speakers.find((one) => text.startsWith(one, line))
  if (speaker !== undefined) return speaker.length
  const tagged = text.slice(line, line + tagUnitsMax).indexOf('] C: ')
  return codeAt(text, line) === 91 && tagged > 0 ? tagged + 5 : 0
}
const tagUnitsMax = 32

/** `AUTH ...` or `AUTH user ...` at a Redis prompt: the last word. */
function redisSignIn(text: string, from: number): Match | undefined {
  const first = wordEnd(text, from)
  if (endsHere(text, first)) return delimitedPassword(text, from, first)
  // `auth := smtp.PlainAuth("` beside Redis in a program has no user.
  if (countOf(text, from, first, base62Set) === 0) return undefined
  const second = wordEnd(text, first + 1)
  return codeAt(text, first) === 32 && endsHere(text, second) ? delimitedPassword(text, first + 1, second) : undefined
}

/** Whether the line belongs to Redis: other protocols have a command `AUTH` too. */
function isOfRedis(text: string, at: number): boolean {
  return text.slice(Math.max(0, at - sessionUnitsMax), at).includes('redis')
}

/** `"AUTH" "app" "..."` in the output of MONITOR: the last word. */
function monitoredSignIn(text: string, from: number): Match | undefined {
  const first = wordEnd(text, from)
  if (codeAt(text, first) !== 34) return undefined
  if (!text.startsWith('" "', first)) return delimitedPassword(text, from, first)
  const second = wordEnd(text, first + 3)
  return codeAt(text, second) === 34 ? delimitedPassword(text, first + 3, second) : undefined
}

const aclWordsMax = 12

/** `ACL SETUSER name on >password`. */
function redisUser(text: string, from: number): Match | undefined {
  let i = from
  for (let words = 0; words < aclWordsMax && !endsHere(text, i); words++) {
    const end = wordEnd(text, i)
    if (codeAt(text, i) === 62) return delimitedPassword(text, i + 1, end)
    i = end + 1
  }
  return undefined
}

/** `Enter passphrase for key '/home/ops/.ssh/id': ...`. */
function passphrase(text: string, from: number): Match | undefined {
  const quote = codeAt(text, from)
  if (quote !== 39 && quote !== 34) return undefined
  const close = text.slice(from + 1, from + wordUnitsMax).indexOf(String.fromCharCode(quote)) + from + 2
  if (close < from + 2 || !text.startsWith(': ', close)) return undefined
  const end = wordEnd(text, close + 2)
  const line = lineEnd(text, close + 2)
  if (!endsHere(text, end)) return isPassphrase(text, close + 2, line) ? contextMatch(close + 2, line) : undefined
  return delimitedPassword(text, close + 2, end)
}

const cookieNames = ['sess', 'sid', 'token', 'auth', 'jwt', 'remember']
const cookieSet = charSet('A-Z', 'a-z', '0-9', '_-.%+/=:~!*')
const cookieUnitsMin = 16

/** A line of a cookie jar, tab-separated: host, `TRUE`, path, `TRUE`, expiry, name, value. */
function jarred(text: string, at: number): Match | undefined {
  const path = at + (text.startsWith('\tTRUE', at) ? 6 : 7)
  if (codeAt(text, path) !== 47) return undefined
  const pathEnd = wordEnd(text, path)
  const secure = ['\tTRUE\t', '\tFALSE\t'].find((one) => text.startsWith(one, pathEnd))
  if (secure === undefined) return undefined
  const expires = pathEnd + secure.length
  const name = runEnd(text, expires, digitSet, 20) + 1
  const nameEnd = runEnd(text, name, dottedNameSet, 96)
  const written = text.slice(name, nameEnd).toLowerCase()
  if (codeAt(text, nameEnd) !== 9 || !cookieNames.some((one) => written.includes(one))) return undefined
  const end = runEnd(text, nameEnd + 1, cookieSet, 4096)
  return end - nameEnd > cookieUnitsMin ? delimitedPassword(text, nameEnd + 1, end) : undefined
}

/** The answer that a script sends on the line after `expect "assword:"` or `read_until(b"Password: ")`. */
function sent(text: string, from: number): Match | undefined {
  const behind = text.slice(from, from + sentUnitsMax)
  const write = behind.indexOf(byteWrite)
  if (write >= 0)
    return delimitedPassword(text, from + write + byteWrite.length, wordEnd(text, from + write + byteWrite.length))
  const quote = behind.indexOf('send ')
  const open = from + quote + 5
  const start = text.startsWith('-- ', open) ? open + 4 : open + 1
  if (quote < 0 || codeAt(text, start - 1) !== 34) return undefined
  return delimitedPassword(text, start, wordEnd(text, start))
}
const sentUnitsMax = 48
const byteWrite = '.write(b"'
const userUnitsMax = 80
const question = 'assword:'

/** What precedes a password in a Redis ACL file. */
const turnedOn = ' on >'
const pass = 'PASS '
const written = 'Pass '
const plain = ['AUTH PLAIN ', 'AUTHENTICATE PLAIN ']
/** The server's `Password:` and `password:` in base64, with its reply code. */
const questions = ['334 UGFzc3dvcmQ6', '334 cGFzc3dvcmQ6']
const redis = ['> auth ', '"auth ', '\nauth ']
/** The Redis monitor prints each word of a command in quotes. */
const monitored = '"auth" "'
const acl = 'acl setuser '
const key = 'passphrase for key '
const jar = ['\tTRUE\t/', '\tFALSE\t/']

export const transcriptDetectors: readonly Detector[] = [
  {
    id: 'transcript_password',
    label: 'PASSWORD',
    title: 'password in the transcript of a protocol',
    group: 'secret',
    tier: 'medium',
    lengthMin: 12,
    anchors: [
      ...[pass, written, turnedOn, question, ...plain, ...questions, ...jar].map((literal) => ({ literal })),
      ...[...redis, monitored, acl, key].map((literal) => ({ literal, fold: true as const }))
    ],
    match(text, at, { textNumber }) {
      const code = codeAt(text, at)
      if (code === 9) return jarred(text, at)
      if (code === 97 && text.startsWith(question, at)) return sent(text, at + question.length)
      if (code === 80 && (text.startsWith(pass, at) || text.startsWith(written, at)))
        return command(text, at, textNumber)
      if (text.startsWith(turnedOn, at)) {
        const user = text.slice(Math.max(0, at - userUnitsMax), at)
        return user.includes('user ') ? delimitedPassword(text, at + 5, wordEnd(text, at + 5)) : undefined
      }
      const asked = questions.find((one) => text.startsWith(one, at))
      if (asked !== undefined) return answered(text, at + asked.length)
      const mechanism = plain.find((one) => text.startsWith(one, at))
      if (mechanism !== undefined) return plainSignIn(text, at + mechanism.length)
      if ((code | 32) === 112) return passphrase(text, at + key.length)
      if ((code | 32) === 97) return redisUser(text, at + acl.length)
      if (code === 34 && codeAt(text, at + 5) === 34) return monitoredSignIn(text, at + monitored.length)
      if (code === 10 && !isOfRedis(text, at)) return undefined
      return redisSignIn(text, at + redis[0]!.length - (code === 62 ? 0 : 1))
    },
    hits: () => [
      `USER upload\n331 Password required\nPASS ${filler(12)}\n230 Logged in`,
      `> 10.0.0.9.21: FTP: PASS ${filler(12)}\n`,
      `C: AUTH PLAIN ${['AG9wcwBR', 'eDdrUjJ2', 'THA5dw=='].join('')}`,
      `Enter passphrase for key '/home/ops/.ssh/id': ${['violet', 'canyon', 'lantern', 'pepper'].join(' ')}\n`,
      `S: 334 UGFzc3dvcmQ6\nC: ${['UXg3a1Iy', 'dkxwOXc='].join('')}\n`,
      `127.0.0.1:6379> AUTH ${filler(16)}\nOK`,
      `1763626442.113 [0 10.0.0.4:51234] "AUTH" "app" "${filler(16)}"\n`,
      `<-  334 UGFzc3dvcmQ6\n -> ${['UXg3a1Iy', 'dkxwOXc='].join('')}\n`,
      `127.0.0.1:6379> auth app ${filler(16)}\nOK`,
      `127.0.0.1:6379> AUTH _app ${filler(16)}\nOK`,
      `redis-cli <<EOT\nAUTH default ${filler(16)}\nEOT\n`,
      `[AUTH] S: 334 UGFzc3dvcmQ6\n[AUTH] C: ${['UXg3a1Iy', 'dkxwOXc='].join('')}\n`,
      `tn.read_until(b"Password: ")\ntn.write(b"${filler(12)}" + b"\\n")\n`,
      `write(4, "AUTH ${filler(16)}\\r\\n", 24) = 24`,
      `expect "assword:"\nsend "${filler(12)}\\r"\n`,
      `user billing on >${filler(14)} ~billing:* +@read\n`,
      `Host imap.acme.dev\nUser ops\nPass ${filler(12)}\n`,
      `ACL SETUSER worker on >${filler(14)} ~jobs:* +@all`,
      `Enter passphrase for key '/home/ops/.ssh/id_ed25519': ${filler(12)}\n`,
      `.acme.dev\tTRUE\t/\tTRUE\t1765000000\tsession_id\t${filler(32)}\n`
    ],
    misses: () => [
      'USER upload\nPASS src/user.test.ts (5.1 s)\n',
      `PASS ${filler(12)}\n`,
      'USER upload\nPASS secret\n',
      `Pass ${filler(12)}\n`,
      `turned on >${filler(14)}\n`,
      'C: AUTH PLAIN',
      'S: 334 UGFzc3dvcmQ6\nC: *\n',
      'S: 334 UGFzc3dvcmQ6\nC: PASSWORD_1\n',
      "Enter passphrase for key '/home/ops/.ssh/id': \nIdentity added\n",
      'expect "assword:"\nsend "$password\\r"\n',
      '127.0.0.1:6379> AUTH password\n',
      'auth required\nauth plugin v2-staging4\n',
      'AUTH PLAIN\nAUTH XOAUTH2\n',
      'cache := redis.NewClient(options)\nauth := smtp.PlainAuth("", user, password, host)\n',
      '> auth is required for this route\n',
      'ACL SETUSER worker on nopass ~* +@all',
      "Enter passphrase for key '/home/ops/.ssh/id_ed25519': \n",
      '.acme.dev\tTRUE\t/\tTRUE\t1765000000\ttheme\tdark-with-a-long-name\n'
    ],
    source:
      'RFC 959 and RFC 1939, USER and PASS; RFC 4954 and RFC 4616, AUTH; Redis documentation, AUTH and ACL SETUSER; ssh(1); the cookie file of curl.'
  }
]
