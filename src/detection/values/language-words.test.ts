import assert from 'node:assert/strict'
import test from 'node:test'
import { createScanner } from '../scanner.ts'

const scanner = createScanner()
const found = (text: string): string[] => scanner.scan(text).map(({ start, end }) => text.slice(start, end))

test('a password with letters beyond ASCII is found where one without them is', () => {
  for (const parts of [
    ['Schlüssel', '9'],
    ['Секрет', '42x'],
    ['Grünkohl', '77!'],
    ['P@ssw§rt', '-22'],
    ['fznug£', '5535940', '£%%Ssjmb']
  ]) {
    const value = parts.join('')
    for (const text of [`password: ${value}\n`, `"password": "${value}"`, `DB_PASSWORD=${value}\n`])
      assert.deepEqual(found(text), [value], text)
  }
})

test('labels and sentences in other languages are no passwords', () => {
  for (const text of [
    '"password": "密码6到20位"',
    '"password": "パスワード1"',
    'password2: "Пароль2"',
    '"password": "Nouveau mot de passe n°2"',
    'password: "Größe 12"',
    '"password": "größenänderung"'
  ])
    assert.deepEqual(found(text), [], text)
})

test('a secret with all classes of characters may have letters beyond ASCII', () => {
  const value = ['fznug£', '5535940', '£%%Ssjmb'].join('')
  assert.deepEqual(found(`"Secret": "${value}"`), [value])
  assert.deepEqual(found('"secret": "Übung2024"'), [])
})

test('a word with letters beyond ASCII is no token', () => {
  for (const text of ['"jwt-token-expired": "JWT-token utløpt"', '"token": "utløpt"', 'secret: påkrævet\n'])
    assert.deepEqual(found(text), [], text)
  const mixed = ['Kx9ø', 'Tq2mPlk83'].join('')
  assert.deepEqual(found(`"token": "${mixed}"`), [mixed])
})
