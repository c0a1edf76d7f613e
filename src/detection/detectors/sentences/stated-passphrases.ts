/**
 * Unquoted passphrases of several words, up to the end of the line or clause: "passphrase of the disk = amber kettle
 * ...".
 */
import { contextMatch, type Match } from '../../detector.ts'
import { assignSet, charSet, codeAt, inSet, leftClear, standsAt, wordSet } from '../../text/chars.ts'
import { isPassphrase } from '../../values/passphrases.ts'

const names = ['passphrase', 'pass phrase', 'key phrase']
export const phraseAnchors = names.map((literal) => ({ literal, fold: true, guard: { notBefore: wordSet } }) as const)
const leadUnitsMax = 64
const phraseUnitsMax = 81
const wordsMin = 4
const endSet = charSet('\n\r.,;("')

/** Endings of verbs and abstract nouns: a sentence about a passphrase contains one, and hardly any list of words does. */
const verbal = ['ed', 'ing', 'es', 'ly', 'ion', 'ate', 'ize', 'ify']

/** The words behind `=`, `:` or `is` that follow the name at `at`, if they are not a sentence. */
export function statedPassphrase(text: string, at: number): Match | undefined {
  if (!leftClear(text, at, wordSet)) return undefined
  const from = at + (names.find((one) => standsAt(text, at, one))?.length ?? 0)
  const start = phraseStart(text, from)
  if (start < 0) return undefined
  let end = start
  while (end < start + phraseUnitsMax && end < text.length && !inSet(endSet, text.charCodeAt(end))) end++
  if (text.charCodeAt(end - 1) === 32) end--
  if (!isPassphrase(text, start, end)) return undefined
  const words = text.slice(start, end).split(' ')
  // Behind `is`, a sentence may continue as well.
  const least = text.startsWith(copula, start - copula.length) ? sentenceWordsMin : wordsMin
  if (words.length < least || words.some((word) => verbal.some((ending) => word.endsWith(ending)))) return undefined
  return contextMatch(start, end)
}

/** Where the phrase begins, on the same line; -1 if nothing announces one. */
function phraseStart(text: string, from: number): number {
  let isAside = false
  for (let i = from; i < from + leadUnitsMax; i++) {
    const code = codeAt(text, i)
    // Behind an aside, only a colon announces it: `the passphrase, in case you need it: ...`.
    if (code === 44) isAside = true
    if (!isAside && i < from + copulaReach && text.startsWith(copula, i)) return i + copula.length
    if (inSet(assignSet, code)) return codeAt(text, i + 1) === 32 ? i + 2 : -1
    if (inSet(stopSet, code) || code === 0) return -1
  }
  return -1
}

const copula = ' is '
const sentenceWordsMin = 5
const stopSet = charSet('.;!?"\'`\n\r')
/** How far behind the name a copula may stand. */
const copulaReach = 40
