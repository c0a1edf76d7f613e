/** A browser user as far as the API can tell: keeps cookies, and sends what a page of the dashboard sends. */
import assert from 'node:assert/strict'
import type { Dispatcher } from 'undici'
import type { SessionBody } from '../../src/protocol/api/session-schema.ts'
import type { Role } from '../../src/protocol/roles.ts'
import { call, type Reply } from './http.ts'
import type { RunningService } from '../../src/service/start.ts'

export interface Visitor {
  /** The session as the service last reported it. */
  readonly session: SessionBody | undefined
  readonly cookies: Map<string, string>
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Reply>
  /** A state-changing request, with the session's CSRF token; `headers` are added, and an empty one is omitted. */
  send(
    method: Dispatcher.HttpMethod,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>
  ): Promise<Reply>
  signIn(name: string, password: string): Promise<Reply>
  /** Uses up a set-up link. */
  setUp(path: string, password: string, name?: string): Promise<Reply>
}

/** A password that satisfies the rules. */
export const testPassword = ['correct', 'horse', 'battery'].join('-')

export function createVisitor(url: string): Visitor {
  const cookies = new Map<string, string>()
  let session: SessionBody | undefined

  async function ask(
    method: Dispatcher.HttpMethod,
    path: string,
    body: unknown,
    extra: Readonly<Record<string, string>>
  ) {
    const headers = {
      ...(cookies.size > 0 ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(method === 'GET'
        ? {}
        : { origin: url, 'sec-fetch-site': 'same-origin', 'x-csrf-token': session?.csrfToken ?? '' }),
      ...extra
    }
    const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''))
    const reply = await call(path.startsWith('http') ? path : url + path, {
      method,
      headers: given,
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    keep(cookies, reply.headers['set-cookie'])
    if (reply.status === 200 && /^\/api\/(?:session(?:\/password)?|setup)(?:\?|$)/.test(path)) {
      session = reply.json() as unknown as SessionBody
    }
    return reply
  }

  return {
    get session() {
      return session
    },
    cookies,
    get: (path, headers = {}) => ask('GET', path, undefined, headers),
    send: (method, path, body, headers = {}) => ask(method, path, body, headers),
    signIn: (name, password) => ask('POST', '/api/session', { name, password }, {}),
    setUp: (path, password, name) =>
      ask('POST', '/api/setup', { code: path.split('#')[1], password, ...(name === undefined ? {} : { name }) }, {})
  }
}

/** Several cookies of one response are joined by commas; none of ours has a date, which could contain one. */
function keep(cookies: Map<string, string>, header: string | undefined): void {
  for (const one of header?.split(/,(?=[^;,]+=)/) ?? []) {
    const [, name = '', value = ''] = /^\s*([^=]+)=([^;]*)/.exec(one) ?? []
    if (/max-age=0/i.test(one) || value === '') cookies.delete(name)
    else cookies.set(name, value)
  }
}

/** The first admin of an installation, signed in. */
export async function setUpAdmin(
  running: Pick<RunningService, 'makeSetupLink' | 'url'>,
  name = 'root'
): Promise<Visitor> {
  const link = await running.makeSetupLink()
  assert.ok(link, 'there is a user already')
  const visitor = createVisitor(running.url)
  const reply = await visitor.setUp(link.path, testPassword, name)
  assert.equal(reply.status, 200, reply.text)
  return visitor
}

/** A user with a role, created by an admin and signed in. */
export async function invite(
  admin: Visitor,
  url: string,
  name: string,
  role: Role
): Promise<Visitor & { readonly id: string }> {
  const made = await admin.send('POST', '/api/users', { name, role })
  assert.equal(made.status, 201, made.text)
  const { user, link } = made.json() as { user: { id: string }; link: { path: string } }
  const visitor = createVisitor(url)
  const reply = await visitor.setUp(link.path, testPassword)
  assert.equal(reply.status, 200, reply.text)
  return Object.assign(visitor, { id: user.id })
}
