/** Passwords in lists of connection properties: `Server=db;User Id=app;Password=...;`. */
import { isTag } from '../../assignments/bare-value.ts'
import { charSet, inSet, runEnd, runStart, wordSet } from '../../text/chars.ts'
import type { Detector, Match, MatchContext } from '../../detector.ts'
import { NextOf } from '../../text/next-of.ts'
import { isDummyValue } from '../../values/generic-value.ts'
import { filler } from '../../sample-text.ts'
import { passwordConfidence } from '../../values/stated-value.ts'
import { isMaskedOut, isNameOfSecret, isVariable, samplePasswords, words } from './url-credentials.ts'

const valueStopSet = charSet(';"\'`\n\r')
const valueStops = new NextOf(charSet(';"\'`\n\r<&'))
const valueUnitsMax = 128
const entitySet = charSet('A-Z', 'a-z', '0-9', '#')

/**
 * The end of a value in a property list: a semicolon, or the end of the surrounding string, which markup may write as
 * an entity.
 */
function listValueEnd(text: string, start: number, textNumber: number): number {
  const limit = Math.min(text.length, start + valueUnitsMax)
  if (valueStops.at(text, start, limit, textNumber) === limit) return limit
  let i = start
  for (; i < limit && !inSet(valueStopSet, text.charCodeAt(i)); i++) {
    const code = text.charCodeAt(i)
    if (code === 60 && isTag(text, i, limit)) break
    if (code !== 38) continue
    const next = runEnd(text, i + 1, entitySet, 24)
    if (next > i + 1 && (text.charCodeAt(next) === 61 || entities.has(text.slice(i + 1, next)))) break
  }
  return i
}
const entities = words('quot apos lt gt #34 #39 #x22 #x27')

const listSet = charSet('A-Z', 'a-z', '0-9', ' _')
const listWords = words('server host uid database dsn driver catalog source id user userid address port encrypt')

/** Values that only repeat that they are a password. In a property list any other word may be real. */
const listPlaceholders = words('password pass passwd pwd pw your_password yourpassword user username pswd redacted')

/** The password in a property list such as `Server=db;User Id=app;Password=...;`. */
function listPassword(text: string, at: number, { textNumber }: MatchContext): Match | undefined {
  const sign = text.charCodeAt(at + 8) === 61 ? at + 8 : at + 3
  let before = at
  while (text.charCodeAt(before - 1) === 32 && before > at - 3) before--
  const behindPair = text.charCodeAt(before - 1) === 59
  const start = text.charCodeAt(sign + 1) === 32 ? sign + 2 : sign + 1
  // `Password=>$password)` in Perl.
  if (text.charCodeAt(start) === 62) return undefined
  // `DB_PASSWORD=` is a variable, `this.password=` a member.
  if (text.charCodeAt(at - 1) === 95 || text.charCodeAt(at - 1) === 46) return undefined
  const end = listValueEnd(text, start, textNumber)
  if (isFolder(text, at, start)) return undefined
  if (end - start < 4 || !(behindPair || text.charCodeAt(end) === 59)) return undefined
  if (!hasListWord(text, behindPair ? before - 1 : at, end)) return undefined
  return rateListValue(text, start, end)
}

/** Whether it is a working directory, as sudo logs it: `PWD=/home/ana ; USER=root`. */
function isFolder(text: string, at: number, start: number): boolean {
  return text.startsWith('PWD', at) && text.charCodeAt(start) === 47
}

/** Whether another property of such a list stands before or behind. */
function hasListWord(text: string, before: number, after: number): boolean {
  const from = Math.max(0, before - 96)
  for (let i = before; i > from; i--) {
    const code = text.charCodeAt(i)
    // Another line, or a URL parameter, is not part of the list.
    if (code === 10 || code === 38) break
    if (code === 61 && isListName(text, i)) return true
  }
  if (text.charCodeAt(after) !== 59) return false
  const next = runEnd(text, after + 1, listSet, 24)
  return text.charCodeAt(next) === 61 && isListName(text, next)
}

/** Whether the name before the `=` at `sign` is a property of such a list. */
function isListName(text: string, sign: number): boolean {
  const start = runStart(text, sign, wordSet, 16)
  return listWords.has(text.slice(start, sign).toLowerCase())
}

/** Whether it is a placeholder in brackets, possibly cut off at its end: `{0}`, `{password}`, `<password>`. */
function isFramed(value: string): boolean {
  const brace = value.indexOf('{')
  const angle = value.indexOf('<')
  return brace === 0 || angle === 0 || (brace > 0 && value.includes('}')) || (angle > 0 && value.includes('>'))
}

function rateListValue(text: string, start: number, end: number): Match | undefined {
  const value = text.slice(start, end)
  if (isVariable(value) || isFramed(value) || isNameOfSecret(value)) return undefined
  const lower = value.toLowerCase()
  if (listPlaceholders.has(lower) || value.startsWith('%') || value.startsWith('$(') || isMaskedOut(value))
    return undefined
  return samplePasswords.has(lower) || value.length < 5 || isDummyValue(text, start, end)
    ? { start, end, confidence: 'medium', tier: 'medium' }
    : { start, end, confidence: passwordConfidence(text, start, end), byContext: true }
}

export const connectionPropertyDetectors: readonly Detector[] = [
  {
    id: 'odbc_kv_connection',
    label: 'DB_PASSWORD',
    lengthMin: 16,
    title: 'password in a list of connection properties',
    group: 'secret',
    tier: 'high',
    anchors: [
      { literal: 'password=', fold: true },
      { literal: 'pwd=', fold: true }
    ],
    match: listPassword,
    hits: () => [
      `Server=db.acme.dev;Database=shop;User Id=app;Password=${filler(14)};`,
      `Driver={ODBC Driver 18};Server=db;Uid=app;Pwd=${filler(12)};Encrypt=yes`,
      `jdbc:sqlserver://db;user=app;password=${filler(12)};`,
      `Server=db;User Id=app;Password=${filler(6)}<${filler(3)}&${filler(5)};Encrypt=true`
    ],
    misses: () => [
      'Server=db;User Id=app;Password=;',
      'Server=db;Uid=app;Pwd={0};',
      'Server=db;Uid=app;Pwd=YOUR_PASSWORD_HERE;',
      'Server=db;User ID=$($login.user);Password=$($login.GetNetworkCredential().Password);Database=d',
      'password=' + filler(12),
      'Server=x;Password=password;',
      'this.user=r[3]||n;this.password=r[4]||n;this.host=r[6]',
      'sudo: ana : TTY=pts/4 ; PWD=/home/ana ; USER=root ; COMMAND=/bin/ls',
      `USER=app\nDB_PASSWORD=${filler(9)};${filler(4)}\n`
    ],
    source: 'Microsoft documentation of ODBC, ADO.NET and JDBC connection strings.'
  }
]
