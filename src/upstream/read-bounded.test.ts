import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { BodyTooLarge, readAtMost, readBounded } from './read-bounded.ts'

const bodyOf = (...pieces: readonly string[]) => Readable.from(pieces.map((piece) => Buffer.from(piece)))

test('a body is read up to its limit, and that far only', async () => {
  assert.equal(String(await readAtMost(bodyOf('ab', 'cd'), 4)), 'abcd')
  assert.equal(String(await readBounded(bodyOf(), 0)), '')
  const endless = Readable.from(pieces(), { highWaterMark: 1 })
  assert.equal(await readAtMost(endless, 4), undefined)
  assert.ok(endless.destroyed, 'nobody reads the rest')
  await assert.rejects(readBounded(bodyOf('ab', 'cd'), 3), BodyTooLarge)
})

test('a body that breaks off is no body', async () => {
  const broken = bodyOf('ab')
  broken.destroy(new Error('reset'))
  await assert.rejects(readAtMost(broken, 4), /reset/)
})

function* pieces(): Generator<Buffer> {
  for (;;) yield Buffer.from('abc')
}
