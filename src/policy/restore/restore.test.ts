import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/support/property.ts'
import { RestorableValues, RestoreTable } from './restore.ts'

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

test('finds known placeholders, wherever they stand, and names older ones without a value', () => {
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

test('takes nothing that only looks like one', () => {
  for (const text of ['EMAIL_7Q2MKX4TA', 'EMAIL_7Q2MKX4TA1', 'email_7q2mkx4tab', 'EMAIL7Q2MKX4TAB', '_7Q2MKX4TAB', ''])
    assert.deepEqual(table.matches(text), [], text)
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

test('of two that end alike the longer one is meant', () => {
  const both = new RestorableValues()
  both.add('KEY', 'KEY_7Q2MKX4TAB', 'value')
  both.add('API_KEY', 'API_KEY_7Q2MKX4TAB', 'value')
  const found = new RestoreTable(both, () => false).matches('an API_KEY_7Q2MKX4TAB')
  assert.deepEqual(found, [{ start: 3, end: 21, value: 'value' }])
})

test('a text of one long word costs no more for each of its places than a short one', () => {
  labels.length = 0
  assert.deepEqual(table.matches('A_ABCDEFGHIJ'.repeat(2000)), [])
  // What is asked for is cut out of the text first: with no bound on it the work would grow with the square of the text.
  assert.ok(
    labels.every((label) => label.length <= 64),
    `${Math.max(...labels.map(({ length }) => length))} units`
  )
  assert.equal(table.openFrom('A'.repeat(100_000)), 100_000)
})
