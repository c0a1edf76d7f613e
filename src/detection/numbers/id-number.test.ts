import assert from 'node:assert/strict'
import test from 'node:test'
import { nationalIdDetectors } from '../detectors/national-ids/index.ts'
import { idNumber, type IdRow } from './id-number.ts'
import { NumberRun, shapeKey, shapeUnits } from './number-run.ts'
import { createScanner } from '../scanner.ts'

const row: IdRow = {
  id: 'made_up',
  label: 'MADE_UP',
  title: 'made-up number',
  ways: [
    { forms: ['99-9999-9', '9999999'], check: (value) => Number(value) % 7 === 0, proof: 'written' },
    { forms: ['@999@'], proof: 'loose' },
    { forms: ['99999999999'], proof: 'none' }
  ],
  words: ['badge number', 'жетон'],
  valid: ['12-3456~-9'],
  invalid: [],
  source: 'made up here'
}
const scanner = createScanner([idNumber(row)])
const rated = (text: string) => scanner.scan(text).map(({ tier, confidence }) => `${tier} ${confidence}`)

test('behind its name a valid number has the high tier and strong confidence, however the name is written', () => {
  for (const name of ['badge number', 'Badge-Number', 'badge_number', 'badgeNumber', '"BADGE NUMBER"', 'Жетон'])
    assert.deepEqual(rated(`x ${name}: 12-3456-9 y`), ['high strong'], name)
  assert.deepEqual(rated('x badge number 1234569 y'), ['high strong'])
  assert.deepEqual(rated('x badge number a123b y'), ['high strong'])
})

test('a name of two words is a compound with a hyphen too, where the value is written apart', () => {
  const scan = createScanner(nationalIdDetectors)
  const number = ['11 180389', 'P 335'].join(' ')
  for (const name of ['SV Nummer', 'SV-Nummer', 'sv_nummer', 'SVNummer'])
    assert.deepEqual(
      scan.scan(`${name}: ${number}`).map(({ kind }) => kind),
      ['de_sozialversicherung'],
      name
    )
  assert.equal(scan.scan(`Name;SV-Nummer;Ort\nOle;${number};Ulm\nMia;${number};Ulm\n`).length, 2)
})

test('a sentence names the value that it begins with', () => {
  assert.deepEqual(rated('and A123B is my badge number.'), ['high strong'])
  assert.deepEqual(rated('and 12-3456-9 ist jetzt der жетон'), ['high strong'])
  assert.deepEqual(rated('and A123B is not. My badge number'), [])
  assert.deepEqual(rated('and A123B has the badge number'), [])
  assert.deepEqual(rated('and 1234569 is the badge number on file'), ['high strong'])
  assert.deepEqual(rated("and '1234569' was my badge number"), ['high strong'])
  assert.deepEqual(rated('and 1234569 is how many. The badge number'), [])
  assert.deepEqual(rated('and 1234568 is the badge number on file'), [])
})

test('a sentence names a value with letters in groups, or without three digits in a row, before its name', () => {
  const scan = createScanner(nationalIdDetectors)
  const found = (text: string) => scan.scan(text).map(({ kind, start, end }) => `${kind} ${text.slice(start, end)}`)
  const nino = ['CE 26 80', '42 B'].join(' ')
  const card = ['C8K4', 'X9T2R'].join('')
  for (const text of [`${nino} (her NI number)`, `${nino} is the NI number on file`, `"${nino}" was my NI number`])
    assert.deepEqual(found(`and ${text}`), [`gb_nino ${nino}`], text)
  assert.deepEqual(found(`${card} (Personalausweis)`), [`de_personalausweis ${card}`])
  for (const text of [`${nino} is not. My NI number`, `${nino}\n(NI number)`, `${nino}7 (NI number)`])
    assert.deepEqual(found(text), [], text)
})

test('behind its name a number may have blanks or dashes for other separators, and between letters and digits', () => {
  assert.deepEqual(rated('badge number: 12 3456 9'), ['high strong'])
  for (const text of ['12 3456 9', 'badge number: 12 34569', 'badge number: 12 3456 8', 'badge number 12.3456.9'])
    assert.deepEqual(rated(`x ${text} y`), [], text)
  const scan = createScanner(nationalIdDetectors)
  for (const [name, value] of [
    ['CUIT', ['20 04557269', '3'].join(' ')],
    ['RUT', ['96-061', '840-8'].join('-')],
    ['DNI', ['62274427', 'H'].join(' ')],
    ['RFC', ['GODE-561231', 'GR5'].join('-')]
  ] as const)
    assert.deepEqual(
      scan.scan(`mi ${name}: ${value}, gracias`).map(({ start, end, tier }) => [end - start, tier]),
      [[value.length, 'high']],
      name
    )
  // A lower-case letter behind a blank is a word.
  assert.deepEqual(
    scan.scan(`mi DNI: ${['62274427', 'h'].join(' ')}`).map(({ end }) => end),
    ['mi DNI: 62274427'.length]
  )
})

test('a line triggers only if it is written in one of the forms', () => {
  const detector = idNumber(row)
  const lines: string[] = []
  const asked = createScanner([
    {
      ...detector,
      match(text, at, context) {
        if (context.by === 'line') lines.push(context.line)
        return detector.match(text, at, context)
      }
    }
  ])
  for (const line of ['1234569', 'A123B', 'a 123.B', '123AB', 'AB123', '12345A9', '1234', '00000123456'])
    asked.scan(`one\n${line}\n`)
  assert.deepEqual(lines, ['1234569', 'A123B', 'A123B', '00000123456'])
})

test('a specimen behind its name is masked and does not block', () => {
  assert.deepEqual(rated('for example, badge number: 12-3456-9'), ['medium medium'])
  assert.deepEqual(rated('validate_badge_number("12-3456-9")'), ['medium medium'])
})

test('without a name a formatted number is masked, and bare digits only if they fill a line', () => {
  assert.deepEqual(rated('x 12-3456-9 y'), ['medium medium'])
  assert.deepEqual(rated('x 1234569 y'), [])
  assert.deepEqual(rated('1234569'), ['medium medium'])
  assert.deepEqual(rated('one\n  1234569 \ntwo'), ['medium medium'])
  assert.deepEqual(rated('123 45 69'), ['medium medium'])
  assert.deepEqual(rated('A123B'), ['medium medium'])
  assert.deepEqual(rated('x A123B y'), [])
  assert.deepEqual(rated('"1234569",'), [])
  assert.deepEqual(rated('1234569\n1234576\r\n1234583'), [])
})

test('a number without a check digit is masked only behind its name', () => {
  assert.deepEqual(rated('badge number: 12345678903'), ['medium medium'])
  assert.deepEqual(rated('12345678903'), [])
  assert.deepEqual(rated('badge number of something that stands much farther on: 12345678903'), [])
})

test('a name makes no number of what is written like something else', () => {
  for (const text of [
    // Of eleven digits, three are too few.
    'badge number: 01010202010',
    // Parts of a hex dump.
    'badge number 1234569  fc 86 f6 e9',
    'badge number A123B: fc86 f6e9',
    // Who answers a question stands at the beginning of a line.
    `my badge number is asked ${'X'.padEnd(38, 'y')}: 1234569`
  ])
    assert.deepEqual(rated(text), [], text)
  assert.deepEqual(rated('badge number: 01010202013'), ['medium medium'])
  assert.deepEqual(rated('badge number 1234569  fc8 86'), ['high strong'])
  const version = createScanner([idNumber({ ...row, ways: [{ forms: ['@99999999'], proof: 'tight' }] })])
  const found = (text: string) => version.scan(text).length
  assert.deepEqual(
    ['v20240826', 'v20241326', 'w20240826'].map((word) => found(`badge number ${word}`)),
    [0, 1, 1]
  )
})

test('a number that people make up is masked behind its name and does not block', () => {
  assert.deepEqual(rated('badge number: 11-2222-6'), ['medium medium'])
  assert.deepEqual(rated('badge number: 11-2345-1'), ['high strong'])
})

test('parentheses that fill a line hold a check digit, and no date', () => {
  assert.deepEqual(rated('123456(9)'), ['medium medium'])
  assert.deepEqual(rated('1234(569)'), [])
})

test('a group of numbers with blanks is none if more numbers stand on either side', () => {
  const spaced = createScanner([idNumber({ ...row, ways: [{ forms: ['999 999 999'], proof: 'tight' }] })])
  const places = (text: string) => spaced.scan(text).map(({ start }) => start)
  assert.deepEqual(places('x 245 252 257 y'), [2])
  for (const text of ['x 245 252 257 266', 'x 231  245 252 257', 'x 245 252 257  266'])
    assert.deepEqual(places(text), [])
})

test('a number has at most 19 digits, and what stands before it may make it part of something', () => {
  const number = new NumberRun()
  assert.ok(number.read('1'.repeat(19), 0))
  assert.ok(!number.read('1'.repeat(20), 0))
  for (const before of ['a', '0.', 'a-', 'v/', '+', ' -', '(-', '=-'])
    assert.ok(!number.read(`${before}12`, before.length), before)
  for (const before of ['', ' ', '--', '" -'.slice(0, 1), '(', ' .'])
    assert.ok(number.read(`${before}12`, before.length), before)
})

test('a wrong check digit or another grouping is not found', () => {
  for (const text of ['badge number 12-3456-8', 'badge number 123-456-9', '12-3456-8', '1234568', '7777777'])
    assert.deepEqual(rated(text), [], text)
})

test('the key of a number in groups is that of its shape', () => {
  const number = new NumberRun()
  for (const shape of ['3-2-4', '9', '1 2 2 2 3 3 2', '2.3.3/4-2', '4-7-1']) {
    let text = ''
    for (const one of shape) text += one >= '0' && one <= '9' ? '1234567890'.slice(0, Number(one)) : one
    assert.ok(number.read(text, 0))
    assert.ok(number.take(text, number.groupsRead))
    assert.equal(number.key, shapeKey(shape))
    assert.equal(shapeUnits(shape), text.length)
  }
  assert.ok(number.read('1 1 1 1 1 1 1 1 1', 0) && number.take('1 1 1 1 1 1 1 1 1', 9))
  assert.equal(number.key, -1)
})

test('every country has a kind and no two kinds share an id', () => {
  const ids = nationalIdDetectors.map((detector) => detector.id)
  assert.equal(new Set(ids).size, ids.length)
  const countries = new Set(ids.map((id) => id.slice(0, 2)))
  assert.ok(countries.size >= 60, String(countries.size))
})

test('each of several names in a row counts only up to the next one', () => {
  const spaced: IdRow = { ...row, ways: [{ forms: ['@@ 99-99'], proof: 'loose' }], words: ['badge number', 'badge'] }
  const places = (text: string) =>
    createScanner([idNumber(spaced)])
      .scan(text)
      .map(({ start }) => start)
  assert.deepEqual(places('badge badge badge number: ab 12-34'), [26])
  assert.deepEqual(places('badge ab 12-34 badge cd 56-78'), [6, 21])
  assert.deepEqual(places('BADGE badges ab 12-34'), [13])
  assert.deepEqual(places(`badge ${'x'.repeat(30)} ab 12-34`), [])
})

test('a date is not a personal number without a name', () => {
  const kinds = (text: string) =>
    createScanner(nationalIdDetectors)
      .scan(text)
      .map(({ kind, tier }) => `${kind} ${tier}`)
  for (const day of ['20261123', '261123']) {
    const number = [day, '0042'].join('-')
    assert.deepEqual(kinds(`batch ${number}, pallet 12`), [])
    assert.deepEqual(kinds(`personnummer ${number}`), ['se_personnummer high'])
  }
  assert.deepEqual(kinds(`anna ${['850312', '4532'].join('-')}`), ['se_personnummer medium'])
})

test('a word and a number have no form of a number that nothing checks', () => {
  const found = (text: string) =>
    createScanner()
      .scan(text)
      .map(({ start, end }) => text.slice(start, end))
  assert.deepEqual(found('INSERT INTO t (passport, mail) VALUES (123)'), [])
  assert.deepEqual(found('see Passport Article 12'), [])
})
