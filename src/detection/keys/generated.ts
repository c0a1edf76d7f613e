/** Whether a value without a form of its own looks randomly generated. */
import type { Confidence } from '../findings.ts'
import { countOf, digitSet, inSet, letterSet, lowerSet, upperSet } from '../text/chars.ts'
import { rarity } from '../values/rarity.ts'

/**
 * Random text has about 11 bits per character in the rarity model, the poorest hundredth of it 8. What people write has
 * less.
 */
const rareBits = 7.5

/**
 * Whether a value looks randomly generated: either the rarity model says so, or letters and digits, or upper and lower
 * case, alternate often. A capital that begins a word does not count as a change. Unlike the rarity model, this
 * recognises hexadecimal values as well.
 */
export function looksGenerated(value: string): boolean {
  const length = value.length
  const digits = countOf(value, 0, length, digitSet)
  const letters = countOf(value, 0, length, letterSet)
  if (letters === 0) return false
  const bits = rarity(value, 0, length)
  if (bits >= rareBits) return true
  // The name of a type with a version, such as `PlatformV1beta1SearchParams`, alternates as well.
  if (digits * 10 < length && bits < typeBits) return false
  return alternates(value, digits, letters)
}

/** Names of types have fewer bits than this. */
const typeBits = 5

function alternates(value: string, digits: number, letters: number): boolean {
  const length = value.length
  let turns = 0
  let digitTurns = 0
  for (let i = 1; i < length; i++) {
    const before = classOf(value.charCodeAt(i - 1))
    const now = classOf(value.charCodeAt(i))
    if (before === now) continue
    if (!(before === 1 && now === 2)) turns++
    if ((before === 0 || now === 0) && before !== 3 && now !== 3) digitTurns++
  }
  if (digitTurns === 0) return false
  if (digitTurns < 2 || digitTurns * 16 < length) return turns * 4 >= length && countOf(value, 0, length, upperSet) > 2
  return turns * 7 >= length || (digits * 4 >= length && letters * 4 >= length)
}

/** A judge for keys whose prefix also begins ordinary names. */
export function generatedJudge(body: string): Confidence | undefined {
  return looksGenerated(body) ? 'strong' : undefined
}

function classOf(code: number): number {
  return inSet(digitSet, code) ? 0 : inSet(upperSet, code) ? 1 : inSet(lowerSet, code) ? 2 : 3
}
