/**
 * Passwords and keys in a section whose heading promises them, beside names that promise nothing: users below
 * `auth_users:` or `[users]`, services below `secrets:` (decision 178), members of `"tokens": {...}`.
 */
import { chained, contextMatch, type Detector, type Match } from '../../detector.ts'
import { type Guard, type Pairs, standsBehindName } from '../../anchor-guard.ts'
import { Assignment } from '../../assignments/assignments.ts'
import { beginsLine } from '../../assignments/name-value-members.ts'
import { operators, type Operator } from '../../assignments/operators.ts'
import { behindAssigned } from '../../assignments/lexing.ts'
import { NameIndex } from '../../text/name-index.ts'
import { filler, hexLetters } from '../../sample-text.ts'
import {
  base62Set,
  blankSet,
  charSet,
  codeAt,
  inSet,
  leftClear,
  lineBreakSet,
  plainBlankSet,
  quoteSet,
  spaceSet,
  stringQuoteSet,
  runEnd,
  runStart
} from '../../text/chars.ts'
import { stringMembers } from '../../text/string-members.ts'
import { WordSet } from '../../text/word-set.ts'
import { isAddress } from '../../values/non-secret-formats.ts'
import { isOtherField } from '../../values/access-names.ts'
import { accessLook } from '../../values/access-value.ts'
import { isSecretValue } from '../../values/generic-value.ts'
import { weakName, likelyName, nameParts, passwordName, type NameRating } from '../../values/key-names.ts'
import { passwordOfPair } from './written-pairs.ts'

/**
 * What a heading promises of the values below it. `people`: perhaps passwords, as often roles. `logins`: passwords of
 * users. `secrets`: keys of services. `keys`: keys, or names of anything.
 */
type Promise = 'people' | 'logins' | 'secrets' | 'keys'

const headings: readonly (readonly [heading: string, promise: Promise])[] = [
  ...['passwords', 'passwds', 'auth_users', 'authusers', 'auth-users', 'basicauth', 'basic_auth', 'basic-auth'].map(
    (heading) => [heading, 'logins'] as const
  ),
  ...['htpasswd', 'basic_auth_users', 'basicauthusers', 'http_auth', 'httpauth', 'logins', 'user_passwords'].map(
    (heading) => [heading, 'logins'] as const
  ),
  ...['users', 'accounts', 'admins'].map((heading) => [heading, 'people'] as const),
  ...['secrets', 'tokens', 'credentials', 'creds', 'apikeys', 'api_keys', 'api-keys', 'gitlab-token', 'bearer'].map(
    (heading) => [heading, 'secrets'] as const
  ),
  ['keys', 'keys']
]
const promises = new NameIndex(headings)
/** A heading ends its line, except that the marks of a block may follow those of users. */
const headEnds: Pairs = [
  [charSet(':'), lineBreakSet],
  [charSet(']'), charSet('\r\n ')]
]
const userEnds: Pairs = [...headEnds, [charSet(':'), plainBlankSet]]
/** The name of a member whose value may be an object. */
const memberEnd: Pairs[number] = [stringQuoteSet, charSet(':')]
const guards: Readonly<Record<Promise, Guard>> = {
  people: { notBefore: base62Set, behindName: userEnds },
  logins: { notBefore: base62Set, behindName: [...userEnds, memberEnd] },
  secrets: { notBefore: base62Set, behindName: [...headEnds, memberEnd] },
  keys: { notBefore: base62Set, behindName: headEnds }
}

const linesMax = 24
const lineUnitsMax = 240
const indentMax = 40
const nameSet = charSet('A-Z', 'a-z', '0-9', '_.@/-')
const nameUnitsMax = 64
const tagSet = charSet('|>')
/** What may stand before the heading: blanks, and the mark of a list item. */
const indentSet = charSet(' \t-')

/** The line whose values are read, and where its value stands. A single object serves all readings. */
const line = { nameFrom: 0, nameTo: 0, start: 0, end: 0, next: 0, quoted: false }

/** Whether a line begins at `at`, or a text within quotes. */
function beginsText(text: string, at: number): boolean {
  const before = codeAt(text, at - 1)
  return before === 0 || before === 10 || (inSet(quoteSet, before) && !inSet(nameSet, codeAt(text, at - 2)))
}

/** Past the end of the line at `at`, if only blanks, or the mark of a YAML block, stand before it; otherwise -1. */
function belowHeading(text: string, at: number): number {
  let i = runEnd(text, at, blankSet, 8)
  if (inSet(tagSet, codeAt(text, i))) i++
  if (codeAt(text, i) === 13) i++
  return codeAt(text, i) === 10 ? i + 1 : -1
}

/** Reads the line whose content begins at `from` into `line`; false if it holds no value. */
function readLine(text: string, from: number, joint: number): boolean {
  let limit = from
  const most = Math.min(text.length, from + lineUnitsMax)
  while (limit < most && text.charCodeAt(limit) !== 10) limit++
  line.next = limit < text.length && text.charCodeAt(limit) === 10 ? limit + 1 : -1
  let to = limit
  while (to > from && text.charCodeAt(to - 1) <= 32) to--
  const isItem = codeAt(text, from) === 45 && codeAt(text, from + 1) === 32
  let i = isItem ? runEnd(text, from + 1, blankSet, 8) : from
  line.nameFrom = i
  line.nameTo = i
  if (!isItem) {
    const open = inSet(quoteSet, codeAt(text, i)) ? 1 : 0
    line.nameFrom = i + open
    line.nameTo = runEnd(text, i + open, nameSet, nameUnitsMax)
    const sign = runEnd(text, line.nameTo + open, blankSet, indentMax)
    if (line.nameTo === line.nameFrom || codeAt(text, sign) !== joint) return false
    i = runEnd(text, sign + 1, blankSet, indentMax)
  }
  if (i >= to) return false
  line.quoted = inSet(quoteSet, codeAt(text, i))
  line.start = line.quoted ? i + 1 : i
  line.end = line.quoted ? text.slice(i + 1, to).indexOf(text.charAt(i)) + i + 1 : wordEnd(text, i, to)
  return line.end > line.start
}

/** The end of a bare value that begins at `from`, before a remark or the roles behind a comma. */
function wordEnd(text: string, from: number, to: number): number {
  let i = from
  while (i < to && text.charCodeAt(i) > 32 && text.charCodeAt(i) !== 44) i++
  const rest = runEnd(text, i, blankSet, indentMax)
  const isWhole = i === to || codeAt(text, i) === 44 || codeAt(text, rest) === 35
  return isWhole ? i : from
}

const ratings: Readonly<Record<Promise, NameRating>> = {
  people: passwordName,
  logins: passwordName,
  secrets: likelyName,
  keys: weakName
}

/** Words in names that say what else a value below `secrets:` is. */
const otherParts = new WordSet(
  (
    'user username login name id ids url uri host file path type kind version region zone provider engine source mode ' +
    'driver image commit hash sha digest checksum public ref colour color icon label text description jti'
  ).split(' ')
)

/** The secret on the line that was read. */
function secretOf(text: string, promise: Promise): Match | undefined {
  const { nameFrom, nameTo, start, end, quoted } = line
  const pair = promise === 'secrets' || promise === 'keys' ? undefined : passwordOfPair(text, start, end)
  if (pair !== undefined) return pair
  if (promise === 'secrets' && nameParts(text, nameFrom, nameTo).some((part) => otherParts.has(part))) return undefined
  // Tokens of Ethereum are listed by the addresses of their contracts. Its keys are longer.
  if (promise === 'secrets' && isAddress(text, start, end)) return undefined
  const isItem = nameTo === nameFrom
  if (promise === 'people' || isItem) {
    const look = isItem && promise === 'people' ? 'none' : accessLook(text, start, end)
    if (look !== 'generated' && (isItem || look !== 'chosen')) return undefined
  }
  return isSecretValue(text, start, end, ratings[promise], { quoted, doubtful: promise !== 'logins' })
    ? contextMatch(start, end)
    : undefined
}

/** The secrets on the lines from `from` on: those deeper than `indent`, or up to the next section if it is negative. */
function secretsBelow(text: string, from: number, indent: number, joint: number, promise: Promise): Match | undefined {
  const found: Match[] = []
  let own = -1
  for (let count = 0, at = from; count < linesMax && at >= 0 && at < text.length; count++) {
    const content = runEnd(text, at, blankSet, indentMax)
    const code = codeAt(text, content)
    // A list may stand at the indent of its heading.
    if (indent >= 0 && content - at < indent + (code === 45 ? 0 : 1)) break
    if (code === 91 || code < 32) break
    if (own < 0) own = content - at
    if (content - at !== own) break
    const isRead = readLine(text, content, joint)
    if (isRead) {
      const match = secretOf(text, promise)
      if (match !== undefined) found.push(match)
    } else if (!inSet(remarkSet, code) && !isPairLine(text, content, promise, found)) break
    at = line.next
  }
  return chained(found)
}
const remarkSet = charSet('#;')

/**
 * The secrets in the object behind the name of a member that ends at `end`. Its strings may also say what passwords are
 * like, so that they must look chosen or generated.
 */
function secretsWithin(text: string, end: number, promise: Promise): Match | undefined {
  const open = runEnd(text, end + 2, spaceSet, 8)
  if (codeAt(text, open) !== 123) return undefined
  const found: Match[] = []
  for (const member of stringMembers(text, open)) {
    Object.assign(line, member, { quoted: true })
    const match = secretOf(text, promise === 'logins' ? 'people' : promise)
    if (match !== undefined) found.push(match)
  }
  return chained(found)
}

/** `ops:...` without a blank, as in a file of users. */
function isPairLine(text: string, from: number, promise: Promise, found: Match[]): boolean {
  if (promise === 'secrets' || promise === 'keys') return false
  const end = wordEnd(text, from, line.next < 0 ? text.length : line.next - 1)
  const pair = end > from ? passwordOfPair(text, from, end) : undefined
  if (pair !== undefined) found.push(pair)
  return pair !== undefined
}

/** Remarks above the lines of a file of users and passwords. */
const remarks = ['# user:pass', '# username:pass', '# login:pass', '# user:pw']

/** `# user:password`, and below it `ops:...`. */
function belowRemark(text: string, at: number): Match | undefined {
  if (!beginsText(text, at)) return undefined
  const end = text.slice(at, at + lineUnitsMax).indexOf('\n')
  return end < 0 ? undefined : secretsBelow(text, at + end + 1, -1, noJoint, 'logins')
}
/** No value of such a line stands behind a name and a sign. */
const noJoint = -1

/** How users of Ansible begin the names of the variables that they keep encrypted. */
const vaulted = 'vault_'
const vaultGuard: Guard = { notBefore: charSet('A-Z', 'a-z', '0-9', '_.$-'), behindName: behindAssigned }
const assignment = new Assignment()

/** `vault_smtp: "..."`. */
function inVault(text: string, at: number, textNumber: number): Match | undefined {
  if (!beginsLine(text, at) || !assignment.read(text, at, vaulted.length, isColon, textNumber)) return undefined
  const { start, end, nameEnd, quoted } = assignment
  const look = isOtherField(text, at + vaulted.length, nameEnd) ? 'none' : accessLook(text, start, end)
  if (look === 'none' || look === 'digest' || (look === 'word' && !quoted)) return undefined
  return contextMatch(start, end)
}
const isColon = (operator: Operator): boolean => operator === operators.colon

export const sectionSecretDetectors: readonly Detector[] = [
  {
    id: 'section_secret',
    label: 'SECRET',
    title: 'password or key in a section of them',
    group: 'secret',
    tier: 'medium',
    lengthMin: 16,
    anchors: [
      ...headings.map(([literal, promise]) => ({ literal, fold: true as const, guard: guards[promise] })),
      { literal: vaulted, guard: vaultGuard },
      ...remarks.map((literal) => ({ literal, fold: true as const }))
    ],
    match(text, at, { textNumber }) {
      if (codeAt(text, at) === 35) return belowRemark(text, at)
      if (text.startsWith(vaulted, at)) return inVault(text, at, textNumber)
      const [heading, promise] = promises.at(text, at) ?? []
      if (heading === undefined || promise === undefined || !leftClear(text, at, base62Set)) return undefined
      const end = at + heading.length
      if (!standsBehindName(text, at, guards[promise].behindName as Pairs, textNumber)) return undefined
      if (inSet(stringQuoteSet, codeAt(text, end))) return secretsWithin(text, end, promise)
      if (codeAt(text, end) === 93) {
        const from = codeAt(text, at - 1) === 91 ? belowHeading(text, end + 1) : -1
        if (from < 0 || !beginsText(text, at - 1)) return undefined
        // Servers that keep users in such a section keep their passwords there.
        return secretsBelow(text, from, -1, 61, promise === 'people' ? 'logins' : promise)
      }
      const from = codeAt(text, end) === 58 ? belowHeading(text, end + 1) : -1
      if (from < 0) return undefined
      const start = runStart(text, at, nameSet, nameUnitsMax)
      const line = runStart(text, start, indentSet, indentMax)
      if (!beginsText(text, line)) return undefined
      const indent = start - line
      return secretsBelow(text, from, indent, 58, promise)
    },
    hits: () => [
      `auth_users:\n  ana: ${filler(12)}\n  ben: "${filler(14)}"\n`,
      `basicauth:\n  ops: ${['tango', '8841'].join('')}\nport: 80\n`,
      `[users]\nops = ${filler(12)}, admin\n`,
      `[passwords]\n# of the day\nops = ${filler(12)}\n`,
      `users: |\n    ops:${filler(12)}\n`,
      `users:\n  ops: ${filler(14)}\n`,
      `secrets:\n  cookie: ${filler(32, hexLetters)}\n`,
      `tokens:\n- ${filler(32)}\n- ${filler(40)}\n`,
      `keys:\n  courier: ${filler(40)}\n`,
      `{"tokens": {"ana": "${filler(32)}", "ben": "${filler(32, undefined, 3)}"}, "port": 80}`,
      `"passwords": {\n  "db": "${filler(12)}",\n  "cache": "${['Tango', '8841'].join('')}"\n}`,
      `"gitlab-token": {\n    "gitlab.acme.dev": "${filler(26)}"\n}`,
      `conf = {'api_keys': {'mail': '${filler(32, hexLetters)}'}}`,
      `# user:pass of the reader\nops:${filler(12)}\n`,
      `---\nvault_smtp: "${['tango', '8841'].join('')}"\nvault_db_root: ${filler(14)}\n`
    ],
    misses: () => [
      'auth_users:\n  ana: readwrite\n  ben: viewer\n',
      `users:\n  - ana\n  - ben-2024\n`,
      `users:\n  ana: team2024\n`,
      `secrets:\n  db:\n    file: ./${filler(12)}\n`,
      `secrets:\n  - db_password\n  - api_token\n`,
      `credentials:\n  jti: ${filler(32, hexLetters)}\n`,
      'secrets: inherit\nwith:\n  x: 1\n',
      `tokens:\n  - '\\bTM\\b'\n  - x-2024\n`,
      `tokens:\n  space: 4px\n  colour: '#1d4ed8'\n`,
      `credentials:\n  user: ${filler(12)}\n`,
      `keys:\n  courier: ${filler(40, hexLetters)}\n`,
      `{"tokens": {"usdc": "0x${filler(40, hexLetters)}", "dai": "0x${filler(40, hexLetters, 3)}"}}`,
      '{"tokens": {"input": 4096, "primary": "#1d4ed8", "font": "inter-600"}}',
      '{"passwords": {"hint": "mindestens", "weak": "Passwort zu schwach", "min8": "Mindestens8"}}',
      `{"credentials": {"user": "${filler(12)}", "host": "db2.acme.dev"}, "x": "${filler(32)}"}`,
      `{"secrets": {"npm": "NPM_TOKEN", "ref": "prod/db/secret-2"}}`,
      `users:\nport: ${filler(14)}\n`,
      `# user:pass is read from the vault\nkey: ${filler(14)}\n`,
      `vault_version: "1.15.2+ent"\nvault_addr: https://vault.acme.dev\nvault_name: ${filler(14)}\n`,
      `x = users[users]\nops = ${filler(12)}\n`
    ],
    source:
      'The manuals of Apache Shiro ([users]), svnserve (passwd), Traefik (basicAuth), Zigbee2MQTT and Frigate (YAML).'
  }
]
