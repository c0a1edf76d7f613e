import assert from 'node:assert/strict'
import test from 'node:test'
import { filler, letterGroups } from '../../sample-text.ts'
import { createScanner } from '../../scanner.ts'

const scanner = createScanner()
const found = (text: string) =>
  scanner
    .scan(text)
    .filter(({ confidence }) => confidence !== 'weak')
    .map(({ start, end }) => text.slice(start, end))

test('a token in base64 is masked whole or not at all', () => {
  const value = `${filler(26)}+${filler(16, undefined, 3)}/${filler(30, undefined, 9)}=`
  assert.deepEqual(found(`I set the line token (${value}) in the config`), [value])
  for (const dash of ['-', '—']) assert.deepEqual(found(`Line token ${dash} ${value}`), [value])
  const plain = value.replace('/', '')
  assert.deepEqual(found(`please use token ${plain} for it`), [plain])
})

test('what is no base64 ends a token in one case', () => {
  const token = filler(32, '0123456789abcdef')
  for (const text of ['use token ?=', 'with token ?+x', 'the token (?/path)', 'my api key ?=thanks'])
    assert.deepEqual(found(text.replace('?', token)), [token], text)
})

test('the marks of Markdown stay', () => {
  const value = `${filler(26)}+${filler(30, undefined, 9)}=`
  for (const mark of ['**', '~~'])
    assert.deepEqual(found(`The access token is ${mark}${value}${mark}, thanks`), [value])
})

test('quotes in brackets, and the colon behind a bold name, stay', () => {
  const password = ['Kx7#', 'vbQz2'].join('')
  for (const text of ['Enter the password (`?`).', 'Enter the password ("?").', '**密码**：?', '| **密码** | ? |'])
    assert.deepEqual(found(text.replace('?', password)), [password], text)
})

test('a password in groups of letters is masked whole', () => {
  for (const text of [
    'SMTP_PASS=? # x',
    'EMAIL_PASS: ?',
    'password:\n?\n',
    'my app password ? works',
    'password is ?.'
  ])
    assert.deepEqual(found(text.replace('?', letterGroups)), [letterGroups], text)
})

test('a path ends a token that no brackets frame', () => {
  const token = filler(24, '0123456789abcdef')
  assert.deepEqual(found(`with token ${token}/files/latest`), [token])
})

test('behind an English name in a sentence without blanks, a value ends where the script goes on', () => {
  const token = filler(32, '0123456789abcdef')
  const password = ['PQ5jx', '!fcq', 'PR1B2d'].join('')
  for (const [text, value] of [
    ['db passwordは「?」です。', password],
    ['password는 ?입니다', password],
    ['API keyは ? です', token],
    ['我的token是?。', token],
    ['line token は ? です。', `${token}+/${filler(20)}=`],
    ['token：?。', token]
  ] as const)
    assert.deepEqual(found(text.replace('?', value)), [value], text)
  for (const text of [
    'tokenはJWT形式です',
    'passwordは必須です',
    'tokenはgetAccessToken2()で取得',
    'tokenは`eyJhbGciOi...`のような形式',
    'secret是K8s1.28的资源',
    'passwordは${DB_PASSWORD}',
    'token：<token>',
    'password为AES256加密存储',
    'passwordは`Base64`でエンコードする',
    'password는 base64로 인코딩됩니다',
    'password：varchar(255)',
    'password是sha256(salt2)的结果'
  ])
    assert.deepEqual(found(text), [], text)
})
