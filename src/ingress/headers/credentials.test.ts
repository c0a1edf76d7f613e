import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinAuthorization, presentedToken } from './credentials.ts'

const one = ['svw', 'one'].join('_')
const two = ['svw', 'two'].join('_')

test('the token is accepted in any header that a client can set', () => {
  for (const headers of [
    { 'x-service-workspace-token': one },
    { authorization: `Bearer ${one}` },
    { authorization: `bearer  ${one}` },
    { 'x-api-key': one },
    { 'api-key': one },
    { 'x-service-workspace-token': one, authorization: `Bearer ${one}`, 'x-api-key': one }
  ]) {
    assert.deepEqual(presentedToken(headers), { ok: true, token: one }, JSON.stringify(headers))
  }
})

test('a vendor key beside our header is no conflict, because it is not ours', () => {
  const headers = { 'x-service-workspace-token': one, authorization: 'Bearer vendor-key', 'x-api-key': 'vendor-key' }
  assert.deepEqual(presentedToken(headers), { ok: true, token: one })
})

test('two different tokens are a conflict', () => {
  assert.deepEqual(presentedToken({ 'x-service-workspace-token': one, 'x-api-key': two }), {
    ok: false,
    code: 'token_conflict'
  })
  assert.deepEqual(presentedToken({ authorization: `Bearer ${one}`, 'x-api-key': two }), {
    ok: false,
    code: 'token_conflict'
  })
})

test('a request without a token has none', () => {
  for (const headers of [
    {},
    { authorization: 'Basic abc' },
    { 'x-service-workspace-token': '' },
    { 'x-api-key': 'vendor-key' }
  ]) {
    assert.deepEqual(presentedToken(headers), { ok: false, code: 'missing_token' })
  }
})

test('our own header is read as a token even if its value does not look like one', () => {
  assert.deepEqual(presentedToken({ 'x-service-workspace-token': 'nonsense' }), { ok: true, token: 'nonsense' })
})

test('a repeated header counts once if its tokens are the same, and is a conflict if they differ', () => {
  for (const name of ['x-service-workspace-token', 'x-api-key', 'api-key']) {
    assert.deepEqual(presentedToken({ [name]: `${one}, ${one}` }), { ok: true, token: one }, name)
    assert.deepEqual(presentedToken({ [name]: `${one}, ${two}` }), { ok: false, code: 'token_conflict' }, name)
  }
  assert.deepEqual(presentedToken({ 'x-service-workspace-token': `nonsense, ${one}` }), {
    ok: false,
    code: 'token_conflict'
  })
  assert.deepEqual(presentedToken({ 'x-service-workspace-token': ' , ' }), { ok: false, code: 'missing_token' })
  assert.deepEqual(presentedToken({ 'x-api-key': `vendor-key, ${one}` }), { ok: true, token: one })
})

test('no authorization header goes unseen, whatever its case and order', () => {
  const joined = (...values: readonly string[]): ReturnType<typeof presentedToken> => {
    const rawHeaders = values.flatMap((value, index) => [index % 2 === 0 ? 'Authorization' : 'AUTHORIZATION', value])
    const headers = { ...(values[0] === undefined ? {} : { authorization: values[0] }) }
    joinAuthorization({ headers, rawHeaders: ['Host', 'localhost', ...rawHeaders, 'Accept', '*/*'] })
    return presentedToken(headers)
  }
  assert.deepEqual(joined(`Bearer ${one}`), { ok: true, token: one })
  assert.deepEqual(joined(`Bearer ${one}`, `Bearer ${one}`), { ok: true, token: one })
  assert.deepEqual(joined(`Bearer ${one}`, `bearer ${two}`), { ok: false, code: 'token_conflict' })
  assert.deepEqual(joined('Basic abc', `Bearer ${two}`), { ok: true, token: two })
  assert.deepEqual(joined(), { ok: false, code: 'missing_token' })
})
