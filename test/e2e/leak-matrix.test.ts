/**
 * The short form of the leak matrix: no planted value arrives upstream, and what is restored reaches the client
 * unmasked.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes, textsIn } from '../../scripts/leak-matrix/places.ts'
import { planted, runMatrix } from '../../scripts/leak-matrix/run-matrix.ts'

test('the search of the matrix would find every value at every place', () => {
  const text = planted.map(({ sentence }) => sentence).join('\n\n')
  for (const { path, places } of routes) {
    for (const { name, body } of places) {
      const texts = textsIn(JSON.parse(JSON.stringify(body(text, false)))).join('\n')
      for (const { kind, value } of planted) assert.ok(texts.includes(value), `${kind} in ${path}, ${name}`)
    }
  }
})

test('of 24 values at every place of every route none arrives upstream, and restorable ones return', async () => {
  assert.equal(new Set(planted.map(({ value }) => value)).size, 24)
  for (const row of await runMatrix({ short: true })) {
    const where = `${row.route}, ${row.place}: ${[...row.faults].join(', ')}`
    assert.equal(row.failed, 0, where)
    assert.equal(row.leaked, 0, where)
    assert.equal(row.placeholdersLeft, 0, where)
    assert.equal(row.restored, row.restorable, where)
    assert.ok(row.planted >= 96, where)
  }
})
