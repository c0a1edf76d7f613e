/** The ways of writing the names of identity and tax numbers. */
import { spellingsOf } from '../text/plain-letters.ts'

/** Names of this length are too frequent to be anchors. */
const shortNameUnits = 2

/**
 * Names with their words separate and joined, as in `socialSecurity`, abbreviations with dots: `c.u.i.t`, and names
 * without their accents: `numero fiscal`.
 */
export function namesOf(words: readonly string[]): string[] {
  const spelled = [...words, ...shortenedOf(words)]
  const names = spelled
    .flatMap(spellingsOf)
    .flatMap((word) =>
      word.includes(' ') && word.charCodeAt(0) < 128
        ? [word, word.replaceAll(' ', '')]
        : isAbbreviation(word)
          ? [word, [...word].join('.')]
          : [word]
    )
  return [...new Set(names)]
}

/** Those names that can be anchors, and how identifiers write them. */
export function anchorNamesOf(words: readonly string[]): string[] {
  return [...namesOf(words), ...identifiersOf(words)].filter((name) => name.length > shortNameUnits)
}

/** Names in Germanic languages with the abbreviation of their last part: `burgerservicenr` for `burgerservicenummer`. */
function shortenedOf(words: readonly string[]): string[] {
  return words
    .filter((word) => word.length > 'nummer'.length && word.endsWith('nummer'))
    .map((word) => word.slice(0, -'ummer'.length) + 'r')
}

/** Whether it may be an abbreviation, each letter of which may have a dot: three or four letters of one alphabet. */
function isAbbreviation(word: string): boolean {
  return (
    word.length > shortNameUnits && word.length <= abbreviationUnitsMax && [...word].every((one) => isAlphabetic(one))
  )
}
const abbreviationUnitsMax = 4

/** Whether a character is a Latin, Greek or Cyrillic letter. */
function isAlphabetic(one: string): boolean {
  return one.toLowerCase() !== one.toUpperCase()
}

/** Names of several words as identifiers and compounds write them: `ni_number`, `SV-Nummer`. */
function identifiersOf(words: readonly string[]): string[] {
  return words
    .filter((word) => word.includes(' '))
    .flatMap((word) => [word.replaceAll(' ', '_'), word.replaceAll(' ', '-')])
}
