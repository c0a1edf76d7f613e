/** The two wire formats as a plain client uses them: the smallest request, and the vendors' errors. */
import assert from 'node:assert/strict'
import type { DialectName } from '../../src/dialects/dialect.ts'
import type { Reply } from './http.ts'

export const dialectNames = ['chat-completions', 'messages'] as const satisfies readonly DialectName[]
export type TestedDialect = (typeof dialectNames)[number]

/** Path below the ingress base URL in the users' documentation. */
export const pathOf: Record<TestedDialect, string> = { 'chat-completions': '/chat/completions', messages: '/messages' }

/** A request body with one user message. */
export function userBody(dialect: TestedDialect, content: unknown, more: Record<string, unknown> = {}): string {
  const bounds = dialect === 'messages' ? { max_tokens: 64 } : {}
  return JSON.stringify({ model: 'model-one', ...bounds, messages: [{ role: 'user', content }], ...more })
}

interface VendorError {
  readonly type: string
  readonly message: string
  readonly code: string | null
}

/** Reads an error of the service and asserts that it has its vendor's form. */
export function vendorError(dialect: TestedDialect, reply: Reply): VendorError {
  assert.match(reply.headers['content-type'] ?? '', /^application\/json/, reply.text)
  const body = reply.json() as { type?: string; error: Record<string, unknown>; request_id?: string }
  const { type, message, code, details } = body.error as {
    type: string
    message: string
    code?: string
    details?: { error_code: string }
  }
  assert.equal(typeof type, 'string', reply.text)
  assert.match(message, /^[A-Z].*\.$/s, 'the message is a sentence')
  assert.match(reply.headers['x-request-id'] ?? '', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  if (dialect === 'messages') {
    assert.equal(body.type, 'error')
    assert.equal(body.request_id, reply.headers['x-request-id'])
    return { type, message, code: details?.error_code ?? null }
  }
  assert.deepEqual(Object.keys(body.error).sort(), ['code', 'message', 'param', 'type'])
  return { type, message, code: code ?? null }
}
