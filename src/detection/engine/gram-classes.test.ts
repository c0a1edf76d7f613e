import assert from 'node:assert/strict'
import test from 'node:test'
import { builtInDetectors } from '../detectors/index.ts'
import { escapeLiterals } from '../normalise/escapes.ts'
import { compileEngine } from './engine.ts'
import { classCount } from './gram-classes.ts'

const signals = escapeLiterals.map((literal) => ({ literal, number: 0 }))
const { anchors } = compileEngine(builtInDetectors, signals, true)

test('characters frequent in literals or texts have a class of their own, whatever symbols literals use', () => {
  const { classOf } = anchors.plain.index
  const sharers = (code: number) => classOf.filter((cls) => cls === classOf[code]).length
  // A sign that shares a class with brackets is looked for at the end of each block of program text.
  for (const sign of '_0123456789 \n"\'\\()*,-./:;<=>@[')
    assert.equal(
      sharers(sign.charCodeAt(0)),
      1,
      `${JSON.stringify(sign)}: let one that texts have less of share a class`
    )
})

test('no class holds a sixth of the bytes beyond ASCII, since texts in other scripts would look like literals', () => {
  const { classOf } = anchors.wide()!.index
  const members = new Uint8Array(classCount)
  for (const cls of classOf.subarray(128)) members[cls]!++
  // The class of bytes in no literal.
  members[0] = 0
  // The most that one has are 18. A letter joins the bytes of its two cases, and a class grows along such pairs: with the
  // capitals of Georgian, which have a block of their own, it would be 29.
  assert.ok(Math.max(...members) <= 21, `${Math.max(...members)}: which pair of letters joins two classes?`)
})
