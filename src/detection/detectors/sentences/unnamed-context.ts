/**
 * What precedes a value that nothing names: whether it hands a password over, or says that the value is something else.
 */
import {
  behindLast,
  blankSet,
  charSet,
  codeAt,
  inSet,
  letterSet,
  runEnd,
  runStart,
  spaceSet,
  wordSet
} from '../../text/chars.ts'
import { WordList } from '../../text/word-list.ts'
import { WordSet } from '../../text/word-set.ts'

const split = (lists: readonly string[]): WordSet => new WordSet(lists.flatMap((list) => list.split(' ')))

/** Verbs of typing, trying, receiving and giving. */
const handing = split([
  'with w try tried trying use used using uses take takes took typed type typing enter entered entering put putting answer',
  'pasword paswrd passwrd passwort salsana lösen',
  'changed get gets got gave give given accept accepts accepted set went chose minted want wants work works worked',
  'mit nimmt benutze verwende nehme eingegeben tippe ging avec essayé essaie utilisé utilise tapé mis con usado uso usé probado prueba',
  'com usando usava usei tentei met gebruikte gebruik probeer werkte z użyłem med använder använt',
  'с вводил ввожу ввёл ввел использовал 用 dùng pakai yazdım yazıyorum'
])

/** Copulas and other words before something that is, or was, a password. */
const saying = split([
  "is was be it's its to and or also has had have one ones like as: me it them him her this that thats that's new old",
  'ihm ihr ihnen dir lui leur then stays bleibt reste',
  'admin adm administrator root',
  'noch still now simply literally probably maybe said says gives in: for: ist war est es era é è jest är er byl было это und et y e og och i für auf',
  'pra para en'
])

/** Words before names and numbers of things. */
const naming = split([
  'user users username usr name named called account as host hosts hostname server servers machine node vm on at from by of for',
  'version versions ver ticket issue issues bug pr commit commitid branch tag release file files folder directory path port class',
  'method function type model device serial number no id ids ref reference order invoice case rfc cve chapter section step page',
  'room building rack unit nick via than the a an los las le la der die das el il benutzer utilisateur usuario utente gebruiker',
  'eq ne fl app apps author authors maintainer maintainers contributor contributors reporter credit credits',
  'project tenant workspace cluster namespace region zone bucket echo hash sha sha1 sha256 md5 fingerprint checksum package install image cipher algorithm algorithms',
  'pubkey publickey public-key certificate ca-certificate'
])

/** Words between such a word and the value, which are skipped. */
const passing = split([
  'noch immer still always now again just only siempre ahora sempre toujours nog gewoon once actually already back'
])

const pointsOfHanding = 3
const pointsOfSaying = 1.5
const pointsOfReply = 2.5
const pointsOfStart = 0.5
const pointsOfQuote = 1
/** The result for a value that cannot be a password, whatever it looks like. */
export const excluded = -1

const wrapSet = charSet(' "\'`*_({')
const wrapUnitsMax = 8
const quoteSet = charSet('"\'`(')
const wordLetterSet = charSet('A-Z', 'a-z', '0-9', "'-_")
const wordUnitsMax = 16
/** The range of letters beyond ASCII that occur in the lists; behind it are symbols and other scripts. */
const letterFrom = 0xc0
const letterTo = 0x2000
const foreignFrom = 0x370

/**
 * Points for what precedes the value in `[start, end)`; {@link excluded} if that says that it is something else.
 * @param pointsMin how many count for the caller; fewer may be too many, which costs less to tell
 */
export function pointsOfContext(text: string, start: number, end: number, pointsMin = 0): number {
  const from = unwrapped(text, start)
  const points = pointsOfLead(text, from, start, end)
  if (points < pointsMin) return points
  if (isCall(text, start) || isAddressed(text, from, end) || isSample(text, from)) return excluded
  return isCell(text, start, end) || isCredited(text, start, end) ? excluded : points
}

/** Points for what directly precedes the blanks, quotes and emphasis that begin at `from`, before the value. */
function pointsOfLead(text: string, from: number, start: number, end: number): number {
  const before = codeAt(text, from - 1)
  if (before === 0 || before === 10 || before === 13) return startOfLine(text, from, start, end)
  // Behind the speaker: `<rune> X`, `[09:41] X`.
  if (before === 62 || before === 93)
    return endsLine(text, end) && isSpeaking(text, from - 1) ? pointsOfReply : excluded
  if (before === 58 || before === 0xff1a || before === 61) return behindColon(text, from - 1, end)
  if (before === 47)
    return codeAt(text, from - 2) === 32 && codeAt(text, from) === 32 ? pairPoints(text, from - 2) : excluded
  if (start - from > 1 && isMailBefore(text, from)) return pointsOfHanding
  if (before === 46 || before === 63 || before === 33) return pointsOfStart
  if (before === 44 || before >= foreignFrom) return pointsOfSaying
  return behindWord(text, from, inSet(quoteSet, codeAt(text, start - 1)) ? pointsOfQuote : 0)
}

/** Before the blanks, quotes and emphasis around the value. */
function unwrapped(text: string, start: number): number {
  return runStart(text, start, wrapSet, wrapUnitsMax)
}

/** Points for the word before a slash, by how likely it is a user: `patient: demo.patient / X`, `anna@acme.dev / X`. */
function pairPoints(text: string, to: number): number {
  const from = runStart(text, to, userSet, userUnitsMax)
  const user = text.slice(from, to)
  if (user.indexOf('@') > 0) return pointsOfHanding
  const lead = codeAt(text, runStart(text, from, blankSet, wrapUnitsMax) - 1)
  return user.length > 2 && inSet(userLeadSet, lead) ? pointsOfReply : pointsOfSaying
}
const userSet = charSet('A-Z', 'a-z', '0-9', '._@+\\-')
const userUnitsMax = 64
const userLeadSet = charSet(':,>(\n')

/** Whether a mail address stands before the blanks that end at `to`, as in the columns of a list of accounts. */
function isMailBefore(text: string, to: number): boolean {
  return text.slice(runStart(text, to, userSet, userUnitsMax), to).indexOf('@') > 0
}

function behindWord(text: string, end: number, otherwise: number): number {
  let to = end
  let from = wordStart(text, to)
  let word = text.slice(from, to).toLowerCase()
  if (passing.has(word) && codeAt(text, from - 1) === 32) {
    to = from - 1
    from = wordStart(text, to)
    word = text.slice(from, to).toLowerCase()
  }
  if (handing.has(word)) return pointsOfHanding
  if (saying.has(word)) return isOfOther(text, from) ? excluded : pointsOfSaying
  const isOther =
    word === '' || word.startsWith('-') || word.endsWith('-id') || word.endsWith('_id') || naming.has(word)
  return isOther || isInstalled(text, from) ? excluded : otherwise
}

/** Whether the line lists what a command installs: `apt-get install xvfb x11-utils python3-pyqt5`. */
function isInstalled(text: string, at: number): boolean {
  const line = text.slice(Math.max(0, at - installUnitsMax), at)
  return line.slice(line.lastIndexOf('\n') + 1).includes(' install ')
}
const installUnitsMax = 240

/** Words before `is` and `to` that make the value something else: `its name is X`, `defaults to X`, `RDP to X`. */
const others = split([
  'name names id ids identifier hostname version ticket model serial number username user defaults default',
  // Behind these, `to` precedes a host.
  'rdp ssh sftp telnet vnc connect connected connects'
])

function isOfOther(text: string, copulaAt: number): boolean {
  if (codeAt(text, copulaAt - 1) !== 32) return false
  return others.has(text.slice(wordStart(text, copulaAt - 1), copulaAt - 1).toLowerCase())
}

/** What documentation writes before made-up values. */
const samples = ['example,', 'example:', 'example', 'example is', 'e.g.', 'e.g.,', 'z.b.', 'p.ex.', 'such as']
const sampleUnitsMax = Math.max(...samples.map((sample) => sample.length))

function isSample(text: string, to: number): boolean {
  const before = text.slice(Math.max(0, to - sampleUnitsMax), to).toLowerCase()
  // `anna@acme.example` ends in one as well.
  return samples.some((sample) => before.endsWith(sample) && codeAt(text, to - sample.length - 1) !== 46)
}

function wordStart(text: string, to: number): number {
  let from = to
  while (from > 0 && to - from < wordUnitsMax) {
    const code = text.charCodeAt(from - 1)
    if (!inSet(wordLetterSet, code) && (code < letterFrom || code > letterTo)) break
    from--
  }
  return from
}

/** The lines of a PEM block are at least this long. */
const blockUnits = 60
const listedUnitsMax = 100

/** Points for a value at the start of a line: an answer fills its line and is not an item of a list. */
function startOfLine(text: string, from: number, start: number, end: number): number {
  if (codeAt(text, from) === 42 && codeAt(text, from + 1) === 32) return excluded
  if (!endsLine(text, end)) return pointsOfStart
  return end - start < blockUnits && !isListed(text, from) && !isName(text, from) ? pointsOfReply : excluded
}

const askedNames = new WordList(['name of', 'the name', 'username', 'hostname'])
const askedSecrets = new WordList(['pass', 'pwd', 'key', 'secret', 'cred', 'login for'])

/** Whether the line before asks for a name: `what's the name of the admin account?`. */
function isName(text: string, from: number): boolean {
  const to = codeAt(text, from - 2) === 13 ? from - 2 : from - 1
  if (codeAt(text, to - 1) !== 63) return false
  const before = Math.max(0, to - listedUnitsMax)
  const start = before + text.slice(before, to).lastIndexOf('\n') + 1
  return askedNames.standsIn(text, start, to) && !askedSecrets.standsIn(text, start, to)
}

/** Whether the line before is a single word as well. */
function isListed(text: string, from: number): boolean {
  const to = codeAt(text, from - 2) === 13 ? from - 2 : from - 1
  const i = behindLast(text, to, spaceSet, listedUnitsMax)
  const isAlone = i === 0 || codeAt(text, runStart(text, i, blankSet, wrapUnitsMax) - 1) === 10
  return i < to && codeAt(text, to - 1) !== 58 && isAlone
}

function endsLine(text: string, end: number): boolean {
  let i = end
  while (i - end < wrapUnitsMax && inSet(tailSet, codeAt(text, i))) i++
  const code = codeAt(text, i)
  return code === 0 || code === 10 || code === 13
}
const tailSet = charSet(' .!?`"\'*)}')

/** Whether the bracket at `close` ends a speaker's name, a time, or a quotation mark: `<rune>`, `[09:41]`, `> `. */
function isSpeaking(text: string, close: number): boolean {
  const open = codeAt(text, close) === 62 ? 60 : 91
  for (let i = close - 1; i > close - speakerUnitsMax; i--) {
    const code = codeAt(text, i)
    if (code === open) return true
    // `> X`, `Me > X`.
    if (code === 10 || code === 0) return open === 60
    if (code !== 32 && !inSet(letterSet, code) && (open === 60 || code === 62)) return false
  }
  return false
}
const speakerUnitsMax = 32

/** Whether the line before that of `colon` is somebody's words: a name, a colon and a sentence. */
function isAnswer(text: string, colon: number): boolean {
  const line = runStart(text, colon, wordLetterSet, wordUnitsMax)
  if (codeAt(text, line - 1) !== 10) return false
  let blanks = 0
  let last = 0
  for (let i = line - 2; i > line - spokenUnitsMax && codeAt(text, i) !== 10 && i >= 0; i--)
    if (codeAt(text, i) === 32) {
      blanks++
      last = i
    }
  return blanks >= sentenceWordsMin - 1 && codeAt(text, last - 1) === 58
}
const spokenUnitsMax = 200

/** Whether a bracket right behind a name stands before: `type(uint160)`, `CTF{...}`, `[crypto](crypto_50)`. */
function isCall(text: string, start: number): boolean {
  const open = codeAt(text, start - 1)
  if (open !== 40 && open !== 123) return false
  const before = codeAt(text, start - 2)
  return inSet(wordSet, before) || (open === 40 && before === 93)
}

/** Whether it is a cell of a table, with wide gaps around it or a number behind one, or a label before a colon. */
function isCell(text: string, start: number, end: number): boolean {
  const next = runEnd(text, end, blankSet, gapUnitsMax)
  // `{{ insert: param, ac-7_prm_2 }}`.
  if (text.startsWith('}}', next)) return true
  if (next < end + 2) return false
  return inSet(numberHeadSet, codeAt(text, next)) || (next > end + 2 && text.startsWith('   ', start - 3))
}
const numberHeadSet = charSet('0-9', ':')
const gapUnitsMax = 64

/**
 * Whether people are credited: in a list of names, `(petrov and octo42 and fab23)`, or on a line about the author,
 * `author: Ana Lima (0ct0pus)`.
 */
export function isCredited(text: string, start: number, end: number): boolean {
  const to = runEnd(text, end, creditSet, creditUnitsMax)
  const from = runStart(text, start, creditSet, creditUnitsMax)
  if (codeAt(text, from - 1) === 40 && codeAt(text, to) === 41 && isNameList(text.slice(from, to))) return true
  const line = Math.max(0, start - creditUnitsMax)
  const label = line + text.slice(line, start).lastIndexOf('\n') + 1
  const first = runEnd(text, runEnd(text, label, markSet, 8), letterSet, wordUnitsMax)
  return (
    codeAt(text, first) === 58 &&
    people.has(text.slice(runStart(text, first, letterSet, wordUnitsMax), first).toLowerCase())
  )
}
/** Whether it is at least two words, each of which is separated from the next by a comma or `and`. */
function isNameList(list: string): boolean {
  const parts = list.split(' ')
  return parts.length > 1 && parts.every((part, i) => i === parts.length - 1 || isJoint(part) || parts[i + 1] === 'and')
}
const isJoint = (part: string): boolean => part === 'and' || part.endsWith(',')
const creditSet = charSet('A-Z', 'a-z', '0-9', '_-, @')
const creditUnitsMax = 80
const markSet = charSet(' *#/-')
const people = split(['author authors maintainer maintainers contributor contributors reporter credit credits thanks'])

/**
 * Whether the word addresses or describes a person: `ana42: ...` or `ana42, ...` at the start of a message,
 * `ana42 is now known as`.
 */
function isAddressed(text: string, from: number, end: number): boolean {
  const before = codeAt(text, from - 1)
  // Behind a speaker, but not behind a sentence: `ana: bo42, are you there`.
  if (before === 58 && codeAt(text, wordStart(text, from - 1) - 1) > 10) return false
  if (before !== 0 && before !== 10 && before !== 62 && before !== 58 && before !== 93 && before !== 61) return false
  const behind = codeAt(text, end)
  return behind === 58 || behind === 44 || text.startsWith(' is now ', end) || text.startsWith(' [', end)
}

const labelUnitsMax = 60
const sentenceWordsMin = 4

/** Whether the line of `at` is a heading in Markdown. */
function isHeading(text: string, at: number): boolean {
  const from = Math.max(0, at - labelUnitsMax)
  const line = from + text.slice(from, at).lastIndexOf('\n') + 1
  return codeAt(text, line) === 35 && inSet(headingSet, codeAt(text, line + 1))
}
const headingSet = charSet('# ')

/**
 * Points behind a colon: behind a sentence or a speaker it announces the value; behind a label, the label says what the
 * value is.
 */
function behindColon(text: string, colon: number, end: number): number {
  if (inSet(quoteSet, codeAt(text, colon - 1)) || !inSet(spaceSet, codeAt(text, colon + 1))) return excluded
  let words = 1
  for (let i = colon - 1; i > colon - labelUnitsMax && i > 0 && codeAt(text, i) !== 10; i--)
    if (codeAt(text, i) === 32 && codeAt(text, i - 1) > 32) words++
  const to = runStart(text, colon, blankSet, 2)
  const label = text.slice(wordStart(text, to), to).toLowerCase()
  if (label.endsWith('-id') || label.endsWith('_id') || text.startsWith('Id', to - 2)) return excluded
  // `# Acme CTF 2016 : lsso-200`.
  if (codeAt(text, colon - 1) === 32 && isHeading(text, colon)) return excluded
  if (words >= sentenceWordsMin) return pointsOfSaying
  // A mail header: `Thread-Index: X`.
  if (naming.has(label) || label.includes('-')) return excluded
  return words > 1 ? 0 : endsLine(text, end) && isAnswer(text, colon) ? pointsOfReply : pointsOfQuote
}
