/**
 * Records that give a password together with its user or host: `host:`, `user:` and `password:` in a block of lines, in
 * markup, in a list of pairs, in rows of a table. In a record an ordinary word is a password; behind a label alone it
 * is not.
 */
import {
  blankSet,
  charSet,
  codeAt,
  countOf,
  digitSet,
  inSet,
  letterSet,
  quoteSet,
  runEnd,
  runStart,
  upperSet
} from '../text/chars.ts'
import { isTitle } from '../values/dictionary-passwords.ts'
import { isWeakPassword } from '../values/weak-passwords.ts'
import type { Assignment } from './assignments.ts'
import { operators } from './operators.ts'

const recordUnits = 320

const words = (list: string): ReadonlySet<string> => new Set(list.split(','))

const userNames = words(
  'user,username,user name,user id,login,login name,login id,userid,uid,usr,uname,account,account name,db user,dbuser,benutzer,' +
    'benutzername,usuario,usuária,usuário,utilisateur,identifiant,utente,nome utente,gebruiker,gebruikersnaam,użytkownik,' +
    'nazwa użytkownika,kullanıcı adı,kullanıcı,логин,пользователь,имя пользователя,користувач,användare,användarnamn,bruker,' +
    'brukernavn,bruger,brugernavn,käyttäjä,käyttäjätunnus,tunnus,uživatel,užívateľ,felhasználó,utilizator,' +
    '用户名,用户,账号,帐号,使用者,ユーザー名,ユーザー,아이디,사용자'
)
/** Labels of a mail address, which identifies the user. */
const mailNames = words('email,e-mail,mail,email address,e-mail address,email id,correo,courriel,e-posta,почта,邮箱')
const hostNames = words(
  'host,hostname,server,address,url,uri,endpoint,ip,ip address,addr,port,database,db,dbname,smtp,domain,ssid,site,website,link,' +
    'wifi,wi-fi,wlan,network,network name,wifi name,netzwerk,réseau,red,rede,rete,сеть,сервер,адрес'
)

/**
 * Whether a value stands alone behind its name as in records: in quotes, in markup, or up to the end of its line or
 * pair.
 */
export function mayBeInRecord(
  text: string,
  { nameStart, nameEnd, start, end, operator, quoted, wrapped }: Assignment
): boolean {
  if (!recordOperators.has(operator)) return false
  const isMarked = operator === operators.element || operator === operators.cell || operator === operators.tagged
  if (!quoted && !isMarked && !endsBare(text, end)) return false
  // `user:pass:word`.
  if (operator === operators.colon && start === nameEnd + 1 && !quoted) return false
  if (operator === operators.cell && !isRow(text, nameStart, end)) return false
  // `passwd => [scheme => ...]`: the quoted text is a key itself.
  if (quoted && inSet(assignSet, codeAt(text, runEnd(text, end + 1, blankSet, blanksMax)))) return false
  // The argument of a call; several words, as in labels and questions.
  if (wrapped || countOf(text, start, end, blankSet) > 0) return false
  // Form labels are capitalised, and so are their names.
  return !isTitle(text, start, end) || (!quoted && inSet(upperSet, codeAt(text, labelFrom(text, nameStart))))
}
/** Where the words begin of which the name is the last: `Temporary password`. */
function labelFrom(text: string, nameStart: number): number {
  const from = runStart(text, nameStart, labelLeadSet, blanksMax)
  return runEnd(text, from, wrapSet, blanksMax)
}
const recordOperators = new Set<number>([
  operators.colon,
  operators.equals,
  operators.element,
  operators.cell,
  operators.tagged
])

/** Whether name and value fill a row of a table. */
function isRow(text: string, nameStart: number, end: number): boolean {
  const bar = runStart(text, nameStart, wrapSet, wrapsMax)
  const close = runEnd(text, end, wrapSet, blanksMax)
  return (
    codeAt(text, bar - 1) === 124 &&
    leadsLine(text, bar - 1) &&
    codeAt(text, close) === 124 &&
    endsLine(text, close + 1)
  )
}

/**
 * Whether the same block of lines has a value for the user and the host as well. In markup, in a list of pairs on one
 * line, in lines of settings and in rows of a table one of them is enough.
 */
export function isInRecord(text: string, assigned: Assignment): boolean {
  const { nameStart, nameEnd, start, end, operator, quoted } = assigned
  if (operator === operators.colon && isStatedAlone(text, nameStart, start, end)) return true
  readRecord(text, nameStart, end)
  if (operator === operators.element || operator === operators.tagged) return read.user
  const isProse = !quoted || codeAt(text, start - 1) === backtick
  if (!isProse) return (read.user && read.host) || (assigned.nameQuoted && (read.user || read.isAddressed))
  const isTight = operator === operators.equals && start === nameEnd + 1
  const isAlone = leadsLine(text, nameStart) && endsLine(text, quoted ? end + 1 : end)
  if (operator === operators.cell) return read.user || read.isAddressed
  if (!read.user) return read.isAddressed && isAlone
  return isTight || read.host || (operator === operators.colon && endsLine(text, end)) || isAlone
}
const backtick = 96

/**
 * Whether `Password: sunshine` or `Your new password: sunshine` is a paragraph of its own or stands among sentences, as
 * in mails. Lines of settings and of message catalogues have similar lines next to them.
 */
function isStatedAlone(text: string, nameStart: number, start: number, end: number): boolean {
  const isQuoted = inSet(quoteSet, codeAt(text, start - 1))
  const close = isQuoted ? end + 1 : end
  if (isQuoted && codeAt(text, start - 1) !== backtick) return false
  const from = runStart(text, nameStart, labelLeadSet, blanksMax)
  const before = codeAt(text, from - 1)
  if (from > 0 && before !== 10 && !(inSet(sentenceEndSet, before) && codeAt(text, from) === 32)) return false
  const to = runEnd(text, close, tailSet, blanksMax)
  if (to < text.length && codeAt(text, to) !== 10 && codeAt(text, to) !== 13 && codeAt(text, to) !== 40) return false
  return (before !== 10 || isSentence(text, lineBefore(text, from), from - 1)) && isSentenceBelow(text, to)
}
const sentenceEndSet = charSet('.!?,')
const lineUnitsMax = 240

function lineBefore(text: string, from: number): number {
  return text.lastIndexOf('\n', from - 2) + 1
}

function isSentenceBelow(text: string, at: number): boolean {
  const from = text.slice(at, at + lineUnitsMax).indexOf('\n')
  if (from < 0) return true
  const line = text.slice(at + from + 1, at + from + 1 + lineUnitsMax)
  const to = line.indexOf('\n')
  return isSentence(text, at + from + 1, at + from + 1 + (to < 0 ? line.length : to))
}

/** Whether a line is empty, or consists of words without the punctuation of settings and program text. */
function isSentence(text: string, from: number, to: number): boolean {
  const line = text.slice(Math.max(from, to - lineUnitsMax), to).trim()
  if (line === '') return true
  const words = line.split(' ')
  return words.length >= sentenceWordsMin && !programSigns.some((sign) => line.slice(0, -1).includes(sign))
}
const sentenceWordsMin = 3
const programSigns = ['=', ':', '#', '{', '<', '|', '"', '//', '`', '*', '(', ';']
const labelLeadSet = charSet('A-Z', 'a-z', " *>'-")

/** Reads the names in the same block of lines into `read`, except the one in `[from, to)` and its value. */
function readRecord(text: string, from: number, to: number): void {
  read.user = false
  read.host = false
  read.isAddressed = false
  readNames(text, blockStart(text, from), from)
  if (!(read.user && read.host)) readNames(text, to, blockEnd(text, to))
}

/** Whether a notorious password is stated to somebody: `pw: hunter2` and nothing else, `user: admin / pass: admin123`. */
export function isStatedWeakPassword(text: string, { nameStart, start, end, operator, quoted }: Assignment): boolean {
  if (operator !== operators.colon || quoted) return false
  // The place first: beside most names it is seen at once, and the password costs more.
  const mayBeMessage = text.length - end < weakUnitsMax && start < weakUnitsMax
  const mayBeListed = isBehindOthers(text, nameStart) && endsLine(text, end)
  if (!(mayBeMessage || mayBeListed) || !isWeakPassword(text, start, end)) return false
  if (mayBeMessage && isStatedAlone(text, nameStart, start, end)) return true
  if (!mayBeListed) return false
  readRecord(text, nameStart, end)
  return read.user
}

/** Whether a slash, comma or bar separates a name from what stands before it on its line. */
function isBehindOthers(text: string, nameStart: number): boolean {
  return inSet(betweenSet, codeAt(text, runStart(text, nameStart, blankSet, blanksMax) - 1))
}
const betweenSet = charSet('/,|')
/** Whether it is a message rather than a document. */
const weakUnitsMax = 240

/**
 * Whether a line states the password in `[start, end)` behind its name and a colon, on a line of its own among
 * sentences, or in a block of lines with its user or host.
 * @param nameStart where the name begins
 */
export function isStatedOnLine(text: string, nameStart: number, start: number, end: number): boolean {
  if (isStatedAlone(text, nameStart, start, end)) return true
  if (!leadsLine(text, nameStart) || !endsLine(text, end)) return false
  readRecord(text, nameStart, end)
  return read.user || read.isAddressed
}

/** The result of the last reading. `isAddressed`: the host is an address, or the network has a name. */
const read = { user: false, host: false, isAddressed: false }

const blanksMax = 40

/** Whether only blanks and the mark of a list item precede a name on its line. */
function leadsLine(text: string, nameStart: number): boolean {
  const from = runStart(text, nameStart, leadSet, blanksMax)
  return from === 0 || codeAt(text, from - 1) === 10 || inSet(quoteSet, codeAt(text, from - 1))
}
const leadSet = charSet(' \t*>#', '-', 'A-Z', 'a-z')

function endsLine(text: string, at: number): boolean {
  const code = codeAt(text, runEnd(text, at, tailSet, blanksMax))
  return code === 0 || code === 10 || code === 13 || code === 35 || inSet(quoteSet, code)
}
const tailSet = charSet(' \t*')

/** Whether an unquoted value fills its line, or a comma or bracket follows it. */
function endsBare(text: string, end: number): boolean {
  return inSet(bareEndSet, codeAt(text, end)) || endsLine(text, end)
}
const bareEndSet = charSet(',};& "\'`')

/** The start of the lines before `to` that no empty line separates from it. */
function blockStart(text: string, to: number): number {
  const limit = Math.max(0, to - recordUnits)
  const empty = text.slice(limit, to).lastIndexOf('\n\n')
  return empty < 0 ? limit : limit + empty + 2
}

function blockEnd(text: string, from: number): number {
  const limit = Math.min(text.length, from + recordUnits)
  const empty = text.slice(from, limit).indexOf('\n\n')
  return empty < 0 ? limit : from + empty
}

const wrapSet = charSet(' "\'\t])*`')
const wrapsMax = 4
const foreignFrom = 0xc0
const labelUnitsMax = 24

/** Notes in `read` which names stand in `[from, to)` with a value of their own. */
function readNames(text: string, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i)
    if (code < 128 ? !inSet(assignSet, code) : code !== wideColon) continue
    const end = runStart(text, i, wrapSet, wrapsMax)
    const start = labelStart(text, end, from)
    if (text.startsWith('://', i) && i - start > 2) {
      read.host = read.isAddressed = true
      continue
    }
    if (start < end) readName(text, start, end, i + 1)
  }
}
const assignSet = charSet(':=>|\t')
const wideColon = 0xff1a

/**
 * Notes what the label in `[start, end)` names, if it has a value behind `from`. A label may be two words, or the last
 * of them.
 */
function readName(text: string, start: number, end: number, from: number): void {
  const label = text.slice(start, end).toLowerCase().replaceAll('_', ' ').trimStart()
  const last = label.slice(Math.max(label.lastIndexOf(' '), label.lastIndexOf('.'), label.lastIndexOf('-')) + 1)
  const name = userNames.has(label) || mailNames.has(label) || hostNames.has(label) ? label : last
  const isMail = mailNames.has(name)
  if (!isMail && !userNames.has(name) && !hostNames.has(name)) return
  const at = runEnd(text, from, openSet, blanksMax)
  const valueTo = valueEnd(text, at)
  if (valueTo - at < 2 || types.has(text.slice(at, valueTo).toLowerCase())) return
  if (isMail) {
    if (text.slice(at, valueTo).indexOf('@') > 0) read.user = true
  } else if (userNames.has(name)) read.user = true
  else {
    read.host = true
    if (isAddress(text, at, valueTo) || networks.has(name)) read.isAddressed = true
  }
}
const networks = words('ssid,wifi,wi-fi,wlan,network,network name,wifi name')

/** Where the label that ends at `end` begins: letters of any alphabet, with one blank between two words. */
function labelStart(text: string, end: number, from: number): number {
  const least = Math.max(from, end - labelUnitsMax)
  let start = end
  while (start > least) {
    const code = text.charCodeAt(start - 1)
    const isLetter = inSet(labelSet, code) || code >= foreignFrom
    if (!isLetter && !(code === 32 && start < end && inSet(lettersBefore, codeAt(text, start - 2)))) break
    start--
  }
  return start
}
const labelSet = charSet('A-Z', 'a-z', '0-9', '_.-')
const lettersBefore = letterSet.map((bit, code) => (code > 127 ? 1 : bit))

/** Whether it is the address of something: `10.0.0.4`, `nas.local`, `localhost`. */
function isAddress(text: string, start: number, end: number): boolean {
  const dot = text.slice(start, end).indexOf('.')
  if (dot > 0 && start + dot < end - 1) return true
  return text.startsWith('localhost', start) || countOf(text, start, end, digitSet) > 1
}

const types = new Set(
  'string str text username user name host hostname none null undefined true false required optional int integer'.split(
    ' '
  )
)

/** The end of the value that begins at `at`; `at` if it is a type, a placeholder or an expression. */
function valueEnd(text: string, at: number): number {
  let end = at
  while (end < at + valueUnitsMax && (inSet(valueSet, codeAt(text, end)) || codeAt(text, end) >= foreignFrom)) end++
  return end
}
const openSet = charSet(' \t"\'=*`|')
const valueSet = charSet('A-Z', 'a-z', '0-9', '_.@/:\\-+')
const valueUnitsMax = 64
