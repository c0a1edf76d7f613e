import assert from 'node:assert/strict'
import test from 'node:test'
import { filler } from '../sample-text.ts'
import { createScanner } from '../scanner.ts'

const scanner = createScanner()
const found = (text: string): string[] => scanner.scan(text).map(({ start, end }) => text.slice(start, end))

test('a variable in braces is none, and a generated value in braces is a password', () => {
  for (const text of [
    'password = "{db_pw}"',
    `mysql -u ops -p"{cfg.pw}" shop`,
    '(\'pw="{old_pw}"\'.format(old_pw=old))'
  ])
    assert.deepEqual(found(text), [], text)
  const drawn = `{${filler(22)}}`
  assert.deepEqual(found(`password = "${drawn}"`), [drawn])
})

test('where nginx passes a request on is no password', () => {
  assert.deepEqual(found('fastcgi_pass php:9000;\nuwsgi_pass app-1:3031;\n'), [])
})

test('the type of a declaration is no password, and a value in quotes before a semicolon is', () => {
  for (const text of ['Password : Octet_255;\n', '(password : CS.chars_ptr;\n salt : a_gnutls_datum_t;\n'])
    assert.deepEqual(found(text), [], text)
  const chosen = ['Octet', '_2551'].join('')
  assert.deepEqual(found(`password: '${chosen}';\n`), [chosen])
})

test('a rule of a grammar is no password', () => {
  assert.deepEqual(found('   password    = 1*UTF8-SAFE      ; MUST accept up to 255 octets\n'), [])
})

test('one of two outcomes in a table of tests is no password', () => {
  const value = ['0q', 'xbl', '23'].join('')
  assert.deepEqual(found(`contains: {\n  fail: 'la',\n  pass: '${value}'\n}`), [])
  assert.deepEqual(found(`contains: {\n  host: 'la',\n  pass: '${value}'\n}`), [value])
})

test('a label that its name says is no key', () => {
  assert.deepEqual(found('const string CargoDataKey = "GmcCargoData";'), [])
  const drawn = filler(12, 'bcdfghjkmpqrtvwxzBCDFGHJKMPQRTVWXZ')
  assert.deepEqual(found(`const string CargoDataKey = "${drawn}";`), [drawn])
})

test('a cipher is no key', () => {
  for (const cipher of ['aes128-cbc', 'AES-256-GCM', 'tripledes-cbc'])
    assert.deepEqual(found(`xmlsec encrypt --session-key ${cipher} --xml-data in.xml`), [], cipher)
})
