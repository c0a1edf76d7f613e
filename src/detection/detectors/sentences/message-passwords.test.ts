import assert from 'node:assert/strict'
import test from 'node:test'
import { filler } from '../../sample-text.ts'
import { createScanner } from '../../scanner.ts'

test('a heading that holds a pair itself is read like the lines below it', () => {
  const [inHeading, below, further] = [`${filler(9)}42`, `${filler(9, undefined, 3)}42`, `${filler(9, undefined, 5)}42`]
  for (const word of ['Zugangsdaten', 'Identifiants', 'Accesos']) {
    const text = `${word} kunde1 / ${inHeading}, Testshop:\n- ws-01 ${below}\n- ws-02 ${further}\n`
    const found = createScanner().scan(text)
    assert.deepEqual(
      found.map(({ start, end }) => text.slice(start, end)),
      [inHeading, below, further],
      text
    )
  }
})
