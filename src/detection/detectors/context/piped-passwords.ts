/** Passwords that a command reads from its input: from a pipe, a here-string, a here-document. */
import { Assignment } from '../../assignments/assignments.ts'
import { isNameNearby } from '../../assignments/password-settings.ts'
import { chained, contextMatch, type Match, withNext } from '../../detector.ts'
import {
  blankSet,
  charSet,
  codeAt,
  countOf,
  inSet,
  lineBreakSet,
  placeOf,
  runEnd,
  stringQuoteSet
} from '../../text/chars.ts'
import { NextOf } from '../../text/next-of.ts'
import { Places } from '../../text/places.ts'
import { isSecretValue } from '../../values/generic-value.ts'
import { passwordName } from '../../values/key-names.ts'
import { isDictionaryPassword } from '../../values/dictionary-passwords.ts'

const assignment = new Assignment()

interface ArgumentPlace {
  /** Whether a word counts only in quotes. */
  readonly isQuoted?: boolean
  /** Whether only a password can stand there, so that an ordinary word is one as well. */
  readonly isSure?: boolean
}

/**
 * A word that is a password because of the command or statement before it.
 * @param textNumber identifies the text, so that what stands around one word need not be read again for the next; 0 for
 *   none
 */
export function argumentAt(
  text: string,
  from: number,
  { isQuoted = false, isSure = false }: ArgumentPlace,
  textNumber = 0
): Match | undefined {
  if (!assignment.readValue(text, from, textNumber)) return undefined
  const { start, end, quoted } = assignment
  if (isQuoted && !quoted) return undefined
  if (isSecretValue(text, start, end, passwordName, { quoted: true, doubtful: false })) return contextMatch(start, end)
  return isSure && isDictionaryPassword(text, start, end) && !isNameNearby(text, from, start, end, textNumber)
    ? { start, end, confidence: 'medium' }
    : undefined
}

/** What makes a protected text of one in PowerShell. */
const securing = 'ConvertTo-SecureString'

/** Commands that read a password or another secret from their input. */
export const pipeReaders: readonly string[] = [
  '--password-stdin',
  '--with-token',
  'gh secret set',
  'sudo -S',
  'chpasswd',
  'passwd --stdin',
  '| passwd',
  'sudo passwd',
  'openssl passwd',
  'htpasswd -i',
  'pw usermod ',
  'docker secret create',
  'podman secret create',
  'secret-tool store',
  'pass insert',
  'wrangler secret put',
  'vercel env add',
  'kinit ',
  'cryptsetup ',
  'vncpasswd -f',
  'smbpasswd -',
  'bw login',
  'snowsql ',
  'op signin',
  '| su ',
  '--passphrase-fd',
  '-pass stdin',
  '=/dev/stdin',
  '-file /dev/stdin',
  '--data-file=-',
  'vault kv put',
  'vault login -',
  'zfs load-key',
  securing
]

const readersByFirst = Map.groupBy(pipeReaders, (reader) => reader.charCodeAt(0))

/** Whether one of {@link pipeReaders} stands at `at`. */
export function readsPipe(text: string, at: number): boolean {
  return readersByFirst.get(codeAt(text, at))?.some((reader) => text.startsWith(reader, at)) ?? false
}

/** The password that the command at `at` reads, from whatever feeds its input. */
export function pipedPassword(text: string, at: number, textNumber: number): Match | undefined {
  return piped(text, at, textNumber) ?? hereString(text, at, textNumber) ?? hereDocument(text, at, textNumber)
}

const pipeUnitsMax = 160
const commandUnitsMax = 48
const commands = ['echo ', 'printf ', 'yes ']
/** Characters that begin another command. */
const listSet = charSet(';&')
/** Characters that end a word of a command. */
export const wordStopSet = charSet(' \t\r\n"\'`|;<>')
const quotedStopSet = charSet('"\'\n')

const bar = 124
const lineBreak = 10
const ends = new Places((text, at) => {
  const code = text.charCodeAt(at)
  return code === bar || code === lineBreak ? code : undefined
})

/** The last word before the pipe, on the same line: `echo X | ... --password-stdin`. */
function piped(text: string, at: number, textNumber: number): Match | undefined {
  const limit = Math.max(0, at - pipeUnitsMax)
  const last = ends.readLast(text, limit, at + 1, textNumber)
  if (last < 0 || ends.found(last) !== bar) return undefined
  const pipe = ends.place(last)
  let end = pipe
  // `(echo X; echo X) | ...`
  while (end > limit && (text.charCodeAt(end - 1) === 32 || text.charCodeAt(end - 1) === 41)) end--
  const quote = text.charCodeAt(end - 1)
  const quoted = quote === 34 || quote === 39
  if (quoted) end--
  let start = end
  while (start > limit && !inSet(quoted ? quotedStopSet : wordStopSet, text.charCodeAt(start - 1))) start--
  if (quoted && text.charCodeAt(start - 1) !== quote) return undefined
  const command = text.slice(Math.max(limit, start - commandUnitsMax), start)
  const isTyped = quoted && text.startsWith(securing, at)
  if (!isTyped && !commands.some((one) => command.includes(one))) return undefined
  // `echo "user:password" | chpasswd`.
  if (text.startsWith('chpasswd', at)) start += text.slice(start, end).indexOf(':') + 1
  const found = linesOf(text, start, end, countOf(text, pipe, at, listSet) === 0)
  return found && withFirst(text, limit, found)
}

/** The match, with the same password before it, as in `(echo X; echo X)` and `printf '%s\\n%s\\n' X X`. */
function withFirst(text: string, limit: number, found: Match): Match {
  const before = text.slice(limit, found.start)
  const at = before.lastIndexOf(text.slice(found.start, found.end))
  const start = limit + at
  const end = start + found.end - found.start
  const isWord = inSet(wordStopSet, codeAt(text, start - 1)) && inSet(wordStopSet, codeAt(text, end))
  return at < 0 || !isWord ? found : { ...found, start, end, next: found }
}

/**
 * The password in `[start, end)`, or the two of `X\\nX\\n`: commands that set one ask twice.
 * @param isNext whether the text goes to this command and to no other before it
 */
function linesOf(text: string, start: number, end: number, isNext: boolean): Match | undefined {
  const lineBreak = text.slice(start, end).indexOf('\\n')
  const first = lineBreak < 0 ? end : start + lineBreak
  const found = wordOf(text, start, first, isNext)
  if (found === undefined || first + 2 >= end) return found
  const next = linesOf(text, first + 2, end, isNext)
  return withNext(found, next)
}

function wordOf(text: string, start: number, end: number, isNext: boolean): Match | undefined {
  if (start >= end) return undefined
  if (isSecretValue(text, start, end, passwordName, { quoted: true, doubtful: false, uuids: true }))
    return contextMatch(start, end)
  return isNext && isDictionaryPassword(text, start, end) ? { start, end, confidence: 'medium' } : undefined
}

/** The word behind `<<<` on the same line: `... --with-token <<< X`. */
function hereString(text: string, at: number, textNumber: number): Match | undefined {
  const from = onLine(text, at, '<<<', textNumber)
  if (from < 0) return undefined
  const start = runEnd(text, from + 3, blankSet, 4)
  if (!text.startsWith('chpasswd', at)) return argumentAt(text, start, {})
  const quote = runEnd(text, start, stringQuoteSet, 1)
  return pairOf(text, quote, quote > start ? quotedStopSet : wordStopSet)
}

/** Finds an angle bracket, or where the line or the command ends. */
const bracketOrEnd = new NextOf(charSet('<|\n'))

/** Where a sign of brackets stands behind `at`, before the line and the command end; otherwise -1. */
function onLine(text: string, at: number, sign: '<<' | '<<<', textNumber: number): number {
  const limit = Math.min(text.length, at + pipeUnitsMax)
  const nextFrom = (from: number): number => bracketOrEnd.at(text, from, limit, textNumber)
  for (let i = nextFrom(at); i < limit && text.charCodeAt(i) === 60; i = nextFrom(i + 1))
    if (text.startsWith(sign, i)) return i
  return -1
}

const usersMax = 8
const userSet = charSet('A-Z', 'a-z', '0-9', '._@-')

/** `chpasswd <<EOF` and `cat <<EOF | chpasswd`, with a user and password on each line up to the delimiter. */
function hereDocument(text: string, at: number, textNumber: number): Match | undefined {
  if (!text.startsWith('chpasswd', at)) return documentLine(text, at, textNumber)
  const limit = Math.max(0, at - pipeUnitsMax)
  let line = at
  while (line > limit && text.charCodeAt(line - 1) !== 10) line--
  if (onLine(text, at, '<<', textNumber) < 0 && !text.slice(line, at).includes('<<')) return undefined
  const found: Match[] = []
  let next = placeOf(text, 10, at, pipeUnitsMax) + 1
  while (next > 0 && found.length < usersMax) {
    const pair = pairOf(text, runEnd(text, next, blankSet, 8), lineBreakSet)
    if (pair === undefined) break
    found.push(pair)
    next = codeAt(text, pair.end) === 10 ? pair.end + 1 : 0
  }
  return chained(found)
}

/** The only line of a here-document: `pass insert -m nas <<END`, X, `END`. */
function documentLine(text: string, at: number, textNumber: number): Match | undefined {
  const sign = onLine(text, at, '<<', textNumber)
  if (sign < 0 || codeAt(text, sign + 2) === 60) return undefined
  const mark = runEnd(text, sign + 2, markGapSet, 3)
  const markTo = runEnd(text, mark, userSet, 24)
  const line = placeOf(text, 10, markTo, pipeUnitsMax) + 1
  if (markTo === mark || line === 0) return undefined
  const end = placeOf(text, 10, line, pipeUnitsMax)
  const isOnly = end > line && text.startsWith(text.slice(mark, markTo), end + 1)
  return isOnly ? wordOf(text, line, end, false) : undefined
}
const markGapSet = charSet('-\'" ')

/** The password of `user:password`, which ends before one of some characters. */
function pairOf(text: string, from: number, stops: Uint8Array): Match | undefined {
  const colon = runEnd(text, from, userSet, 64)
  if (colon === from || codeAt(text, colon) !== 58) return undefined
  const limit = Math.min(text.length, colon + pipeUnitsMax)
  let end = colon + 1
  while (end < limit && !inSet(stops, text.charCodeAt(end))) end++
  return wordOf(text, colon + 1, end, true)
}
