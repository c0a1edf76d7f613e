import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreError } from '../store.ts'
import { openFault } from './open-hints.ts'

test('an operator learns which file cannot be opened, and what to do about it', () => {
  const sentenceOf = (code: number): string => {
    const fault = openFault(
      '/data/sluice.db',
      new StoreError('unavailable', `The store failed: SQLite error ${code}, x.`)
    )
    assert.ok(fault instanceof StoreError)
    return fault.message
  }
  assert.equal(
    sentenceOf(13),
    'The database /data/sluice.db cannot be opened. The store failed: SQLite error 13, x. Make room on the disk.'
  )
  // A full disk has no room for the shared memory either.
  assert.match(sentenceOf(4874), /Make room on the disk\.$/)
  // An extended code of a damaged file.
  assert.match(sentenceOf(267), /The file is damaged: put a backup in its place\.$/)
  assert.match(sentenceOf(778), /x\.$/)
  const other = new TypeError('other')
  assert.equal(openFault('/data/sluice.db', other), other)
})
