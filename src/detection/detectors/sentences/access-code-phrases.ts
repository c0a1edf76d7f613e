/** Codes without their name directly before them: "got the code X", "the safe opens with X", "X is your ...". */
import { type Anchor, contextMatch, type Match, withNext } from '../../detector.ts'
import {
  charSet,
  codeAt,
  consistsOf,
  digitSet,
  inSet,
  leftClear,
  letterSet,
  runEnd,
  runStart,
  standsAt,
  wordSet
} from '../../text/chars.ts'
import { lineEnd } from '../../text/rows.ts'
import { WordList } from '../../text/word-list.ts'
import { codeNames } from './access-code-names.ts'
import { digitsMax, isSeries, numberEnd } from './access-code-numbers.ts'

const reachUnits = 64
/** Characters that end a sentence, or occur in program text. */
export const stopSet = charSet('\n\r;?!{}[]<>|\\$&#%/')

/** Things that have a lock with a code: `the code for the bike cellar is 4827`. */
const lockedWords = new WordList([
  ...['door', 'gate', 'lock', 'safe', 'cellar', 'room', 'garage', 'alarm', 'building', 'office', 'entrance', 'shed'],
  ...[
    'keypad',
    'apartment',
    'house',
    'elevator',
    'storage',
    'flat',
    'vault',
    'barn',
    'hall',
    'lobby',
    'key box',
    'airbnb'
  ],
  ...['tür', 'tor ', 'tresor', 'schlüsselbox', 'schlüsselkasten', 'keller', 'porte', 'portail', 'coffre', 'immeuble'],
  ...['puerta', 'alarma', 'caja fuerte', 'garaje', 'taquilla', 'cofre', 'portão', 'cassaforte', 'allarme', 'porta'],
  ...['cancello', 'portone', 'cassetta', 'deur', 'kluis', 'poort', 'drzwi', 'brama', 'bramy', 'sejf', 'kapı', 'kasa'],
  ...['двер', 'сейф', 'подъезд', 'домофон']
])

/** Phrases before a code that somebody received. */
const received = ['sent me the code ', 'got the code ', 'received the code ', 'the code i got is ', 'get the code ']
/** Phrases before six digits or, if something with a lock is named as well, fewer. */
const plain = [
  ...['the code is ', 'the code was ', 'my code is ', "the code's ", 'der code ist ', 'le code est ', 'el código es '],
  ...['o código é ', 'il codice è ', 'de code is ', 'kod to ', 'koden är ', 'koden er ', 'код: ']
]
const opening = [
  ...['opens with ', 'unlocks with ', 'opened with ', 'geht auf mit ', 'öffnet mit ', 'geht mit ', 'unscharf mit '],
  ...["s'ouvre avec ", 'se abre con ', 'si apre con ', 'abre com ', 'gaat open met ']
]
/** The same as a remark: `the box is at the door, code 4827`. */
const remarked = [', code ', '(code ']
/** A code of whatever sends it, if it also warns: `Your Banco Azul code is 482913. Never share it`. */
const coded = ['code is ', 'code: ', 'código es ', 'code est ', 'code lautet ']
const warnings = new WordList([
  ...[
    'never share',
    'not share',
    "n't share",
    'do not give',
    'not disclose',
    'expires in',
    'valid for',
    'no lo compartas'
  ],
  ...[
    'nicht weiter',
    'gültig',
    'ne le partagez',
    'ne partagez',
    'valable',
    'não compartilhe',
    'não partilhe',
    'non condivider'
  ]
])
const warningUnits = 72

const phrases = [...received, ...plain, ...opening, ...remarked, ...coded]

const codeFor = [
  ...[
    'code for ',
    'code to ',
    'code für ',
    'code zum ',
    'code vom ',
    'codice del',
    'code de la ',
    'code du ',
    "code de l'"
  ],
  ...['código de la ', 'código del ', 'código da ', 'código do ', 'code van de ', 'code van het ', 'kod do ', 'код от ']
]
const combination = 'combination'
const isThe = ' is the code'
const yours = ' is your '
const asYours = [' as your ', ' as the ']

const sixDigits = 6

/** The code behind one of these phrases, which begins at `at`. */
function behindPhrase(text: string, at: number): Match | undefined {
  if (inSet(wordSet, codeAt(text, at)) && !leftClear(text, at, wordSet)) return undefined
  const phrase = phrases.find((one) => standsAt(text, at, one))
  if (phrase === undefined) return undefined
  const start = at + phrase.length
  const end = numberEnd(text, start)
  if (end === start || isSeries(text, start, end)) return undefined
  if (coded.includes(phrase))
    return warnings.standsIn(text, end, Math.min(text.length, end + warningUnits)) && !isOpenCode(text, at)
      ? contextMatch(start, end)
      : undefined
  if (received.includes(phrase) || (plain.includes(phrase) && digitsOf(text, start, end) === sixDigits))
    return contextMatch(start, end)
  return isBesideLock(text, at, end) ? contextMatch(start, end) : undefined
}

function digitsOf(text: string, start: number, end: number): number {
  return end - start - (consistsOf(text, start, end, digitSet) ? 0 : 1)
}

/** Whether something with a lock is named in the same sentence. */
function isBesideLock(text: string, from: number, to: number): boolean {
  const before = text.slice(Math.max(0, from - lockUnits), from)
  const start = from - before.length + Math.max(before.lastIndexOf('\n'), before.lastIndexOf('. ')) + 1
  const behind = runEnd(text, to, sentenceSet, lockUnits)
  return lockedWords.standsIn(text, Math.max(0, start), from) || lockedWords.standsIn(text, to, behind)
}
const lockUnits = 40
const sentenceSet = charSet('A-Z', 'a-z', ' ,')

const codeForLeads = [
  ...[' is', ' be', ' now', ' to', ':', '=', ' est', ' es', ' é', ' è', ' ist', ' lautet', " c'est", ' -', ' это']
]
const othersFor = [
  ...[
    ' the one for ',
    ' quello del',
    ' quella del',
    ' celui d',
    ' celle d',
    ' el de la ',
    ' el del ',
    ' o do ',
    ' o da '
  ],
  ...[' der für ', ' die für ', ' der vom ', ' die van ']
]

/** The number behind the name of what it opens, and another one: `... and the one for the server room 5920`. */
function lockNumber(text: string, from: number, isFirst: boolean): Match | undefined {
  const limit = Math.min(text.length, from + reachUnits)
  for (let i = from; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (inSet(stopSet, code) || (code === 46 && codeAt(text, i + 1) <= 32)) return undefined
    if (!inSet(digitSet, code)) continue
    const end = numberEnd(text, i)
    const words = text.slice(from, i).trimEnd().toLowerCase()
    if (end === i || isSeries(text, i, end) || !lockedWords.standsIn(text, from, i)) return undefined
    if (isFirst && !codeForLeads.some((lead) => words.endsWith(lead))) return undefined
    const next = isFirst ? anotherLock(text, end) : undefined
    return withNext(contextMatch(i, end), next)
  }
  return undefined
}

function anotherLock(text: string, from: number): Match | undefined {
  const near = text.slice(from, from + anotherUnits)
  for (const another of othersFor) {
    const at = near.indexOf(another)
    if (at >= 0) return lockNumber(text, from + at + another.length, false)
  }
  return undefined
}
const anotherUnits = 28

/** Words before `code` that make it one that opens nothing. */
const openCodes = new Set(
  (
    'area zip post postal postcode country dial dialing status error exit return response reason product item article part model ' +
    'color colour paint promo discount coupon booking source language currency tax cost account site test'
  ).split(' ')
)

function isOpenCode(text: string, at: number): boolean {
  const to = at - 1
  return codeAt(text, to) === 32 && openCodes.has(text.slice(runStart(text, to, letterSet, 12), to).toLowerCase())
}

/** Two or three numbers of a dial: `the combination of the safe is 12-34-18`. */
function dialled(text: string, at: number): Match | undefined {
  const from = at + combination.length
  const limit = Math.min(text.length, from + dialUnits)
  let i = from
  while (i < limit && !inSet(digitSet, text.charCodeAt(i)) && !inSet(stopSet, text.charCodeAt(i))) i++
  const lead = text.slice(from, i).trimEnd().toLowerCase()
  if (i === from || !codeForLeads.some((one) => lead.endsWith(one))) return undefined
  if (!lockedWords.standsIn(text, Math.max(0, at - lockUnits), i)) return undefined
  const whole = numberEnd(text, i)
  if (whole - i === sixDigits && !isSeries(text, i, whole)) return contextMatch(i, whole)
  let end = i
  for (let parts = 0; parts < dialParts; parts++) {
    const to = runEnd(text, end, digitSet, 3)
    if (to === end || to - end > 2) return undefined
    end = to
    if (parts < dialParts - 1 && !inSet(dialJointSet, codeAt(text, end++))) return undefined
  }
  return inSet(wordSet, codeAt(text, end)) ? undefined : contextMatch(i, end)
}
const dialUnits = 40
const dialParts = 3
const dialJointSet = charSet('-/ ')

/** Short names count as whole words only: `tan` also stands in the name of a city. */
const phraseNames = new WordList(
  codeNames.filter((name) => name.charCodeAt(0) < 128).map((name) => (name.length > 3 ? name : ` ${name}`))
)

/**
 * A number before its name, as services send it: `482913 is your verification code`, `Use 482913 as your code`,
 * `482913 is the code I got`.
 */
function numberBefore(text: string, at: number, phrase: string): Match | undefined {
  let start = at
  while (inSet(digitSet, codeAt(text, start - 1)) && at - start < digitsMax) start--
  // The form of Google: `G-482913`.
  const isMarked = text.startsWith('G-', start - 2) && leftClear(text, start - 2, wordSet)
  const end = isMarked ? at : numberEnd(text, start)
  if (start === at || end !== at || isSeries(text, start, end)) return undefined
  if (phrase === isThe)
    return end - start === sixDigits || isBesideLock(text, start, end) ? contextMatch(start, end) : undefined
  const from = at + phrase.length
  const to = lineEnd(text, from, reachUnits)
  return phraseNames.standsIn(text, from - 1, to < 0 ? from + reachUnits : to) ? contextMatch(start, end) : undefined
}

const before = [yours, ...asYours, isThe]

export const codePhraseAnchors: readonly Anchor[] = [
  ...before.map((literal) => ({ literal })),
  ...[...received, ...plain, ...opening, ...coded].map((literal) => ({
    literal,
    fold: true as const,
    guard: { notBefore: wordSet, behind: digitSet, behindUnits: 3 }
  })),
  ...remarked.map((literal) => ({ literal, fold: true as const, guard: { behind: digitSet, behindUnits: 3 } })),
  ...[...codeFor, combination].map((literal) => ({ literal, fold: true as const, guard: { notBefore: wordSet } }))
]

/** The code announced by the phrase at `at`. */
export function codeOfPhrase(text: string, at: number): Match | undefined {
  const phrase = before.find((one) => text.startsWith(one, at))
  if (phrase !== undefined) return numberBefore(text, at, phrase)
  if (!inSet(wordSet, codeAt(text, at))) return behindPhrase(text, at)
  if (!leftClear(text, at, wordSet)) return undefined
  if (standsAt(text, at, combination)) return dialled(text, at)
  const place = codeFor.find((one) => standsAt(text, at, one))
  if (place === undefined) return behindPhrase(text, at)
  return isOpenCode(text, at) ? undefined : lockNumber(text, at + place.length, true)
}
