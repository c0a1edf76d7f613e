/** The policy endpoints, as an operator's program calls them. */
import assert from 'node:assert/strict'
import { call, type Reply } from './http.ts'
import type { TestService } from './start-service.ts'

export interface Draft {
  readonly mcpToolPolicy?: unknown
  readonly redactionProfile?: unknown
  readonly note?: string
  readonly confirm?: boolean
}

export interface PolicyApi {
  /** @param path below `/api/workspace` */
  ask(method: 'GET' | 'PUT' | 'POST', path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  /**
   * Publishes over the current revision, whichever it is; omitted documents are empty. @returns the id of the revision
   */
  publish(draft: Draft): Promise<string>
}

/**
 * The endpoints, called with a token created for them.
 * @param more scopes in addition to those for reading and writing policies
 */
export async function openPolicyApi(service: TestService, ...more: readonly string[]): Promise<PolicyApi> {
  const { token } = await service.createToken({ scopes: ['policy:read', 'policy:write', ...more] })
  return policyApi({ url: service.url, token })
}

export function policyApi({ url, token }: { readonly url: string; readonly token: string }): PolicyApi {
  const ask: PolicyApi['ask'] = (method, path, body, headers = {}) =>
    call(`${url}/api/workspace${path}`, {
      method,
      headers: {
        'x-service-workspace-token': token,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) })
    })
  return {
    ask,
    async publish(draft) {
      const reply = await ask('PUT', '/policy', { ...emptyPolicy, ...draft }, { 'if-match': '*' })
      assert.equal(reply.status, 201, reply.text)
      return reply.json()['revision'] as string
    }
  }
}

/** Both documents with nothing but their version: everything has its default. */
export const emptyPolicy = { mcpToolPolicy: { version: 1 }, redactionProfile: { version: 1 } }

/** A tool policy that a test recognises by the one tool that it denies. */
export const denyTool = (tool: string) => ({ version: 1, rules: [{ id: 'no', effect: 'deny', tool }] })

export interface Problem {
  readonly code: string
  readonly detail: string
  readonly errors: readonly { readonly path: string; readonly code: string; readonly message: string }[]
}

/** The body of a refusal, which must have the given status. */
export function problemOf(reply: Reply, status: number): Problem {
  assert.equal(reply.status, status, reply.text)
  assert.match(reply.headers['content-type'] ?? '', /^application\/problem\+json/)
  return reply.json() as unknown as Problem
}
