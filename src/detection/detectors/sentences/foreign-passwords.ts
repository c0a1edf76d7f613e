/**
 * How sentences continue behind words for a password in other languages: "Passwort: X", "пароль - X", "密码是X".
 */
import { Assignment } from '../../assignments/assignments.ts'
import { closesCell, skipBlanks } from '../../assignments/lexing.ts'
import {
  anyPaddedBase64Set,
  charSet,
  codeAt,
  consistsOf,
  inSet,
  letterSet,
  lowerSet,
  runEnd,
  runStart
} from '../../text/chars.ts'
import { NextOf } from '../../text/next-of.ts'
import { rarity } from '../../values/rarity.ts'
import { isDescriptiveWord } from '../../values/descriptive-words.ts'
import { ideographsFrom, latinFrom } from '../../values/language-words.ts'
import { contextMatch, type Match } from '../../detector.ts'
import { isAdjacentSecret, isConcatenated, isGenerated, isStatedSecret } from '../../values/stated-value.ts'
import { passwordBefore } from './value-before-name.ts'
import { foreignStatedWord } from './dictionary-words.ts'
import { findWord, found } from './foreign-password-words.ts'
import { isKeyText } from './value-after-name.ts'
import { secretNearName } from './value-near-name.ts'
import type { SecretSort } from './value-of-message.ts'
import { wholeEnd } from '../../assignments/value-end.ts'

const assignment = new Assignment()

/**
 * What is stated behind the foreign word whose anchor stands at `at`; undefined if there is no such word, or nothing is
 * stated.
 */
export function foreignPasswordAt(text: string, at: number, textNumber: number): Match | undefined {
  if (!findWord(text, at)) return undefined
  const { start, end, sort } = found
  const to = endingEnd(text, end)
  // Letters within base64 form such a word by chance.
  return (
    valueOfForeignName(text, end, sort, textNumber) ??
    (inSet(anyPaddedBase64Set, codeAt(text, to)) ? undefined : secretNearName(text, to, sort, textNumber)) ??
    (sort === 'password' ? (passwordAsName(text, start) ?? foreignStatedWord(text, start, to)) : undefined)
  )
}

const asWords = [' как ', ' como ', ' comme ', ' als ', ' come ', ' jako ', ' som ', ' sebagai ']

/** A value before the word: `ввожу X как пароль`. */
function passwordAsName(text: string, wordAt: number): Match | undefined {
  const before = text.slice(Math.max(0, wordAt - 10), wordAt)
  const word = asWords.find((one) => before.endsWith(one))
  return word === undefined ? undefined : passwordBefore(text, wordAt - word.length)
}

/**
 * Whether a code may belong to an ending: a letter of a script with declension (Latin, Greek, Cyrillic, Armenian, Georgian,
 * those of India), or a Hebrew vowel.
 */
function isEnding(code: number): boolean {
  return inSet(letterSet, code) || (code >= 0xdf && code < 0x5f0) || isIndian(code) || isGeorgian(code)
}

/** Devanagari to Sinhala, without the signs that end a sentence or are typed for a colon. */
const isIndian = (code: number): boolean =>
  code >= 0x900 && code < 0xe00 && code !== visarga && code !== danda && code !== doubleDanda
const visarga = 0x903
const danda = 0x964
const doubleDanda = 0x965
/** Small letters, and the capitals in a block of their own. */
const isGeorgian = (code: number): boolean => (code >= 0x10d0 && code < 0x1100) || (code >= 0x1c90 && code < 0x1cc0)

/** `Passwort: X`, `пароль - X`, `密码是X`, `password for the box: X`. */
function valueOfForeignName(text: string, wordEnd: number, sort: SecretSort, textNumber: number): Match | undefined {
  // In scripts without blanks the value may follow directly: `密码X`.
  const isIdeographic = codeAt(text, wordEnd - 1) >= ideographsFrom
  let i = isIdeographic ? wordEnd : foreignPhraseEnd(text, endingEnd(text, wordEnd))
  const closed = skipClosing(text, i)
  if (closesCell(text, closed)) return valueOfCell(text, closed, textNumber)
  // What closes the name shows that it is one, so a sign must follow: `**密码**：X`.
  if (closed > i && isColon(codeAt(text, closed))) i = closed
  const signsFrom = i
  while (i < signsFrom + 24 && isGap(text, i)) i++
  const copula = copulaAt(text, i)
  i += copula
  if (copula > 0) i += fillers.find((one) => text.startsWith(one, i))?.length ?? 0
  const isStated = copula > 0 || hasSign(text, signsFrom, i)
  while (i < signsFrom + 32 && isGap(text, i)) i++
  if ((i === signsFrom && !isIdeographic) || !assignment.readValue(text, i, textNumber)) return undefined
  const { start, quoted } = assignment
  const end = beyondAscii.at(text, start, assignment.end, textNumber)
  // A compound: `Passord-beskytt`.
  if (i === signsFrom + 1 && codeAt(text, signsFrom) === 45 && consistsOf(text, start, end, letterSet)) return undefined
  if ((quoted && end < assignment.end) || isConcatenated(text, start)) return undefined
  if (sort === 'token' && !isKeyText(text, start, end) && !isGenerated(text, start, end)) return undefined
  // A blank alone separates the words of a label: "Heslo znovu", "Parola Değiştir".
  if (!(isStated ? isStatedSecret(text, start, end) : isAdjacentSecret(text, start, end))) return undefined
  // A node of a device tree: `mdp: display-controller@1a01000 {`.
  if (text.startsWith(' {', assignment.end)) return undefined
  // The name of a language in a locale file: `"mdp": "Mbala"`, `"mdp": "mdp-Latn"`.
  if (quoted && isLabel(text, wordEnd, start, end)) return undefined
  // "Aby zresetować hasło - kliknij na link".
  if (!quoted && copula === 0 && codeAt(text, start - 2) === 45 && leadsOn(text, start, end)) return undefined
  if (!quoted && (isLocal(text, start, end) || (copula > 0 && isForeignWord(text, start, end)))) return undefined
  const whole = quoted || end < assignment.end ? end : wholeEnd(text, end)
  return contextMatch(start, whole)
}

/** Past the asterisks or the backtick that close a name in Markdown. */
function skipClosing(text: string, at: number): number {
  return codeAt(text, at) === 96 ? at + 1 : runEnd(text, at, asteriskSet, 2)
}
const asteriskSet = charSet('*')

/** The value in the cell behind that of its name: `| 密码 | X |`. */
function valueOfCell(text: string, nameTo: number, textNumber: number): Match | undefined {
  if (!assignment.readCell(text, skipBlanks(text, nameTo) + 1, nameTo, textNumber)) return undefined
  const { start, end } = assignment
  return isAdjacentSecret(text, start, end) ? contextMatch(start, end) : undefined
}

/**
 * Whether the word has, or continues in, letters that only its language has, also as escapes: `zřejmě`, `gre\\u0219it`, `g\\xE9n\\xE9r\\xE9`.
 */
function isLocal(text: string, start: number, end: number): boolean {
  const code = codeAt(text, end)
  if (code >= latinFrom && code < 0x250) return true
  const written = text.slice(start, end + 3)
  return written.includes('\\u0') || written.includes('\\xE') || written.includes('\\xe')
}

/** Whether a word, perhaps with a capital, is followed by one in lower case. */
function leadsOn(text: string, start: number, end: number): boolean {
  if (
    !inSet(letterSet, codeAt(text, start)) ||
    runEnd(text, start + 1, lowerSet, end - start) !== end ||
    codeAt(text, end) !== 32
  )
    return false
  return inSet(lowerSet, codeAt(text, end + 1))
}

/** Whether a value is a capitalised word, or begins with the name before it. */
function isLabel(text: string, wordEnd: number, start: number, end: number): boolean {
  const nameAt = runStart(text, wordEnd, letterSet, 24)
  // A name in another script has no Latin letters, and nothing begins with it.
  const isName = nameAt < wordEnd && text.startsWith(text.slice(nameAt, wordEnd), start)
  return isName || isForeignWord(text, start, end)
}

const wordBits = 10
const sentenceEndSet = charSet('.!?,;')

/** Whether a word behind a copula describes the password: `Passwort ist abgelaufen`. */
export function isForeignWord(text: string, start: number, end: number): boolean {
  const to = runStart(text, end, sentenceEndSet, end - start)
  if (isDescriptiveWord(text.slice(start, to).toLowerCase())) return true
  const stop = runEnd(text, start + 1, lowerSet, to - start)
  if (stop === to) return rarity(text, start, to) < wordBits
  // Letters that only some keyboards have: `påkrævet`, `abgeändert`.
  let at = stop
  while (at < to && (inSet(lowerSet, codeAt(text, at)) || codeAt(text, at) >= latinFrom)) at++
  return at === to
}

const endingUnitsMax = 4

/** Past the ending of the word. */
function endingEnd(text: string, wordEnd: number): number {
  let i = wordEnd
  while (i < wordEnd + endingUnitsMax && isEnding(text.charCodeAt(i))) i++
  return i
}

/** Whether a colon, an equals sign or a dash stands in `[start, end)`. */
function hasSign(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i)
    if (isColon(code) || code === 61 || code === 45) return true
  }
  return false
}

/** Where the sentence continues in its own script: `密码是X，请`. */
const beyondAscii = new NextOf(charSet('\x7f'), 'inOrBeyond')

/** Past words up to a colon or copula: `do banco`, `от сервера`. */
function foreignPhraseEnd(text: string, from: number): number {
  if (text.charCodeAt(from) !== 32) return from
  for (let i = from + 1; i < from + 28; i++) {
    const code = text.charCodeAt(i)
    if (code === 58) return i
    if (code < 48 && code !== 32) return from
    if (code === 32 && copulaAt(text, i + 1, true) > 0) return i
  }
  return from
}

/** Words for "now" and "still" between a copula and the value. */
const fillers = [
  ...[
    'jetzt ',
    'nun ',
    'ab sofort ',
    'weiterhin ',
    'nyt ',
    'nu ',
    'nå ',
    'nou ',
    'teraz ',
    'adesso ',
    'ora ',
    'agora '
  ],
  ...['bisher ', 'immer ', 'siempre ', 'sempre ', 'altijd '],
  ...['ahora ', 'maintenant ', 'désormais ', 'dorénavant ', 'toujours ', 'теперь ', 'сейчас ', 'acum ', 'nyní ', 'teď ']
]

/** Words that stand where a copula does in other languages, which a blank follows: `пароль теперь X`. */
const copulaWords =
  'теперь тепер ist war era était etait lautet est es és é è is jest to je on är er este là adalah ialah yra është eshte је е это це гэта ' +
  'είναι ειναι არის هي هو היא הוא है হল হলো ແມ່ນ'
/** Those that no blank need follow. */
const copulaParticles = ['คือ', 'គឺ', '是', '为', '為', 'は', 'は ']
const foreignCopulas = [...copulaWords.split(' ').map((word) => `${word} `), '는 ', '은 ', ...copulaParticles]

/** The copulas by their first character. */
const copulasByFirst = new Map<number, string[]>()
for (const copula of foreignCopulas) {
  const first = copula.charCodeAt(0)
  copulasByFirst.set(first, [...(copulasByFirst.get(first) ?? []), copula])
}

/**
 * The length of the copula at `at`; 0 if there is none.
 * @param isWord accepts only copulas that end in a blank
 */
function copulaAt(text: string, at: number, isWord = false): number {
  const candidates = copulasByFirst.get(text.charCodeAt(at))
  if (candidates === undefined) return 0
  return candidates.find((one) => text.startsWith(one, at) && (!isWord || one.endsWith(' ')))?.length ?? 0
}

function isGap(text: string, i: number): boolean {
  const code = text.charCodeAt(i)
  return code === 32 || isColon(code) || code === 61 || code === 34 || code === 0x300c || code === 45
}

/** Whether a code is a colon, also one of the width of an ideograph. */
function isColon(code: number): boolean {
  return code === 58 || code === 0xff1a
}
