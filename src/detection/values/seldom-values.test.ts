/** Values about which few texts ask. Without the rule behind a line of these, its value would be judged the other way. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { filler } from '../sample-text.ts'
import { createScanner } from '../scanner.ts'

const scanner = createScanner()
const found = (text: string): string[] => scanner.scan(text).map(({ start, end }) => text.slice(start, end))

const fields = ['password: X', 'PASSWORD=X\n', 'user: bob\npass: X', '| user | bob |\n| password | X |']

test('a release candidate and the release of a model are no secrets', () => {
  const frames = [...fields, 'secret = X', '"api_key": "X"', 'set the token to X', 'export TOKEN=X', 'mysql -pX']
  for (const frame of frames) assert.deepEqual(found(frame.replace('X', '1.2.3-rc.1')), [], frame)
  for (const frame of fields) assert.deepEqual(found(frame.replace('X', 'gpt-4.1-mini')), [], frame)
})

test('an abbreviation of password behind a word that says whose is a stand-in for one', () => {
  for (const frame of [...fields, 'mot de passe : X', 'sshpass -p X ssh ops@host'])
    for (const value of ['mypw', 'rootpw']) assert.deepEqual(found(frame.replace('X', value)), [], frame)
})

test('digits that a sentence states as a password are one', () => {
  for (const value of [['482', '917'].join(''), filler(20, '0123456789')])
    for (const frame of [
      'the password for the VPN is X',
      'mot de passe : X',
      'WLAN-Schlüssel: X (steht auch auf der Rückseite)'
    ])
      assert.deepEqual(found(frame.replace('X', value)), [value], frame)
})

test('a tag of YAML is no secret', () => {
  for (const tag of ['!!binary', '!!python/object:app.User'])
    assert.deepEqual(found(`curl -u bob:${tag} https://api.acme.dev`), [], tag)
})

test('a label of a switch and a name in a list name no secret', () => {
  const chosen = ['Harbor', '365'].join('')
  assert.deepEqual(found(`case "password": "${chosen}"`), [])
  assert.deepEqual(found(`"password": "${chosen}"`), [chosen])
  for (const name of ['ca_pwd_rsa', 'uintptr'])
    assert.deepEqual(found(`'cert_key', 'password', '${name}', 'subnet'`), [], name)
})

test('an address of Tezos is public', () => {
  const rest = filler(33, '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz')
  for (const head of ['tz1', 'KT1']) assert.deepEqual(found(`use ${head}${rest} as the key`), [], head)
  assert.deepEqual(found(`use xz1${rest} as the key`), [`xz1${rest}`])
})

test('a time, a member of C and the name of a file are no passwords', () => {
  for (const value of ['2017-08-24T04:58:58.724Z', 'pwd->pw_name', 'session-cookies.ts'])
    assert.deepEqual(found(`password: ${value}`), [], value)
})

test('the name of a cipher is no password, and a word that looks like one is', () => {
  assert.deepEqual(found('the password is AES256'), [])
  const chosen = ['QXS', '256'].join('')
  assert.deepEqual(found(`the password is ${chosen}`), [chosen])
})

test('a word with the number of a size is a password only with a symbol that ends no sentence', () => {
  const word = ['Candle', '64'].join('')
  assert.deepEqual(found(`password = "${word}*"`), [`${word}*`])
  assert.deepEqual(found(`secret = "${word}"`), [])
})

test('two words in quotes of which one describes a password are none', () => {
  assert.deepEqual(found('the password is "order number"'), [])
  const chosen = ['purple', 'elephant'].join(' ')
  assert.deepEqual(found(`the password is "${chosen}"`), [chosen])
})
