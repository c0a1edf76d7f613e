import assert from 'node:assert/strict'
import test from 'node:test'
import { gramSurprises, pairSteps, pairSurprise } from './gram-surprise.ts'
import { levelZero, rarityClassCount as count, surpriseOf, unpackLevels } from '../values/rarity.ts'
import { rarityLevelBits } from '../values/rarity-table.ts'

test('the surprise of two characters is what the model comes to when it is led on', () => {
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
  const levels = Array.from(now, (chance) => Math.round(-Math.log2(chance) / (rarityLevelBits * pairSteps)))
  assert.deepEqual(
    levels,
    Array.from(unpackLevels(pairSurprise), (level) => level - levelZero)
  )
})

test('what stands in every text is less rare than what stands in few', () => {
  const texts = ['ion', 'tok', 'sk-', 'xqz']
  const bits = texts.map((text) => gramSurprises(Uint16Array.from(text, (sign) => sign.charCodeAt(0)))[0] as number)
  assert.deepEqual(
    bits,
    bits.toSorted((a, b) => a - b)
  )
})
