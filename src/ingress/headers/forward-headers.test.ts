import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret } from '../../config/secret.ts'
import type { UpstreamTarget } from '../../upstream/targets.ts'
import { clientHeaders, forwardableHeaders, forwardableQuery, upstreamHeaders } from './forward-headers.ts'

const target = (upstream: UpstreamTarget['upstream'], header: 'authorization' | 'x-api-key'): UpstreamTarget => ({
  upstream,
  method: 'POST',
  origin: 'http://127.0.0.1:1',
  path: '/x',
  credential: { header, secret: new Secret('upstream-key') },
  configured: true,
  vendor: undefined
})

test('only allowed client headers are forwarded, and never its credentials', () => {
  const client = {
    authorization: 'Bearer mine',
    'x-api-key': 'mine',
    'api-key': 'mine',
    'x-service-workspace-token': 'mine',
    cookie: 'mine',
    'x-forwarded-for': '10.0.0.1',
    'anthropic-version': '2026-10-21',
    'anthropic-beta': 'a,b',
    'anthropic-user-profile-id': 'uprof_1',
    'anthropic-workspace-id': 'wrkspc_1',
    'anthropic-organization-id': 'mine',
    'openai-project': 'p1',
    'idempotency-key': 'k1'
  }
  assert.deepEqual(
    [...forwardableHeaders('messages', client)],
    [
      ['anthropic-version', '2026-10-21'],
      ['anthropic-beta', 'a,b'],
      ['anthropic-user-profile-id', 'uprof_1'],
      ['idempotency-key', 'k1']
    ]
  )
  assert.deepEqual(
    [...forwardableHeaders('chat', client)],
    [
      ['openai-project', 'p1'],
      ['idempotency-key', 'k1']
    ]
  )
})

test("the upstream credential is sent in its vendor's header", () => {
  const body = { length: 12, stream: false }
  const chat = upstreamHeaders(target('chat', 'authorization'), new Map(), body)
  assert.equal(chat['authorization'], 'Bearer upstream-key')
  assert.equal(chat['x-api-key'], undefined)
  const messages = upstreamHeaders(target('messages', 'x-api-key'), new Map(), body)
  assert.equal(messages['x-api-key'], 'upstream-key')
  assert.equal(messages['authorization'], undefined)
  assert.equal(messages['anthropic-version'], '2023-06-01')
  assert.equal(messages['content-length'], '12')
  assert.equal(messages['accept-encoding'], 'identity')
})

test("the client's API version takes precedence over the default", () => {
  const forwarded = new Map([['anthropic-version', '2026-10-21']])
  const headers = upstreamHeaders(target('messages', 'x-api-key'), forwarded, { length: 1, stream: true })
  assert.equal(headers['anthropic-version'], '2026-10-21')
  assert.equal(headers['accept'], 'text/event-stream')
})

test('only allowed upstream headers are returned', () => {
  const headers = clientHeaders({
    'content-type': 'application/json',
    'x-ratelimit-remaining-requests': '9',
    'anthropic-ratelimit-tokens-limit': '100',
    'retry-after': '3',
    'set-cookie': ['session=1'],
    'openai-organization': 'org-secret',
    server: 'upstream',
    'x-request-id': 'req_123'
  })
  assert.deepEqual(headers, {
    'content-type': 'application/json',
    'x-ratelimit-remaining-requests': '9',
    'anthropic-ratelimit-tokens-limit': '100',
    'retry-after': '3',
    'request-id': 'req_123'
  })
})

test('a header that an answer lacks is not returned', () => {
  assert.deepEqual(clientHeaders({ 'content-type': undefined, 'retry-after': '3' }), { 'retry-after': '3' })
})

test('an upstream id that does not look like an id is not returned', () => {
  assert.deepEqual(clientHeaders({ 'request-id': 'a b<script>' }), {})
})

test('query parameters pass by allow-list', () => {
  const query = (url: string): string => new URLSearchParams([...forwardableQuery(url)]).toString()
  assert.equal(query('/v1/messages?beta=true'), 'beta=true')
  assert.equal(query('/v1/messages?beta=true&token=abc&api-version=2026-01-01'), 'beta=true&api-version=2026-01-01')
  assert.equal(query('/v1/messages?token=abc'), '')
  assert.equal(query(`/v1/messages?beta=${'a'.repeat(65)}`), '')
  assert.equal(query('/v1/messages?beta=a%20b'), '')
  assert.equal(query('/v1/messages'), '')
})
