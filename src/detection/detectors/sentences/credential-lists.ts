/**
 * Passwords and keys in the lines below a heading that announces them: `Logins for the workshop:`, and below it
 * `1. ws-01 X`; `We got three keys from the vendor:`, and below it `live  X`.
 */
import { chained, contextMatch, type Match } from '../../detector.ts'
import {
  allBut,
  blankSet,
  charSet,
  codeAt,
  inSet,
  leftClear,
  letterSet,
  lineBreakSet,
  runEnd,
  runStart,
  wordSet
} from '../../text/chars.ts'
import { NextOf } from '../../text/next-of.ts'
import { NameIndex } from '../../text/name-index.ts'
import { accessLook } from '../../values/access-value.ts'

/** Words for what is listed. `keys` are generated; people choose passwords. */
const headings: readonly ListWord[] = [
  ...['logins', 'passwords', 'passwörter', 'creds', 'credentials', 'accounts', 'zugangsdaten', 'zugänge'].map(
    (word) => [word, false] as const
  ),
  ...['mots de passe', 'identifiants', 'contraseñas', 'accesos', 'senhas', 'wachtwoorden', 'hasła', 'пароли'].map(
    (word) => [word, false] as const
  ),
  ...['keys', 'tokens', 'secrets', 'schlüssel', 'llaves'].map((word) => [word, true] as const)
]
const index = new NameIndex(headings)
/** In program text, such words mostly stand beside punctuation. */
const beforeSet = allBut(' \t\n*#>"`')
const behindSet = charSet(' :(')
const guard = { notBefore: beforeSet, behind: behindSet, behindUnits: 1 }
export const listAnchors = headings.map(([literal]) => ({ literal, fold: true as const, guard }))

const headUnitsMax = 100
const linesMax = 12
const lineUnitsMax = 160
const wordsMax = 5
const wordsOfHeadMin = 2
const markSet = charSet('0-9', ' \t-*•>.)|')
const wrapSet = charSet(' \t`"\'*|')
/** A password may end in an asterisk. */
const tailSet = charSet(' \t`"\'|')
const valueSet = charSet('A-Z', 'a-z', '0-9', '-_!@#$%&*+/=.^~')
/** What ends a heading: a line break or another control character, or a character of program text. */
const controls = Array.from({ length: 14 }, (_, code) => String.fromCharCode(code))
const headStop = new NextOf(charSet(...controls, '{}[]();=<>\\$'))

/** The heading that was read last, since several of these words may stand in it. */
const seen = { textNumber: 0, colon: -1 }

/** A word for what is listed, and whether it is keys. */
type ListWord = readonly [word: string, isKey: boolean]

/** The word for what is listed that stands at `at`. */
export function listWordAt(text: string, at: number): ListWord | undefined {
  return index.at(text, at)
}

/** The values below the heading that the word at `at` belongs to. */
export function listedCredential(
  text: string,
  at: number,
  [word, isKey]: ListWord,
  textNumber: number
): Match | undefined {
  if (!leftClear(text, at, beforeSet)) return undefined
  const from = at + word.length
  if (!inSet(behindSet, codeAt(text, from))) return undefined
  let end = headStop.at(text, from, Math.min(text.length, from + headUnitsMax), textNumber)
  if (codeAt(text, end) === 41 || codeAt(text, end) === 40) end = bracketEnd(text, end)
  const colon = runStart(text, end, blankSet, 4) - 1
  if (!inSet(lineBreakSet, codeAt(text, end)) || codeAt(text, colon) !== 58) return undefined
  if (seen.textNumber === textNumber && seen.colon === colon) return undefined
  seen.textNumber = textNumber
  seen.colon = colon
  return isSentence(text, at, colon) ? below(text, end, isKey) : undefined
}

/** Past a remark in brackets and the colon behind it: `(they expire on Friday):`. */
function bracketEnd(text: string, at: number): number {
  let end = at
  while (end - at < headUnitsMax && codeAt(text, end) > 13) end++
  return end
}

/** Whether the heading has further words, which a key of a file does not have. */
function isSentence(text: string, at: number, colon: number): boolean {
  let words = 0
  const from = runStart(text, at, proseSet, headUnitsMax)
  if (!inSet(lineBreakSet, codeAt(text, from - 1)) && from > 0 && !inSet(openSet, codeAt(text, from - 1))) return false
  for (let i = from; i < colon; i++)
    if (inSet(letterSet, codeAt(text, i)) && !inSet(wordSet, codeAt(text, i - 1))) words++
  return words > wordsOfHeadMin
}
const proseSet = charSet('A-Z', 'a-z', '0-9', " ,.!'-#*_()")
const openSet = charSet('"`>')

function below(text: string, from: number, isKey: boolean): Match | undefined {
  const found: Match[] = []
  let line = runEnd(text, from, lineBreakSet, 4)
  for (let count = 0; count < linesMax && line < text.length; count++) {
    let end = line
    while (end - line < lineUnitsMax && codeAt(text, end) > 13) end++
    const match = valueOf(text, runEnd(text, line, markSet, 12), end, isKey)
    if (match === undefined || !inSet(lineBreakSet, codeAt(text, end))) {
      if (match !== undefined) found.push(match)
      break
    }
    found.push(match)
    const next = codeAt(text, end) === 13 ? end + 2 : end + 1
    if (inSet(lineBreakSet, codeAt(text, next))) break
    line = next
  }
  return chained(found)
}

/** The last word of a line that begins with a name. */
function valueOf(text: string, from: number, lineTo: number, isKey: boolean): Match | undefined {
  const end = runStart(text, lineTo, tailSet, 8)
  const start = runStart(text, end, valueSet, lineUnitsMax)
  if (start <= from + 1 || !inSet(wrapSet, codeAt(text, start - 1))) return undefined
  let words = 0
  for (let i = from; i < start; i++)
    if (inSet(wordSet, codeAt(text, i)) && !inSet(wordSet, codeAt(text, i - 1))) words++
  if (words > wordsMax) return undefined
  const look = accessLook(text, start, end)
  const isFound =
    look === 'generated' ||
    (!isKey && (look === 'chosen' || (look === 'word' && words <= loginWordsMax))) ||
    (isKey && look === 'digest' && words <= loginWordsMax)
  return isFound && !(isKey && end - start < keyUnitsMin) ? contextMatch(start, end) : undefined
}
/** A name of two words, before a word with a number. */
const loginWordsMax = 2
/** A shorter word below "keys" is the name of one. */
const keyUnitsMin = 20
