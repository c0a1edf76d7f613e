import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dialectOfUnknownPath, findIngressRoute } from './routes.ts'

test('each call is reachable with no, one or two version segments', () => {
  for (const version of ['', '/v1', '/v1/v1']) {
    assert.equal(findIngressRoute(`${version}/messages`, false)?.dialect, 'messages')
    assert.equal(findIngressRoute(`${version}/chat/completions`, false)?.dialect, 'chat-completions')
    assert.equal(findIngressRoute(`${version}/chat/completions/`, false)?.route, '/v1/chat/completions')
  }
})

test('no other path is a route', () => {
  for (const path of [
    '',
    '/',
    '/v1',
    '/v2/messages',
    '/v1/v1/v1/messages',
    '/messages/x',
    '/v1//messages',
    '/v1/%6Dessages',
    '/v1/models/a/b',
    '/v1/models/..',
    '/v1/models/a%2F..%2Fb',
    '/v1/models/%2e%2e%2fsecrets',
    '/v1/models/a%00b',
    '/v1/models/a?b',
    '/v1/models/%zz',
    `/v1/models/${'a'.repeat(129)}`
  ]) {
    assert.equal(findIngressRoute(path, true), undefined, path)
  }
})

test('an unknown path is answered in the shape of the vendor that was meant', () => {
  assert.equal(dialectOfUnknownPath('/v1/models', true), 'messages')
  assert.equal(dialectOfUnknownPath('/v1/messages/batches', false), 'messages')
  assert.equal(dialectOfUnknownPath('/v1/models', false), 'chat-completions')
})

test('a path that both vendors have belongs to the one whose header is present', () => {
  assert.equal(findIngressRoute('/v1/models', true)?.upstream, 'messages')
  assert.equal(findIngressRoute('/models/', false)?.upstream, 'chat')
  assert.deepEqual(findIngressRoute('/v1/v1/models/org%2Fone', false), {
    route: '/v1/models',
    method: 'GET',
    dialect: 'chat-completions',
    upstream: 'chat',
    modelId: 'org/one'
  })
})
