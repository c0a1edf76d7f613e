/**
 * Passwords some words behind their name: "the admin pw, it's X", "the pw you gave me (X)", or on the next line the
 * answer to a question for one. Whether a word is one, `value-of-message.ts` says.
 */
import { contextMatch, type Match } from '../../detector.ts'
import { NameIndex } from '../../text/name-index.ts'
import {
  charSet,
  codeAt,
  countOf,
  digitSet,
  dottedNameSet,
  inSet,
  letterSet,
  nameSet,
  plainBlankSet,
  quoteSet,
  runEnd,
  runStart,
  standsAt,
  wordSet
} from '../../text/chars.ts'
import { NextOf } from '../../text/next-of.ts'
import { WordSet } from '../../text/word-set.ts'
import { isOwnPlaceholder } from '../../values/placeholders.ts'
import { isDeclaredType } from '../../values/program-identifiers.ts'
import { isAdjacentSecret, isGenerated, statedSet } from '../../values/stated-value.ts'
import { hasChangeVerb } from './change-verbs.ts'
import {
  foreignFrom,
  isValue,
  isValueOnce,
  reachUnits,
  valueEnd,
  wordEnd,
  type SecretSort
} from './value-of-message.ts'

const tokenReachUnits = 64
const wordsMax = 18
const linesMax = 3

/** Characters around a name in a message. */
const beforeNameSet = charSet(' \t\n\r("\'`*,')
const behindNameSet = charSet(' ,.:;?!)"\'`*\n')
const passwordNames = [
  ...[
    'password',
    "password's",
    'passwords',
    'passwort',
    'passwd',
    'passwrd',
    'passcode',
    'passphrase',
    'pwd',
    "pwd's",
    'pwds',
    'pw'
  ],
  ...['pass', 'cred', 'password-nya', 'creds', 'credentials', 'login', 'log in', 'sign in', 'passwordnya', 'sudo']
]
const tokenNames = ['token', 'secret']
const names = new NameIndex<SecretSort>([
  ...passwordNames.map((name) => [name, 'password'] as const),
  ...tokenNames.map((name) => [name, 'token'] as const)
])
/** Names of keys in two words, which make `key` a name of secrets. */
const spacedTokenNames = [
  'api key',
  'hmac key',
  'openai key',
  'access key',
  'secret key',
  'license key',
  'stripe key',
  'cert key'
]

/** The value behind the name at `at`, if that is a word of its own and not part of an identifier. */
export function secretNearNameAt(text: string, at: number, textNumber: number): Match | undefined {
  if (at > 0 && !inSet(beforeNameSet, codeAt(text, at - 1))) return undefined
  if ((codeAt(text, at) | 32) === 107)
    return isSpacedKey(text, at) ? secretNearName(text, at + 3, 'key', textNumber) : undefined
  const named = names.at(text, at)
  if (named === undefined) return undefined
  const [name, sort] = named
  const end = at + name.length
  if (end < text.length && !inSet(behindNameSet, codeAt(text, end))) return undefined
  // A server log: `Access denied for user ... (using password: YES)`.
  if (text.startsWith(': YES)', end) || text.startsWith(': NO)', end)) return undefined
  // What is said to be password protected follows no password.
  if (text.startsWith(' protected', end)) return undefined
  const match = secretNearName(text, end, sort, textNumber)
  if (match === undefined || (name === 'pass' && isVerb(text, at)) || isDeclaredType(text, match.start, match.end))
    return undefined
  return goingNames.has(name) && leadsElsewhere(text, at, match.start) ? undefined : match
}

/** Words before `pass` as a verb: `values that do not pass: use ...`. */
const verbHeads =
  "not |will |to |must |should |would |can |could |n't |they |it |we |you |always |never |only |just |simply |then ".split(
    '|'
  )

const objects = [' the ', ' a ', ' an ']

function isVerb(text: string, at: number): boolean {
  // `Pass the tensors to X`.
  if (objects.some((one) => text.startsWith(one, at + 4)) && !text.startsWith('the ', at - 4)) return true
  const before = text.slice(Math.max(0, at - 7), at).toLowerCase()
  return verbHeads.some((head) => before.endsWith(head))
}

/** Words that also are verbs: with `to` behind them, a destination follows. */
const goingNames = new Set(['login', 'log in', 'sign in', 'pass', 'sudo'])
/** `back to`, `defaults to`: a value follows, without a verb of changing. */
const returns = ['default', 'back']
const changeUnitsMax = 48

/**
 * Whether a destination follows (`log in to jenkins02`, `pass the ball to ...`) and not a new value
 * (`change the login to ...`).
 */
function leadsElsewhere(text: string, at: number, valueAt: number): boolean {
  if (!text.startsWith(' to ', valueAt - 4)) return false
  const around = text.slice(Math.max(0, at - changeUnitsMax), valueAt).toLowerCase()
  return !hasChangeVerb(around) && !returns.some((one) => around.includes(one))
}

/** Whether the words before `key` make it the name of a secret. */
function isSpacedKey(text: string, at: number): boolean {
  if (codeAt(text, at - 1) !== 32) return false
  return spacedTokenNames.some((name) => standsAt(text, at + 'key'.length - name.length, name))
}

/** Characters between the words of a message. */
const gapSet = charSet(' \t,.:;?!()"\'`*>-=~')
/** Characters of program text, where other detectors read values. */
const programSet = charSet('{}[]<|\\$&;#')
/**
 * The value some words behind the name of a password, token or key that ends at `from`.
 * @param textNumber identifies the text for reuse of earlier reads; 0 for none
 */
export function secretNearName(text: string, from: number, sort: SecretSort, textNumber: number): Match | undefined {
  const limit = Math.min(text.length, from + (sort === 'password' ? reachUnits : tokenReachUnits))
  const stop = nextDigitOrStop.at(text, from, limit, textNumber)
  if (stop >= limit || !inSet(digitSet, text.charCodeAt(stop)))
    return codeAt(text, stop) === 91 && sort === 'password' ? answered(text, stop) : undefined
  let lines = 0
  let words = 0
  for (let i = from; i < limit;) {
    const code = text.charCodeAt(i)
    if (code === 10) {
      if (++lines > linesMax) return undefined
      i++
    } else if (isOption(text, i) || isProgramBracket(code) || isCall(text, i) || isTabbed(text, i)) return undefined
    else if (code === 13 || inSet(gapSet, code)) i++
    else if (inSet(programSet, code) || ++words > wordsMax) return undefined
    else {
      const start = code < foreignFrom ? i : foreignEnd(text, i, limit)
      const end = start > i && codeAt(text, start) < 33 ? start : wordEnd(text, start)
      if (end > stop && isValueOnce(text, start, end, sort, textNumber))
        return isOfOtherMember(text, from, start, sort) ? undefined : matchOf(text, start, end, sort)
      // An earlier scan has masked the value, so what follows is not one.
      if (isOwnPlaceholder(text, start, runEnd(text, start, wordSet, end - start))) return undefined
      i = end
    }
  }
  return undefined
}

/**
 * Whether the value is that of a member whose quoted key stands behind the name, `"a": "a Token", "b": "X"`, and not
 * what somebody says in a member of its own: `"question": "What is the password?", "answer": "X"`.
 */
function isOfOtherMember(text: string, from: number, start: number, sort: SecretSort): boolean {
  const colon = runStart(text, start - 1, plainBlankSet, 2) - 1
  const quote = codeAt(text, colon - 1)
  if (codeAt(text, colon) !== 58 || quote !== codeAt(text, start - 1) || !inSet(quoteSet, quote)) return false
  const key = runStart(text, colon - 1, nameSet, keyUnitsMax)
  if (key <= from || codeAt(text, key - 1) !== quote || sayingKeys.stands(text, key, colon - 1)) return false
  // Ids look generated as well, but hold no signs: `"log": "password rotated", "new": "X"`.
  const end = runEnd(text, start, statedSet, reachUnits)
  return sort !== 'password' || countOf(text, start, end, markSet) === 0 || !isGenerated(text, start, end)
}
const keyUnitsMax = 40
const markSet = charSet('!@#$%^&*+')
const sayingKeys = new WordSet('answer reply text content message response body value note notes comment'.split(' '))

/** Whether a tab separates the columns of a row. */
function isTabbed(text: string, at: number): boolean {
  return codeAt(text, at) === 9 && codeAt(text, at - 1) > 32
}

/** Past letters of another script that are glued to the word behind them, and a dash between. */
function foreignEnd(text: string, from: number, limit: number): number {
  let i = from
  while (i < limit && codeAt(text, i) >= foreignFrom) i++
  return codeAt(text, i) === 45 ? i + 1 : i
}

/** Whether an option of a command begins, whose reading is left to other detectors: `--body`, `-v`. */
function isOption(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== 45 || codeAt(text, at - 1) !== 32) return false
  const next = codeAt(text, at + 1)
  return next === 45 || inSet(letterSet, next)
}

/** Whether a bracket stands directly behind a name. */
function isCall(text: string, at: number): boolean {
  return text.charCodeAt(at) === 40 && inSet(wordSet, codeAt(text, at - 1))
}

/** Whether a code is a box-drawing character. */
function isProgramBracket(code: number): boolean {
  return code >= 0x2500 && code < 0x2580
}

/** Finds the next digit, or a character that ends the message. Without a digit before that, no value can follow. */
const nextDigitOrStop = new NextOf(charSet('0-9', '{}[]<|\\$&;#'))

/** A single word as the next line of a conversation: `[09:42] <karim> X`. */
function answered(text: string, at: number): Match | undefined {
  if (codeAt(text, at - 1) !== 10) return undefined
  const stamp = runEnd(text, at + 1, stampSet, stampUnitsMax)
  const name = codeAt(text, stamp + 2) === 60 ? stamp + 3 : stamp + 2
  const nameTo = runEnd(text, name, dottedNameSet, stampUnitsMax)
  const close = codeAt(text, nameTo)
  if (stamp - at < 5 || codeAt(text, stamp) !== 93 || nameTo === name || (close !== 58 && close !== 62))
    return undefined
  const start = nameTo + 2
  const end = wordEnd(text, start)
  const isAlone = end >= text.length || codeAt(text, end) === 10 || codeAt(text, end) === 13
  return isAlone && isAdjacentSecret(text, start, end) ? contextMatch(start, end) : undefined
}
const stampSet = charSet('0-9', ':. /,APMapm-')
const stampUnitsMax = 24

/** What separates an old value from a new one. */
const nextJoints = [' to ', ' and also ', ' New: ', '\nNew: ', ', new: ', ' -> ', ' → ']

/** The match of a value, and of the new one if it was changed: `from X to Y`. */
function matchOf(text: string, start: number, wordTo: number, sort: SecretSort): Match {
  const end = valueEnd(text, start, wordTo)
  const match: Match = contextMatch(start, end)
  const joint = nextJoints.find((one) => text.startsWith(one, end))
  if (joint === undefined) return match
  const next = end + joint.length
  const nextTo = wordEnd(text, next)
  const nextEnd = valueEnd(text, next, nextTo)
  const isNext = isValue(text, next, nextTo, sort) || (sort === 'password' && isAdjacentSecret(text, next, nextEnd))
  return isNext ? { ...match, next: { ...match, start: next, end: nextEnd } } : match
}
