/** How rare three characters in a row are in ordinary text, by the model that rates values. */
import { rarityClass, rarityClassCount, surpriseOf } from './rarity.ts'
import { rarityLevelBits } from './rarity-table.ts'

/**
 * The surprise of each class of the model by itself, in its levels: what it comes to when the model is led on from
 * anywhere. A test does that.
 */
export const singleSurprise: readonly number[] = [
  13, 17, 26, 20, 21, 14, 24, 25, 23, 18, 35, 30, 20, 23, 17, 17, 21, 35, 17, 17, 15, 22, 28, 29, 31, 26, 35, 34, 35,
  37, 40, 39, 41, 41, 43, 43, 43, 28, 12, 36
]

const levelsMax = 64
const chanceOfLevel = Float64Array.from({ length: levelsMax }, (_, level) => 2 ** (-level * rarityLevelBits))
const pairs = new Float64Array(rarityClassCount ** 2)

/** The surprise of a class after one other, in bits: whatever stood before that one. */
function pairSurprise(last: number, next: number): number {
  const key = last * rarityClassCount + next
  const known = pairs[key] as number
  if (known > 0) return known
  let chance = 0
  let all = 0
  for (let before = 0; before < rarityClassCount; before++) {
    const weight =
      (chanceOfLevel[singleSurprise[before] as number] as number) *
      (chanceOfLevel[surpriseOf(0, before, last)] as number)
    chance += weight * (chanceOfLevel[surpriseOf(before, last, next)] as number)
    all += weight
  }
  const surprise = -Math.log2(chance / all)
  pairs[key] = surprise
  return surprise
}

/** The surprise of the three characters at `at`, in bits. */
export function gramSurprise(text: string, at: number): number {
  const first = rarityClass(text.charCodeAt(at))
  const second = rarityClass(text.charCodeAt(at + 1))
  const third = rarityClass(text.charCodeAt(at + 2))
  const levels = (singleSurprise[first] as number) + surpriseOf(first, second, third)
  return levels * rarityLevelBits + pairSurprise(first, second)
}
