/**
 * How unlike ordinary text a value is (rarity), in bits per character.
 * - A table of character trigrams, learned from program text and documentation, says how surprising each character is
 *   after the two before it.
 * - Words, names in any case style, paths and numbers that people write score low; generated values score high.
 * - Shannon entropy only measures how often a value repeats its own characters, so it takes `abcdefgh` for random and
 *   `Passwort` for nearly so. This does not.
 */
import { rarityLevelBits, raritySurprise } from './rarity-table.ts'

/**
 * The classes: letters without case, digits, the separators in names, other symbols, characters beyond ASCII, and the
 * edge of a word.
 */
export const rarityClassCount = 40
const edge = 0
const joint = 37
const sign = 38
/** The class of characters beyond ASCII. */
export const foreignClass = 39

/** The class of each ASCII code. Every other code has `foreignClass`. */
export const rarityClassOf = new Uint8Array(128).fill(sign)
for (let code = 0; code <= 32; code++) rarityClassOf[code] = edge
for (let letter = 0; letter < 26; letter++) {
  rarityClassOf[65 + letter] = 1 + letter
  rarityClassOf[97 + letter] = 1 + letter
}
for (let digit = 0; digit < 10; digit++) rarityClassOf[48 + digit] = 27 + digit
for (const character of '_-') rarityClassOf[character.charCodeAt(0)] = joint

/** The class of a UTF-16 code in the trigram table. */
export function rarityClass(code: number): number {
  return code < 128 ? (rarityClassOf[code] as number) : foreignClass
}

/** How many characters of a value are examined; a longer one has shown enough by then. */
const valueUnitsMax = 256

/** The code of level zero. Levels are the 64 characters from `0` on, with `p` in place of the backslash. */
export const levelZero = 48

/** The table as bytes, one per trigram of classes: its level plus {@link levelZero}. */
export const writtenSurprises = unpackLevels(raritySurprise)

/** Unpacks rows of levels into bytes. */
export function unpackLevels(rows: readonly string[]): Uint8Array {
  const table = new Uint8Array(rows.reduce((sum, row) => sum + row.length, 0))
  const encoder = new TextEncoder()
  let at = 0
  for (const row of rows) at += encoder.encodeInto(row, table.subarray(at)).written
  for (let i = table.indexOf(112); i >= 0; i = table.indexOf(112, i + 1)) table[i] = 92
  return table
}

/** The mean surprise of the characters in `[start, end)`, in bits per character; 0 for an empty value. */
export function rarity(text: string, start: number, end: number): number {
  const to = Math.min(end, start + valueUnitsMax)
  if (to <= start) return 0
  let before = edge
  let last = edge
  let sum = 0
  for (let i = start; i < to; i++) {
    const code = text.charCodeAt(i)
    const next = code < 128 ? (rarityClassOf[code] as number) : foreignClass
    sum += writtenSurprises[(before * rarityClassCount + last) * rarityClassCount + next] as number
    before = last
    last = next
  }
  return ((sum - levelZero * (to - start)) * rarityLevelBits) / (to - start)
}
