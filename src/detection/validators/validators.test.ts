import assert from 'node:assert/strict'
import test from 'node:test'
import * as africa from './africa-mideast.ts'
import * as americas from './americas.ts'
import * as asia from './asia-pacific.ts'
import { nzAccount } from './bank-accounts.ts'
import { dateEnd } from './dates.ts'
import { isDay, longestRun, luhnOf, mod11And10, verhoeff } from './digits.ts'
import { documentCheck } from './documents.ts'
import * as east from './europe-east.ts'
import * as west from './europe-west.ts'
import * as vat from './vat.ts'

/** Examples that the issuers print in their own documents, in pieces. */
const published: readonly (readonly [name: string, check: (value: string) => boolean, ...pieces: string[]])[] = [
  ['NHS Data Dictionary', west.gbNhs, '943', '476', '5919'],
  ['Bundeszentralamt fuer Steuern', west.deSteuerId, '86095', '742719'],
  ['Deutsche Rentenversicherung', west.deSozialversicherung, '15070', '649C103'],
  ['Zentrale Ausgleichsstelle', west.chAhv, '7569217', '076985'],
  ['Skatteverket', west.sePersonnummer, '811218', '9876'],
  ['Ministerio del Interior', west.esDni, '12345', '678Z'],
  ['Agenzia delle Entrate', east.itCodiceFiscale, 'RSSMRA', '85T10A562S'],
  ['Ministerstwo Cyfryzacji', east.plPesel, '440514', '01359'],
  ['GB 11643-1999', asia.cnResidentId, '110105', '194912310', '02X'],
  ['Ministry of the Interior, Taiwan', asia.twNationalId, 'A1234', '56789'],
  ['Immigration Department of Hong Kong', asia.hkId, 'A123', '4563'],
  ['Australian Business Register', asia.auAbn, '51824', '753556'],
  ['Australian Taxation Office', asia.auTfn, '1234', '56782'],
  ['Inland Revenue', asia.nzIrd, '4909', '1850'],
  ['Centers for Medicare and Medicaid Services', americas.usNpi, '12345', '67893'],
  ['Dirección General de Impuestos Internos', americas.doRnc, '10101', '0632'],
  ['Nüfus ve Vatandaşlık İşleri', africa.trTckn, '100000', '00146']
]

for (const [name, check, ...pieces] of published) {
  test(`the example of ${name} is valid, and with another last character it is not`, () => {
    const value = pieces.join('')
    assert.equal(check(value), true)
    const last = value.at(-1) as string
    const others = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'].filter((one) => one !== last)
    const sameSort = others.filter((one) => one < ':' === last < ':')
    assert.deepEqual(
      sameSort.filter((one) => check(value.slice(0, -1) + one)),
      []
    )
  })
}

test('the examples of Inland Revenue are accounts, and with another last digit of the account they are not', () => {
  for (const [account, suffix] of [
    [['0109', '020068', '389'], '00'],
    [['0865', '231954', '512'], '001'],
    [['2626', '000320', '871'], '032']
  ] as const) {
    const base = account.join('')
    const valid = [...'0123456789'].filter((digit) => nzAccount(base.slice(0, -1) + digit + suffix))
    assert.deepEqual(valid, [base.at(-1)])
  }
})

test('for the common rules one check digit in ten is valid', () => {
  const rules = [luhnOf, verhoeff, mod11And10]
  for (const rule of rules) {
    for (const base of ['7992739871', '2363', '5048172', '90210457']) {
      assert.equal([...'0123456789'].filter((digit) => rule(base + digit)).length, 1)
    }
  }
})

test('a changed digit and two swapped neighbours are noticed', () => {
  const value = '86095742719'
  assert.ok(mod11And10(value) && verhoeff('2363'))
  assert.ok(!verhoeff('3263') && !verhoeff('2633'))
  for (let i = 0; i < value.length; i++) {
    const changed = value.slice(0, i) + String((Number(value.charAt(i)) + 3) % 10) + value.slice(i + 1)
    assert.ok(!mod11And10(changed), changed)
  }
})

test('days are valid in the calendar', () => {
  assert.ok(isDay(2, 29, 2000) && isDay(2, 29, 2024) && !isDay(2, 29, 1900) && !isDay(2, 30) && !isDay(4, 31))
  assert.ok(!isDay(0, 1) && !isDay(13, 1) && !isDay(1, 0))
})

test('a date ends at its last digit', () => {
  const ends = (text: string) => text.slice(0, Math.max(0, dateEnd(text, 0)))
  assert.equal(ends('1985-03-12T00:00'), '1985-03-12')
  assert.equal(ends('12.03.1985.'), '12.03.1985')
  assert.equal(ends('3/12/85'), '3/12/85')
  assert.equal(ends('12 March 1985,'), '12 March 1985')
  assert.equal(ends('March 12, 1985'), 'March 12, 1985')
  for (const date of ['12-Mar-85', '12MAR85', '12MAR1985', '12 Mar 85', '12/Mar/85']) assert.equal(ends(date), date)
  assert.equal(ends('12 march 85.'), '12 march 85')
  for (const wrong of ['1985-13-01', '32.01.1985', '1.2.3', '2085-01-01', 'Marchs 12', '12-Foo-1985', ''])
    assert.equal(ends(wrong), '')
  for (const wrong of ['12 Mar 10:30', '12 Mar 85.5', '12 May 21 Baker Street', '12FOO85', '32MAR85', '12MAR850'])
    assert.equal(ends(wrong), '')
})

test('numbers for value-added tax are judged by their country', () => {
  const right: readonly (readonly [string, string])[] = [
    ['DE', '136' + '695976'],
    ['ATU', '1358' + '5627'],
    ['IT', '007431' + '10157'],
    ['FR', '4030' + '3265045'],
    ['NL', '0044' + '95445B01']
  ]
  for (const [country, value] of right) {
    const check = vat.vatForms.find((form) => form[0] === country)?.[2] as (value: string) => boolean
    assert.equal(check(value), true, country)
    const place = value.length > 11 ? 8 : value.length - 1
    const changed = value.slice(0, place) + String((Number(value.charAt(place)) + 1) % 10) + value.slice(place + 1)
    assert.equal(check(changed), false, country)
  }
})

test('check digits of documents', () => {
  assert.equal(documentCheck('5207272', 0, 6), false)
  assert.equal(documentCheck('520727' + '3', 0, 6), true)
  assert.equal(documentCheck('AB2134<<<' + '5', 0, 9), true)
})

test('the longest run is counted by its step, wherever it is', () => {
  assert.equal(longestRun('5123456780', 1), 8)
  assert.equal(longestRun('1987', -1), 3)
  assert.equal(longestRun('4000000002', 0), 8)
  assert.equal(longestRun('', 0), 0)
  assert.equal(longestRun('7', 1), 1)
})
