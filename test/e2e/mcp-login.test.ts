/** The OAuth login of a client at an HTTP server behind the proxy. */
import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { describe, it } from 'node:test'
import { request } from 'undici'
import { startTestRelay } from '../support/mcp/start-relay.ts'
import { json, post, startUpstream } from '../support/mcp/start-upstream.ts'

const wellKnown = '/.well-known/oauth-protected-resource'
const metadata = {
  authorization_servers: ['https://login.example'],
  scopes_supported: ['read'],
  signed_metadata: 'a.b.c',
  x_more: [1]
}

/** A server that requires a login, and its metadata by path. */
function server(said: (origin: string) => Readonly<Record<string, unknown>>, challenge: (origin: string) => string) {
  const answer: RequestListener = (req, res) => {
    const origin = `http://${req.headers.host}`
    const found = said(origin)[(req.url ?? '').split('?')[0] ?? '']
    if (req.method === 'GET' && found === undefined) res.writeHead(404).end()
    else if (req.method === 'GET') res.writeHead(200, json).end(JSON.stringify(found))
    else res.writeHead(401, { ...json, 'www-authenticate': challenge(origin) }).end('{"error":"invalid_token"}')
  }
  return startUpstream(answer)
}

async function get(url: string, headers: Record<string, string> = {}) {
  const { statusCode, body } = await request(url, { headers })
  return { status: statusCode, said: JSON.parse(await body.text()) as Record<string, unknown> }
}

describe('a login with the server', () => {
  it('is described at the proxy, under the address that the client uses', async () => {
    const own = '/where/it/stands'
    await using upstream = await server(
      (origin) => ({ [own]: { ...metadata, resource: `${origin}/some/mcp` } }),
      (origin) => `Bearer realm="x, y", resource_metadata="${origin}${own}?a=1", scope="read"`
    )
    await using relay = await startTestRelay({ url: upstream.url, listen: '0' })
    const { origin } = new URL(relay.url)
    const refused = await post(relay.url)
    await refused.body.dump()
    const at = `${origin}${wellKnown}/mcp`
    assert.deepEqual(
      [refused.statusCode, refused.headers['www-authenticate']],
      [401, `Bearer realm="x, y", resource_metadata="${at}", scope="read"`]
    )
    const { signed_metadata: _signed, ...unsigned } = metadata
    assert.deepEqual(await get(at), { status: 200, said: { ...unsigned, resource: relay.url } })
    assert.deepEqual((await get(`${origin}${wellKnown}`)).said['resource'], relay.url)
    const secure = await get(at, { 'x-forwarded-proto': 'https' })
    assert.equal(secure.said['resource'], relay.url.replace('http:', 'https:'))
  })

  it('is found where servers put its metadata by default, also before any 401', async () => {
    for (const path of [`${wellKnown}/some/mcp`, wellKnown]) {
      await using upstream = await server(
        (origin) => ({ [path]: { ...metadata, resource: origin } }),
        () => 'Bearer'
      )
      await using relay = await startTestRelay({ url: upstream.url, listen: '0' })
      const { origin } = new URL(relay.url)
      assert.equal((await get(`${origin}${wellKnown}/mcp`)).said['resource'], relay.url)
    }
  })

  it('is offered nowhere else: not at another host, not for another resource, not if the operator logs in', async () => {
    await using elsewhere = await startUpstream((_req, res) => void res.writeHead(200, json).end('{}'))
    await using upstream = await server(
      () => ({ [wellKnown]: { ...metadata, resource: `${elsewhere.origin}/some/mcp` } }),
      () => `Bearer resource_metadata="${elsewhere.origin}/x"`
    )
    await using relay = await startTestRelay({ url: upstream.url, listen: '0' })
    const refused = await post(relay.url)
    await refused.body.dump()
    assert.equal(refused.headers['www-authenticate'], `Bearer resource_metadata="${elsewhere.origin}/x"`)
    const at = `${new URL(relay.url).origin}${wellKnown}/mcp`
    const other = await get(at)
    assert.equal(other.status, 502)
    assert.match(JSON.stringify(other.said), /login_of_another/)
    assert.equal(elsewhere.seen.length, 0)
    const strange = await request(at, { headers: { host: 'evil.example' } })
    await strange.body.dump()
    assert.equal(strange.statusCode, 403)

    await using operated = await startTestRelay({
      url: upstream.url,
      headers: ['Authorization: Bearer x'],
      listen: '0'
    })
    assert.equal((await get(`${new URL(operated.url).origin}${wellKnown}/mcp`)).status, 404)
  })

  it('ends in an error without waiting if the server offers none or fails', async () => {
    const answers: Readonly<Record<string, readonly [RequestListener, number]>> = {
      nothing: [(_req, res) => void res.writeHead(404).end(), 404],
      words: [(_req, res) => void res.writeHead(200, json).end('["x"]'), 404],
      flood: [(_req, res) => void res.writeHead(200, json).end(`{"x":"${'x'.repeat(100_000)}"}`), 404],
      redirect: [(_req, res) => void res.writeHead(302, { location: 'http://169.254.169.254/' }).end(), 404],
      failing: [(_req, res) => void res.writeHead(500).end(), 502],
      gone: [(req) => void req.socket.destroy(), 502]
    }
    for (const [name, [answer, status]] of Object.entries(answers)) {
      await using upstream = await startUpstream(answer)
      await using relay = await startTestRelay({ url: upstream.url, listen: '0' })
      assert.equal((await get(`${new URL(relay.url).origin}${wellKnown}/mcp`)).status, status, name)
    }
  })
})
