import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isDictionaryPassword } from './dictionary-passwords.ts'
import { isDescriptiveWord } from './descriptive-words.ts'

const passwords = [
  'tiger',
  'sunshine',
  'maple-dragon',
  'open barrel',
  'Barcelona',
  'don-3515',
  'butter&fly',
  'awrx',
  'солнышко'
]
/** Placeholders for a password, and program text. */
const others = [
  ...[
    'password',
    'mysecretpw',
    'my-secret',
    'changeit',
    'your-db-pass',
    'root',
    'ADMIN',
    'testuser',
    'postgres',
    'dbpass'
  ],
  ...[
    'string',
    'true',
    'none',
    'required',
    'foo',
    'hello world',
    'cat',
    '1234',
    'inputValue',
    'SOME_CONSTANT',
    'config.value'
  ],
  ...[
    '${DB}',
    '$NAME',
    '/run/db',
    'a:b',
    'sun shine is out',
    'Wachtwoord',
    'DB_PASSWORD_7Q2MKX4TAB',
    'xxxxxx',
    'step-1234'
  ]
]

describe('an ordinary word at the place of a password', () => {
  passwords.forEach((text) =>
    it(`may be ${text}`, () => assert.equal(isDictionaryPassword(text, 0, text.length), true))
  )
  others.forEach((text) => it(`is not ${text}`, () => assert.equal(isDictionaryPassword(text, 0, text.length), false)))
})

const descriptive = [
  'wrong',
  'expired',
  'incorrect',
  'rejected',
  'blank',
  'used',
  'case-sensitive',
  'obligatoria',
  'abgelaufen',
  'incorrecta'
]
const things = ['sunshine', 'tiger', 'butterfly', 'dragonfly', 'kitten', 'emily', 'mariposa', 'vlinder', 'princess']

describe('words that describe a password', () => {
  descriptive.forEach((word) => it(`may be ${word}`, () => assert.equal(isDescriptiveWord(word), true)))
  things.forEach((word) => it(`is not ${word}`, () => assert.equal(isDescriptiveWord(word), false)))
})
