/**
 * Secrets named by the header of their column, or by the type of their field: `host,user,password`,
 * `<input type="password">`.
 */
import { AlignedColumn } from '../../arguments/aligned-column.ts'
import { type Column, columnMatches } from '../../arguments/column-matches.ts'
import { InsertRows } from '../../arguments/insert-rows.ts'
import { NameIndex } from '../../text/name-index.ts'
import { NextOf } from '../../text/next-of.ts'
import { Places } from '../../text/places.ts'
import { RuledColumn } from '../../arguments/ruled-column.ts'
import { Table } from '../../arguments/table.ts'
import { likelyName, weakName, nameStart, passwordName, rateName, type NameRating } from '../../values/key-names.ts'
import { contextMatch, type Detector, type Match, type MatchContext } from '../../detector.ts'
import type { Guard } from '../../anchor-guard.ts'
import { base32Letters, filler, fillerUuid, hexLetters, ordinaryWord } from '../../sample-text.ts'
import {
  charSet,
  codeAt,
  consistsOf,
  constantSet,
  type CharSet,
  countOf,
  digitSet,
  foldCode,
  inSet,
  isAscii,
  plainBlankSet,
  runEnd
} from '../../text/chars.ts'
import { namesToken } from '../../assignments/assigned-names.ts'
import { boundAnchors, boundHits, boundMisses, boundSecrets } from './bound-parameters.ts'
import { boxDrawingBar } from '../../text/rows.ts'
import { WordList } from '../../text/word-list.ts'
import { rarity } from '../../values/rarity.ts'
import { isSecretValue } from '../../values/generic-value.ts'
import { isDictionaryPassword, isTitle } from '../../values/dictionary-passwords.ts'
import { isDescriptiveWord } from '../../values/descriptive-words.ts'
import { cellEndSet, cellQuoteSet } from '../../values/column-values.ts'

let table = new Table()
let inserted = new InsertRows()
let ruled = new RuledColumn()
let aligned = new AlignedColumn()
/** Checks whether a row of such a table is the header of another one. */
const further = new RuledColumn()

/** Ends of column names. `secret` and `token` alone are anchors only between the separators of a table. */
const secretColumns = [
  'password',
  'password_plain',
  'passwd',
  'passwort',
  'pwd',
  '_secret',
  '_token',
  'apikey',
  '_key',
  'contrasena',
  'senha',
  'kennwort'
]
/**
 * Headers that promise a secret only in a table, so each includes what follows it there: `| host | user | secret |`,
 * the blanks in a wide column, as psql prints it, or an SNMP community, which is a password.
 */
const delimitedColumns = ['secret |', 'secret  ', 'token |', 'token  ', 'community |']
const delimiterUnits = ' |'.length
/** Headers in words, as people write them: `| Service | API key |`. */
const spacedColumns = [
  ...['api', 'access', 'secret', 'private', 'signing', 'encryption'].map((word) => `${word} key`),
  ...['api', 'access', 'auth', 'bearer'].map((word) => `${word} token`),
  ...['api', 'client', 'shared'].map((word) => `${word} secret`)
]
/** The same in other languages, as a whole header. */
const foreignColumns = [
  ...['contraseña', 'mot de passe', 'wachtwoord', 'lösenord', 'passord', 'adgangskode', 'salasana', 'heslo', 'hasło'],
  ...['jelszó', 'şifre', 'parola', 'mật khẩu', 'пароль', 'κωδικός', 'סיסמה', 'كلمة المرور', 'पासवर्ड', 'รหัสผ่าน'],
  ...['密码', '密碼', '비밀번호', 'パスワード']
]
/** Those that begin beyond ASCII, where the index tells cases apart. */
const foreignCapitals = foreignColumns
  .filter((word) => !isAscii(word, 0, 1))
  .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
const bareColumns = ['token', 'secret']
const bareNames = new NameIndex(bareColumns.map((word) => [word, true]))
const foreignNames = new Set([...foreignColumns, ...foreignCapitals])
const words = new NameIndex(
  [...secretColumns, ...foreignColumns, ...foreignCapitals, ...spacedColumns, ...delimitedColumns].map((word) => [
    word,
    true
  ])
)

/** The length of the part of a name that the anchor at `at` matched; 0 if there is no anchor. */
function wordUnits(text: string, at: number): number {
  const word = (words.at(text, at) ?? bareNames.at(text, at))?.[0] ?? ''
  return delimitedColumns.includes(word) ? word.length - delimiterUnits : word.length
}

/** Characters that end a cell, and characters that may stand between it and the name. */
const guard: Guard = { behind: charSet('0-9', ',;|\t\n\r "\'`*)]'), behindUnits: 1 }
/** Of these, the search sees the separators on both sides. */
const bareGuard: Guard = { notBefore: allBut(cellEndSet), behind: cellEndSet, behindUnits: 1 }

/** The ASCII characters that are not in a set. */
function allBut(set: CharSet): CharSet {
  const others = new Uint8Array(128)
  for (let code = 0; code < 128; code++) others[code] = inSet(set, code) ? 0 : 1
  return others
}

/** Whether the cell ends behind a name, perhaps behind a quote or blanks. */
function endsCell(text: string, nameTo: number): boolean {
  const code = codeAt(text, nameTo)
  const next = codeAt(text, nameTo + 1)
  return (
    inSet(cellEndSet, code) ||
    (inSet(cellQuoteSet, code) && inSet(cellEndSet, next)) ||
    (code === 32 && (next === 32 || next === 124 || next === boxDrawingBar))
  )
}

/** The most columns of one header that are read. Each of them reads all rows. */
const columnsMax = 4

function isBehindMany(text: string, header: number, at: number): boolean {
  let columns = 0
  for (let i = header; i < at && columns < columnsMax; i++) if (words.at(text, i) !== undefined) columns++
  return columns === columnsMax
}

/** Whether separators stand around a name that is one of {@link bareColumns}; it repeats the guard. */
function isApart(text: string, at: number): boolean {
  const end = at + wordUnits(text, at)
  return (at === 0 || inSet(cellEndSet, codeAt(text, at - 1))) && inSet(cellEndSet, codeAt(text, end))
}

function secretsBelow(text: string, at: number, context: MatchContext): Match | undefined {
  const { textNumber } = context
  if (words.at(text, at) === undefined && !isApart(text, at)) return undefined
  // `PASSWORD2`.
  const end = runEnd(text, at + wordUnits(text, at), digitSet, 1)
  const start = nameStart(text, at)
  const secretsOf = (column: Omit<Column, 'match' | 'otherwise'>): Match | undefined => {
    const match = readerOf(text, start, end, at, column.rows.header)
    return match && columnMatches(text, { ...column, match, otherwise: () => undefined }, context)
  }
  if (isInList(text, end) && inserted.open(text, start, textNumber))
    return secretsOf({ rows: inserted, keep: () => (inserted = new InsertRows()) })
  // `/etc/passwd;index.html` is a path.
  if (!endsCell(text, end) || codeAt(text, start - 1) === 47) return undefined
  const from = inSet(cellQuoteSet, codeAt(text, start - 1)) ? start - 1 : start
  const to = inSet(cellQuoteSet, codeAt(text, end)) ? end + 1 : end
  if (table.open(text, textNumber, from, to)) return secretsOf({ rows: table, keep: () => (table = new Table()) })
  if (!ruled.open(text, start, end, textNumber)) {
    if (!aligned.open(text, textNumber, start, end)) return undefined
    return secretsOf({ rows: aligned, keep: () => (aligned = new AlignedColumn()) })
  }
  const rows = ruled
  const ends = () => isHeader(text, rows.start, rows.end, textNumber)
  return secretsOf({ rows, ends, keep: () => (ruled = new RuledColumn()) })
}

/**
 * Whether a cell is itself the header of a column of secrets. The rows below it are read for that column, not for each
 * one above.
 */
function isHeader(text: string, start: number, end: number, textNumber: number): boolean {
  const word = secretColumns.find((one) => end - start >= one.length && words.at(text, end - one.length)?.[0] === one)
  if (word === undefined || nameStart(text, end - word.length) !== start) return false
  return nameRate(text, start, end, end - word.length) > weakName && further.open(text, start, end, textNumber)
}

/** The rating of a column's name. In `ApiKey` the second word decides. */
function nameRate(text: string, start: number, end: number, at: number): NameRating {
  const word = words.at(text, at)?.[0] ?? ''
  if (start === at && (delimitedColumns.includes(word) || foreignNames.has(word))) return passwordName
  if (spacedColumns.includes(word)) return likelyName
  return rateName(text, start, end, foldCode(codeAt(text, at + 3)) === 107 ? at + 3 : at)
}

/** Whether the name is in a list in brackets: it is the last one, or another name follows. */
function isInList(text: string, nameTo: number): boolean {
  let i = nameTo
  while (i < nameTo + 2 && inSet(listQuoteSet, codeAt(text, i))) i++
  while (i < nameTo + 4 && codeAt(text, i) === 32) i++
  const code = codeAt(text, i)
  return code === 44 || code === 41
}
const listQuoteSet = charSet('"`]')

/** Reads the cells below the name in `[nameFrom, nameTo)` in the row at `header`; undefined if it names no secrets. */
function readerOf(
  text: string,
  nameFrom: number,
  nameTo: number,
  at: number,
  header: number
): Column['match'] | undefined {
  const name = nameRate(text, nameFrom, nameTo, at)
  if (name <= weakName || isBehindMany(text, header, at)) return undefined
  const withWords = name === passwordName && isOfAccounts(text, header)
  const isSpaced = spacedColumns.includes(words.at(text, at)?.[0] ?? '')
  const uuids = isSpaced || namesToken(text, { nameStart: nameFrom, nameEnd: nameTo })
  const isOfTokens = text.slice(nameFrom, nameTo).toLowerCase().endsWith('token')
  return (start, end) => {
    if (isOfTokens && isConstantName(text, start, end)) return undefined
    if (isSecretValue(text, start, end, name, { quoted: true, doubtful: name !== passwordName, uuids }))
      return contextMatch(start, end)
    return withWords && isWord(text, start, end) ? { start, end, confidence: 'medium' } : undefined
  }
}

/** Whether it is the name of a constant, as in tables of the tokens of a grammar: `TOK_ARROW34`. */
function isConstantName(text: string, start: number, end: number): boolean {
  if (!consistsOf(text, start, end, constantSet) || !text.slice(start, end).includes('_')) return false
  return countOf(text, start, end, digitSet) * 3 <= end - start && rarity(text, start, end) < constantBits
}
/** Generated capitals and digits have more bits per character in the rarity model. */
const constantBits = 9

/** Whether the header describes accounts: another column has the user. */
function isOfAccounts(text: string, header: number): boolean {
  const line = text.slice(header, header + headerUnitsMax)
  const to = line.indexOf('\n')
  return accountColumns.standsIn(text, header, header + (to < 0 ? line.length : to))
}
const headerUnitsMax = 240
const accountColumns = new WordList([
  ...[
    'user',
    'login',
    'account',
    'e-mail',
    'email',
    'benutzer',
    'usuario',
    'utilisateur',
    'identifiant',
    'utente',
    'логин'
  ]
])

/** Whether it is an ordinary word that can be a password. It counts in a column of passwords only. */
function isWord(text: string, start: number, end: number): boolean {
  if (
    !isAscii(text, start, end) ||
    !isDictionaryPassword(text, start, end) ||
    countOf(text, start, end, plainBlankSet) > 0 ||
    isTitle(text, start, end)
  )
    return false
  return !isDescriptiveWord(text.slice(start, end).toLowerCase())
}

const tagUnitsMax = 320
const valueAttribute = ' value='

/** Signs behind which a field may stand, and one that ends it. */
const tagSigns = new Places((text, at) => {
  const code = text.charCodeAt(at)
  return code === 60 || code === 62 ? code : undefined
})
const tagEnds = new NextOf(charSet('>'))

/** The value of `<input type="password" ... value="...">`. */
function field(text: string, at: number, textNumber: number): Match | undefined {
  const sign = tagSigns.readLast(text, Math.max(0, at - tagUnitsMax), at + 1, textNumber)
  if (sign < 0 || tagSigns.found(sign) !== 60) return undefined
  const from = tagSigns.place(sign)
  const limit = Math.min(text.length, at + tagUnitsMax + 1)
  const to = tagEnds.at(text, at, limit, textNumber)
  if (to === limit) return undefined
  const tag = text.slice(from, to)
  const place = tag.indexOf(valueAttribute)
  const quote = tag.charAt(place + valueAttribute.length)
  const close = tag.indexOf(quote, place + valueAttribute.length + 1)
  if (place < 0 || close < 0 || (quote !== '"' && quote !== "'")) return undefined
  const start = from + place + valueAttribute.length + 1
  const end = from + close
  return isSecretValue(text, start, end, passwordName, { quoted: true, doubtful: false })
    ? contextMatch(start, end)
    : undefined
}

export const columnSecretDetectors: readonly Detector[] = [
  {
    id: 'column_secret',
    label: 'PASSWORD',
    title: 'password or key in a column or a field',
    group: 'secret',
    tier: 'medium',
    lengthMin: 14,
    anchors: [
      ...[...secretColumns, ...foreignColumns, ...spacedColumns].map((literal) => ({
        literal,
        fold: true as const,
        guard
      })),
      ...delimitedColumns.map((literal) => ({ literal, fold: true as const })),
      ...bareColumns.map((literal) => ({ literal, fold: true as const, guard: bareGuard })),
      ...boundAnchors.map((literal) => ({ literal })),
      { literal: 'type="password"' },
      { literal: "type='password'" }
    ],
    match: (text, at, context) =>
      text.startsWith('type=', at)
        ? field(text, at, context.textNumber)
        : (boundSecrets(text, at, context.textNumber) ?? secretsBelow(text, at, context)),
    hits: () => [
      ...boundHits(filler(12)),
      `| system | user | password |\n|---|---|---|\n| NAS | anna | ${ordinaryWord} |`,
      `user;password\nanna;${ordinaryWord}\n`,
      `host,user,password\ndb1,root,${filler(12)}\n`,
      `name;passwort;mail\nops;${filler(12)};x\nweb;geheim;y`,
      `name,ApiKey\nops,${filler(32)}\n`,
      `id,client_secret\n1,${fillerUuid()}\n`,
      `| id | API key |\n|---|---|\n| 1 | ${fillerUuid()} |\n`,
      `| id | API key |\n|---|---|\n| 1 | ${filler(32, hexLetters)} |\n`,
      `| Service | Secret access key |\n|---|---|\n| shop | ${filler(20)}/${filler(19, undefined, 3)} |\n`,
      `| Name | Token |\n|---|---|\n| ops | ${filler(8, base32Letters, 3)}_${filler(24, base32Letters, 4)} |\n`,
      `id,name,token\n1,ops,${filler(32)}\n`,
      'host,user,password\ndb1,root,Zanzibar*\n',
      `id|secret\n1|${filler(40, hexLetters)}\n`,
      `USER  PASSWORD      PASSWORD2\n----  ------------  ------------\nops   changeme      ${filler(12)}\n`,
      `>>> users\n    user      password  rank\n0    ana  ${filler(12)}     1\n1  carla  ${filler(12, undefined, 3)}     2\n`,
      `user\tapi_key\nops\t${filler(32)}\n`,
      `Id Name   ApiKey                           Enabled\n-- ----   ------                           -------\n 1 mailer ${filler(32)} True\n 2 crawl  ${filler(32, undefined, 3)} False\n`,
      ` id | password_plain |  at\n----+----------------+------\n  1 | ${filler(12)}   | 2025\n`,
      `client_id,client_secret\nshop,${filler(32)}\n`,
      `"user","password"\r\n"ops","${filler(12)}"\r\n`,
      `| host | user | password |\n|------|------|----------|\n| db1 | root | ${filler(12)} |\n| db2 | root | \`${filler(11)}\` |`,
      ` id | login | password\n----+-------+----------\n  1 | ops   | ${filler(12)}\n(1 row)`,
      `+----+----------+\n| id | password |\n+----+----------+\n|  1 | ${filler(12)} |\n+----+----------+`,
      `┌─────────┬────────┬──────────┐\n│ (index) │ user   │ password │\n├─────────┼────────┼──────────┤\n│ 0       │ 'lena' │ '${filler(12)}' │\n└─────────┴────────┴──────────┘\n`,
      `NAME     USER   PASSWORD        AGE\ndb1      app    ${filler(12)}    3d\ncache    ops    ${filler(12, undefined, 3)}    9d\n`,
      `password,host\n${filler(12)},db1\n`,
      `| 账号 | 密码 |\n|---|---|\n| \`admin\` | \`${filler(12)}\` |\n`,
      `| Логин | Пароль |\n|---|---|\n| admin | ${filler(12)} |\n`,
      `usuario;contraseña;rol\nana;${filler(12)};admin\n`,
      `TOKEN              TTL   USAGES\n${filler(16)}   23h   signing\n`,
      `${'What the query came to, '.repeat(12)}\nlogin,password\nops,${filler(12)}\n`,
      `+----------+\n| password |\n+----------+\n| ${filler(12)} |\n+----------+\n+----+----------+\n| id | password |\n+----+----------+\n|  1 | ${filler(11)} |`,
      `     1\thost,db_password\n     2\tdb1,${filler(12)}\n`,
      `| feed | host | user | secret |\n|---|---|---|---|\n| shop | db1 | ops | ${['violet', '8841'].join('')} |`,
      ` id |              secret              | at\n----+----------------------------------+------\n  1 | ${filler(32, hexLetters)} | 2025\n`,
      `| device | version | community |\n|---|---|---|\n| sw1 | v2c | ${filler(12)} |`,
      `<input type="password" name="pw" class="x" value="${filler(12)}">`,
      `INSERT INTO users (login, password) VALUES ('ana', '${filler(12)}');`,
      `insert into "app"."users" ("id", "api_key", "at") values (1, '${filler(32)}', now()), (2, N'${filler(32)}', null)`,
      `COPY public.users (id, login, password) FROM stdin;\n1\tana\t${filler(12)}\n\\.\n`
    ],
    misses: () => [
      'from acme.krb5 import kerberosv5, kpasswd\nfrom acme.ldap import ldap, ldapasn1',
      ...boundMisses(filler(12)),
      `| field | password |\n|---|---|\n| label | ${ordinaryWord} |`,
      'user,password\nstring,string\nName,Kennwort\n',
      '| 字段 | 密码 | 说明 |\n|---|---|---|\n| 必填 | 是 | 至少8位 |\n| user_password | VARCHAR(255) | SHA-256 |\n',
      'yppasswdd       100009  yppasswd\netherstatd      100010  etherstat\nypupdated       100028  ypupdate\n',
      '| Name | Token |\n|---|---|\n| Plus | T_PLUS_EQ2 |\n| Arrow | TOK_ARROW34 |\n',
      'host,user,password\ndb1,root,secret\n',
      'id,token,pos\n1,B2B,NOUN\n2,covid19,NOUN\n3,the,DET\n',
      `sign(user,token,value)\nreturn a, ${filler(32)}`,
      'Reset your  password\nthen open x9Zk2LqWx8\n',
      'host,user,password\ndb1,root,$PASSWORD\n',
      'connect(host, user, password)\nreturn a9Zk2LqWx8, b, c',
      'import user, token\nx9Zk2LqWx8 = 4',
      'key,value\nname,x9Zk2LqWx8\n',
      `id,session_key\n1,${fillerUuid()}\n`,
      `id,parent_key\n1,${fillerUuid()}\n`,
      `Name   ApiKey   Description\n----   ------   -----------\nmailer none     ${filler(32)}\n`,
      `Name   ApiKey   Description\nmailer x        ${filler(32)}\n`,
      `Set user and password before you go on\nname      x       ${filler(12)}\n`,
      `name     password   rest of a line of text\nis a     x${filler(12)}\n`,
      'public_key,token_count\na,b\nx9Zk2LqWx8,c',
      '../../etc/passwd;index.html\n%2e%2e%2f%2e%2e%2f/etc/passwd;index.html\n',
      `Name      Role      Password\nana       normal    none\n{"a": "x", "id": "${filler(24)}"}\n`,
      '| name | access key |\n|---|---|\n| Save | Ctrl+Shift+S |\n| docs | https://docs.acme.dev/keys/2024 |',
      `| app | private key |\n|---|---|\n| shop | /etc/ssl/private/shop-2024.key |`,
      '| name | secret |\n|---|---|\n| db | the password of the database |',
      '| device | community |\n|---|---|\n| ups | public |',
      '| password | required |\n|---|---|\n| yes | no |',
      "INSERT INTO users (login, password) VALUES ('ana', NULL), ('ben', @password)",
      `INSERT INTO users (login, password) SELECT login, '${filler(12)}' FROM t`,
      `login(user, password) VALUES ('ana', '${filler(12)}')`,
      '<input type="password" placeholder="Password" value="">',
      '<input type="password" value="{{ password }}">'
    ],
    source:
      'RFC 4180; GitHub Flavored Markdown, tables; the output of psql and mysql; HTML, the password state of input.'
  }
]
