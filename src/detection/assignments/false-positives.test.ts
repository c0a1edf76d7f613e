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
  for (const inner of [filler(22), filler(14, 'bcdfghjkmpqrtvwxzBCDFGHJKMPQRTVWXZ'), ['tr0u', 'b4dor'].join('')])
    assert.deepEqual(found(`password = "{${inner}}"`), [`{${inner}}`], inner)
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

test('a password before a semicolon is found, whatever words it consists of', () => {
  for (const parts of [
    ['Summer', '_2024'],
    ['Winter_', 'Sun99'],
    ['kX9_', 'mQ2vLp']
  ]) {
    const value = parts.join('')
    for (const text of [
      `password : ${value};`,
      `login : ops ; password : ${value};\n`,
      `DB_PASSWORD : ${value};\r\n`,
      `password:\n${value};\n`
    ])
      assert.deepEqual(found(text), [value], text)
  }
})

test('a rule of a grammar is no password', () => {
  assert.deepEqual(found('   password    = 1*UTF8-SAFE      ; MUST accept up to 255 octets\n'), [])
  for (const value of [['9*Kd', 'jf82hs'].join(''), ['*Kx82', 'hsQ9mz'].join(''), ['1*kdj', 'fhsqm'].join('')])
    assert.deepEqual(found(`DB_PASSWORD = ${value}\n`), [value], value)
})

test('one of two outcomes in a table of tests is no password', () => {
  const value = ['0q', 'xbl', '23'].join('')
  assert.deepEqual(found(`contains: {\n  fail: 'la',\n  pass: '${value}'\n}`), [])
  for (const text of [
    `contains: {\n  host: 'la',\n  pass: '${value}'\n}`,
    `on_fail: 'stop'\npass: '${value}'`,
    `user: ops\npass: ${value}\nfail: false`,
    `{"pass": "${value}", "retry_on_fail": "no"}`
  ])
    assert.deepEqual(found(text), [value], text)
})

test('a label that its name says is no key', () => {
  assert.deepEqual(found('const string CargoDataKey = "GmcCargoData";'), [])
  const drawn = filler(12, 'bcdfghjkmpqrtvwxzBCDFGHJKMPQRTVWXZ')
  for (const value of [drawn, `${drawn}CargoData`])
    assert.deepEqual(found(`const string CargoDataKey = "${value}";`), [value], value)
})

test('the ID of the key with which git signs is no key, and what else signs is', () => {
  const id = filler(16, '0123456789ABCDEF')
  for (const text of [`user.signingkey=${id}\n`, `[user]\n\tsigningKey = ${filler(40, '0123456789ABCDEF')}\n`])
    assert.deepEqual(found(text), [], text)
  const key = filler(40, '0123456789abcdef')
  assert.deepEqual(found(`signingKey = ${key}\n`), [key])
  assert.deepEqual(found(`webhook_signing_key = ${id}\n`), [id])
  assert.deepEqual(found(`jwt.signingKey = ${id}\n`), [id])
})

test('a cipher is no key', () => {
  for (const cipher of ['aes128-cbc', 'AES-256-GCM', 'tripledes-cbc'])
    assert.deepEqual(found(`xmlsec encrypt --session-key ${cipher} --xml-data in.xml`), [], cipher)
})

test('a variable in a map of Erlang is no password, and what stands behind an arrow elsewhere is', () => {
  assert.deepEqual(
    found('Credential5 = Credential#{password => JWS5},\nok(#{a => #{b => 1}, password => JWS0\n}),\n'),
    []
  )
  const bare = ['Elastic', 'Pw7'].join('')
  assert.deepEqual(found(`elasticsearch {\n  user => elastic\n  password => ${bare}\n}\n`), [bare])
  const value = ['Hun', 'ter', '22'].join('')
  assert.deepEqual(found(`Array ( [password] => ${value} )`), [value])
  const chosen = ['Mon', 'key', '99'].join('')
  for (const text of [
    '  password => ?,\n',
    'mysql { password => ? }',
    '{"user" => "ops", "password" => ?}',
    '#{x}: password => ?\n'
  ])
    assert.deepEqual(found(text.replace('?', chosen)), [chosen], text)
})

test('a tag of YAML is no password, and a password may begin like one', () => {
  assert.deepEqual(found('password: !!str\nuser: !!python/object:app.User\n'), [])
  const value = ['!!', 'webgarden', '_admin_7315', '!!'].join('')
  assert.deepEqual(found(`String PASSWORD = "${value}";`), [value])
})
