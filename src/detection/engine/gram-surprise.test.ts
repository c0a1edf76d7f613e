import assert from 'node:assert/strict'
import test from 'node:test'
import { gramSurprises, singleSurprise } from './gram-surprise.ts'
import { rarityClassCount as count, surpriseOf } from '../values/rarity.ts'
import { rarityLevelBits } from '../values/rarity-table.ts'

test('the surprise of single characters is what the model comes to when it is led on', () => {
  let now = new Float64Array(count * count).fill(1 / (count * count))
  for (let round = 0; round < 30; round++) {
    const then = new Float64Array(count * count)
    for (let pair = 0; pair < count * count; pair++) {
      const chances = Array.from(
        { length: count },
        (_, next) => 2 ** (-surpriseOf(Math.floor(pair / count), pair % count, next) * rarityLevelBits)
      )
      const sum = chances.reduce((all, chance) => all + chance, 0)
      chances.forEach((chance, next) => {
        const to = (pair % count) * count + next
        then[to] = (then[to] as number) + ((now[pair] as number) * chance) / sum
      })
    }
    now = then
  }
  const singles = Array.from({ length: count }, (_, first) => {
    const chance = now.subarray(first * count, (first + 1) * count).reduce((all, each) => all + each, 0)
    return Math.round(-Math.log2(chance) / rarityLevelBits)
  })
  assert.deepEqual(singles, singleSurprise)
})

test('what stands in every text is less rare than what stands in few', () => {
  const texts = ['ion', 'tok', 'sk-', 'xqz']
  const bits = texts.map((text) => gramSurprises(Uint16Array.from(text, (sign) => sign.charCodeAt(0)))[0] as number)
  assert.deepEqual(
    bits,
    bits.toSorted((a, b) => a - b)
  )
})
