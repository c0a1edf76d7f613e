import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  errorCatalogue,
  errorMessage,
  isErrorCode,
  retryHeaders,
  type CatalogueEntry,
  type ErrorCode
} from './error-catalogue.ts'
import { problem } from './problem.ts'

const entries = Object.entries<CatalogueEntry>(errorCatalogue) as [ErrorCode, CatalogueEntry][]
const requestId = '0b8f7a52-3c1d-4e5f-9a6b-7c8d9e0f1a2b'

describe('the catalogue', () => {
  for (const [code, entry] of entries) {
    it(`has whole sentences and a title for ${code}, with and without values`, () => {
      assert.match(code, /^[a-z][a-z0-9_]*$/)
      assert.match(errorMessage(code), /^[A-Z][^{}[\]]*\.$/)
      const details = {
        offset: 7,
        key: '`role`',
        max: 5,
        name: 'x',
        scope: 'admin',
        findings: 'a JWT in messages[1]',
        requestId,
        method: 'PUT'
      }
      assert.match(errorMessage(code, details), /^[A-Z][^{}]*\.$/)
      assert.match(entry.remedy, /\.$/)
      assert.notEqual(problem(code, { requestId }).body.title, undefined)
    })
  }

  it('marks what would be refused again as not to be retried', () => {
    for (const [code, { status }] of entries) {
      const final = [400, 401, 403, 404, 405, 413, 415, 421].includes(status)
      if (final) assert.equal(retryHeaders(code)['x-should-retry'], 'false', code)
    }
    for (const code of ['upload_timeout', 'overloaded', 'draining', 'upstream_timeout'] as const) {
      assert.equal(retryHeaders(code)['x-should-retry'], undefined, code)
    }
  })

  it('says when to retry for every 503', () => {
    for (const [code, { status }] of entries) {
      if (status === 503) assert.match(retryHeaders(code)['retry-after'] ?? '', /^[1-9][0-9]*$/, code)
    }
  })

  it('knows its own codes and no inherited members', () => {
    assert.ok(isErrorCode('not_found'))
    assert.ok(!isErrorCode('toString'))
  })

  it('fills a value in once, whatever the value looks like', () => {
    const message = errorMessage('high_risk_content_blocked', {
      findings: 'a JWT in messages[12] [{requestId}]',
      requestId
    })
    assert.match(
      message,
      /of what it contains: a JWT in messages\[12\] \[\{requestId\}\]\. Remove it .* Request ID 0b8f7a52/
    )
  })
})

describe('a problem', () => {
  it('has the members of RFC 9457 and our own', () => {
    const errors = [
      { path: '/action', code: 'invalid_value', message: '/action must be one of mask, block, allow.' }
    ] as const
    assert.deepEqual(problem('invalid_body', { requestId, errors }), {
      status: 400,
      headers: { 'content-type': 'application/problem+json', 'x-should-retry': 'false' },
      body: {
        type: 'about:blank',
        title: 'Bad Request',
        status: 400,
        detail: 'The body does not have the form that this endpoint expects.',
        code: 'invalid_body',
        requestId,
        retryable: false,
        errors
      }
    })
  })

  it('lists no more places than a reader would examine', () => {
    const error = { path: '/x', code: 'invalid_value', message: 'm' } as const
    assert.equal(
      problem('invalid_body', { requestId, errors: Array.from({ length: 1000 }, () => error) }).body.errors?.length,
      20
    )
  })
})
