/**
 * Places where only a password can stand, so that an ordinary word is one there: environment variables, program
 * options, statements, and records (for those see `credential-records.ts`; decision 144).
 */
import type { Assignment } from './assignments.ts'
import { isInRecord, isStatedWeakPassword, mayBeInRecord } from './credential-records.ts'
import { isOption, isAddedLine } from './lexing.ts'
import { operators } from './operators.ts'
import {
  blankSet,
  charSet,
  codeAt,
  countOf,
  inSet,
  isAscii,
  lowerSet,
  quoteSet,
  runEnd,
  runStart,
  standsAt,
  wordSet
} from '../text/chars.ts'
import { Places } from '../text/places.ts'
import { rarity } from '../values/rarity.ts'
import { isListedDescriptiveWord } from '../values/descriptive-words.ts'
import { isPartOfName, isDictionaryPassword, isTitle } from '../values/dictionary-passwords.ts'

/** Whether the place says that an ordinary word is a password: `export DB_PASSWORD=sunshine`, the record of a server. */
export function isPasswordSetting(text: string, assigned: Assignment): boolean {
  const { nameStart, nameEnd, start, end } = assigned
  const isPlace =
    isOfEnvironment(text, assigned) ||
    isOfStatement(text, assigned) ||
    isOfClient(text, assigned) ||
    isOfProgram(text, assigned)
  if (!isPlace && isStatedWeakPassword(text, assigned)) return true
  if (!isPlace && !mayBeInRecord(text, assigned)) return false
  if (!isDictionaryPassword(text, start, end) || !isAscii(text, start, end)) return false
  if (isPartOfName(text, start, end, nameStart, nameEnd)) return false
  if (isListedDescriptiveWord(text.slice(start, end).toLowerCase())) return false
  return (isPlace || isInRecord(text, assigned)) && !isNameNearby(text, nameStart, start, end, assigned.textNumber)
}

/**
 * `NAME=` in an environment file, a shell, a command line or a YAML list; `NAME: ` on a line of YAML, `- name: NAME`
 * above `value:`.
 */
function isOfEnvironment(text: string, assigned: Assignment): boolean {
  const { nameStart, nameEnd, nameQuoted, operator, quoted, start, end } = assigned
  if (countOf(text, nameStart, nameEnd, lowerSet) > 0 || nameEnd - nameStart < nameUnitsMin) return false
  // A quote may open name and value together.
  const isTight = start === nameEnd + 1
  const close = quoted && !isTight ? end + 1 : end
  if (operator === operators.equals) {
    if (nameQuoted || !(isTight || (quoted && start === nameEnd + 2))) return false
    return leadsVariable(text, nameStart) && endsWord(text, close)
  }
  if (operator === operators.option) return isOption(text, nameStart) && endsLine(text, close)
  return operator === operators.colon && !nameQuoted && leadsLine(text, nameStart) && endsLine(text, close)
}
/** The length of `DB_PASS`, the shortest such name. */
const nameUnitsMin = 6

const signsBefore = charSet(' \t\n"\':')

/** Whether a variable may be set where a name begins: at the start of a line, of a word or of a quoted word. */
function leadsVariable(text: string, nameStart: number): boolean {
  if (nameStart > 0 && !inSet(signsBefore, codeAt(text, nameStart - 1)))
    return isEscapedBreak(text, nameStart) || isAddedLine(text, nameStart)
  // `$env:NAME=` in PowerShell, but not another label.
  return codeAt(text, nameStart - 1) !== 58 || text.startsWith('$env:', nameStart - 5)
}

/** Whether the name begins behind an escaped `\n` in a string literal, whose `n` was read as part of the name. */
function isEscapedBreak(text: string, at: number): boolean {
  return codeAt(text, at - 2) === 92 && codeAt(text, at - 1) === 110
}

/** Whether a shell word ends there. */
function endsWord(text: string, at: number): boolean {
  const code = codeAt(text, at)
  if (code === 92) return codeAt(text, at + 1) === 110 || codeAt(text, at + 1) === 10
  return code <= 32 || inSet(quoteSet, code)
}

function endsLine(text: string, at: number): boolean {
  const code = codeAt(text, runEnd(text, at, blankSet, blanksMax))
  return code === 0 || code === 10 || code === 13 || code === 35 || inSet(quoteSet, code)
}
const blanksMax = 40

/** Whether only blanks, and the dash of a list, precede the name on its line. */
function leadsLine(text: string, nameStart: number): boolean {
  const from = runStart(text, nameStart, leadSet, leadUnitsMax)
  if (from === nameStart && inSet(quoteSet, codeAt(text, from - 1))) return true
  return (
    from === 0 || codeAt(text, from - 1) === 10 || isAddedLine(text, from) || text.startsWith('name: ', nameStart - 6)
  )
}
const leadSet = charSet(' \t-')
const leadUnitsMax = 64

/** `ALTER USER app PASSWORD 'X'`, `SET PASSWORD = PASSWORD('X')`. */
function isOfStatement(text: string, { nameStart, nameEnd, operator, quoted }: Assignment): boolean {
  if (!quoted || (operator !== operators.beside && operator !== operators.call)) return false
  if (text.slice(nameStart, nameEnd).toLowerCase() !== 'password') return false
  const before = text.slice(Math.max(0, nameStart - statementUnitsMax), nameStart).toLowerCase()
  return statements.some((one) => before.includes(one))
}
const statementUnitsMax = 96
const statements = [
  'alter user ',
  'create user ',
  'alter role ',
  'create role ',
  'set password ',
  'alter login ',
  'create login '
]

/** Programs that take a password behind an option of that name. */
const clients = words(
  'mysql mysqldump mysqladmin mysqlimport mariadb mariadb-dump psql pg_dump mongo mongosh mongodump mongorestore mongoexport ' +
    'redis-cli wget curl gpg gpg2 keytool openssl docker podman helm az aws gcloud oc cf kinit ftp lftp sftp smbclient mount sqlcmd ' +
    'sqoop beeline cqlsh rabbitmqadmin influx nmcli iwctl xfreerdp vncviewer zip 7z restic borg hdbsql db2 isql ldapsearch ' +
    'sonar-scanner mvn gradle npm twine nuget dotnet kubectl vault consul jarsigner apksigner ansible-vault winexe impacket ' +
    'http https httpie svn cvs hg git fastlane pulumi youtube-dl yt-dlp'
)

/** The option of a program named before it on its line: `wget --user=bob --password=X`. */
function isOfClient(text: string, { nameStart, operator }: Assignment): boolean {
  if (!text.startsWith('--', nameStart) && !text.startsWith('-pass', nameStart)) return false
  if (operator !== operators.option && operator !== operators.equals) return false
  const from = Math.max(0, nameStart - commandUnitsMax)
  const before = text.slice(from, nameStart)
  const line = before.slice(before.lastIndexOf('\n') + 1).trimStart()
  return line.split(' ', commandWordsMax).some((word) => clients.has(word.slice(word.lastIndexOf('/') + 1)))
}
const commandUnitsMax = 160
/** `$ sudo VAR=x wget`. */
const commandWordsMax = 5

/**
 * `password=sunshine` on a line of its own. In quotes, the value must hardly be a word, since message catalogues have
 * the word for a password there; beside a quoted name it must contain a symbol.
 */
function isOfProgram(text: string, assigned: Assignment): boolean {
  const { nameStart, nameEnd, nameQuoted, operator, quoted, wrapped, start, end } = assigned
  const isTight = operator === operators.equals && start === nameEnd + 1
  // A quote may open name and value together.
  if (!quoted || (isTight && inSet(quoteSet, codeAt(text, nameStart - 1))))
    return isTight && leadsLine(text, nameStart) && endsLine(text, end) && !isTitle(text, start, end)
  if (wrapped || (operator !== operators.equals && operator !== operators.colon)) return false
  if (!inSet(lowerSet, codeAt(text, start)) || countOf(text, start, end, blankSet) > 0) return false
  if (nameQuoted && countOf(text, start + 1, end - 1, markSet) === 0) return false
  return nameQuoted || (end - start >= rareUnitsMin && rarity(text, start, end) >= rareBits)
}
const markSet = charSet('$@*&^%#')
const rareUnitsMin = 6
const rareBits = 5

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '))
}

const openSet = charSet(' \t"\'=')
const wordUnitsMax = 48
const nearUnits = 256

/** Where a word is a name, whichever word it is: the places around one value are those around the next as well. */
const names = new Places((text, at) =>
  !inSet(wordSet, codeAt(text, at - 1)) && isOfName(text, at) && !isOfPassword(text, at) ? true : undefined
)
/** The signs of addresses, before which the user stands: `'app'@'%'`, `app@host`. */
const atSigns = new Places((text, at) => (text.charCodeAt(at) === 64 ? true : undefined))

/**
 * Whether the same word is a name nearby: the value for a user, a database or a host, or part of an address.
 * @param textNumber identifies the text, so that what stands near several values is read once; 0 for none
 */
export function isNameNearby(text: string, nameStart: number, start: number, end: number, textNumber: number): boolean {
  const from = Math.max(0, nameStart - nearUnits)
  const to = Math.min(text.length, end + nearUnits)
  for (let i = names.read(text, from, to, textNumber); i < names.count && names.place(i) < to; i++) {
    const at = names.place(i)
    if (at !== start && standsAgain(text, start, end, at, to)) return true
  }
  const signsTo = Math.min(text.length, to + 2)
  for (let i = atSigns.read(text, from, signsTo, textNumber); i < atSigns.count && atSigns.place(i) < signsTo; i++)
    if (isUserBefore(text, start, end, atSigns.place(i), from, to)) return true
  return false
}

/** Whether the word in `[start, end)` stands at `at` as well, and ends at or before `to`. */
function standsAgain(text: string, start: number, end: number, at: number, to: number): boolean {
  const again = at + end - start
  if (again > to || inSet(wordSet, codeAt(text, again))) return false
  for (let i = start; i < end; i++) if (text.charCodeAt(i) !== text.charCodeAt(at + i - start)) return false
  return true
}

/** Whether the word in `[start, end)` stands before the sign of an address, in `[from, to)` and elsewhere. */
function isUserBefore(text: string, start: number, end: number, sign: number, from: number, to: number): boolean {
  return [sign, inSet(quoteSet, codeAt(text, sign - 1)) ? sign - 1 : sign].some((close) => {
    const at = close - (end - start)
    if (at < from || at === start || inSet(wordSet, codeAt(text, at - 1))) return false
    return standsAgain(text, start, end, at, to) && !isOfPassword(text, at)
  })
}

/**
 * Whether an operator, part of an address, or an option precedes a word, perhaps with a quote and a blank in between.
 */
function isOfName(text: string, at: number): boolean {
  // `${DB_USER:-app}`, `create user app`.
  if (text.startsWith(':-', at - 2) || standsAt(text, at - user.length, user)) return true
  const from = runStart(text, at, openSet, openUnitsMax)
  if (from < at && inSet(signSet, codeAt(text, at - 1))) return true
  if (inSet(signSet, codeAt(text, from - 1))) return true
  return from < at && codeAt(text, runStart(text, from, wordSet, wordUnitsMax) - 1) === 45
}
const user = 'user '
const signSet = charSet('=:/@>%')
const openUnitsMax = 3

/** Whether the name before the word names a password, which is then only stated twice. */
function isOfPassword(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - passwordUnits), at).toLowerCase()
  const line = before.slice(before.lastIndexOf('\n') + 1)
  return line.includes('pass') || line.includes('pwd') || line.includes('pw')
}
const passwordUnits = 24
