/** How rare three characters in a row are in ordinary text, by the model that rates values. */
import { foreignClass, rarityClassCount, rarityClassOf, surpriseOf } from '../values/rarity.ts'
import { rarityLevelBits } from '../values/rarity-table.ts'

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
/** By two classes, the surprise of both in a row; 0 where nobody asked yet. */
const pairs = new Float64Array(rarityClassCount ** 2)
/** By the second of two classes, the chance that each stands before it; 0 where nobody asked yet. */
const weights = new Float64Array(rarityClassCount ** 2)

/** The surprise of a class and of the one behind it, in bits: whatever stood before them. */
function pairSurprise(last: number, next: number): number {
  const from = last * rarityClassCount
  if (weights[from] === 0) weigh(last, from)
  let chance = 0
  for (let before = 0; before < rarityClassCount; before++)
    chance += (weights[from + before] as number) * (chanceOfLevel[surpriseOf(before, last, next)] as number)
  return (singleSurprise[last] as number) * rarityLevelBits - Math.log2(chance)
}

function weigh(last: number, from: number): void {
  let all = 0
  for (let before = 0; before < rarityClassCount; before++) {
    const single = chanceOfLevel[singleSurprise[before] as number] as number
    all += weights[from + before] = single * (chanceOfLevel[surpriseOf(0, before, last)] as number)
  }
  for (let before = 0; before < rarityClassCount; before++)
    weights[from + before] = (weights[from + before] as number) / all
}

/**
 * The surprise of each three codes in a row, in bits, by the place of the first; of the last two it is 0. It is one
 * loop, since it runs at each start, when no code is compiled yet.
 */
export function gramSurprises(codes: Uint16Array): Float64Array {
  const bits = new Float64Array(codes.length)
  let first = 0
  let second = 0
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] as number
    const third = code < 128 ? (rarityClassOf[code] as number) : foreignClass
    const pair = first * rarityClassCount + second
    if (i > 1) {
      if (pairs[pair] === 0) pairs[pair] = pairSurprise(first, second)
      bits[i - 2] = (pairs[pair] as number) + surpriseOf(first, second, third) * rarityLevelBits
    }
    first = second
    second = third
  }
  return bits
}
