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

test('a remark in wide brackets, in a script without blanks, and a Chinese sentence name the value before them', () => {
  const passport = ['E', '12345', '678'].join('')
  const citizen = ['110101', '18850312', '7287'].join('')
  const mobile = ['138', '3643', '3252'].join('')
  for (const [text, value] of [
    ['1985-03-12（出生日期）', 'date_of_birth 1985-03-12'],
    [`${passport}（护照）`, `passport_number_generic ${passport}`],
    [`${passport}是我的护照号。`, `passport_number_generic ${passport}`],
    [`${citizen}（身份证）`, `cn_resident_id ${citizen}`],
    [`${mobile}（手机）`, `phone_number ${mobile}`],
    [`${mobile} （手机）`, `phone_number ${mobile}`],
    [`${passport} （护照）`, `passport_number_generic ${passport}`],
    [`${mobile}(手机)`, `phone_number ${mobile}`],
    [`${mobile}是他的手机号`, `phone_number ${mobile}`],
    ['09012' + '345678 (رقم الهاتف)', 'phone_number 09012' + '345678']
  ] as const)
    assert.deepEqual(found(text), [value], text)
  for (const text of [
    `${passport}。是我的护照号`,
    `${passport}（他的护照）没有`.replace('护照', '房间'),
    '1985-03-12（出生日期未知）'
  ])
    assert.deepEqual(found(text), [], text)
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
