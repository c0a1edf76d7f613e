import assert from 'node:assert/strict'
import test from 'node:test'
import { filler } from '../sample-text.ts'
import { createScanner } from '../scanner.ts'
import { wholeEnd } from './value-end.ts'

const whole = (text: string, head: string) => text.slice(0, wholeEnd(text, head.length))

test('a value continues behind a character that separates nothing', () => {
  for (const [text, head] of [
    ['Qx82&3', 'Qx82'],
    ['Qx82,NHc7KcL next', 'Qx82'],
    ['Qx82|k?sn5RVT\n', 'Qx82'],
    ['Qx82.:Zk4w', 'Qx82']
  ] as const)
    assert.equal(whole(text, head), text.trimEnd().split(' ')[0], text)
})

test('a value ends where the next pair, word or expression begins', () => {
  for (const text of [
    'Qx82&user=bob',
    'Qx82&amp;x',
    'Qx82,rw',
    'Qx82,385',
    'Qx82,2010-08-17',
    'Qx82,Rural',
    'Qx82,PK',
    'Qx82, next',
    'Qx82|sort',
    'Qx82;Encrypt=yes',
    'Qx82,Zk4w9)',
    'Qx82,port:x9',
    'Qx82.',
    'Qx82: '
  ])
    assert.equal(whole(text, 'Qx82'), 'Qx82', text)
})

test('a password with symbols is masked to its end', () => {
  const scanner = createScanner()
  const password = `${filler(5)}&${filler(4)},${filler(5)}`
  for (const text of [
    `password: ${password}\nnext: 1`,
    `DB_PASSWORD=${password}\n`,
    `my password is ${password} now`
  ]) {
    const found = scanner.scan(text)
    assert.deepEqual(
      found.map(({ start, end }) => text.slice(start, end)),
      [password],
      text
    )
  }
  for (const sign of '!$%*=~') {
    const url = `postgres://app:${filler(5)}${sign}${filler(6)}@db.acme.dev/shop`
    const found = scanner.scan(url)
    assert.deepEqual(
      found.map(({ kind, start, end }) => [kind, url.slice(start, end)]),
      [['db_connection_string', `${filler(5)}${sign}${filler(6)}`]]
    )
  }
})

test('the next setting of a list and the next command do not belong to a value', () => {
  const scanner = createScanner()
  const password = `${filler(8)}42`
  for (const behind of ['&& pg_dump -h db', '&&psql', '||exit 1', ',auth.database=crm -n data', ',DB_HOST=db']) {
    const text = `set PGPASSWORD=${password}${behind}\n`
    const found = scanner.scan(text)
    assert.deepEqual(
      found.map(({ start, end }) => text.slice(start, end)),
      [password],
      text
    )
  }
})

test('no value ends past the end of its text, even if that cuts an escape off', () => {
  const scanner = createScanner()
  for (const head of ['DB_PASSWORD="', 'password: "', '{"password":"', '{\\"password\\":\\"']) {
    const text = `${head}${filler(14)}42\\`
    const found = scanner.scan(text)
    assert.equal(found.length, 1, text)
    for (const { end } of found) assert.ok(end <= text.length, `${text}: ${end}`)
  }
})

test('an unclosed value does not include the closing quote of the text around it', () => {
  const scanner = createScanner()
  const password = `${filler(12)}42`
  for (const tail of ['`\n', '`,\n', '`);\n']) {
    const text = `response = \`{"password": "${password}${tail}`
    assert.deepEqual(
      scanner.scan(text).map(({ start, end }) => text.slice(start, end)),
      [password],
      text
    )
  }
})
