/** Tags between a name that promises a secret and its value are removed. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { filler } from '../sample-text.ts'
import { createScanner } from '../scanner.ts'
import { partsValue, tagEnd } from './markup-tags.ts'

const scanner = createScanner()
const password = filler(14, undefined, 11)

/** The findings in a text that are acted on. */
const found = (text: string): string[] =>
  scanner
    .scan(text)
    .filter(({ confidence }) => confidence !== 'weak')
    .map(({ start, end }) => text.slice(start, end))

test('a password is found behind the tags of a page or mail, and the tags remain', () => {
  for (const [before, after] of [
    ['<p>Your password: <b>', '</b></p>'],
    ['<p>Your password is <strong>', '</strong>.</p>'],
    ['<td>Password:</td><td>', '</td>'],
    ['<dt>Password:</dt> <dd>', '</dd>'],
    ['<p><b>Password:</b> ', '</p>'],
    ['<b>Password</b>: <code>', '</code>'],
    ['API key: <span class="mono" id="k">', '</span>'],
    ['DB_PASSWORD=<B>', '</B>'],
    ['Dein Passwort lautet <em>', '</em>']
  ] as const)
    assert.deepEqual(found(before + password + after), [password], before)
})

test('an operator that a template wrote as an entity assigns a value', () => {
  for (const [before, after] of [
    ['api_key &#x3D; ', ''],
    ['<pre>vault_token &#x3D; &quot;', '&quot;</pre>']
  ] as const)
    assert.deepEqual(found(`${before}${password}k2${after}`), [`${password}k2`], before)
})

test('an escaped quote and the closing quote are not a doubled quote', () => {
  const text = `{"password": "\u200f${password}\\"", "x": 1}`
  const value = found(text)[0] ?? ''
  assert.ok(value.includes(password) && !value.includes(','), value)
})

test('tags are left out only behind the name of a secret, and only known ones', () => {
  for (const text of ['<p>Your name: <b>Ana</b>', 'the password of <b>Ana</b>', 'if (token < b) f(b > c)']) {
    const at = text.indexOf('<b')
    assert.ok(at < 0 || !partsValue(text, at, tagEnd(text, at)), text)
  }
  for (const text of ['<script>', '<b', '<b\n>', '<bold>', '</b x>', '<ab>', `<span ${'x'.repeat(200)}>`, '<>'])
    assert.equal(tagEnd(text, 0), -1, text)
  assert.equal(tagEnd('<span class="a">x', 0), 16)
})
