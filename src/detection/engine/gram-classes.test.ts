import assert from 'node:assert/strict'
import test from 'node:test'
import { builtInDetectors } from '../detectors/index.ts'
import { escapeLiterals } from '../normalise/escapes.ts'
import { compileEngine } from './engine.ts'
import { classCount } from './gram-classes.ts'
import { byteOf } from './text-block.ts'

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

test('no class holds many of the bytes beyond ASCII, since texts in other scripts would look like literals', () => {
  const { classOf } = anchors.wide()!.index
  const members = new Uint8Array(classCount)
  for (const cls of classOf.subarray(128)) members[cls]!++
  // The class of bytes in no literal.
  members[0] = 0
  assert.ok(Math.max(...members) <= 6, `${Math.max(...members)}: which bytes share a class?`)
})

test('both cases of each letter beyond ASCII have the same byte', () => {
  // A mark below a letter, whose capital is a letter.
  const iota = 0x345
  for (let code = 128; code < 65_536; code++) {
    const capital = String.fromCharCode(code).toUpperCase()
    if (capital.length > 1 || capital < '\x80' || code === iota) continue
    assert.equal(byteOf(capital.charCodeAt(0)), byteOf(code), capital)
  }
})
