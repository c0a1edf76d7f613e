/** `sluice serve --check`, which predicts whether a start would work while the service runs. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { loadConfig } from '../../src/config/config.ts'
import { checkService } from '../../src/service/check.ts'
import { dayMs } from '../../src/timing/spans.ts'
import { createCertificateAuthority, type CertificateValidity } from '../support/certificates.ts'
import { sharedPostgres } from '../support/postgres.ts'
import { runSluice } from '../support/run-sluice.ts'
import { makeDataDir, startTestService, testEnvironment } from '../support/start-service.ts'
import { startStubUpstream, type StubUpstream } from '../support/stub-upstream.ts'

describe('sluice serve --check', () => {
  const running = new AsyncDisposableStack()
  let upstream: StubUpstream
  let dataDir: string
  before(async () => {
    upstream = running.use(await startStubUpstream((_, res) => void res.writeHead(200).end('{}')))
    dataDir = await makeDataDir()
    running.defer(() => rm(dataDir, { recursive: true, force: true }))
    running.use(await startTestService({ dataDir, upstream }))
  })
  after(() => running.disposeAsync())

  /** What is wrong with a configuration, as `name: sentence`. */
  async function faultsOf(env: Record<string, string | undefined>): Promise<string[]> {
    const loaded = loadConfig(testEnvironment(dataDir, { upstream, env }), { cwd: dataDir })
    assert.ok(loaded.ok)
    const checks = await checkService(loaded.config)
    return checks.filter(({ isGood }) => !isGood).map(({ name, sentence }) => `${name}: ${sentence}`)
  }

  test('succeeds beside the running service, and names what a start would use', async () => {
    const env = testEnvironment(dataDir, { upstream, env: { PORT: '8080' } }) as Record<string, string>
    const { code, out } = await runSluice(dataDir, ['serve', '--check'], env)
    assert.equal(code, 0, out)
    assert.match(out, /^listens {3}http:\/\/127\.0\.0\.1:8080$/m)
    assert.match(out, /^ok {8}database: it is up to date and fits the master key$/m)
    for (const name of ['data', 'upstream of chat', 'upstream of messages'])
      assert.match(out, new RegExp(`^ok {8}${name}: `, 'm'))
  })

  test('creates nothing where nothing is', async () => {
    const empty = await makeDataDir()
    try {
      assert.deepEqual(await faultsOf({ SERVICE_DATA_DIR: join(empty, 'not', 'there') }), [])
      assert.deepEqual(await readdir(empty), [])
    } finally {
      await rm(empty, { recursive: true, force: true })
    }
  })

  test('takes an empty database of a server for a first start', async () => {
    await using server = await sharedPostgres()
    const env = { DATABASE_URL: await server.newDatabase(), SERVICE_MASTER_KEY: randomBytes(32).toString('hex') }
    assert.deepEqual(await faultsOf(env), [])
  })

  test('names each thing that is wrong, and ends with 1', async () => {
    const key = randomBytes(32).toString('hex')
    await using refusing = await startStubUpstream((_, res) => void res.writeHead(401).end('{}'))
    const cases: [env: Record<string, string>, fault: RegExp][] = [
      [{ SERVICE_MASTER_KEY: key }, /^database: The master key does not match this database/],
      [{ UPSTREAM_CHAT_API_BASE: 'http://127.0.0.1:1' }, /^upstream of chat: .* cannot be reached \(ECONNREFUSED\)/],
      [{ UPSTREAM_MESSAGES_API_BASE: refusing.url }, /^upstream of messages: .* rejects the key/],
      [
        { DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x', SERVICE_MASTER_KEY: key },
        /^database: The database of DATABASE_URL cannot be opened\. .*ECONNREFUSED/
      ]
    ]
    for (const [env, fault] of cases) {
      const faults = await faultsOf(env)
      assert.equal(faults.length, 1, faults.join('\n'))
      assert.match(faults[0] ?? '', fault)
    }
    const [data] = await faultsOf({ SERVICE_DATA_DIR: import.meta.filename })
    assert.match(data ?? '', /^data: .* is not writable \(ENOTDIR\)\. SERVICE_DATA_DIR must be a folder/)
    const env = testEnvironment(dataDir, { upstream, env: { SERVICE_MASTER_KEY: key } }) as Record<string, string>
    const failed = await runSluice(dataDir, ['serve', '--check'], env)
    assert.equal(failed.code, 1)
    assert.match(failed.out, /^FAILED {4}database: The master key does not match/m)
    assert.ok(!failed.out.includes(key))
  })

  test('names the proxy where it may be what is not there', async () => {
    const proxy = { HTTP_PROXY: 'http://someone@127.0.0.1:1' }
    const env = testEnvironment(dataDir, { upstream, env: proxy }) as Record<string, string>
    const { code, out } = await runSluice(dataDir, ['serve', '--check'], env)
    assert.equal(code, 1)
    for (const name of ['CHAT', 'MESSAGES'])
      assert.match(
        out,
        new RegExp(
          `cannot be reached \\(ECONNREFUSED\\)\\. Check UPSTREAM_${name}_API_BASE, DNS and the network, and the proxy in HTTP_PROXY unless NO_PROXY`
        )
      )
    assert.ok(!out.includes('someone'))
  })

  test('says of a database whose key is gone what to restore, and makes no new key', async () => {
    const keyless = await makeDataDir()
    try {
      await using _ = await startTestService({ dataDir: keyless, upstream })
      await rm(join(keyless, 'keys'), { recursive: true })
      const faults = await faultsOf({ SERVICE_DATA_DIR: keyless })
      assert.match(
        faults.join('\n'),
        /^database: the master key of the database is missing: restore the file .*master$/
      )
      assert.ok(!(await readdir(keyless)).includes('keys'))
    } finally {
      await rm(keyless, { recursive: true, force: true })
    }
  })

  test('reads the certificate and its dates', async () => {
    const authority = createCertificateAuthority()
    const place = { SERVICE_TLS_CERT_FILE: join(dataDir, 'cert.pem'), SERVICE_TLS_KEY_FILE: join(dataDir, 'key.pem') }
    const faultsWith = async (validity: CertificateValidity): Promise<string> => {
      const { cert, key } = authority.issue('localhost', validity)
      await writeFile(place.SERVICE_TLS_CERT_FILE, cert)
      await writeFile(place.SERVICE_TLS_KEY_FILE, key)
      return (await faultsOf(place)).join('\n')
    }
    assert.equal(await faultsWith({}), '')
    assert.match(await faultsWith({ lastsMs: -dayMs / 2 }), /^certificate: it expired on \d{4}-/)
    assert.match(await faultsWith({ beginsInMs: dayMs }), /^certificate: it is not valid before \d{4}-/)
    await writeFile(place.SERVICE_TLS_KEY_FILE, authority.issue('another').key)
    assert.match(
      (await faultsOf(place)).join('\n'),
      /^certificate: SERVICE_TLS_CERT_FILE and SERVICE_TLS_KEY_FILE must/
    )
  })
})
