/** A service whose certificate is not trusted: what its sensors report, and that nothing is sent there. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { request, type RequestListener } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Agent } from 'undici'
import { checkUpstreams } from '../../src/service/upstream-check.ts'
import { withFaults } from '../../src/store/postgres/errors.ts'
import type { UpstreamTarget } from '../../src/upstream/targets.ts'
import { createCertificateAuthority, type CertificateValidity } from '../support/certificates.ts'
import { userBody } from '../support/dialects.ts'
import { eventually } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { startTestRelay } from '../support/mcp/start-relay.ts'
import { runSluice } from '../support/run-sluice.ts'
import { startSidecarProcess } from '../support/sidecar-process.ts'
import { startTestService, type TestService } from '../support/start-service.ts'

interface Case {
  readonly validity: CertificateValidity
  readonly isTrusted: boolean
  readonly fault: string
  readonly remedy: RegExp
}

const authority = createCertificateAuthority()
const hourMs = 3_600_000
const cases: readonly Case[] = [
  {
    validity: { lastsMs: -hourMs },
    isTrusted: true,
    fault: 'CERT_HAS_EXPIRED',
    remedy: /it has expired; have it renewed/
  },
  {
    validity: { beginsInMs: hourMs },
    isTrusted: true,
    fault: 'CERT_NOT_YET_VALID',
    remedy: /it is not valid yet; set the clock of this machine/
  },
  {
    validity: { host: 'elsewhere.example' },
    isTrusted: true,
    fault: 'ERR_TLS_CERT_ALTNAME_INVALID',
    remedy: /it is made out to another name; check the host/
  },
  {
    validity: {},
    isTrusted: false,
    fault: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    remedy: /set NODE_EXTRA_CA_CERTS to a PEM file/
  }
]

describe('an untrusted certificate of the service', () => {
  const running = new AsyncDisposableStack()
  let folder: string
  let known: TestService
  let arrived = 0
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-untrusted-'))
    running.defer(() => rm(folder, { recursive: true, force: true }))
    await writeFile(join(folder, 'authority.pem'), authority.cert)
    known = running.use(await startTestService())
  })
  after(() => running.disposeAsync())

  /** @param answer counts what arrives, where nothing is to */
  async function serve(
    validity: CertificateValidity,
    answer: RequestListener = (_req, res) => {
      arrived++
      res.end()
    }
  ) {
    const server: Server = createServer(authority.issue('service', validity), answer)
    const sockets = new Set<Socket>()
    server.on('connection', (socket: Socket) => sockets.add(socket.once('close', () => sockets.delete(socket))))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return {
      url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
      /** Shows another certificate to everybody, also to those who are connected. */
      replace(other: CertificateValidity): void {
        server.setSecureContext(authority.issue('service', other))
        // `closeAllConnections` knows no connection whose handshake, with the old certificate, is still under way.
        for (const socket of sockets) socket.destroy()
      },
      async [Symbol.asyncDispose]() {
        server.closeAllConnections()
        server.close()
        await once(server, 'close')
      }
    }
  }

  /** Hands requests on to the service that is known. */
  const handOn: RequestListener = (req, res) => {
    const { method, headers } = req
    const up = request(`${known.url}${req.url}`, { method, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(res)
    })
    up.on('error', () => res.destroy())
    res.on('close', () => up.destroy())
    req.pipe(up)
  }

  const trust = (isTrusted: boolean): Record<string, string> =>
    isTrusted ? { NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem') } : {}
  const settings = (target: string): Record<string, string> => ({
    SERVICE_INGRESS_TARGET: target,
    SERVICE_WORKSPACE_TOKEN: known.token
  })

  for (const { validity, isTrusted, fault, remedy } of cases)
    test(`${fault}: the checks of the sidecar and of the MCP proxy report it, and what to do`, async () => {
      await using service = await serve(validity)
      const env = { ...settings(service.url), ...trust(isTrusted), LISTEN_PORT: '0' }
      const check = await runSluice(folder, ['sidecar', '--check'], env)
      assert.equal(check.code, 1)
      const [, said = ''] =
        /^FAILED {4}target: the certificate of the service is not trusted (.*)$/m.exec(check.out) ?? []
      assert.ok(said.startsWith(`(${fault}): `), check.out)
      assert.match(said, remedy)
      const dryRun = await runSluice(folder, ['mcp-proxy', '--dry-run', '--url', 'http://127.0.0.1:9/mcp'], env)
      assert.equal(dryRun.code, 1)
      assert.match(dryRun.err, /There is no policy to try: the certificate of the service is not trusted here: /)
      assert.match(dryRun.err, remedy)
      assert.equal(arrived, 0)
    })

  test('a running sidecar reports it in its log, at /readyz and to its clients', async () => {
    await using service = await serve({ lastsMs: -hourMs })
    await using sidecar = await startSidecarProcess({
      target: service.url,
      token: known.token,
      env: { ...trust(true), SERVICE_LOG_LEVEL: 'info' },
      awaits: 'address'
    })
    const ready = await eventually('a first try', async () => {
      const reply = await call(new URL('/readyz', sidecar.baseUrl).href, { method: 'GET' })
      return reply.text.includes('problem') ? reply : undefined
    })
    assert.equal(ready.status, 503)
    const { checks } = ready.json() as { checks: { policy: Record<string, unknown> } }
    assert.equal(checks.policy['problem'], 'untrusted')
    assert.equal(checks.policy['fault'], 'CERT_HAS_EXPIRED')
    const reply = await call(`${sidecar.baseUrl}/chat/completions`, {
      headers: { 'content-type': 'application/json' },
      body: userBody('chat-completions', 'Hello.')
    })
    assert.equal(reply.status, 503)
    assert.match(reply.text, /forwards nothing: the certificate of the service is not trusted here: it has expired;/)
    assert.match(sidecar.printed(), /"problem":"untrusted","fault":"CERT_HAS_EXPIRED"[^\n]*"msg":"policy"/)
    await eventually('a word on the events that wait', () =>
      /"problem":"untrusted"[^\n]*"msg":"delivery of events"/.test(sidecar.printed()) ? true : undefined
    )
    assert.equal(arrived, 0)
  })

  test('a certificate that expires while a sidecar runs is reported for each call, and the policy stays in force', async () => {
    await using service = await serve({}, handOn)
    await using sidecar = await startSidecarProcess({ target: service.url, token: known.token, env: trust(true) })
    service.replace({ lastsMs: -hourMs })
    const ready = await eventually('what keeps the policy from being confirmed', async () => {
      const reply = await call(new URL('/readyz', sidecar.baseUrl).href, { method: 'GET' })
      return reply.text.includes('"untrusted"') ? reply : undefined
    })
    assert.equal(ready.status, 200)
    const reply = await call(`${sidecar.baseUrl}/chat/completions`, {
      headers: { 'content-type': 'application/json' },
      body: userBody('chat-completions', 'Hello.')
    })
    assert.equal(reply.status, 502, reply.text)
    assert.match(
      reply.text,
      /The service that this sidecar forwards to has a certificate that is not trusted here\. Operator: it has expired;/
    )
  })

  test('the system page reports it for an upstream', async () => {
    await using upstream = await serve({ lastsMs: -hourMs })
    const dispatcher = new Agent({ connect: { ca: authority.cert } })
    const target: UpstreamTarget = {
      configured: true,
      upstream: 'chat',
      origin: upstream.url,
      path: '/v1/models',
      method: 'GET',
      credential: undefined,
      vendor: 'openai'
    }
    const [checked] = await checkUpstreams(() => target, dispatcher).finally(() => dispatcher.destroy())
    assert.equal(checked?.state, 'failed')
    assert.match(
      checked.message,
      /^Its certificate is not trusted \(CERT_HAS_EXPIRED\): it has expired; have it renewed/
    )
    assert.equal(arrived, 0)
  })

  test('the database says it, and how its authority is named', async () => {
    const fails = (code: string) => withFaults(() => Promise.reject(Object.assign(new Error('10.0.0.7'), { code })))
    await assert.rejects(fails('CERT_HAS_EXPIRED'), /not trusted \(CERT_HAS_EXPIRED\): it has expired; have it renewed/)
    await assert.rejects(
      fails('SELF_SIGNED_CERT_IN_CHAIN'),
      /not trusted \(\w+\): sslrootcert in DATABASE_URL names the file/
    )
  })

  test('the MCP proxy says it of a server on HTTP to clients on HTTP', async () => {
    await using server = await serve({})
    await using relay = await startTestRelay({ url: `${server.url}/mcp`, listen: '0' })
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'agent', version: '1' } }
    const reply = await call(relay.url, {
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello })
    })
    assert.match(reply.text, /its certificate is not trusted here: set NODE_EXTRA_CA_CERTS to a PEM file/)
    assert.match(relay.log.join(''), /"fault":"UNABLE_TO_VERIFY_LEAF_SIGNATURE"/)
    assert.equal(arrived, 0)
  })

  test('the MCP proxy reports it for an MCP server', async () => {
    await using server = await serve({ lastsMs: -hourMs })
    const env = { ...settings(known.url), ...trust(true) }
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'agent', version: '1' } }
    const input = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello })}\n`
    const { out, err } = await runSluice(folder, ['mcp-proxy', '--url', `${server.url}/mcp`], env, input)
    const { error } = JSON.parse(out) as { error: { message: string } }
    assert.match(
      error.message,
      /cannot be reached: its certificate is not trusted here: it has expired; have it renewed/
    )
    assert.match(err, /"fault":"CERT_HAS_EXPIRED"/)
    assert.equal(arrived, 0)
  })
})
