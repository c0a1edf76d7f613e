/** `sluice sidecar` as an operator starts it, and `--check`, which predicts whether that would work. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { loadSidecarConfig } from '../../src/config/sidecar.ts'
import { checkSidecar } from '../../src/sensor/sidecar/check.ts'
import { bareEnvironment } from '../support/bare-environment.ts'
import { sluiceCommand } from '../support/command.ts'
import { call } from '../support/http.ts'
import { runSluice, type Ran } from '../support/run-sluice.ts'
import { sidecarEnvironment, startTestSidecar } from '../support/start-sidecar.ts'
import { makeDataDir, startTestService, type TestService } from '../support/start-service.ts'
import { startStubUpstream } from '../support/stub-upstream.ts'

describe('sluice sidecar', () => {
  const running = new AsyncDisposableStack()
  let service: TestService
  let dataDir: string
  before(async () => {
    service = running.use(await startTestService())
    dataDir = await makeDataDir()
    running.defer(() => rm(dataDir, { recursive: true, force: true }))
  })
  after(() => running.disposeAsync())

  const check = (env: Record<string, string> = {}): Promise<Ran> =>
    runSluice(dataDir, ['sidecar', '--check'], {
      SERVICE_INGRESS_TARGET: `${service.url}/api/ingress/v1`,
      SERVICE_WORKSPACE_TOKEN: service.token,
      ...env
    })

  test('--check succeeds when everything works, and stores nothing', async () => {
    const { code, out } = await check()
    assert.equal(code, 0, out)
    assert.match(out, /^listens {3}127\.0\.0\.1:8787, \[::1\]:8787$/m)
    for (const name of ['data', 'target', 'token', 'events', 'policy'])
      assert.match(out, new RegExp(`^ok {8}${name}: `, 'm'))
    assert.match(out, /revision 1-[0-9a-f]{16} would be enforced/)
    assert.ok(!out.includes(service.token))
    const stored = await service.running.store.findEvents({ workspaceId: 'default', limit: 10 })
    assert.equal(stored.rows.length, 0)
  })

  test('--check names what is wrong, and fails with its exit status', async () => {
    const { token, id } = await service.createToken()
    await service.revokeToken(id)
    const narrow = (await service.createToken({ scopes: ['ingress:write'] })).token
    const mute = (await service.createToken({ scopes: ['ingress:write', 'policy:read'] })).token
    await using sidecar = await startTestSidecar({ target: service.url, token: service.token })
    await using redirecting = await startStubUpstream((_, res) => void res.writeHead(301, { location: '/' }).end())
    const cases: [env: Record<string, string>, name: string, sentence: RegExp][] = [
      [{ SERVICE_WORKSPACE_TOKEN: token }, 'token', /^the token has been revoked$/],
      [{ SERVICE_WORKSPACE_TOKEN: narrow }, 'token', /^the token lacks the scope policy:read$/],
      [{ SERVICE_WORKSPACE_TOKEN: mute }, 'events', /events:write$/],
      [
        { SERVICE_INGRESS_TARGET: 'http://127.0.0.1:1' },
        'target',
        /reached \(ECONNREFUSED\): check SERVICE_INGRESS_TARGET/
      ],
      [
        { SERVICE_INGRESS_TARGET: service.url.replace('http:', 'https:') },
        'target',
        /does not speak TLS .*an http address$/
      ],
      [{ SERVICE_INGRESS_TARGET: `${service.url}/v1/v1` }, 'target', /\(404\): check SERVICE_INGRESS_TARGET$/],
      [{ SERVICE_INGRESS_TARGET: `${sidecar.url}/v1` }, 'target', /^this is a sidecar/],
      [{ SERVICE_INGRESS_TARGET: redirecting.url }, 'target', /^it redirects elsewhere \(301\)/],
      [{ SERVICE_DATA_DIR: import.meta.filename }, 'data', /is not writable \(ENOTDIR\)/]
    ]
    for (const [env, name, sentence] of cases) {
      const settings = { target: service.url, token: service.token, env }
      const loaded = loadSidecarConfig(sidecarEnvironment(dataDir, settings), { cwd: dataDir })
      assert.ok(loaded.ok)
      const bad = (await checkSidecar(loaded.config)).filter(({ isGood }) => !isGood)
      assert.equal(bad.length, 1)
      assert.equal(bad[0]?.name, name)
      assert.match(bad[0]?.sentence ?? '', sentence)
    }
    const failed = await check({ SERVICE_WORKSPACE_TOKEN: token })
    assert.equal(failed.code, 1)
    assert.match(failed.out, /^FAILED {4}token: the token has been revoked$/m)
    const { code, err } = await check({ SERVICE_INGRESS_TARGET: 'nowhere', LISTEN_PORT: 'x' })
    assert.equal(code, 2)
    assert.match(err, /SERVICE_INGRESS_TARGET must be an http or https URL/)
    assert.match(err, /LISTEN_PORT must be an integer/)
  })

  test('runs until it is told to stop, and ends with status 0', async () => {
    const env = {
      ...bareEnvironment(),
      ...sidecarEnvironment(dataDir, { target: service.url, token: service.token })
    }
    const child = spawn(process.execPath, [sluiceCommand, 'sidecar'], { env, stdio: ['ignore', 'ignore', 'pipe'] })
    try {
      const [line] = (await once(createInterface(child.stderr), 'line')) as [string]
      const base = /base URL (http:\/\/localhost:[0-9]+)\/v1,/.exec(line)?.[1]
      assert.equal((await call(`${base}/livez`, { method: 'GET' })).status, 200)
      child.kill('SIGTERM')
      const [code] = (await once(child, 'exit')) as [number | null]
      assert.equal(code, 0)
    } finally {
      child.kill('SIGKILL')
    }
  })
})
