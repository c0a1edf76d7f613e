import assert from 'node:assert/strict'
import test from 'node:test'
import { createScanner } from '../../scanner.ts'

const scanner = createScanner()
const number = ['4539', '1488', '0343', '6467'].join(' ')
const found = (behind: string) => {
  const text = `card ${number}${behind}`
  return scanner.scan(text).map(({ start, end }) => text.slice(start, end))
}

test('the security code of a card is masked, named in any language or behind the expiry', () => {
  for (const behind of [
    ' 04/29 417',
    ', 04 / 2029, 417',
    ' 0429 417',
    ', Sicherheitscode 417.',
    ' code de sécurité 417',
    ' セキュリティコード 417',
    ' son kullanma 04/29 güvenlik kodu 417',
    '","securityCode":"417"'
  ])
    assert.deepEqual(found(behind), [number, '417'], behind)
})

test('other numbers behind a card are not masked', () => {
  for (const behind of [
    ' order 417 of today',
    ' 04/29 for 417 EUR',
    ' exp 04/29 paid 417.50',
    ', code of the shop is 4171',
    ' 04/29\n417',
    '","amount":"417","code":"EUR"',
    ' 04/29 #417',
    '&countryCode=GB&currencyCode=826'
  ])
    assert.deepEqual(found(behind), [number], behind)
})

test('the security code of a test card is not found', () => {
  for (const sample of ['411111' + '1111111111', '400000' + '0000000002', '511111' + '1111111118'])
    assert.ok(!scanner.scan(`card('${sample}', verification_value: '417')`).some(({ end, start }) => end - start === 3))
})
