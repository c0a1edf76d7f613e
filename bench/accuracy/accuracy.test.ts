import assert from 'node:assert/strict'
import test from 'node:test'
import { fillFrame, readFamilies } from './frames.ts'
import { measureFamilies, variantsOfFrame } from './measure.ts'

const measured = (name: string, ...frames: readonly string[]) => {
  const [family] = measureFamilies([{ name, frames }])
  assert.ok(family !== undefined)
  return family
}

test('every slot of every frame is filled, and its value stands where it is said to', () => {
  for (const { name, frames } of readFamilies())
    for (const frame of frames) {
      const { text, values } = fillFrame(frame, 3, 7)
      assert.ok(!/[⟪⟫]/.test(text), `${name}: ${frame}`)
      assert.equal(values.length, frame.split(/⟪(?!-)/).length - 1)
      const parts = frame.split(/⟪(-?\w+)⟫/)
      const left = [...values]
      let at = 0
      parts.forEach((part, i) => {
        if (i % 2 === 0) {
          assert.ok(text.startsWith(part, at), text)
          at += part.length
        } else if (part.startsWith('-')) at = text.indexOf(parts[i + 1] || '\n', at + 1)
        else {
          const value = left.shift()
          assert.equal(value?.start, at)
          // The shortest value is the security code of a card.
          assert.ok(value.end - at >= 3, text)
          at = value.end
        }
      })
    }
})

test('the same seed makes the same values, another one makes others', () => {
  const frame = 'password: ⟪password⟫, token: ⟪token⟫'
  assert.deepEqual(fillFrame(frame, 1, 5), fillFrame(frame, 1, 5))
  assert.notEqual(fillFrame(frame, 1, 5).text, fillFrame(frame, 1, 6).text)
  assert.throws(() => fillFrame('⟪nothing⟫', 0, 1), /⟪nothing⟫/)
})

test('values are counted as found whole, lost, or beside the point', () => {
  const found = measured('found', 'DB_PASSWORD=⟪password⟫')
  assert.deepEqual([found.values, found.whole, found.lost, found.weak], [variantsOfFrame, variantsOfFrame, 0, []])
  const lost = measured('lost', 'colour: ⟪hex7⟫')
  assert.deepEqual([lost.lost, lost.weak[0]?.missed, lost.elsewhere], [variantsOfFrame, variantsOfFrame, 0])
  const beside = measured('beside', 'write to ⟪email⟫ or to ana.keller@imaginary-bakery.com about ⟪hex7⟫')
  assert.deepEqual([beside.whole, beside.lost, beside.elsewhere], [variantsOfFrame, variantsOfFrame, variantsOfFrame])
  const other = measured('other', 'image ⟪-hex64⟫ of ⟪-uuid⟫')
  assert.deepEqual([other.values, other.elsewhere], [0, 0])
  const quiet = measured('quiet-tools', 'write to ⟪email⟫')
  assert.deepEqual([quiet.values, quiet.elsewhere], [0, variantsOfFrame])
})
