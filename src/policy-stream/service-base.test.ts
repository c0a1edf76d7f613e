import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serviceBase } from './service-base.ts'

test("all forms of the service's URL give the same base", () => {
  for (const end of [
    '',
    '/',
    '/api/ingress',
    '/api/ingress/',
    '/api/ingress/v1',
    '/api/ingress/v1/v1',
    '/api/ingress/v1//'
  ]) {
    assert.equal(serviceBase(`http://sluice.example:8080${end}`), 'http://sluice.example:8080')
    assert.equal(serviceBase(`https://gateway.example/team/a${end}`), 'https://gateway.example/team/a')
  }
})

test('a path that only looks similar is kept', () => {
  assert.equal(serviceBase('http://h/my/api/ingressor'), 'http://h/my/api/ingressor')
  assert.equal(serviceBase('http://h/api/ingress/v2'), 'http://h/api/ingress/v2')
})

test('an invalid URL is rejected without being repeated', () => {
  const hidden = 'hunter' + '2'
  for (const text of [
    '',
    'sluice:8080',
    `ftp://${hidden}/`,
    `http://me:${hidden}@h/`,
    `http://h/?${hidden}`,
    'http://h/#'
  ]) {
    assert.throws(
      () => serviceBase(text),
      (error) => error instanceof TypeError && !error.message.includes(hidden)
    )
  }
})
