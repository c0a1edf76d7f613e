/**
 * The answer of one word to a question for a password: `what's the wifi password?`, and on the next line `its sunshine`.
 * Behind anything else, a single word is an ordinary one, so it is not remembered.
 */
import { contextMatch, type Match } from '../../detector.ts'
import {
  beforeNext,
  blankSet,
  charSet,
  codeAt,
  countOf,
  digitSet,
  inSet,
  leftClear,
  letterSet,
  lineBreakSet,
  runEnd,
  standsAt,
  upperSet,
  wordSet
} from '../../text/chars.ts'
import { NameIndex } from '../../text/name-index.ts'
import { WordList } from '../../text/word-list.ts'
import { accessLook } from '../../values/access-value.ts'
import { isDictionaryPassword } from '../../values/dictionary-passwords.ts'
import { isListedDescriptiveWord } from '../../values/descriptive-words.ts'

const questions = [
  ...["what's the ", 'whats the ', 'what is the ', 'what was the ', "what's our ", 'whats our ', 'what is our '],
  ...[
    'wie lautet das ',
    'wie ist das ',
    'wie war das ',
    'was ist das ',
    'quel est le mot de ',
    'cual es la ',
    'cuál es la '
  ]
]
/** Requests and questions behind which only a word that is no ordinary one counts, also some lines later. */
const requests = [
  ...['send me the ', 'send the ', 'give me the ', 'share the ', 'need the ', 'need your ', 'have the ', 'got the '],
  ...['find the ', 'where is the ', "where's the ", 'which one is the ', 'what did you use ', 'what do you use '],
  ...[
    'what did we use ',
    'what do we use ',
    'what do we type ',
    'what do i type ',
    'what did you set ',
    'remind me of the '
  ],
  ...[
    'brauche das ',
    'brauche den ',
    'hast du das ',
    'hast du den ',
    'tu as le ',
    'tu as la ',
    'tienes la ',
    'me pasas la '
  ],
  ...['me passa a ', 'mi mandi la ']
]
const askedIndex = new NameIndex([
  ...questions.map((words) => [words, 'question'] as const),
  ...requests.map((words) => [words, 'request'] as const)
])
export const questionAnchors = [...questions, ...requests].map((literal) => ({
  literal,
  fold: true as const,
  guard: { notBefore: wordSet }
}))

const names = new WordList([
  ...[
    'password',
    'passwort',
    'passphrase',
    'passcode',
    'kennwort',
    ' passe',
    'contraseña',
    'clave',
    ' pw ',
    ' pw?',
    ' pwd'
  ],
  ...[' pwd?', ' pass ', ' pass?', 'wifi key', 'wpa key', 'psk']
])
/** What else one asks about a password. */
const otherWords = new WordList([
  'policy',
  'rule',
  'length',
  'format',
  'manager',
  'hash',
  'name of',
  'reset',
  'difference'
])
const questionUnitsMax = 80
const gapUnitsMax = 4
const openSet = charSet('> *_"\'`-')
/** A speaker or a time before the answer: `[10:02] tom: `, `A: `. */
const speakerSet = charSet('A-Z', 'a-z', '0-9', '[]()<>:. _-')
const speakerUnitsMax = 32
const copulas = ["it's ", 'its ', 'it is ', 'it was ', "that's ", 'thats ', 'es ist ', "c'est ", 'es ', 'is ']
const valueSet = charSet('A-Z', 'a-z', '0-9', '-_!@#$%&*+')
const valueUnitsMin = 4
const tailSet = charSet('.!)"\'`*_ ')
/** Words that answer without telling the password. */
const evasions = new Set(
  (
    'none nope nothing unknown dunno sorry same whatever maybe later soon yesterday today tomorrow expired changed gone lost empty blank ' +
    'missing unset secret private hidden confidential wrong different random generated standard default usual always never thanks great ' +
    'okay sure yeah there here below above attached nobody somewhere keepass bitwarden lastpass vault case-sensitive'
  ).split(' ')
)

/** The answer to the question that begins at `at`. */
export function answerToQuestion(text: string, at: number): Match | undefined {
  const asked = askedIndex.at(text, at)
  if (asked === undefined || !leftClear(text, at, wordSet)) return undefined
  if (asked[1] === 'request') return requested(text, at)
  const limit = Math.min(text.length, at + questionUnitsMax)
  let mark = at
  while (mark < limit && text.charCodeAt(mark) !== 63 && !inSet(lineBreakSet, text.charCodeAt(mark))) mark++
  if (codeAt(text, mark) !== 63 || !names.standsIn(text, at, mark + 1) || otherWords.standsIn(text, at, mark))
    return undefined
  return spoken(text, mark + 1) ?? answered(text, runEnd(text, mark + 1, tailSet, gapUnitsMax))
}

/** What is asked for: passwords, and keys that only generators make. */
const askedNames = new WordList([
  ...[
    'password',
    'passwort',
    'passwd',
    'passphrase',
    'kennwort',
    'contraseña',
    'clave',
    'senha',
    'mot de passe',
    'mdp'
  ],
  ...[' pw', ' pwd', ' pass', ' cred', 'login', 'break glass', 'prompt', 'secret', ' token', ' key', 'psk', ' pat ']
])
const askedKeys = new WordList(['secret', ' token', ' key', ' pat '])
const linesMax = 5
const answerUnitsMax = 160

/**
 * A word alone on one of the lines below a request, behind its speaker: `I can't find the stripe key`, and three lines
 * later `me: X`.
 */
function requested(text: string, at: number): Match | undefined {
  let line = beforeNext(text, at, lineBreakSet, questionUnitsMax)
  if (!inSet(lineBreakSet, codeAt(text, line)) || !askedNames.standsIn(text, at, line + 1)) return undefined
  if (otherWords.standsIn(text, at, line)) return undefined
  for (let count = 0; count < linesMax; count++) {
    const from = runEnd(text, runEnd(text, line, lineBreakSet, gapUnitsMax), openSet, gapUnitsMax)
    line = from
    while (line - from < answerUnitsMax && codeAt(text, line) > 13) line++
    const start = runEnd(text, speakerEnd(text, from), openSet, gapUnitsMax)
    const word = runEnd(text, start, answerSet, line - start)
    const end = runEnd(text, word, tailSet, gapUnitsMax)
    if (end === line && word > start && isAnswer(text, at, start, word)) return contextMatch(start, word)
    if (line >= text.length || codeAt(text, line) > 13) return undefined
  }
  return undefined
}
const answerSet = charSet('A-Z', 'a-z', '0-9', '-_!@#$%&*+/=.^~')

function isAnswer(text: string, at: number, start: number, end: number): boolean {
  const look = accessLook(text, start, end)
  const isKey = askedKeys.standsIn(text, at, Math.min(start, at + questionUnitsMax))
  if (look === 'digest') return isKey && end - start !== commitUnits
  return look === 'generated' || ((look === 'chosen' || look === 'word') && !isKey)
}
/** The name of a commit has as many hexadecimal digits. */
const commitUnits = 40

/** `"What's the password?" asked Ben. "It's sunshine," she typed`. */
function spoken(text: string, from: number): Match | undefined {
  if (codeAt(text, from) !== 34) return undefined
  const line = text.slice(from + 1, from + 1 + questionUnitsMax)
  const quote = line.indexOf('"')
  if (quote < 0 || line.slice(0, quote).includes('\n')) return undefined
  const start = copulaEnd(text, from + quote + 2)
  return start > from + quote + 2 ? wordFrom(text, start, charSet('."!,')) : undefined
}

/** The word on the next line, or behind an empty one. */
function answered(text: string, from: number): Match | undefined {
  const line = runEnd(text, from, lineBreakSet, gapUnitsMax)
  if (line === from) return undefined
  const opened = runEnd(text, line, openSet, gapUnitsMax)
  const colon = speakerEnd(text, opened)
  const start = copulaEnd(text, colon)
  const match = wordFrom(text, start, tailSet)
  if (match === undefined) return undefined
  const rest = codeAt(text, runEnd(text, match.end, tailSet, gapUnitsMax))
  // A quote may end the whole text.
  if (rest !== 0 && !inSet(lineBreakSet, rest) && codeAt(text, match.end) !== 34) return undefined
  // A name, or the beginning of a sentence, has a capital; without a copula, nothing tells it from a password.
  return start > colon || !inSet(upperSet, codeAt(text, start)) ? match : undefined
}

/** Past a speaker and a colon; `from` if there is none. */
function speakerEnd(text: string, from: number): number {
  const limit = runEnd(text, from, speakerSet, speakerUnitsMax)
  for (let i = limit; i > from; i--)
    if (codeAt(text, i - 1) === 32 && (codeAt(text, i - 2) === 58 || codeAt(text, i - 2) === 62)) return i
  return from
}

function copulaEnd(text: string, from: number): number {
  const copula = copulas.find((one) => standsAt(text, from, one))
  return runEnd(text, from + (copula?.length ?? 0), copula === undefined ? blankSet : openSet, gapUnitsMax)
}

/** The word at `start` before one of some characters, the end of the line or of the text. */
function wordFrom(text: string, start: number, stops: Uint8Array): Match | undefined {
  const end = trimmed(text, start, runEnd(text, start, valueSet, 40))
  const next = codeAt(text, end)
  if (end - start < valueUnitsMin || (next !== 0 && !inSet(lineBreakSet, next) && !inSet(stops, next))) return undefined
  const word = text.slice(start, end).toLowerCase()
  if (evasions.has(word) || isListedDescriptiveWord(word) || countOf(text, start, end, letterSet) < 3) return undefined
  return isDictionaryPassword(text, start, end) || countOf(text, start, end, digitSet) > 1
    ? { start, end, confidence: 'medium' }
    : undefined
}

/** Without the emphasis behind it. */
function trimmed(text: string, start: number, end: number): number {
  let to = end
  while (to > start && (text.charCodeAt(to - 1) === 42 || text.charCodeAt(to - 1) === 95)) to--
  return to
}
