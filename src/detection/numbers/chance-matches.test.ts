import assert from 'node:assert/strict'
import test from 'node:test'
import { builtInDetectors } from '../detectors/index.ts'
import { trafficDetectors } from '../detectors/traffic.ts'
import { isNarrow, isOffset } from './chance-matches.ts'
import { withoutLoneNumbers } from './lone-numbers.ts'
import type { NumberRun } from './number-run.ts'
import { createScanner } from '../scanner.ts'

const scanner = createScanner(withoutLoneNumbers(builtInDetectors))
const kindsIn = (text: string) =>
  scanner.scan(text).map(({ kind, tier, confidence }) => `${kind} ${tier} ${confidence}`)

test('numbers in tables, colours, codes and decimals are not personal data', () => {
  for (const text of [
    'C 61 ; WX 489 ; N equal ; B 49 125 586 347 ;',
    '250 235 215 antique white',
    'insert ( 713 11 10 b f f 600 600 16 713 510 988 102 106 )',
    'IGNORE # 112112211213211 <U748D>',
    '|v.C.I..$.WL&./..|\n00000050  11 ff 01 00',
    'phi = 1.61803399F; // golden',
    "Decimal('1.38435736E+12')",
    'obidos/ASIN/430926820X/aozorablog-22',
    'size 123 456 782 bytes',
    'build B903865305, part A738060910',
    'table:\n  .word 0xdc338383\n',
    '{"reqId":"y6ql4sSN","userId":100856568}',
    '{"reqId":"BvqRutZl","userId":875917137}'
  ])
    assert.deepEqual(kindsIn(text), [], text)
})

test('coordinates of pictures and fonts, sizes and versions are not personal data in traffic either', () => {
  const traffic = createScanner(trafficDetectors)
  for (const text of [
    'C 62 ; WX 463 ; N greater ; B 62 120 433 565 ;',
    'C 126 ; WX 479 ; N asciitilde ; B 91 180 476 326 ;',
    'L 10 20\nQ 4309 1634 4034 1044\nQ 1 2',
    String.raw`"z\nQ 4309 1634 4034 1044 \nQ"`,
    '1609272K bytes of Flash at flash:.',
    'LICENSE:198:jetty-http-9.4.56.v20240826',
    'Invoice 750-67~-8428'.replace('~', ''),
    '"order_no": "750-67~-8428"'.replace('~', ''),
    'Memorandum Circular No. 002-07~-2024'.replace('~', '')
  ])
    assert.deepEqual(traffic.scan(text), [], text)
  assert.equal(traffic.scan('ABN: 62 120 433 565').length, 1)
})

test('the offsets of a dump of bytes are not findings, whatever its letters spell', () => {
  const rows = (words: string) =>
    `00000050  d5 f9 ff 70 5d d8 db cf  63 1f 49 fb d6 fe 0a 41  |...p${words}A|\n` +
    '00000060  fc 86 f6 e9 18 11 04 21  db 11 82 1c 0e 23 90 11  |.......!.....#..|\n'
  for (const words of ['c.I....', 'ruc ci.', 'RUC: ', 'vat: ', 'VAT no '])
    for (const text of [rows(words), `uen vat ${words}\n00000120: c6b0 c155 6197 224d  ...Ua\n`])
      assert.deepEqual(kindsIn(text), [], text)
})

test('an offset begins its line or stands behind a blank', () => {
  const dump = '00000060: fc86 f6e9'
  for (const before of ['', 'x\n', '\t', ' '])
    assert.ok(isOffset(before + dump, before.length, before.length + 8), before)
  for (const before of ['x', '"', '=']) assert.ok(!isOffset(before + dump, before.length, before.length + 8), before)
})

test('a long number of five neighbouring digits is a code, and one of six is not', () => {
  const narrow = (text: string) => isNarrow({ digits: Uint8Array.from(text, Number), count: text.length } as NumberRun)
  for (const text of ['123451234512', '456784567845678']) assert.ok(narrow(text), text)
  for (const text of ['123456123456', '12345123451', '567891234567']) assert.ok(!narrow(text), text)
})

test('a number that people make up never blocks', () => {
  for (const [text, wanted] of [
    [`ssn : ${['111', '22', '3333'].join('-')}`, 'us_ssn medium medium'],
    [`ssn: ${['123', '45', '6789'].join('-')}`, 'us_ssn medium medium'],
    [`ssn: ${['536', '22', '8726'].join('-')}`, 'us_ssn high strong'],
    [`card: ${['5555', '5555', '5555', '4444'].join(' ')}`, 'credit_card medium medium'],
    [`card: ${['3782', '822463', '10005'].join(' ')}`, 'credit_card medium medium'],
    [`card: ${['4539', '1488', '0343', '6467'].join(' ')}`, 'credit_card high strong']
  ] as const)
    assert.deepEqual(kindsIn(text), [wanted], text)
  assert.deepEqual(kindsIn(`22 ${['111', '22', '3333'].join('-')} #221B`), [])
})

test('letters do not part the digits of a value into groups, of which a specimen has one digit each', () => {
  const code = ['BNCMRA11', 'A22C444T'].join('')
  assert.deepEqual(kindsIn(`x ${code} and y`), ['it_codice_fiscale medium medium'])
})
