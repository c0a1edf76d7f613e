/**
 * Secrets among the values that a log shows below a statement: `insert into account (login, password) values (?, ?)`,
 * then `binding parameter (2:VARCHAR) <- [...]`. The column that a value belongs to names it.
 */
import { chained, contextMatch, type Match } from '../../detector.ts'
import {
  beforeNext,
  charSet,
  codeAt,
  digitSet,
  inSet,
  lineBreakSet,
  runEnd,
  runStart,
  standsAt,
  wordSet
} from '../../text/chars.ts'
import { delimitedPassword } from '../../values/delimited-password.ts'
import { isSecretValue } from '../../values/generic-value.ts'
import { likelyName, passwordName } from '../../values/key-names.ts'
import { ratedKey } from './written-pairs.ts'

/** Hibernate. */
const binding = 'binding parameter '
/** PostgreSQL, before the value of `$1`. */
const detail = 'arameters: $1 = '
/** MyBatis. */
const listed = '> Parameters: '
/** SQLAlchemy. */
const timed = ['[generated in ', '[cached since ']

export const boundAnchors: readonly string[] = [binding, detail, listed, ...timed]
const anchorHeadSet = charSet(boundAnchors.map((anchor) => anchor.charAt(0)).join(''))

const statementUnitsMax = 1600
const lineUnitsMax = 1000
const valuesMax = 40
const verbs = ['insert into ', 'update ', 'select ', 'delete from ']

/** The secrets among the bound values that the anchor at `at` announces; undefined if it announces none. */
export function boundSecrets(text: string, at: number, textNumber: number): Match | undefined {
  if (!inSet(anchorHeadSet, codeAt(text, at)) || !boundAnchors.some((anchor) => text.startsWith(anchor, at)))
    return undefined
  if (text.startsWith(binding, at)) return ofHibernate(text, at, textNumber)
  const before = statementBefore(text, at, textNumber)
  if (before < 0) return undefined
  if (text.startsWith(listed, at)) return ofMyBatis(text, at + listed.length, before, at)
  return text.startsWith(detail, at) ? ofPostgres(text, at, before) : ofAlchemy(text, at, before)
}

/** The last statement that was looked for: in `[from, to)` of a text, and its place, or -1. */
const latest = { textNumber: 0, from: 0, to: 0, place: -1 }

/**
 * Where the last statement before `at` begins; -1 if none is near.
 * @param textNumber identifies the text, so that only what is new of it is searched; 0 for none
 */
function statementBefore(text: string, at: number, textNumber: number): number {
  const from = Math.max(0, at - statementUnitsMax)
  const isKnown = textNumber !== 0 && textNumber === latest.textNumber && from >= latest.from && at >= latest.to
  const searched = isKnown ? Math.max(from, latest.to - verbUnitsMax) : from
  let place = at - 1
  while (place >= searched && !beginsStatement(text, place, at)) place--
  if (place < searched) place = isKnown && latest.place >= from ? latest.place : -1
  if (!isKnown) latest.from = from
  latest.textNumber = textNumber
  latest.to = at
  latest.place = place
  return place
}
const verbUnitsMax = Math.max(...verbs.map((verb) => verb.length))
const verbHeadSet = charSet('iusdIUSD')

function beginsStatement(text: string, at: number, to: number): boolean {
  if (!inSet(verbHeadSet, text.charCodeAt(at))) return false
  return verbs.some((verb) => at + verb.length <= to && standsAt(text, at, verb))
}

/** `binding parameter [2] as [VARCHAR] - [X]`, `binding parameter (2:VARCHAR) <- [X]`. */
function ofHibernate(text: string, at: number, textNumber: number): Match | undefined {
  const number = at + binding.length + 1
  const numberTo = runEnd(text, number, digitSet, 4)
  if (numberTo === number) return undefined
  const open = text.slice(numberTo, beforeNext(text, numberTo, lineBreakSet, typeUnitsMax)).indexOf('- [')
  if (open < 0) return undefined
  const start = numberTo + open + 3
  const close = beforeNext(text, start, valueEndSet, lineUnitsMax)
  if (codeAt(text, close) !== 93) return undefined
  const before = statementBefore(text, at, textNumber)
  const place = Number(text.slice(number, numberTo)) - 1
  return before < 0 ? undefined : judged(text, before, at, place, start, close)
}
/** How far behind the number of a parameter its value may begin: its type stands in between. */
const typeUnitsMax = 96

/** `Parameters: $1 = 'ana', $2 = 'X'`. */
function ofPostgres(text: string, at: number, before: number): Match | undefined {
  const line = lineTo(text, at)
  const found: Match[] = []
  let from = at
  for (let place = 0; place < valuesMax; place++) {
    const mark = `$${String(place + 1)} = '`
    const open = text.slice(from, line).indexOf(mark)
    if (open < 0) break
    const start = from + open + mark.length
    const close = text.slice(start, line).indexOf("'")
    if (close < 0) break
    add(found, judged(text, before, at, place, start, start + close))
    from = start + close
  }
  return chained(found)
}

/** `Parameters: ana(String), X(String)`. */
function ofMyBatis(text: string, from: number, before: number, at: number): Match | undefined {
  const line = lineTo(text, from)
  const found: Match[] = []
  let start = from
  for (let place = 0; place < valuesMax && start < line; place++) {
    const end = text.slice(start, line).indexOf('(')
    if (end < 0) break
    add(found, judged(text, before, at, place, start, start + end))
    const comma = text.slice(start + end, line).indexOf('), ')
    if (comma < 0) break
    start += end + comma + 3
  }
  return chained(found)
}

/** `[generated in 0.0001s] ('ana', 'X')`. */
function ofAlchemy(text: string, at: number, before: number): Match | undefined {
  const line = lineTo(text, at)
  const bracket = text.slice(at, line).indexOf('] (')
  if (bracket < 0) return undefined
  const found: Match[] = []
  let i = at + bracket + 3
  for (let place = 0; place < valuesMax && i < line; place++) {
    const quote = text.charAt(i)
    const isText = quote === "'" || quote === '"'
    const close = text.slice(i + 1, line).indexOf(isText ? quote : ',')
    if (close < 0) break
    if (isText) add(found, judged(text, before, at, place, i + 1, i + 1 + close))
    i = runEnd(text, i + 1 + close + (isText ? 1 : 0), gapSet, 3)
  }
  return chained(found)
}
const gapSet = charSet(', ')

/** What ends a value in square brackets. */
const valueEndSet = charSet('\r\n]')

function lineTo(text: string, from: number): number {
  return beforeNext(text, from, lineBreakSet, lineUnitsMax)
}

function add(found: Match[], match: Match | undefined): void {
  if (match !== undefined) found.push(match)
}

/** The value in `[start, end)`, if the column that takes the parameter at this place promises a secret. */
function judged(
  text: string,
  statement: number,
  statementTo: number,
  place: number,
  start: number,
  end: number
): Match | undefined {
  const name = columnOf(text.slice(statement, statementTo), place)
  if (name === '' || end <= start) return undefined
  const rating = ratedKey(name, 0, name.length)
  if (rating === passwordName) return delimitedPassword(text, start, end)
  return rating === likelyName && isSecretValue(text, start, end, rating, { quoted: true, doubtful: false })
    ? contextMatch(start, end)
    : undefined
}

const quoteSet = charSet('"`] ')
const listSet = charSet('A-Z', 'a-z', '0-9', '_."`[], \t\r\n')

/** The name of the column that takes the parameter at a place, counted from zero; empty if it is not clear. */
function columnOf(statement: string, place: number): string {
  const at = parameterAt(statement, place)
  if (at < 0) return ''
  const sign = runStart(statement, at, quoteSet, 4)
  if (codeAt(statement, sign - 1) === 61) return wordBefore(statement, sign - 1)
  // In a list of values: the name at the same place of the list of columns.
  const open = statement.lastIndexOf('(', at)
  const columnsTo = statement.lastIndexOf(')', open)
  const columns = columnsTo < 0 ? -1 : runStart(statement, columnsTo, listSet, statementUnitsMax)
  if (open < 0 || columns <= 0 || codeAt(statement, columns - 1) !== 40) return ''
  const column = statement.slice(open, at).split(',').length - 1
  const name = statement.slice(columns, columnsTo).split(',')[column] ?? ''
  return wordBefore(name, name.trimEnd().length)
}

/** Where the parameter at a place stands: `?`, `%s` or `$2`; -1 if the statement has no such one. */
function parameterAt(statement: string, place: number): number {
  const numbered = statement.lastIndexOf(`$${String(place + 1)}`)
  if (numbered >= 0) return numbered
  const mark = statement.includes('?') ? '?' : '%s'
  let at = statement.indexOf(mark)
  for (let i = 0; i < place && at >= 0; i++) at = statement.indexOf(mark, at + 1)
  return at
}

/** The name that ends before `end`, without quotes and without its table. */
function wordBefore(text: string, end: number): string {
  const to = runStart(text, end, quoteSet, 4)
  return text.slice(runStart(text, to, wordSet, 64), to)
}

export const boundHits = (value: string): string[] => [
  `insert into account (email, password, id) values (?, ?, ?)\nbinding parameter (2:VARCHAR) <- [${value}]`,
  `update account set "password"=?, seen=? where id=?\nbinding parameter [1] as [VARCHAR] - [${value}]`,
  `LOG:  execute s: INSERT INTO users (login, password) VALUES ($1, $2)\nDETAIL:  Parameters: $1 = 'ana', $2 = '${value}'`,
  `==>  Preparing: insert into user (name, pwd) values (?, ?)\n==> Parameters: ana(String), ${value}(String)`,
  `INSERT INTO users (name, password) VALUES (?, ?)\n[generated in 0.0001s] ('ana', '${value}')`
]
export const boundMisses = (value: string): string[] => [
  `insert into account (email, password, id) values (?, ?, ?)\nbinding parameter (1:VARCHAR) <- [${value}]`,
  `update account set title=? where password=?\nbinding parameter [1] as [VARCHAR] - [${value}]`,
  `binding parameter (2:VARCHAR) <- [${value}]`,
  `insert into account (password) values (?)\nbinding parameter [1] as [VARCHAR] - [null]`,
  `SELECT name FROM users WHERE name = $1\nDETAIL:  parameters: $1 = '${value}'`,
  `==>  Preparing: select pwd from user where name = ?\n==> Parameters: ${value}(String)`,
  `INSERT INTO users (name, title) VALUES (?, ?)\n[generated in 0.0001s] ('ana', '${value}')`
]
