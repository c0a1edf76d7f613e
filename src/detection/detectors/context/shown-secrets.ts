/**
 * Secrets that were requested and printed: below a command that prints one, below an expression at a prompt, behind the
 * sentence with which an installer announces a password.
 */
import { likelyName, nameEnd, nameStart, noName, rateName } from '../../values/key-names.ts'
import { lineEnd, runWord, wordUnitsMax } from '../../assignments/name-value-members.ts'
import { skipBlanks } from '../../assignments/lexing.ts'
import { chained, type Detector, type Match } from '../../detector.ts'
import {
  blankSet,
  charSet,
  codeAt,
  countOf,
  digitSet,
  inSet,
  letterSet,
  nameSet,
  placeOf,
  runEnd,
  runStart,
  stringQuoteSet
} from '../../text/chars.ts'
import { delimitedPassword } from '../../values/delimited-password.ts'
import { isIdOfDocker } from './docker-ids.ts'
import { makers, printers, sources } from './printing-commands.ts'
import { rejected, rejection } from './rejected-values.ts'
import { shownHits, shownMisses } from './shown-samples.ts'

const commandUnitsMax = 240
/** What may end a prompt before its sign: a folder, a bracket, a colour. */
const promptSet = charSet('~])m:')
const endSet = charSet('\r\n\u001b')

const secretWords = ['pass', 'secret', 'token', 'key', 'credential', 'psk']

/** Whether a name in `[start, end)` promises a secret. */
export function namesSecret(text: string, start: number, end: number): boolean {
  // `İ` is the one letter with two units in lower case. It is replaced so that offsets stay those of the text.
  const lower = text.slice(start, end).replaceAll('İ', 'I').toLowerCase()
  // Encrypted values may be seen.
  if (lower.includes('encrypt')) return false
  for (const word of secretWords)
    for (let i = lower.indexOf(word); i >= 0; i = lower.indexOf(word, i + word.length)) {
      const at = start + i
      const name = rateName(text, nameStart(text, at), nameEnd(text, at + word.length), at)
      if (name !== noName && name >= likelyName) return true
    }
  return false
}

/**
 * Where the line that begins at `from` ends, or a colour behind it; -1 if that is far away, or another prompt precedes
 * it.
 */
function commandEnd(text: string, from: number): number {
  const limit = Math.min(text.length, from + commandUnitsMax)
  for (let i = from; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (inSet(endSet, code)) return i
    if ((code === 36 || code === 62) && codeAt(text, i + 1) === 32) return -1
  }
  return -1
}

/** The start of the next line; -1 if the text ends. */
function nextLine(text: string, from: number): number {
  const end = lineEnd(text, from)
  const next = codeAt(text, end) === 13 ? end + 2 : end + 1
  return next < text.length && codeAt(text, next - 1) === 10 ? next : -1
}

/** How remarks begin that commands print before their output. */
const remarks = [' ›', 'Warning', 'WARNING', 'Using ']
const remarksMax = 3

/**
 * The line that consists of one word, perhaps behind a remark, or behind the key that the command asked for.
 * @param from the command
 * @param to where it ends
 */
function shownLine(text: string, from: number, to: number): Match | undefined {
  let line = nextLine(text, to)
  if (line >= 0 && text.slice(from, to).endsWith(` ${text.slice(line, runWord(text, line))}`))
    line = nextLine(text, line)
  for (let lines = 0; lines < remarksMax && line >= 0; lines++) {
    if (!remarks.some((one) => text.startsWith(one, line))) return wordAlone(text, line)
    line = nextLine(text, line)
  }
  return undefined
}

function wordAlone(text: string, from: number): Match | undefined {
  const start = skipBlanks(text, from)
  const quote = codeAt(text, start)
  const inner = inSet(stringQuoteSet, quote) ? shownEnd(text, start + 1, quote) : 0
  if (inner > start + 1 && codeAt(text, inner) === quote)
    return endsText(text, inner + 1) ? delimitedPassword(text, start + 1, inner) : undefined
  const end = shownEnd(text, start, doubleQuote)
  return end > start && endsText(text, end) ? delimitedPassword(text, start, end) : undefined
}
const doubleQuote = 34
const breakSet = charSet('nr')

/** The end of a word, which a quote ends as well, or a line break written as an escape or tag, or a mark. */
function shownEnd(text: string, start: number, quote: number, mark = ''): number {
  const limit = Math.min(text.length, start + wordUnitsMax)
  for (let end = start; end < limit; end++) {
    const code = text.charCodeAt(end)
    if (code <= 32 || code === quote || isEscapedBreak(text, end)) return end
    if (mark !== '' && code === mark.charCodeAt(0) && text.startsWith(mark, end)) return end
  }
  return Math.max(start, limit)
}

function isEscapedBreak(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === 92 ? inSet(breakSet, codeAt(text, at + 1)) : code === 60 && text.startsWith('<br', at)
}

/** Whether the line ends, or the string literal around it. */
function endsText(text: string, at: number): boolean {
  const to = skipBlanks(text, at)
  const rest = codeAt(text, to)
  if (rest === 60) return isEscapedBreak(text, to)
  return rest === 10 || rest === 13 || rest === 0 || rest === doubleQuote || rest === 92
}

/** `$ kubectl get secret db -o jsonpath='{.data.password}' | base64 -d`. */
function printed(text: string, at: number): Match | undefined {
  const before = runStart(text, at, blankSet, 24)
  const isFirst = before === 0 || codeAt(text, before - 1) === 10 || inSet(stringQuoteSet, codeAt(text, before - 1))
  if (!isFirst && (before < at || !inSet(promptSet, codeAt(text, at - 1)))) return undefined
  const from = text.startsWith('sudo ', at + 2) ? at + 7 : at + 2
  const end = commandEnd(text, from)
  if (end < 0 || !printers.has(text.slice(from, runEnd(text, from, nameSet, 16)))) return undefined
  const isMaker = makers.some((one) => text.startsWith(one, from)) || draws(text.slice(from, end))
  if (text.startsWith(columns, from)) return generatedWords(text, end)
  const found = isMaker || namesSecret(text, from, end) ? shownLine(text, from, end) : undefined
  return found !== undefined && isIdOfDocker(text, from, end, found) ? undefined : found
}

const columns = 'pwgen '
const generatedWordsMax = 24

/** Generated passwords printed in columns. */
function generatedWords(text: string, from: number): Match | undefined {
  const line = nextLine(text, from)
  const found: Match[] = []
  for (let at = line; at >= 0 && found.length < generatedWordsMax;) {
    const end = runWord(text, at)
    const match = delimitedPassword(text, at, end)
    if (match === undefined) break
    found.push(match)
    const next = skipBlanks(text, end)
    if (codeAt(text, next) === 13 || codeAt(text, next) === 10) at = nextLine(text, next)
    else at = next > end ? next : -1
  }
  return chained(found)
}

function draws(command: string): boolean {
  return sources.some((source) => command.includes(source))
}

/** `irb> settings[:password]` on the line that ends at `at`, and the literal below it. */
function answered(text: string, at: number): Match | undefined {
  let from = at
  while (from > 0 && at - from < commandUnitsMax && codeAt(text, from - 1) !== 10) from--
  const prompt = text.slice(from, at).indexOf('> ')
  if (prompt < 0 || !namesSecret(text, from + prompt, at)) return undefined
  const quote = placeOf(text, 34, at, commandUnitsMax)
  return quote < 0 ? undefined : wordAlone(text, quote)
}

/** `>>> settings.password`, and the literal on the next line. */
function evaluated(text: string, at: number, from: number): Match | undefined {
  const before = codeAt(text, at - 1)
  // The client of a server prints an address before its prompt sign.
  const isFirst =
    at === 0 || before === 10 || inSet(stringQuoteSet, before) || (inSet(digitSet, before) && codeAt(text, at) === 62)
  if (!isFirst) return undefined
  const end = commandEnd(text, from)
  if (end < 0 || !(namesSecret(text, from, end) || text.slice(from, end).includes(revealed))) return undefined
  for (let i = from; i < end; i++) if (text.charCodeAt(i) === 61) return undefined
  const line = nextLine(text, end)
  if (line < 0) return undefined
  const start = answerStart(text, line)
  // PowerShell prints strings without quotes.
  if (text.startsWith('PS', at) || text.startsWith('(lldb) po ', at)) return wordAlone(text, line)
  return inSet(stringQuoteSet, codeAt(text, start)) ? wordAlone(text, start) : undefined
}

/** How PowerShell reads a protected text. */
const revealed = '::PtrToString'

/** Past the prompt of PowerShell that begins at `at`; -1 if it does not end on the line. */
function folderPromptEnd(text: string, at: number): number {
  const line = text.slice(at, at + folderUnitsMax)
  const end = line.indexOf('> ')
  return end < 0 || line.slice(0, end).includes('\n') ? -1 : at + end + 2
}

/** Sentences that announce a password behind the next colon, on the same line or the next one. */
const sentences = [
  'password is generated for ',
  'successfully reset.\nNew value',
  'following password to proceed',
  'Password for the ',
  'Key Content '
]
const sentenceUnitsMax = 160

function announced(text: string, from: number): Match | undefined {
  const limit = Math.min(text.length, from + sentenceUnitsMax)
  for (let i = from; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code === 10) return undefined
    if (code !== 58) continue
    const value = skipBlanks(text, i + 1)
    if (value > i + 1 && codeAt(text, value) > 32) return wordAlone(text, value)
    if (codeAt(text, value) === 10 || codeAt(text, value) === 13) {
      const line = nextLine(text, value)
      return wordAlone(text, codeAt(text, line) === 10 || codeAt(text, line) === 13 ? nextLine(text, line) : line)
    }
  }
  return undefined
}

/** Sentences about a key that is shown once. */
const once = [
  ...[
    'see it again',
    'be shown again',
    'shown once',
    'shown only once',
    'displayed once',
    'copy it now',
    'save it now'
  ],
  ...['store it safely', 'store it securely', 'keep it safe', 'somewhere safe', 'shown again']
]
const onceUnitsMin = 12
const onceLinesMax = 3

/** The word that fills one of the next lines, behind a sentence saying that it will not be shown again. */
function shownOnce(text: string, at: number): Match | undefined {
  let line = nextLine(text, at)
  for (let lines = 0; lines < onceLinesMax && line >= 0; lines++) {
    const found = wordAlone(text, labelEnd(text, line))
    if (found !== undefined) return isLongAndMixed(text, found.start, found.end) ? found : undefined
    line = nextLine(text, line)
  }
  return undefined
}

/** Past the role of an element in an accessibility tree: `- code: `. */
function labelEnd(text: string, line: number): number {
  const mark = runEnd(text, line, markSet, 24)
  const role = mark === line ? line : runEnd(text, mark, letterSet, 16)
  return role > mark && text.startsWith(': ', role) ? role + 2 : line
}
const markSet = charSet(' -')

function isLongAndMixed(text: string, start: number, end: number): boolean {
  return end - start >= onceUnitsMin && countOf(text, start, end, digitSet) > 0
}

/** Past what a prompt prints before its answer: `Out[3]: `, `$1 = 0x55d0 `. */
function answerStart(text: string, line: number): number {
  if (text.startsWith('Out[', line)) return runEnd(text, line + 4, charSet('0-9', ']: '), 12)
  return text.startsWith('$', line) ? runEnd(text, line, charSet('0-9', 'a-f', '$x= '), 32) : line
}

/** What a CI runner is told to mask from now on, perhaps with quotes around the whole command. */
function hidden(text: string, from: number): Match | undefined {
  // If another one follows without a break, no unit is read for both.
  const end = shownEnd(text, from, doubleQuote, mask)
  return delimitedPassword(text, from, runStart(text, end, stringQuoteSet, end - from))
}

const mask = '::add-mask::'
const expression = "##[debug]=> '"
const signIn = '<auth-user-pass>'

/** What a runner evaluates of a secret, as the line before says. */
function evaluatedByRunner(text: string, at: number): Match | undefined {
  if (!text.slice(Math.max(0, at - commandUnitsMax), at).includes('secrets.')) return undefined
  const start = at + expression.length
  const end = runWord(text, start) - 1
  return codeAt(text, end) === 39 ? delimitedPassword(text, start, end) : undefined
}

/** The line below the user's. */
function behindUser(text: string, at: number): Match | undefined {
  const user = nextLine(text, at)
  const line = user < 0 ? -1 : nextLine(text, user)
  return line < 0 ? undefined : wordAlone(text, line)
}

const shell = 'PS> '
/** How the prompt of PowerShell begins if it shows the folder. */
const folderShell = 'PS C:\\'
const folderUnitsMax = 120
const prompts = [
  '>>> ',
  'debug> ',
  '(Pdb) ',
  '(ipdb) ',
  '> var.',
  '> nonsensitive(',
  '> process.env.',
  '> get ',
  '> GET ',
  shell,
  '(gdb) ',
  '(lldb) '
]
/** How the answer begins at a Ruby prompt and a PHP prompt. */
const answers = ['\n=> "', '\n= "']
const cell = 'In ['

export const shownSecretDetectors: readonly Detector[] = [
  {
    id: 'shown_secret',
    label: 'SECRET',
    title: 'secret that was asked for and printed',
    group: 'secret',
    tier: 'medium',
    lengthMin: 14,
    anchors: [
      ...['$ ', folderShell, ...prompts, ...answers, cell, ...sentences, mask, expression, signIn, rejection].map(
        (literal) => ({
          literal
        })
      ),
      ...once.map((literal) => ({ literal, fold: true as const }))
    ],
    match(text, at) {
      if (text.startsWith('$ ', at)) return printed(text, at)
      if (codeAt(text, at) === 10) return answered(text, at)
      const prompt = prompts.find((one) => text.startsWith(one, at))
      if (prompt !== undefined) return evaluated(text, at, at + prompt.length)
      if (text.startsWith(folderShell, at)) {
        const from = folderPromptEnd(text, at)
        return from < 0 ? undefined : evaluated(text, at, from)
      }
      if (text.startsWith(cell, at))
        return evaluated(text, at, runEnd(text, at + cell.length, charSet('0-9', ']: '), 12))
      if (text.startsWith(mask, at)) return hidden(text, at + mask.length)
      if (text.startsWith(expression, at)) return evaluatedByRunner(text, at)
      if (text.startsWith(signIn, at)) return behindUser(text, at)
      if (text.startsWith(rejection, at)) return rejected(text, at, namesSecret)
      const sentence = sentences.find((one) => text.startsWith(one, at))
      if (sentence === undefined) return shownOnce(text, at)
      return inSet(letterSet, codeAt(text, at - 1)) ? undefined : announced(text, at + sentence.length)
    },
    hits: shownHits,
    misses: shownMisses,
    source:
      'The manuals of the commands; the prompts of Python, pdb and IPython; what MySQL, Elasticsearch and Jenkins print when they are installed; GitHub Actions, "Enabling debug logging". From memory, not confirmed.'
  }
]
