/**
 * Passwords that people state in sentences and messages: "my password is ...", "Passwort: ...", "login x / y". See
 * `README.md` for the files that read each order of name and value.
 */
import type { Guard } from '../../anchor-guard.ts'
import { NameIndex } from '../../text/name-index.ts'
import { Assignment } from '../../assignments/assignments.ts'
import { copulaEnd, skipEmphasis } from '../../assignments/lexing.ts'
import { isEscapedText } from '../../assignments/false-positives.ts'
import {
  allBut,
  blankSet,
  charSet,
  type CharSet,
  codeAt,
  consistsOf,
  countOf,
  digitSet,
  dottedDigitSet,
  inSet,
  leftClear,
  letterSet,
  lowerSet,
  plainBlankSet,
  runEnd,
  standsAt,
  wordSet
} from '../../text/chars.ts'
import { contextMatch, type Detector, type Match } from '../../detector.ts'
import { isUuid } from '../../values/non-secret-formats.ts'
import { isSecretValue } from '../../values/generic-value.ts'
import {
  weakName,
  isNamePart,
  likelyName,
  nameEnd,
  nameStart,
  noName,
  passwordName,
  type NameRating
} from '../../values/key-names.ts'
import { isPassphrase } from '../../values/passphrases.ts'
import { isDescriptiveWord } from '../../values/descriptive-words.ts'
import { rarity } from '../../values/rarity.ts'
import { WordSet } from '../../text/word-set.ts'
import { hasChangeVerb } from './change-verbs.ts'
import { proseHits, proseMisses } from './prose-samples.ts'
import { isConcatenated, isStatedSecret } from '../../values/stated-value.ts'
import { wholeEnd } from '../../assignments/value-end.ts'
import {
  tokenAfterName,
  passwordAfterName,
  changedPassword,
  isKeyText,
  isKeyWord,
  isOfNetwork,
  ratingAt
} from './value-after-name.ts'
import { withCorrection } from './corrections.ts'
import { secretNearNameAt } from './value-near-name.ts'
import { statedWord } from './dictionary-words.ts'
import { lastWordAt, namesAtEnd, secretBeforeName } from './value-before-name.ts'
import { isParticle, valueBehindParticle } from './value-behind-particle.ts'
import { isPairWord, isRole, passwordOfUserPair, roleAnchors, passwordOfRole } from './user-password-pairs.ts'
import { foreignAnchors, isBeyondAscii } from './foreign-password-words.ts'
import { foreignPasswordAt, isForeignWord } from './foreign-passwords.ts'

const assignment = new Assignment()

const englishWords = [
  'password',
  'passwd',
  'passcode',
  'passphrase',
  'pwd',
  'passwort',
  'token',
  'secret',
  'key',
  'credentials',
  'creds',
  'login',
  'pw ',
  'pass ',
  '_pass ',
  'passwrd',
  'log in ',
  'sign in ',
  'sudo with ',
  'cred for '
]

/** What closes a name in Markdown, and what follows it. */
const closedName: readonly [CharSet, CharSet] = [charSet('`*'), charSet(' *')]

/** A sentence continues behind the word with a blank, a label with a colon. */
const guard: Guard = { behindName: [[charSet(' :')], closedName] }

/** Behind names that are common in programs, a bracket or another sign of program text ends the search for a value. */
const commonNames = ['token', 'secret', 'key']
const commonGuard: Guard = { behindName: [[plainBlankSet, allBut('{}[]<|\\')], [charSet(':')], closedName] }

/** `pw` and `pass` are parts of many words. */
const shortGuard: Guard = { notBefore: wordSet }

/** How a password begins behind a role such as `admin:`. */
const roleGuard: Guard = { behind: charSet('A-Z', 'a-z', '0-9', '!@#$%^&*_.+-'), behindUnits: 5 }

function guardOf(word: string): Guard | undefined {
  if (isNamePart(word)) return commonNames.includes(word) ? commonGuard : guard
  return word.length < 6 && word.charCodeAt(0) !== 95 ? shortGuard : undefined
}

/** A shorter value is the name of a token. */
const tokenUnitsMin = 8

/** What is stated around the name whose anchor stands at `at`. */
function statedPassword(text: string, at: number, textNumber: number): Match | undefined {
  if (text.charCodeAt(at) === 95) return variableValue(text, at)
  if (!inSet(letterSet, text.charCodeAt(at))) {
    const last = lastWordAt(text, at)
    // `PASS` behind the name of a test, at the end of its line.
    if (last < 0 || text.startsWith('PASS\n', last)) return undefined
    return secretBeforeName(text, at + 1) ?? secretNearNameAt(text, last, textNumber)
  }
  if (isShortName(text, at)) return leftClear(text, at, wordSet) ? valueOfShortName(text, at, textNumber) : undefined
  if (isRole(text, at)) return passwordOfRole(text, at)
  // A cmdlet, and what it is asked about: `Get-LapsADPassword kiosk-07`.
  if (text.startsWith('Get-', nameStart(text, at))) return undefined
  // Bash shows what it cannot compute: `08: value too great for base (error token is "08")`.
  if (text.startsWith('error ', at - errorUnits)) return undefined
  const end = nameEnd(text, at)
  const next = codeAt(text, end)
  if (isParticle(next)) return valueBehindParticle(text, at, end, end + 1)
  if (next === 96) return statedOf(text, at, end, end + 1, textNumber)
  if (next === 42) return statedOf(text, at, end, skipEmphasis(text, end), textNumber)
  if (next !== 32 && next !== 58) return undefined
  return (
    valueOfName(text, at, end, next === 58, textNumber) ??
    secretNearNameAt(text, at, textNumber) ??
    ordinaryWord(text, at, end, textNumber) ??
    (isParticle(codeAt(text, end + 1)) ? valueBehindParticle(text, at, end, end + 2) : undefined)
  )
}

const errorUnits = 'error '.length

/** `SSH_PASS X` in a list of variables to set. */
function variableValue(text: string, at: number): Match | undefined {
  return text.startsWith('_PASS ', at) ? passwordAfterName(text, at + 5) : undefined
}

/** An ordinary word, behind names that only passwords have. */
function ordinaryWord(text: string, at: number, end: number, textNumber: number): Match | undefined {
  // `log in with bob / X`.
  if (text.startsWith(' in with ', end)) return passwordOfUserPair(text, end + inUnits, textNumber)
  if ((codeAt(text, at) | 32) !== 112) return undefined
  const match = statedWord(text, at, end)
  return match !== undefined && ratingAt(text, at, end) === passwordName ? match : undefined
}
const inUnits = ' in'.length

/** The same for `pw` or `pass` before a blank. */
function valueOfShortName(text: string, at: number, textNumber: number): Match | undefined {
  const match =
    codeAt(text, at + 4) === 32
      ? (valueOfPass(text, at, textNumber) ?? passOfUser(text, at))
      : (valueOfCopula(text, at + 3, 'is ', textNumber) ??
        valueOfCopula(text, at + 3, 'to ', textNumber) ??
        passwordAfterName(text, at + 2))
  return (
    match ??
    secretNearNameAt(text, at, textNumber) ??
    secretBeforeName(text, at) ??
    (codeAt(text, at + 2) === 32 ? statedWord(text, at, at + 2) : undefined)
  )
}

/**
 * What a sentence states of the name in `[at, end)`.
 * @param isLabel whether a colon follows the name, and not a blank
 */
function valueOfName(text: string, at: number, end: number, isLabel: boolean, textNumber: number): Match | undefined {
  if (isPairWord(text, at))
    return end - at <= 11 && consistsOf(text, at, end, wordSet) ? passwordOfUserPair(text, end, textNumber) : undefined
  if (isLabel) return undefined
  if (assignment.readStated(text, at, end, textNumber)) return judgedAsStated(text, at, end, end)
  const from = phraseEnd(text, end)
  if (from === 0) return tokenAfterName(text, at, end) ?? changedPassword(text, at, end) ?? secretBeforeName(text, at)
  if (!assignment.readValue(text, from, textNumber) || rarity(text, assignment.start, assignment.end) < bitsMin)
    return undefined
  // The key of a translation is a sentence: `"remove the password from your account": "..."`.
  if (
    codeAt(text, from - 2) === 34 &&
    assignment.quoted &&
    countOf(text, assignment.start, assignment.end, blankSet) > 0
  )
    return undefined
  const name = ratingAt(text, at, end)
  return name === weakName ? undefined : judged(text, name, assignment.quoted)
}

/** What a sentence states of the name in `[at, end)`, which Markdown closes at `to`: "the `token` is X", "**password** is X". */
function statedOf(text: string, at: number, end: number, to: number, textNumber: number): Match | undefined {
  return assignment.readStated(text, at, to, textNumber) ? judgedAsStated(text, at, end, to) : undefined
}

/** The value that was read last, behind a copula at `to` and the name in `[at, end)`. */
function judgedAsStated(text: string, at: number, end: number, to: number): Match | undefined {
  const { start, end: valueEnd, quoted } = assignment
  // "Convert the key to PKCS#8", "exchange the token to X for one of Y".
  if (!quoted && text.startsWith(' to ', to) && !isKeyText(text, start, valueEnd))
    if (isKeyWord(text, at) || !isSet(text, at)) return undefined
  const rating = ratingAt(text, at, end)
  // Names of protocols and chips are in capitals.
  const isChosen = rating === weakName && countOf(text, start, valueEnd, lowerSet) > 2 && isOfNetwork(text, at)
  const name = isChosen ? passwordName : rating
  if (quoted && name === passwordName && isPassphrase(text, start, valueEnd)) return matchOf(text, start, valueEnd)
  return rarity(text, start, valueEnd) < bitsMin ? undefined : judged(text, name, quoted)
}

/** Whether it is `pw` or `pass` before a blank. */
function isShortName(text: string, at: number): boolean {
  if ((codeAt(text, at) | 32) !== 112) return false
  return codeAt(text, at + 2) === 32 || (codeAt(text, at + 4) === 32 && (codeAt(text, at + 1) | 32) === 97)
}

/** Whether a verb of setting or changing precedes, or a default. */
function isSet(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - setUnitsMax), at).toLowerCase()
  return hasChangeVerb(before) || before.includes('default')
}
const setUnitsMax = 48

/** Below this many bits per character in the rarity model, a value is an ordinary word whatever precedes it. */
const bitsMin = 3.4

function judged(text: string, name: NameRating, quoted: boolean): Match | undefined {
  const { start, end } = assignment
  if (name === noName || isConcatenated(text, start) || isEscapedText(text, start, end)) return undefined
  // "The output token is WETH9", "the signing key is P-256".
  if (name !== passwordName && !quoted && end - start < tokenUnitsMin) return undefined
  if (name !== passwordName && isPackage(text, start, end)) return undefined
  // "Passwort ist abgelaufen", "wachtwoord is opnieuw ingesteld".
  if (isForeignCopula(text, start) && isForeignWord(text, start, end)) return undefined
  // "the secret is divulged", "het token is gewijzigd".
  if (!quoted && consistsOf(text, start, end, letterSet) && isDescriptiveWord(text.slice(start, end).toLowerCase()))
    return undefined
  const found =
    name === passwordName
      ? isStatedSecret(text, start, end) ||
        isUuid(text, start, end) ||
        (!quoted && isStatedSecret(text, start, wholeEnd(text, end)))
      : isSecretValue(text, start, end, name, { quoted, doubtful: name === weakName, uuids: name === likelyName })
  return found ? matchOf(text, start, end) : undefined
}

/** A package with its version: `corretto@11`. */
function isPackage(text: string, start: number, end: number): boolean {
  const name = runEnd(text, start, packageSet, end - start)
  return name > start && codeAt(text, name) === 64 && runEnd(text, name + 1, dottedDigitSet, end - name) === end
}
const packageSet = charSet('a-z', '-')

/** Whether the copula of another language stands before the value. */
function isForeignCopula(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 14), start).toLowerCase()
  return foreignCopulas.some((copula) => before.endsWith(copula))
}
const foreignCopulas = [' ist ', ' er ', ' es ', ' est ', ' è ', ' é ', ' jest ', 'wachtwoord is ']

/** The value that was read last, including characters at which reading stopped. */
function matchOf(text: string, start: number, end: number): Match {
  if (assignment.quoted) return contextMatch(start, end)
  const whole = wholeEnd(text, end)
  const isMarked = marks.some((mark) => text.startsWith(mark, start) && text.startsWith(mark, whole - mark.length))
  return isMarked && whole - start > 2 * markUnits
    ? contextMatch(start + markUnits, whole - markUnits)
    : contextMatch(start, whole)
}
/** Around what Markdown shows as bold or struck out: `the key is **X**`. */
const marks = ['**', '~~']
const markUnits = 2

/** `pw is X`. The name needs the blank before the copula in its anchor, since it is short. */
function valueOfCopula(text: string, from: number, copula: string, textNumber: number): Match | undefined {
  if (!text.startsWith(copula, from) || !assignment.readValue(text, from + copula.length, textNumber)) return undefined
  return judged(text, passwordName, true)
}

const passDigitsMin = 2
const passBits = 6

/** `the db pass is X`. A pass may be many things, so the value must be unmistakable. */
function valueOfPass(text: string, at: number, textNumber: number): Match | undefined {
  if (!text.startsWith('is ', at + 5) && !text.startsWith('to ', at + 5)) return undefined
  if (!assignment.readValue(text, at + 8, textNumber)) return undefined
  const { start, end } = assignment
  if (end - start < 8 || countOf(text, start, end, digitSet) < passDigitsMin) return undefined
  return rarity(text, start, end) < passBits ? undefined : judged(text, passwordName, assignment.quoted)
}

const userUnitsMax = 56
const userLabels = new WordSet(['user', 'username', 'login', 'account', 'benutzer', 'usuario', 'utilisateur', 'utente'])

/** `user ana, pass X`. */
function passOfUser(text: string, at: number): Match | undefined {
  // A comma, or what closes a name in Markdown.
  const sign = codeAt(text, at - 2)
  if (codeAt(text, at - 1) !== 32 || (sign !== 44 && sign !== 96)) return undefined
  const words = text
    .slice(Math.max(0, at - userUnitsMax), at)
    .toLowerCase()
    .split(' ')
  const label = words.at(-3) ?? ''
  if (!userLabels.has(label.endsWith(':') ? label.slice(0, -1) : label)) return undefined
  return passwordAfterName(text, codeAt(text, at + 5) === 96 ? at + 5 : at + 4)
}

const phraseUnitsMax = 48
const phraseStarts = [
  ...['for ', 'to ', 'of ', 'on ', 'i ', "i'm ", 'we ', 'you ', 'in ', 'from '],
  ...['für ', 'fuer ', 'zum ', 'zur ', 'von ', 'vom ', 'auf ', 'im ', 'am ', 'del ', 'della ', 'di ', 'per ']
]
const phraseIndex = new NameIndex(phraseStarts.map((start) => [start, true]))
const phraseCopulas = [' is ', ' ist ', ' lautet ', ' è ']

const graveE = 0xe8

/** Past a phrase such as `for the staging box is`, `I am using is` or `for db:`; 0 if none follows the name. */
function phraseEnd(text: string, from: number): number {
  if (phraseIndex.at(text, from + 1) === undefined) return 0
  const limit = Math.min(text.length, from + 1 + phraseUnitsMax)
  let isOpen = false
  for (let i = from + 2; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code === 10 || code === 46 || code === 44 || code === 59) return 0
    if (code === 40 || code === 41) isOpen = code === 40
    // An IPv6 address: `from ::ffff:66.38.192.238`; a label of its own: `tokens per minute (org: X)`.
    if (code === 58) return isOpen || codeAt(text, i + 1) === 58 ? 0 : i + 1
    const next = code === 32 ? codeAt(text, i + 1) | 32 : 0
    if (next !== 105 && next !== 108 && next !== graveE) continue
    const copula = phraseCopulas.find((one) => standsAt(text, i, one))
    if (copula !== undefined) return copulaEnd(text, i + copula.length)
  }
  return 0
}

export const prosePasswordDetectors: readonly Detector[] = [
  {
    id: 'password_in_prose',
    label: 'PASSWORD',
    title: 'password in a sentence',
    group: 'secret',
    tier: 'medium',
    lengthMin: 7,
    anchors: [
      ...englishWords.map((literal) => ({
        literal,
        fold: true as const,
        guard: guardOf(literal)
      })),
      ...namesAtEnd,
      ...roleAnchors.map((literal) => ({ literal, fold: true as const, guard: roleGuard })),
      ...foreignAnchors.map((literal) => ({ literal, fold: true as const }))
    ],
    match(text, at, { textNumber }) {
      const foreign = foreignPasswordAt(text, at, textNumber)
      const match = foreign !== undefined || isBeyondAscii(text, at) ? foreign : statedPassword(text, at, textNumber)
      return match === undefined ? undefined : withCorrection(text, match)
    },
    hits: proseHits,
    misses: proseMisses,
    source: 'How people write it; the words for a password in the larger languages.'
  }
]
