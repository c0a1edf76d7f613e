import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import type { Dispatcher } from 'undici'
import { BodyTooLarge, readAnswer, readAtMost, readBounded } from './read-bounded.ts'

const bodyOf = (...pieces: readonly string[]) => Readable.from(pieces.map((piece) => Buffer.from(piece)))

test('a body is read up to its limit, and that far only', async () => {
  assert.equal(String(await readAtMost(bodyOf('ab', 'cd'), 4)), 'abcd')
  assert.equal(String(await readBounded(bodyOf(), 0)), '')
  const endless = Readable.from(pieces(), { highWaterMark: 1 })
  assert.equal(await readAtMost(endless, 4), undefined)
  assert.ok(endless.destroyed, 'nobody reads the rest')
  await assert.rejects(readBounded(bodyOf('ab', 'cd'), 3), BodyTooLarge)
})

test('an answer is read in one go only if it says that it is within the limit', async () => {
  const read = async (length: string | undefined, pieces: readonly string[], bytesMax: number) => {
    let atOnce = 0
    const body = Object.assign(bodyOf(...pieces), {
      bytes: async () => {
        atOnce++
        return Buffer.concat(await body.toArray())
      }
    })
    const headers = length === undefined ? {} : { 'content-length': length }
    const answer = { headers, body } as unknown as Dispatcher.ResponseData
    const outcome = await readAnswer(answer, bytesMax).then(String, (error: Error) => error.name)
    return [outcome, atOnce]
  }
  assert.deepEqual(await read('4', ['ab', 'cd'], 4), ['abcd', 1])
  assert.deepEqual(await read(undefined, ['ab', 'cd'], 4), ['abcd', 0])
  for (const length of [undefined, '5', 'five'])
    assert.deepEqual(await read(length, ['ab', 'cde'], 4), ['BodyTooLarge', 0])
})

test('a body that breaks off is no body', async () => {
  const broken = bodyOf('ab')
  broken.destroy(new Error('reset'))
  await assert.rejects(readAtMost(broken, 4), /reset/)
})

function* pieces(): Generator<Buffer> {
  for (;;) yield Buffer.from('abc')
}
