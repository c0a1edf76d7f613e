/**
 * Readers for passwords at fixed positions (`placed-passwords.ts`): those in rows, lists and fields, and what they all
 * share.
 */
import { chained, contextMatch, type Match, withNext } from '../../detector.ts'
import {
  base64Set,
  blankSet,
  charSet,
  codeAt,
  dottedNameSet,
  hexSet,
  inSet,
  quoteSet,
  runEnd
} from '../../text/chars.ts'
import { lineEnd } from '../../text/rows.ts'
import { isAdjacentSecret } from '../../values/stated-value.ts'
import { delimitedPassword } from '../../values/delimited-password.ts'
import { LiteralList } from '../../arguments/literals.ts'
import { accessLook } from '../../values/access-value.ts'
import { namesSecret } from './shown-secrets.ts'

const valueUnitsMax = 160
/** How far around a literal a name or a value is looked for, in code units. */
export const lookUnitsMax = 200
const stopSet = charSet(' \t\r\n"\'`;,')

/** Where the quote at `at` closes on the same line; -1 if it does not. */
export function quotedEnd(text: string, at: number): number {
  const quote = codeAt(text, at)
  for (let i = at + 1; i < at + valueUnitsMax && i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === quote) return i
    if (code === 10) return -1
  }
  return -1
}

/** The quoted text at `at`, if it is a password. */
export function quotedPassword(text: string, at: number): Match | undefined {
  const end = quotedEnd(text, at)
  return end < 0 ? undefined : delimitedPassword(text, at + 1, end)
}

/** The word at `at`, without quotes around it, if it is a password. */
export function wordAt(text: string, at: number): Match | undefined {
  if (inSet(quoteSet, codeAt(text, at))) return quotedPassword(text, at)
  let end = at
  while (end < text.length && end - at < valueUnitsMax && !inSet(stopSet, text.charCodeAt(end))) end++
  return delimitedPassword(text, at, end)
}

/** A MySQL password hash: SHA-1 of SHA-1, in capitals. */
export function storedHash(text: string, from: number): Match | undefined {
  const end = runEnd(text, from, hexSet, hashDigits + 1)
  return end - from === hashDigits ? contextMatch(from, end) : undefined
}
const hashDigits = 40

/**
 * Values other than words in a row of users without column names:
 * `INSERT INTO users VALUES (1, 'ana@acme.dev', '...', 'ADMIN')`.
 */
export function seeded(text: string, from: number): Match | undefined {
  const found: Match[] = []
  const limit = Math.min(text.length, from + rowUnits)
  for (let i = from; i < limit && text.charCodeAt(i) !== 59 && text.charCodeAt(i) !== 10; i++) {
    if (text.charCodeAt(i) !== 39) continue
    const end = quotedEnd(text, i)
    if (end < 0) break
    if (isAdjacentSecret(text, i + 1, end) && !text.slice(i + 1, end).includes('.'))
      found.push(contextMatch(i + 1, end))
    i = end
  }
  return chained(found)
}

const usersMax = 16
const mapUnitsMax = 1200

/** Users and their passwords: `USERS = { "lena": "...", ...}`. */
export function users(text: string, from: number): Match | undefined {
  const found: Match[] = []
  const limit = Math.min(text.length, from + mapUnitsMax)
  for (let i = from; i < limit && found.length < usersMax;) {
    i = runEnd(text, i, gapSet, 48)
    const nameTo = inSet(quoteSet, codeAt(text, i)) ? quotedEnd(text, i) : -1
    const value = nameTo < 0 ? -1 : runEnd(text, nameTo + 1, pairSet, 4)
    const end = value > nameTo + 1 && inSet(quoteSet, codeAt(text, value)) ? quotedEnd(text, value) : -1
    if (end < 0) break
    if (isAdjacentSecret(text, value + 1, end)) found.push(contextMatch(value + 1, end))
    i = end + 1
  }
  return chained(found)
}
const gapSet = charSet(' \t\r\n,')
const pairSet = charSet(': =>')

const storageUnits = 86

/** A row of `az storage account keys list`: `key1   FULL   ...==`. */
export function storageRow(text: string, from: number): Match | undefined {
  const start = runEnd(text, from, blankSet, 24)
  const end = runEnd(text, start, base64Set, storageUnits + 1)
  return end - start === storageUnits && text.startsWith('==', end) ? contextMatch(start, end + 2) : undefined
}

/** `fs.azure.account.key.NAME.dfs.core.windows.net", "...=="`. */
export function storageSetting(text: string, from: number): Match | undefined {
  const sign = text.slice(from, from + lookUnitsMax).indexOf('==')
  const start = from + sign - storageUnits
  if (sign < 0 || start <= from || runEnd(text, start, base64Set, storageUnits) !== from + sign) return undefined
  return inSet(base64Set, codeAt(text, start - 1)) ? undefined : contextMatch(start, start + storageUnits + 2)
}

/** The field behind the type of an encrypted parameter, in the text output of `aws ssm`. */
export function parameterField(text: string, from: number): Match | undefined {
  const units = text.slice(from, from + lookUnitsMax).indexOf('\t')
  return units < 0 ? undefined : delimitedPassword(text, from, from + units)
}

/** Old and new value of a property in a CDK plan: `├─ [-] ...` and `└─ [+] ...` below its name. */
export function planned(text: string, from: number): Match | undefined {
  const before = text.slice(Math.max(0, from - lookUnitsMax), from)
  const lines = before.split('\n')
  const name = (lines.at(-2)?.includes('─ [-]') === true ? lines.at(-3) : lines.at(-2)) ?? ''
  const words = name.slice(name.lastIndexOf(' ') + 1)
  return namesSecret(words, 0, words.length) ? wordAt(text, from) : undefined
}

const literals = new LiteralList()

/** The passwords in a table of tests in Go: `struct{ name, user, password string }{ {"...", "...", "..."}, ...`. */
export function structRows(text: string, from: number, at: number): Match | undefined {
  const before = text.slice(Math.max(0, at - lookUnitsMax), at)
  const open = before.lastIndexOf('struct{')
  const names = before.slice(open + 'struct{'.length)
  if (open < 0 || names.includes('\n') || names.includes(';')) return undefined
  const start = at - names.length
  const place = names.split(',').length - 1
  const own = start + names.lastIndexOf(',') + 1
  if (!namesSecret(text, own, at)) return undefined
  literals.read(text, from)
  let found: Match | undefined
  for (let i = literals.count - 1; i >= 0; i--) {
    if (literals.depth(i) !== 2 || literals.place(i) !== place) continue
    const match = delimitedPassword(text, literals.start(i), literals.endOf(i))
    if (match !== undefined) found = withNext(match, found)
  }
  return found
}

/** A password that is compared beside its user: `u === 'ops' && p === '...'`. */
export function comparedBeside(text: string, from: number, at: number): Match | undefined {
  const before = text.slice(Math.max(0, at - comparedUnitsMax), at)
  const line = before.slice(before.lastIndexOf('\n') + 1)
  if (!line.includes('==')) return undefined
  const end = quotedEnd(text, from - 1)
  const look = end < 0 ? 'none' : accessLook(text, from, end)
  return look === 'none' || look === 'digest' ? undefined : delimitedPassword(text, from, end)
}
const comparedUnitsMax = 48

const rowsMax = 16

/**
 * Lines below the one at `from` in which word `number`, counted from 0, is the password. Comments are skipped. What
 * stands below the next head is found from there.
 * @param isHead whether a line has such a head
 */
export function rows(text: string, from: number, number: number, isHead: (line: string) => boolean): Match | undefined {
  const found: Match[] = []
  let end = lineEnd(text, from, rowUnits)
  for (let count = 0; end >= 0 && end < text.length && count < rowsMax; count++) {
    const line = end + 1
    end = lineEnd(text, line, rowUnits)
    if (isHead(text.slice(line, end < 0 ? line + rowUnits : end))) break
    const match = inSet(remarkSet, codeAt(text, line)) ? undefined : wordOfRow(text, line, number)
    if (match !== undefined) found.push(match)
    if (codeAt(text, line) <= 32) break
  }
  return chained(found)
}
/** How much of a line is read, in code units. */
export const rowUnits = 200

function wordOfRow(text: string, line: number, number: number): Match | undefined {
  let at = line
  for (let word = 0; word < number; word++) {
    while (at < text.length && at - line < rowUnits && text.charCodeAt(at) > 32) at++
    at = runEnd(text, at, blankSet, 48)
  }
  return wordAt(text, at)
}
const remarkSet = charSet('#;')

/** How the head of a PPP secrets file begins. */
export const dialInHead = '# client'

/** The head of a PPP secrets file: `# client  server  secret  IP`. */
export function dialIn(text: string, at: number): Match | undefined {
  const line = text.slice(at, at + dialInUnits)
  return isDialInHead(line.slice(0, line.indexOf('\n') >>> 0)) ? rows(text, at, 2, hasDialInHead) : undefined
}
const dialInUnits = 48

const isDialInHead = (words: string): boolean => words.includes('server') && words.includes('secret')

/** Whether a line has such a head. Most that begin like one are remarks among the rows: `# clients in Berlin`. */
function hasDialInHead(line: string): boolean {
  for (let at = line.indexOf(dialInHead); at >= 0; at = line.indexOf(dialInHead, at + 1))
    if (isDialInHead(line.slice(at, at + dialInUnits))) return true
  return false
}

/** A host that accepted a password, as scanners print it: `[+] corp\backup:...`. */
export function taken(text: string, from: number): Match | undefined {
  const domain = runEnd(text, from, dottedNameSet, 48)
  if (domain === from || codeAt(text, domain) !== 92) return undefined
  const user = runEnd(text, domain + 1, dottedNameSet, 48)
  if (codeAt(text, user) !== 58) return undefined
  return wordAt(text, user + 1)
}
