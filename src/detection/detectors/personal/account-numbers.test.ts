import assert from 'node:assert/strict'
import test from 'node:test'
import { createScanner } from '../../scanner.ts'

const scanner = createScanner()
const account = ['57877', '899'].join('')
const found = (text: string) =>
  scanner.scan(text).map(({ kind, start, end }) => [kind, text.slice(start, end)].join(' '))

test('below several names of accounts, the column of the first that has one is read', () => {
  for (const rows of [1, 100]) {
    const none = 'x1,current,none\n'.repeat(rows)
    assert.deepEqual(
      found(`blz,account,konto\n${none}x2,current,${account}\n`),
      [`bank_account_number ${account}`],
      `${rows} rows`
    )
    assert.deepEqual(found(`blz,account,konto\n${none}x2,${account},1\n`), [`bank_account_number ${account}`])
  }
})
