import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dialectOfUnknownPath, findIngressRoute } from './routes.ts'

test('each call is reachable with no, one or two version segments', () => {
  for (const version of ['', '/v1', '/v1/v1']) {
    assert.equal(findIngressRoute(`${version}/messages`)?.dialect, 'messages')
    assert.equal(findIngressRoute(`${version}/chat/completions`)?.dialect, 'chat-completions')
    assert.equal(findIngressRoute(`${version}/chat/completions/`)?.route, '/v1/chat/completions')
  }
})

test('nothing else is a route', () => {
  for (const path of [
    '',
    '/',
    '/v1',
    '/v2/messages',
    '/v1/v1/v1/messages',
    '/messages/x',
    '/v1//messages',
    '/v1/%6Dessages'
  ]) {
    assert.equal(findIngressRoute(path), undefined, path)
  }
})

test('an unknown path is answered in the shape of the vendor that was meant', () => {
  assert.equal(dialectOfUnknownPath('/v1/models', true), 'messages')
  assert.equal(dialectOfUnknownPath('/v1/messages/batches', false), 'messages')
  assert.equal(dialectOfUnknownPath('/v1/models', false), 'chat-completions')
})
