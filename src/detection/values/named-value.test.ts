import assert from 'node:assert/strict'
import test from 'node:test'
import { trafficDetectors } from '../detectors/traffic.ts'
import { createScanner } from '../scanner.ts'

const scanner = createScanner(trafficDetectors)
const found = (text: string) => scanner.scan(text).map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`)
const id = ['7229', '175', '306'].join('')

test('a sentence or a remark in brackets names the value before it', () => {
  for (const [text, ...values] of [
    ['Ana Ruiz, 12/03/1985 (DOB), Ulm', 'date_of_birth 12/03/1985'],
    ['Ana Ruiz, 12/03/1985 (date of birth)', 'date_of_birth 12/03/1985'],
    ['12 March 1985 is her birthday', 'date_of_birth 12 March 1985'],
    ["'1985-03-12' was the birth date on file", 'date_of_birth 1985-03-12'],
    ['12.03.1985 ist mein Geburtsdatum', 'date_of_birth 12.03.1985'],
    ['12/03/1985 (DOB 04/05/1986)', 'date_of_birth 04/05/1986'],
    [`${id} is my health card number`, `national_id_number ${id}`],
    [`${id} (personal ID no.)`, `national_id_number ${id}`]
  ] as const)
    assert.deepEqual(found(text), values, text)
})

test('a date before a remark about something else, or a sentence that has ended, has no name', () => {
  for (const text of [
    'She joined on 3 May 1990 (born in Ulm)',
    'She joined on 3 May 1990 (birthday party)',
    'She joined on 12/03/1985. The date of birth is missing',
    'on 12/03/1985 it is the birth date that counts',
    '12/03/1985\n(DOB)',
    `${id} has a tax id`,
    'x1985-03-12 is the birth date'
  ])
    assert.deepEqual(found(text), [], text)
})
