/** Signs in at a test's OpenID provider through its pages, without a browser. */
import assert from 'node:assert/strict'
import { call, type Reply } from './http.ts'
import type { Visitor } from './visitor.ts'

/** A user who follows redirects to the provider and fills in its pages. */
export class Traveller {
  readonly #cookies = new Map<string, string>()

  /** @returns the address that the provider sends the browser back to */
  async goThrough(start: string, login: string): Promise<string> {
    const origin = new URL(start).origin
    let reply = await this.#ask('GET', start)
    for (let step = 0; step < 12; step++) {
      const location = reply.headers['location']
      if (location !== undefined) {
        const next = new URL(location, origin)
        if (next.origin !== origin) return next.href
        reply = await this.#ask('GET', next.href)
        continue
      }
      assert.equal(reply.status, 200, reply.text)
      const action = /<form[^>]* action="([^"]+)"/.exec(reply.text)?.[1]
      assert.ok(action, reply.text)
      const prompt = /name="prompt" value="(\w+)"/.exec(reply.text)?.[1] ?? ''
      reply = await this.#ask('POST', new URL(action, origin).href, { prompt, login, password: 'any' })
    }
    throw new Error('The provider asks for ever.')
  }

  async #ask(method: 'GET' | 'POST', url: string, form?: Record<string, string>): Promise<Reply> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await call(url, {
      method,
      headers: {
        accept: 'text/html',
        ...(cookie === '' ? {} : { cookie }),
        ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {})
      },
      ...(form ? { body: new URLSearchParams(form).toString() } : {})
    })
    for (const one of (reply.headers['set-cookie'] ?? '').split(/,(?=[^;,]+=)/)) {
      const [, name = '', value = ''] = /^\s*([^=]+)=([^;]*)/.exec(one) ?? []
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return reply
  }
}

/**
 * Goes to the provider and returns.
 * @param returnTo query of the first request, such as `?to=/policy`
 * @returns the service's response to the callback
 */
export async function signInByProvider(visitor: Visitor, login: string, returnTo = ''): Promise<Reply> {
  const away = await visitor.get(`/api/session/oidc${returnTo}`)
  assert.equal(away.status, 302, away.text)
  const back = new URL(await new Traveller().goThrough(away.headers['location'] ?? '', login))
  return await visitor.get(back.pathname + back.search)
}
