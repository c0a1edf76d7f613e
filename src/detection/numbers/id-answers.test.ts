import assert from 'node:assert/strict'
import test from 'node:test'
import { createScanner } from '../scanner.ts'

const kinds = (text: string): string[] =>
  createScanner()
    .scan(text)
    .map(({ kind }) => kind)
const number = ['260729', '53600'].join('')

test('a question on the line above names the number that answers it', () => {
  const question = 'Temsilci: T.C. kimlik numaranızı da rica edeyim'
  for (const speaker of ['[14:05] Müşteri', 'Müşteri', '<ana>', 'Ana'])
    assert.deepEqual(kinds(`${question}\n${speaker}: ${number}\n`), ['tr_tckn'], speaker)
  assert.deepEqual(kinds(`Temsilci: telefonunuzu da rica edeyim lütfen hemen\nMüşteri: ${number}\n`), [])
})

test('a setting below another one is not an answer', () => {
  const created = ['14138', '53096'].join('')
  for (const text of [
    `kimlik:\n  - a\n  - b of c d e\n  created: ${number}\n`,
    `object: kimlik\nowner: x\nlivemode: false\nCreated: ${number}\n`,
    `  type: tax_id\n  livemode: false\n  owner: one of the four\n  created: ${created}\n`
  ])
    assert.deepEqual(kinds(text), [], text)
})
