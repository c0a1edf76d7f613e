import assert from 'node:assert/strict'
import test from 'node:test'
import { pairSteps, pairSurprise, rarestGrams } from './gram-surprise.ts'
import { LiteralList } from './literal-list.ts'
import { byteOf } from './text-block.ts'
import { levelZero, rarityClassCount as count, unpackLevels, writtenSurprises } from '../values/rarity.ts'
import { rarityLevelBits } from '../values/rarity-table.ts'

test('the surprise of two characters follows from the model of three', () => {
  let now = new Float64Array(count * count).fill(1 / (count * count))
  for (let round = 0; round < 30; round++) {
    const then = new Float64Array(count * count)
    for (let pair = 0; pair < count * count; pair++) {
      const chances = Array.from(
        { length: count },
        (_, next) => 2 ** (-((writtenSurprises[pair * count + next] as number) - levelZero) * rarityLevelBits)
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

/** The grams by which some texts are searched for. */
function chosen(texts: readonly string[], byWide = false): string[] {
  const list = new LiteralList()
  for (const text of texts) {
    const first = list.texts.indexOf(text)
    list.add(text, undefined, undefined, first < 0 ? undefined : first)
  }
  const bytes = Uint8Array.from(texts.join(''), (sign) => byteOf(sign.charCodeAt(0)))
  const classOf = Uint8Array.from({ length: 256 }, (_, byte) => byte & 63)
  const { tails } = rarestGrams(list, bytes, classOf, byWide)
  return texts.map((text, id) => text.slice(0, text.length - (tails[id] as number)).slice(-3))
}

test('the gram that is rarest in ordinary text is chosen, wherever it is', () => {
  for (const [gram] of ['xqzition', 'relaxqz', 'perxqzent'].map((text) => chosen([text])))
    assert.match(gram as string, /xq|qz/)
})

test('a gram that many literals chose is avoided by others, but shared by equal literals', () => {
  assert.ok(new Set(chosen(Array.from({ length: 40 }, (_, i) => `part${i}-xqzlj`))).size > 1)
  assert.equal(new Set(chosen(Array(40).fill('part-xqzlj'))).size, 1)
})

test('characters beyond ASCII are preferred only on request', () => {
  const isPlain = (gram: string | undefined) => /^[ -~]{3}$/.test(gram as string)
  assert.equal(isPlain(chosen(['xqz пароль'])[0]), true)
  assert.equal(isPlain(chosen(['xqz пароль'], true)[0]), false)
})
