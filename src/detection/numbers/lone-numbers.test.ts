import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtInDetectors } from '../detectors/index.ts'
import { nationalIdDetectors } from '../detectors/national-ids/index.ts'
import { withoutLoneNumbers } from './lone-numbers.ts'
import { createScanner } from '../scanner.ts'

const scanner = createScanner(withoutLoneNumbers(builtInDetectors))

test('dates, times, sizes and counts alone in a string are not personal data', () => {
  const texts =
    '2026-10-21 2023-06-01 11/20/2026 20.11.2026 1795207095 1795207095626 12345678 123456789 1234567890 12345678901 ' +
    '3.14159265 65536 33554432 2147483647 4294967295 100-200 555-1234 192.168.1.1 INC0012345 94107-1234'
  for (const text of texts.split(' ')) {
    const found = scanner.scan(text).filter(({ confidence, tier }) => confidence !== 'weak' && tier !== 'low')
    assert.deepEqual(found, [], text)
  }
})

test('a number behind its name is still found', () => {
  const ssn = ['512', '44', '6723'].join('-')
  assert.deepEqual(
    scanner.scan(`ssn: ${ssn}`).map(({ kind }) => kind),
    ['us_ssn']
  )
  assert.deepEqual(
    scanner.scan(ssn, undefined, { key: 'ssn' }).map(({ kind }) => kind),
    ['us_ssn']
  )
})

test('a line among many, a comment or a heading is not a value sent alone', () => {
  const alone = ['RFC', '1734'].join('')
  const kinds = (text: string) =>
    createScanner()
      .scan(text)
      .filter(({ tier }) => tier !== 'low')
  assert.notDeepEqual(kinds(alone), [])
  for (const text of [
    `${alone}\nRFC4616`,
    `RFC4616\r\n${alone}\r\n`,
    `// ${alone}`,
    `${alone}.`,
    '16383 - 16383',
    '1.0.7 2015-08-30'
  ])
    assert.deepEqual(kinds(text), [], text)
})

test('rows of coordinates, matrices and molecules are not personal data, and a number in groups still is', () => {
  const kinds = (text: string) => createScanner().scan(text)
  // Each row would pass the check of some number if it were written alone.
  const bonds = Array.from({ length: 60 }, (_, i) => `${101 + i}${102 + i}  1  0  0  0  0`)
  const points = Array.from({ length: 60 }, (_, i) => ` ${186 + i}.0 -${20 + i}.0 ${26 + 3 * i}.0`)
  const matrix = Array.from(
    { length: 60 },
    (_, i) => `${(i * 7919) % 1009} ${(i * 104_729) % 97} ${(i * 1299) % 5003} 12`
  )
  const weights = Array.from({ length: 60 }, (_, i) => `${12 + i} 1.000    ${10 + i}  ${18 + i}   0 0`)
  for (const rows of [bonds, points, matrix, weights])
    for (const line of ['\n', '\r\n']) assert.deepEqual(kinds(rows.join(line)), [], String(rows[0]))
  const thai = ['05', '0', '55440', '03519']
  for (const text of [thai.join(' '), thai.join('  '), `${thai.join(' ')}\n${thai.join(' ')}`])
    assert.notDeepEqual(kinds(text), [], text)
})

test('addresses of networks and numbers of chemical compounds are no personal numbers, even alone in a file', () => {
  const files = createScanner()
  const networks = [
    '27.7.239.0/16',
    '125.49.199.0/19',
    '36.196.0.0/27',
    '199.27.70.0/26',
    '136.59.197.0/27',
    '16.145.2.0/17'
  ]
  const compounds = ['7732-18-5', '64-17-5', '1310-73-2', '9002-88-4', '7647-14-5']
  for (const text of [...networks, ...compounds, `${networks.join('\n')}\n`])
    assert.deepEqual(
      files.scan(text).filter(({ tier }) => tier !== 'low'),
      [],
      text
    )
})

test('places on maps and chromosomes, and of molecules are no personal numbers', () => {
  const found = (text: string) =>
    createScanner()
      .scan(text)
      .filter(({ tier }) => tier !== 'low')
  for (const text of [
    ...['chr1 95 100', 'chr1  501 1000 4', 'chr12 10000', '-111 50', '700000 7000000', '330000 350000'],
    ...['CC(c(c)c)C -140', 'CC(n(c)c)(C)C -180']
  ])
    assert.deepEqual(found(text), [], text)
  for (const text of [
    ...['K 836704(3)', ['25', '8372', '2170'].join(' '), ['de 2688', '18340'].join('')],
    ...[['at61', '1904', '3002', '3457', '3201'].join(' '), '(+49) (0)30 1234' + '567', '-49 171 1234' + '567']
  ])
    assert.notDeepEqual(found(text), [], text)
})

test('a Spanish number in a file name is found, and a place in a genome is none', () => {
  const found = (text: string) =>
    createScanner(nationalIdDetectors)
      .scan(text)
      .map(({ kind }) => kind)
  const place = ['605886', '51-G'].join('')
  assert.deepEqual(found(`see ${place}-scan.pdf`), ['es_dni'])
  for (const text of [`ENST0037:${place}-<DEL>`, `10:${place}-A`]) assert.deepEqual(found(text), [], text)
})
