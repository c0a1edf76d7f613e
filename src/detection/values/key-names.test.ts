import assert from 'node:assert/strict'
import test from 'node:test'
import { weakName, likelyName, nameParts, noName, passwordName, rateName } from './key-names.ts'

/** The rating of a name; its keyword is the last one of the list that occurs in it. */
function rating(name: string): number {
  const at = Math.max(
    ...['pass', 'pwd', 'secret', 'token', 'key', 'auth', 'credential'].map((word) =>
      name.toLowerCase().lastIndexOf(word)
    )
  )
  return rateName(name, 0, name.length, at)
}

test('names are split into their words', () => {
  const parts = (name: string) => nameParts(name, 0, name.length)
  assert.deepEqual(parts('dbPassword'), ['db', 'password'])
  assert.deepEqual(parts('API_KEY_2'), ['api', 'key'])
  assert.deepEqual(parts('myAPIKey'), ['my', 'api', 'key'])
  assert.deepEqual(parts('x-auth-token'), ['x', 'auth', 'token'])
})

test('names are rated by what they promise', () => {
  for (const name of ['password', 'DB_PASSWORD', 'userPwd', 'trustStorePassword', 'sshpasswd', 'passphrase'])
    assert.equal(rating(name), passwordName, name)
  for (const name of [
    'token',
    'COMToken',
    'clientSecret',
    'X-Api-Key',
    'apikey',
    'identitytoken',
    'JWT_SECRET',
    'signingKey',
    'AWS_SECRET_ACCESS_KEY'
  ])
    assert.equal(rating(name), likelyName, name)
  for (const name of ['key', 'myKey', 'auth']) assert.equal(rating(name), weakName, name)
  for (const name of [
    'passwordFile',
    'TOKEN_URL',
    'secretName',
    'KEY_ID',
    'publicKey',
    'PUBLIC_API_KEY',
    'sort_key',
    'primaryKey',
    'foreign_key',
    'csrfToken',
    'max_tokens',
    'tokenLimit',
    'passed',
    'keyboard',
    'author',
    'forgotPassword',
    'password_hash',
    'LABEL_PASSWORD'
  ])
    assert.equal(rating(name), noName, name)
})
