import assert from 'node:assert/strict'
import test from 'node:test'
import { builtInDetectors } from '../detectors/index.ts'
import { escapeLiterals } from '../normalise/escapes.ts'
import { compileEngine } from './engine.ts'

test('characters frequent in literals or texts have a class of their own, whatever symbols literals use', () => {
  const signals = escapeLiterals.map((literal) => ({ literal, number: 0 }))
  const { classOf } = compileEngine(builtInDetectors, signals, true).anchors.plain.index
  const sharers = (code: number) => classOf.filter((cls) => cls === classOf[code]).length
  // A sign that shares a class with brackets is looked for at the end of each block of program text.
  for (const sign of '_0123456789 \n"\'\\()*,-./:;<=>@[')
    assert.equal(
      sharers(sign.charCodeAt(0)),
      1,
      `${JSON.stringify(sign)}: let one that texts have less of share a class`
    )
})
