/** Passwords beside a user name in descriptions of connections other than URLs. */
import {
  blankSet,
  charSet,
  codeAt,
  constantSet,
  inSet,
  leftClear,
  placeOf,
  runEnd,
  runStart,
  wordSet
} from '../../text/chars.ts'
import { chained, type Detector, type Match, withNext } from '../../detector.ts'
import { filler } from '../../sample-text.ts'
import { NextOf } from '../../text/next-of.ts'
import { delimitedPassword } from '../../values/delimited-password.ts'

const partUnitsMax = 128
/** Characters that occur neither in user names nor in unquoted passwords. */
const stopSet = charSet(' \t\r\n"\'`<>(){}[],;|')
const partSet = stopSet.map((bit, code) => (bit === 1 || code < 33 ? 0 : 1))
const userSet = charSet('A-Z', 'a-z', '0-9', '._@+-\\#')

/** `app:...@tcp(db:3306)`: the word before the `@` at `at`, behind its first colon. */
function beforeHost(text: string, at: number): Match | undefined {
  const from = runStart(text, at, partSet, partUnitsMax)
  let name = from
  let user = runEnd(text, from, userSet, at - from)
  // The name that the whole string is assigned to.
  if (codeAt(text, user) === 61) user = runEnd(text, (name = user + 1), userSet, at - name)
  return user > name && codeAt(text, user) === 58 ? delimitedPassword(text, user + 1, at) : undefined
}

/** `user/password@host`. */
function behindSlash(text: string, from: number): Match | undefined {
  const user = runEnd(text, from, userSet, partUnitsMax)
  if (user === from || codeAt(text, user) !== 47) return undefined
  const end = runEnd(text, user + 1, partSet, partUnitsMax)
  const host = text.slice(user, end).lastIndexOf('@')
  return host > 0 ? delimitedPassword(text, user + 1, user + host) : undefined
}

/** `user:password` up to the end of the word. */
function behindColon(text: string, from: number): Match | undefined {
  const user = runEnd(text, from, userSet, partUnitsMax)
  if (user === from || codeAt(text, user) !== 58) return undefined
  return delimitedPassword(text, user + 1, runEnd(text, user + 1, partSet, partUnitsMax))
}

/** `Pwd={...};` in a list of connection properties, where braces quote. */
function inBraces(text: string, from: number): Match | undefined {
  const close = text.slice(from, from + partUnitsMax).indexOf('}')
  const next = codeAt(text, from + close + 1)
  const isEnd = next === 59 || next === 34 || next === 39 || next === 10 || next === 0
  return close > 4 && isEnd ? delimitedPassword(text, from, from + close) : undefined
}

/** `WIFI:T:WPA;S:name;P:password;;`, the content of a QR code. */
function inPicture(text: string, from: number, textNumber: number): Match | undefined {
  const limit = Math.min(text.length, from + partUnitsMax)
  const field = pictureFields.at(text, from, limit, textNumber)
  if (field === limit || codeAt(text, field) !== 59) return undefined
  const start = field + passwordField.length
  let end = start
  // Semicolons within the password are escaped.
  while (end - start < partUnitsMax && codeAt(text, end) > 31 && codeAt(text, end) !== 59)
    end += codeAt(text, end) === 92 ? 2 : 1
  return codeAt(text, end) === 59 ? delimitedPassword(text, start, end) : undefined
}
const passwordField = ';P:'
/** Finds the field of the password, or a control character, which ends the content. */
const pictureFields = new NextOf(
  charSet(';').fill(1, 0, 32),
  'in',
  (text, at) => codeAt(text, at) !== 59 || text.startsWith(passwordField, at)
)

/** `u: ops p: ...` in notes: what follows the label at `at`, if a user stands before it on the line. */
function noted(text: string, at: number): Match | undefined {
  const line = text.slice(Math.max(0, at - noteUnitsMax), at)
  const user = line.slice(line.lastIndexOf('\n') + 1)
  if (!user.startsWith('u: ') && !user.includes(' u: ') && !user.includes('"u: ')) return undefined
  const start = at + shortName.length
  return delimitedPassword(text, start, runEnd(text, start, partSet, partUnitsMax))
}
const noteUnitsMax = 64

/** `u/p: ops/...`. */
function notedPair(text: string, from: number): Match | undefined {
  const user = runEnd(text, from, userSet, partUnitsMax)
  const sign = codeAt(text, user)
  if (user === from || (sign !== 47 && sign !== 58)) return undefined
  return delimitedPassword(text, user + 1, runEnd(text, user + 1, partSet, partUnitsMax))
}

/** `{"u":"ops","p":"..."}`: the same in JSON. */
function notedField(text: string, at: number): Match | undefined {
  if (!text.slice(Math.max(0, at - noteUnitsMax), at).includes('"u":')) return undefined
  const start = at + (codeAt(text, at + 4) === 32 ? 6 : 5)
  const end = text.slice(start, start + partUnitsMax).indexOf('"')
  return codeAt(text, start - 1) === 34 && end > 0 ? delimitedPassword(text, start, start + end) : undefined
}

/** `CURLOPT_USERPWD, "ops:..."`. */
function behindOption(text: string, from: number): Match | undefined {
  const start = runEnd(text, from, optionGapSet, 8)
  const quote = codeAt(text, start - 1)
  return start > from && (quote === 34 || quote === 39) ? behindColon(text, start) : undefined
}

/** `user:password` behind the port of a mail relay, and on the next lines behind the names of further relays. */
function relayed(text: string, from: number): Match | undefined {
  const first = behindColon(text, runEnd(text, from, blankSet, gapUnitsMax))
  if (first === undefined) return undefined
  const line = placeOf(text, 10, first.end, 2) + 1
  const host = runEnd(text, line, hostSet, partUnitsMax)
  if (line === 0 || host === line || !inSet(blankSet, codeAt(text, host))) return first
  const next = behindColon(text, runEnd(text, host, blankSet, gapUnitsMax))
  return withNext(first, next)
}
/** `BUNDLE_GEMS__ACME__DEV: "ops:..."`. */
function ofSource(text: string, at: number): Match | undefined {
  const name = runEnd(text, at, constantSet, partUnitsMax)
  const sign = codeAt(text, name)
  if ((sign !== 58 && sign !== 61) || !text.slice(at, name).includes('__')) return undefined
  return behindColon(text, runEnd(text, name + 1, optionGapSet, gapUnitsMax))
}
const gapUnitsMax = 24
const hostSet = charSet('A-Z', 'a-z', '0-9', '.-_[]:@')

const shortFields = ['"p":"', '"p": "']
const shortName = ' p: '
const shortPair = 'u/p: '
const accountsMax = 12
const lineTailSet = charSet(' \t\r')

/** Lines of `user:password` below the name of the program that reads them, perhaps with settings between. */
function listed(text: string, from: number): Match | undefined {
  const end = runEnd(text, from, lineTailSet, 24)
  if (codeAt(text, end) !== 10) return undefined
  const found: Match[] = []
  let line = end + 1
  for (let lines = 0; lines < accountsMax && line > 0; lines++) {
    const start = runEnd(text, line, blankSet, 24)
    if (start === line) break
    const match = behindColon(text, start)
    if (match !== undefined) found.push(match)
    line = text.indexOf('\n', start) + 1
  }
  return chained(found)
}

const accounts = 'chpasswd:'
const fixed = 'maps = static:'
const wifi = 'WIFI:'
const hosts = ['@tcp(', '@unix(']
const braced = ['pwd={', 'password={']
const thin = 'oracle:thin:'
/** The port of a relay in a Postfix password file. */
const relays = [']:587 ', ']:465 ', ']:25 ', ']:587\t', ']:465\t', ']:25\t']
const balancer = 'stats auth '
/** Bundler's variable for a private gem source: its host in capitals, with two underscores for each dot. */
const bundler = 'BUNDLE_'
/** An option of curl in PHP and C. */
const option = 'USERPWD'
const optionGapSet = charSet(' ,=>("\'')

export const connectionUserDetectors: readonly Detector[] = [
  {
    id: 'connection_user_password',
    label: 'PASSWORD',
    title: 'password beside the user of a connection',
    group: 'secret',
    tier: 'medium',
    lengthMin: 14,
    anchors: [
      ...[
        ...hosts,
        ...relays,
        balancer,
        bundler,
        wifi,
        accounts,
        fixed,
        shortName,
        shortPair,
        option,
        ...shortFields
      ].map((literal) => ({ literal })),
      ...[thin, ...braced].map((literal) => ({ literal, fold: true as const }))
    ],
    match(text, at, { textNumber }) {
      const code = codeAt(text, at)
      if (code === 64) return beforeHost(text, at)
      const relay = relays.find((one) => text.startsWith(one, at))
      if (relay !== undefined) return relayed(text, at + relay.length)
      if (text.startsWith(option, at)) return behindOption(text, at + option.length)
      if (code === 32) return noted(text, at)
      if (code === 34) return notedField(text, at)
      if (text.startsWith(shortPair, at)) return notedPair(text, at + shortPair.length)
      if (text.startsWith(accounts, at)) return listed(text, at + accounts.length)
      if (text.startsWith(fixed, at)) return behindColon(text, at + fixed.length)
      if (code === 87) return inPicture(text, at + wifi.length, textNumber)
      if (text.startsWith(bundler, at)) return ofSource(text, at)
      if (text.startsWith(balancer, at)) return behindColon(text, at + balancer.length)
      if ((code | 32) === 111) return behindSlash(text, at + thin.length)
      return leftClear(text, at, wordSet) ? inBraces(text, text.indexOf('{', at) + 1) : undefined
    },
    hits: () => [
      `dsn := "app:${filler(12)}@tcp(10.0.0.3:3306)/shop?parseTime=true"`,
      `jdbc:oracle:thin:app/${filler(12)}@db.acme.dev:1521:ORCL`,
      `[smtp.acme.dev]:587 ops@acme.dev:${filler(12)}`,
      `[smtp.acme.dev]:587 ops@acme.dev:${filler(12)}\nmail.acme.dev  eva:${filler(12, undefined, 3)}\n`,
      `stats auth admin:${filler(12)}`,
      `BUNDLE_GEMS__ACME__DEV: "ops:${filler(20)}"`,
      `u: ops p: ${filler(12)}`,
      `u/p: ops/${filler(12)}`,
      `curl_setopt($ch, CURLOPT_USERPWD, "reporting:${filler(12)}");`,
      `login attempt {"u":"ops","p":"${filler(12)}"} -> ok`,
      `smtp_sasl_password_maps = static:news:${filler(12)}`,
      `chpasswd:\n  list: |\n    root:${filler(12)}\n    ops:${filler(12, undefined, 3)}\n`,
      `panic: no such host; dsn=shop:${filler(12)}@tcp(db:3306)/shop`,
      `WIFI:T:WPA;S:Office;P:${filler(12)};;`,
      `WIFI:T:WPA;S:Office;P:${filler(6)}\\;${filler(8)};;`,
      `Server=db;UID=sa;PWD={${filler(5)};${filler(6)}};`
    ],
    misses: () => [
      'dsn := "app:password@tcp(10.0.0.3:3306)/shop"',
      'fmt.Sprintf("%s:%s@tcp(%s)/%s", user, pass, host, name)',
      'jdbc:oracle:thin:@db.acme.dev:1521:ORCL',
      'jdbc:oracle:thin:scott/tiger@db.acme.dev:1521:ORCL',
      '[::1]:587 is open',
      'stats auth admin:admin',
      'BUNDLE_GEMS__ACME__DEV: "user:password"',
      `BUNDLE_PATH: "vendor:${filler(12)}"`,
      `a tag p: ${filler(12)}`,
      'u: ops p: see the vault',
      'u/p: admin/admin',
      'curl_setopt($ch, CURLOPT_USERPWD, "$user:$password");',
      `{"tag":"u","p":"${filler(12)}"}`,
      'chpasswd:\n  expire: false\n  list: |\n    root:RANDOM\n',
      'WIFI:T:nopass;S:Office;;',
      'Server=db;UID=sa;PWD={0};',
      'Server=db;UID=sa;PWD={password};'
    ],
    source:
      'go-sql-driver/mysql, "DSN (Data Source Name)"; Oracle JDBC, thin-style service names; Postfix, smtp_sasl_password_maps; HAProxy, "stats auth"; ODBC connection strings, values in braces.'
  }
]
