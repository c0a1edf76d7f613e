/** Corporate networks: an outbound proxy, a private certificate authority, TLS on the service itself. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer as createHttp } from 'node:http'
import { createSecureServer } from 'node:http2'
import { createServer as createHttps } from 'node:https'
import { connect as connectTcp, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { Agent, request } from 'undici'
import { formatFaults, loadConfig } from '../../src/config/config.ts'
import { createCertificateAuthority } from '../support/certificates.ts'
import { userBody } from '../support/dialects.ts'
import { eventually } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { createPlanter } from '../support/planted.ts'
import { startServiceProcess } from '../support/start-service-process.ts'
import { makeDataDir, startTestService } from '../support/start-service.ts'
import { startStubUpstream } from '../support/stub-upstream.ts'
import { answers } from '../support/upstream-behaviours.ts'

const planter = createPlanter(211)
const authority = createCertificateAuthority()

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const closing = (server: Server & { closeAllConnections?(): void }) => (): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections?.()
  })

describe('outbound connections', () => {
  const running = new AsyncDisposableStack()
  const tunnels: string[] = []
  const bodies: string[] = []
  /** The version of HTTP of each request that arrived. */
  const versions: string[] = []
  let folder: string
  let upstreamPort: number
  let proxyUrl: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-networks-'))
    running.defer(() => rm(folder, { recursive: true, force: true }))
    await writeFile(join(folder, 'authority.pem'), authority.cert)
    // Given the choice, it takes HTTP/2, as the servers of most vendors do.
    const upstream = createSecureServer({ ...authority.issue('upstream'), allowHTTP1: true }, (req, res) => {
      versions.push(req.httpVersion)
      let body = ''
      req.setEncoding('utf8').on('data', (text: string) => void (body += text))
      req.on('end', () => {
        bodies.push(body)
        res.writeHead(200, { 'content-type': 'application/json' })
        res.end('{"type":"message","content":[],"usage":{}}')
      })
    })
    upstreamPort = await listen(upstream)
    running.defer(closing(upstream))
    const proxy = createHttp((_req, res) => res.writeHead(405).end())
    proxy.on('connect', (req, client) => {
      tunnels.push(req.url ?? '')
      const [host, port] = (req.url ?? '').split(':')
      const target = connectTcp(Number(port), host, () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n')
        target.pipe(client).pipe(target)
      })
      target.on('error', () => client.destroy())
      client.on('error', () => target.destroy())
    })
    proxyUrl = `http://127.0.0.1:${await listen(proxy)}`
    running.defer(closing(proxy))
  })
  after(() => running.disposeAsync())

  /** One call through a service in a process of its own, since the runtime reads the authority's file at startup. */
  async function callThrough(env: Record<string, string>, port = upstreamPort) {
    for (const seen of [tunnels, bodies, versions]) seen.length = 0
    const dataDir = await makeDataDir()
    const upstream = { UPSTREAM_MESSAGES_API_BASE: `https://127.0.0.1:${port}` }
    const service = await startServiceProcess({ dataDir, env: { ...upstream, SERVICE_LOG_LEVEL: 'info', ...env } })
    try {
      const { sentence, needle } = planter('email')
      const headers = { 'content-type': 'application/json', 'x-service-workspace-token': service.token }
      const url = `${service.url}/api/ingress/v1/messages`
      const reply = await call(url, { headers, body: userBody('messages', sentence) })
      assert.ok(!bodies.join('').includes(needle))
      assert.equal(await service.stop(), 0)
      return { reply, tunnels: [...tunnels], arrived: [...versions], log: service.printed() }
    } finally {
      await service.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  }
  const trusted = (): Record<string, string> => ({ NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem') })

  test('HTTPS_PROXY: the call uses a tunnel to an upstream of a private authority', async () => {
    const { reply, tunnels: used, arrived } = await callThrough({ ...trusted(), HTTPS_PROXY: proxyUrl })
    assert.equal(reply.status, 200, reply.text)
    assert.deepEqual([used, arrived], [[`127.0.0.1:${upstreamPort}`], ['1.1']])
  })

  test('NO_PROXY: the hosts it names are called directly', async () => {
    const env = { ...trusted(), HTTPS_PROXY: proxyUrl, NO_PROXY: 'elsewhere.example,127.0.0.1' }
    const { reply, tunnels: used, arrived } = await callThrough(env)
    assert.equal(reply.status, 200, reply.text)
    assert.deepEqual([used, arrived], [[], ['1.1']])
  })

  test('an expired certificate is reported as such, without asking for another authority', async () => {
    const expired = createHttps(authority.issue('expired', { lastsMs: -60_000 }), (_req, res) => res.end('{}'))
    const port = await listen(expired)
    try {
      const { reply, arrived, log } = await callThrough(trusted(), port)
      assert.equal(reply.status, 502, reply.text)
      assert.match(reply.text, /The certificate of the upstream is not trusted\. Operator: it has expired;/)
      assert.doesNotMatch(reply.text, /NODE_EXTRA_CA_CERTS/)
      assert.match(log, /"upstreamFault":"CERT_HAS_EXPIRED"/)
      assert.deepEqual(arrived, [])
    } finally {
      await closing(expired)()
    }
  })

  test('an untrusted authority and a proxy that is down are a 502, and nothing is sent', async () => {
    const cases = [
      { env: {}, code: 'upstream_untrusted', fault: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' },
      {
        env: { ...trusted(), HTTPS_PROXY: 'http://127.0.0.1:9' },
        code: 'upstream_unreachable',
        fault: 'ECONNREFUSED'
      }
    ]
    for (const { env, code, fault } of cases) {
      const { reply, arrived, log } = await callThrough(env)
      assert.equal(reply.status, 502, reply.text)
      assert.match(reply.text, new RegExp(`"error_code":"${code}"`))
      assert.match(log, new RegExp(`"upstreamFault":"${fault}"`))
      assert.deepEqual(arrived, [])
    }
  })
})

describe('TLS of the service itself', () => {
  let folder: string
  let files: { SERVICE_TLS_CERT_FILE: string; SERVICE_TLS_KEY_FILE: string }
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-tls-'))
    files = { SERVICE_TLS_CERT_FILE: join(folder, 'tls.crt'), SERVICE_TLS_KEY_FILE: join(folder, 'tls.key') }
  })
  after(() => rm(folder, { recursive: true, force: true }))

  async function install(commonName: string): Promise<void> {
    const { cert, key } = authority.issue(commonName)
    await writeFile(files.SERVICE_TLS_CERT_FILE, cert)
    await writeFile(files.SERVICE_TLS_KEY_FILE, key)
  }

  /** The name in the certificate that a new connection gets. */
  async function shown(port: number): Promise<string> {
    const socket = connectTls({ port, host: '127.0.0.1', ca: authority.cert })
    try {
      await once(socket, 'secureConnect')
      return String(socket.getPeerCertificate().subject.CN)
    } finally {
      socket.destroy()
    }
  }

  test('serves only HTTPS and loads a new certificate without a restart', async () => {
    await install('first')
    await using stub = await startStubUpstream(answers())
    await using service = await startTestService({ upstream: stub, env: files })
    assert.match(service.url, /^https:/)
    const dispatcher = new Agent({ connect: { ca: authority.cert } })
    const headers = { 'content-type': 'application/json', 'x-service-workspace-token': service.token }
    const body = userBody('messages', planter('email').sentence)
    const options = { method: 'POST' as const, headers, body, dispatcher }
    const answer = await request(`${service.sdkBaseUrl}/messages`, options)
    assert.equal(answer.statusCode, 200)
    assert.match(await answer.body.text(), /Understood/)
    assert.match(stub.lastBody(), /EMAIL_[A-Z2-7]{10}/)
    await dispatcher.close()
    const { port } = service.running
    await assert.rejects(call(`http://127.0.0.1:${port}/livez`, { method: 'GET' }))

    assert.equal(await shown(port), 'first')
    await install('second')
    await eventually('the new certificate', async () => ((await shown(port)) === 'second' ? true : undefined))
  })

  test('startup fails with files that are no pair, and names the variables', async () => {
    await install('third')
    await writeFile(files.SERVICE_TLS_KEY_FILE, authority.issue('other').key)
    await assert.rejects(startTestService({ env: files }), /SERVICE_TLS_CERT_FILE and SERVICE_TLS_KEY_FILE must/)
  })

  test('one file without the other, and a missing file, are configuration errors', () => {
    const faultsOf = (env: Record<string, string>): string => {
      const loaded = loadConfig(env, { cwd: folder })
      return loaded.ok ? '' : formatFaults(loaded.faults)
    }
    const { SERVICE_TLS_CERT_FILE: cert, SERVICE_TLS_KEY_FILE: key } = files
    assert.equal(
      faultsOf({ SERVICE_TLS_CERT_FILE: cert }),
      'SERVICE_TLS_KEY_FILE must be set with SERVICE_TLS_CERT_FILE'
    )
    assert.equal(faultsOf({ SERVICE_TLS_KEY_FILE: key }), 'SERVICE_TLS_CERT_FILE must be set with SERVICE_TLS_KEY_FILE')
    assert.equal(
      faultsOf({ SERVICE_TLS_CERT_FILE: 'nowhere.pem', SERVICE_TLS_KEY_FILE: key }),
      'SERVICE_TLS_CERT_FILE must name a file that can be read (ENOENT)'
    )
  })
})
