/** A number that fills its line is a field that was sent alone, unless the lines around it say what it is part of. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { parse as parseYaml } from 'yaml'
import { createScanner } from '../scanner.ts'

const scanner = createScanner()
const acted = (text: string) =>
  scanner.scan(text).filter(({ confidence, tier }) => confidence !== 'weak' && tier !== 'none' && tier !== 'low')
/** A Swedish tax number, a Brazilian one with letters, and an address that looks like a Chilean number. */
const [tax, letters, address] = ['1576540098', 'attack.t1552.006', '172.17.0.11']

test('a value that fills a line of its own is found', () => {
  for (const text of [tax, `  ${tax}`, `your number:\n\n${tax}\n`, `hello\n${tax}\nbye`])
    assert.deepEqual(
      acted(text).map(({ start, end }) => text.slice(start, end)),
      [tax],
      text
    )
})

test('a named code is found, and its name is not masked', () => {
  for (const name of ['OTP ', 'TAN ', 'PIN: ']) {
    const text = `${name}${['739', '201'].join('')}`
    assert.deepEqual(
      acted(text).map(({ kind, start }) => [kind, start]),
      [['told_code', name.length]],
      text
    )
  }
})

test('an array element is not a line of its own, however the array is written', () => {
  for (const text of [
    `{\n  "at": [\n    ${tax}\n  ]\n}\n`,
    `{"at": [\r\n${tax}\r\n]}`,
    `at = (1, 2,\n ${tax})\n`,
    `at = [\n  7,\n  ${tax}\n]\n`,
    `f(\n${tax}\n)`,
    `x = (a *\n  ${tax}) +\n  b`
  ])
    assert.deepEqual(acted(text), [], text)
})

test('a number of an indented column, a word of an indented list and what a block consists of are not alone', () => {
  const short = ['1764', '00'].join('')
  for (const text of [
    `rates = [\n    96000\n    ${short}\n    192000\n]\n`,
    `    ${short}\r\n    192000\r\n`,
    `  %w[\n    ISO-8859-9\n    ISO-8859-13\n    KOI8-R\n`,
    `fn most() -> u32 {\n  ${['42949', '67295'].join('')}\n}\n`,
    `00000020  6f 75 2e  0a                       |ing you..|\n00000029\n`
  ])
    assert.deepEqual(acted(text), [], text)
  for (const text of [`  ${tax}\n  2${tax},\n`, `  x: 7\n  ${tax}\n  y: 8\n`, `{\n  a\n  ${tax}\n  b\n}\n`])
    assert.equal(acted(text).length, 1, text)
})

test('an address, a network or a version among other words is not a number of a person', () => {
  for (const text of [
    'ip:(10.0.0.0/8\n    or 100.64.0.0/10\n    or 127.0.0.0/8',
    '    10.0.0.0/8 or\n    127.0.0.0/8 or\n    169.254.0.0/16 or',
    '```http\nHTTP/1.1 404\nContent-Version: 1',
    'deno 1.43.2\nv8 12.4.254.12\ntypescript 5.4.5'
  ])
    assert.deepEqual(acted(text), [], text)
})

test('a list item and the term of a sum keep their sign', () => {
  for (const value of [tax, letters, address]) {
    const text = `hosts:\n    - ${value}\nport: 80\n`
    assert.deepEqual(acted(text), [], text)
    assert.deepEqual(Object.keys(parseYaml(text)), ['hosts', 'port'])
  }
  assert.deepEqual(acted(`x = (a\n     + ${tax}\n     - b)\n`), [])
})

test('a date, decimal, fraction, range, option or counted thing that fills a line is not a number of a person', () => {
  // Most of them pass the check of some country.
  for (const text of [
    '2018-09-01',
    '01.09.2018',
    '09/01/2018',
    '1.4.2 - 05/26/2012',
    '2014-09-17 1.0.0',
    '1.0.3 - 03/07/2011',
    '08.11.2014 - 10.11.2014',
    '1136.84211',
    '-12.345678',
    '12825/8192',
    '117649/93312',
    '2308 - 2310',
    '--id 1234567',
    'size 750700',
    'L 460.8 273.6'
  ])
    for (const lines of [text, ` ${text}\n 12.3\n`, `before\n${text}\nafter`]) assert.deepEqual(acted(lines), [], lines)
  // Birth numbers and tax numbers are written like fractions too, and a check digit stands behind a dash.
  for (const text of [['780123', '3540'].join('/'), ['93815', '08152'].join('/'), ['800226098', '4'].join(' - ')])
    assert.equal(acted(text).length, 1, text)
})

test('instructions, addresses, versions and rows of files are not numbers of persons', () => {
  // All of them pass the check of some country.
  for (const text of [
    'G1 X5 F1200',
    'G28\nG1 Z1.0 F600\nG1 X300 Y100',
    'EXPOSE 9001',
    'M 2034 4750\nL 616 2931\nL 628 4550',
    '280 1358 m\n280 1178 l',
    '35.239.72.50',
    '137.117.15.111',
    '1.11.155',
    'F2.5030000000000001',
    '> <PUBCHEM_CID>\n165999814\n',
    'M  V30 309 1 309 312\nM  V30 310 1 309 310\nM  V30 311 1 309 311'
  ])
    assert.deepEqual(acted(`before\n${text}\n\nafter`), [], text)
  // A letter before two groups is a document by itself, and not a step among others.
  assert.equal(acted(['L 616', '2931'].join(' ')).length, 1)
})

test('columns, rulers, pages, years, words, genotypes and rows that count are not numbers of persons', () => {
  // Each passes the check of some country, or has the form of a telephone or passport number.
  for (const text of [
    '18819  18826',
    '-180  -90  180   90',
    '0123456789',
    '01 23 456 78',
    '1234567890',
    'pp. 465-468',
    '749-758 (2011)',
    '23009 goto 23008',
    '3062915 0/1 0/2',
    '14.0.20241023.0',
    '.798 -.401',
    '1727 122\n1728 103',
    'rs6111385\nrs2298108'
  ])
    assert.deepEqual(acted(`before\n${text}\n\nafter`), [], text)
  // Two blanks in one of several gaps are an accident.
  assert.equal(acted(['0  10', '5 544 04660', '2'].join(' ')).length, 1)
  assert.equal(acted(['RS6111', '385'].join('')).length, 1)
  // Capitals are the series of documents, or the country of tax numbers.
  assert.equal(acted(['XY4931', '572\nXY4931', '573'].join('')).length, 2)
  assert.equal(acted(['PP-4931', '572'].join('')).length, 1)
})
