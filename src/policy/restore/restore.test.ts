import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/support/property.ts'
import { RestorableValues, RestoreTable, isPartOfWord } from './restore.ts'

const email = 'EMAIL_7Q2MKX4TAB'
const phone = 'PHONE_ABCDEFGHIJ'
const values = new RestorableValues()
values.add('EMAIL', email, 'someone@corp.dev')
values.add('PHONE', phone, '+1 202 555 0143')
const labels: string[] = []
const table = new RestoreTable(
  values,
  (label) => labels.push(label) > 0 && ['EMAIL', 'PHONE', 'API_KEY'].includes(label)
)

test('finds known placeholders anywhere, and reports older ones without a value', () => {
  const text = `a${email}s, "${phone}"${phone} API_KEY_ZZZZZZZZZZ OTHER_ZZZZZZZZZZ`
  const found = table.matches(text)
  assert.deepEqual(
    found.map(({ start, end, value }) => [text.slice(start, end), value]),
    [
      [email, 'someone@corp.dev'],
      [phone, '+1 202 555 0143'],
      [phone, '+1 202 555 0143'],
      ['API_KEY_ZZZZZZZZZZ', undefined]
    ]
  )
})

test('does not match what only looks like a placeholder', () => {
  for (const text of ['EMAIL_7Q2MKX4TA', 'EMAIL_7Q2MKX4TA1', 'email_7q2mkx4tab', 'EMAIL7Q2MKX4TAB', '_7Q2MKX4TAB', ''])
    assert.deepEqual(table.matches(text), [], text)
})

test('a tag consists of the letters and digits of base32, from the first to the last', () => {
  const edges = new RestorableValues()
  edges.add('A_0Z9', 'A_0Z9_AZ27AZ27AZ', 'value')
  const anyLabel = new RestoreTable(edges, () => true)
  assert.deepEqual(anyLabel.matches('A_0Z9_AZ27AZ27AZ'), [{ start: 0, end: 16, value: 'value' }])
  assert.deepEqual(anyLabel.matches('Z_9A0_AZ27AZ27AZ'), [{ start: 0, end: 16, value: undefined }])
  for (const beyond of ['@', '[', '1', '8', '/', ':', 'a'])
    for (const tag of [`${beyond}Z27AZ27AZ2`, `Z27AZ27AZ2${beyond}`.slice(1)])
      assert.deepEqual(anyLabel.matches(`KIND_${tag}`), [], tag)
  for (const beyond of ['@', '[', '/', ':', 'a', '-', ' '])
    assert.equal(anyLabel.matches(`AB${beyond}CD_AZ27AZ27AZ`)[0]?.start, 3, beyond)
})

test('an older placeholder has a label of 1 to 64 characters, and does not begin inside another one', () => {
  const anyLabel = new RestoreTable(values, () => true)
  const tag = '_ABCDEFGHIJ'
  assert.deepEqual(anyLabel.matches(`${'K'.repeat(64)}${tag}`), [{ start: 0, end: 75, value: undefined }])
  for (const label of ['', ' ', 'K'.repeat(65)]) assert.deepEqual(anyLabel.matches(label + tag), [], label)
  assert.deepEqual(anyLabel.matches(email + tag), [{ start: 0, end: 16, value: 'someone@corp.dev' }])
  assert.equal(anyLabel.matches(`${email} ${email}`).length, 2)
  assert.equal(anyLabel.matches(email + email).length, 2)
})

test('a search that continues after a position does not find again what ended there', () => {
  const text = `to ${email} ${phone}`
  const foundFrom = (from: number) => table.matches(text, from).map(({ start }) => start)
  assert.deepEqual([0, 18, 19, 35, 36].map(foundFrom), [[3, 20], [3, 20], [20], [20], []])
})

test('a value is restored only between word boundaries, and the letter of an escape is not part of a word', () => {
  const isInWord = (marked: string) => isPartOfWord(marked, marked.indexOf('<'), marked.indexOf('>') + 1)
  for (const text of ['<>', ' <> ', '.<>.', '-<>-', '\\n<>', '\\\\\\n<>', 'é<>', '@<>[', '`<>{', '/<>:'])
    assert.equal(isInWord(text), false, text)
  for (const text of [
    'a<>',
    'z<>',
    'A<>',
    'Z<>',
    '0<>',
    '9<>',
    '_<>',
    '<>a',
    '<>z',
    '<>0',
    '<>_',
    'nn<>',
    '\\\\n<>',
    'n<>'
  ])
    assert.equal(isInWord(text), true, text)
})

test('knows where a placeholder may have begun', () => {
  for (let cut = 1; cut < email.length; cut++) {
    assert.equal(table.openFrom(`to ${email.slice(0, cut)}`), 3, email.slice(0, cut))
  }
  for (const text of ['', 'to ', `to ${email}`, 'to EMAIL_8', 'E ', 'e'])
    assert.equal(table.openFrom(text), text.length, text)
  assert.equal(table.openFrom('XXE'), 2)
})

test('a placeholder that is cut anywhere is found whole or is open', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(email, phone, ' ', 'E', 'EMAIL_', 'x'), { maxLength: 8 }),
      fc.nat(),
      (parts, at) => {
        const text = parts.join('')
        const cut = at % (text.length + 1)
        const open = table.openFrom(text.slice(0, cut))
        for (const { start, end, value } of table.matches(text)) {
          if (value !== undefined && start < cut && cut < end) assert.ok(open <= start)
        }
      }
    )
  )
})

test('a beginning may be that of a value of the high tier only where those are restored', () => {
  for (const tiers of [[false], [true], [false, true], [true, false]]) {
    const kinds = new RestorableValues()
    for (const [place, isHigh] of tiers.entries()) kinds.add('KEY', `KEY_7Q2MKX4TA${'AB'.charAt(place)}`, 'v', isHigh)
    assert.equal(kinds.openFrom('a KE', true), 2)
    assert.equal(kinds.openFrom('a KE', false), tiers.includes(false) ? 2 : 4, String(tiers))
  }
})

test('a possible beginning is exactly what some tag completes to a placeholder', () => {
  const kinds = new RestorableValues()
  for (const label of ['KEY', 'API_KEY', 'A']) kinds.add(label, `${label}_7Q2MKX4TAB`, 'value')
  const isOpen = (rest: string) =>
    ['KEY', 'API_KEY', 'A'].some((label) => {
      const tag = rest.slice(label.length + 1)
      return rest.startsWith(`${label}_`) ? /^[A-Z2-7]{0,9}$/.test(tag) : `${label}_`.startsWith(rest)
    })
  const pieces = fc.constantFrom('KEY', 'API', 'A', '_', 'K', '27', '18', 'ABCDEFGHI', 'X', 'a', ' ')
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
      const text = parts.join('')
      const first = Array.from(text, (_unit, at) => at).find((at) => isOpen(text.slice(at))) ?? text.length
      assert.equal(kinds.openFrom(text, false), first, text)
    }),
    { numRuns: 1000 }
  )
})

test('of two placeholders with the same end, the longer one is meant', () => {
  for (const added of [
    ['KEY', 'API_KEY'],
    ['API_KEY', 'KEY']
  ]) {
    const both = new RestorableValues()
    for (const label of added) both.add(label, `${label}_7Q2MKX4TAB`, label)
    const of = (text: string) => new RestoreTable(both, () => false).matches(text)
    assert.deepEqual(of('an API_KEY_7Q2MKX4TAB'), [{ start: 3, end: 21, value: 'API_KEY' }])
    assert.deepEqual(of('an APT_KEY_7Q2MKX4TAB'), [{ start: 7, end: 21, value: 'KEY' }])
    assert.deepEqual(of('an API_KEY_7Q2MKX4TAC'), [])
  }
})

test('each position of one long word costs no more than one of a short text', () => {
  labels.length = 0
  assert.deepEqual(table.matches('A_ABCDEFGHIJ'.repeat(2000)), [])
  // The text to examine is cut out first: without a limit on it, the work would be quadratic in the length of the text.
  assert.ok(
    labels.every((label) => label.length <= 64),
    `${Math.max(...labels.map(({ length }) => length))} units`
  )
  assert.equal(table.openFrom('A'.repeat(100_000)), 100_000)
})
