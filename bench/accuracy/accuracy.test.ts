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
      assert.equal(values.length, frame.split('⟪').length - 1)
      let rest = frame
      let at = 0
      for (const { start, end } of values) {
        const slot = rest.indexOf('⟪')
        assert.equal(text.slice(at, start), rest.slice(0, slot))
        // The shortest is a PIN.
        assert.ok(end - start >= 4, text)
        rest = rest.slice(rest.indexOf('⟫') + 1)
        at = end
      }
      assert.equal(text.slice(at), rest)
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
  const quiet = measured('quiet', 'write to ⟪email⟫')
  assert.deepEqual([quiet.values, quiet.elsewhere], [0, variantsOfFrame])
})
