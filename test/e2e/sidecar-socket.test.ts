/** A sidecar on a Unix socket, and `sluice health`, which connects through it. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { runSluice } from '../support/run-sluice.ts'
import { startTestSidecar } from '../support/start-sidecar.ts'
import { startTestService, type TestService } from '../support/start-service.ts'
import { startStubUpstream } from '../support/stub-upstream.ts'
import { answers } from '../support/upstream-behaviours.ts'

interface Answer {
  readonly status: number | undefined
  readonly text: string
}

function ask(socketPath: string, headers: Record<string, string> = {}): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const asking = request(
    { socketPath, path: '/v1/messages', method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
    (res) => {
      let text = ''
      res.setEncoding('utf8').on('data', (part: string) => void (text += part))
      res.on('end', () => resolve({ status: res.statusCode, text }))
    }
  )
  asking.on('error', reject)
  asking.end(JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hello.' }] }))
  return promise
}

describe('the socket of a sidecar', () => {
  const running = new AsyncDisposableStack()
  let service: TestService
  let folder: string
  before(async () => {
    const upstream = running.use(await startStubUpstream(answers()))
    service = running.use(await startTestService({ upstream }))
    folder = await mkdtemp(join(tmpdir(), 'sluice-socket-'))
    running.defer(() => rm(folder, { recursive: true, force: true }))
  })
  after(() => running.disposeAsync())
  const start = (env: Record<string, string>) => startTestSidecar({ target: service.url, token: service.token, env })

  test('serves the API in addition to the port, only to its owner, and rejects web pages', async () => {
    const socket = join(folder, 'beside.sock')
    await using sidecar = await start({ LISTEN_SOCKET: socket })
    await sidecar.running.policy.ready()
    assert.equal((await stat(socket)).mode & 0o777, 0o600)
    assert.equal((await ask(socket)).status, 200)
    assert.equal((await ask(socket, { host: 'whatever.example' })).status, 200)
    const page = await ask(socket, { origin: 'http://localhost' })
    assert.equal(page.status, 403)
    assert.match(page.text, /browser_not_allowed/)
    assert.equal((await fetch(`${sidecar.url}/livez`)).status, 200)
  })

  test('can be the only listener; the group gets access on request; it is deleted with the sidecar', async () => {
    const socket = join(folder, 'alone.sock')
    const env = { LISTEN_SOCKET: socket, LISTEN_SOCKET_MODE: '0660', LISTEN_HOST: 'none' }
    {
      await using sidecar = await start(env)
      await sidecar.running.policy.ready()
      assert.equal(sidecar.running.port, 0)
      assert.equal((await stat(socket)).mode & 0o777, 0o660)
      assert.equal((await ask(socket)).status, 200)
      const well = await runSluice(folder, ['health', 'sidecar', '--ready'], env)
      assert.deepEqual([well.code, well.out], [0, `ok ${socket}/readyz: 200\n`])
      await assert.rejects(start(env), /another process listens on/)
      assert.equal((await ask(socket)).status, 200)
    }
    await assert.rejects(stat(socket), { code: 'ENOENT' })
    assert.equal((await runSluice(folder, ['health', 'sidecar'], env)).code, 1)
  })

  test('is replaced if a killed process left it, and a file that is no socket is left alone', async () => {
    const socket = join(folder, 'stale.sock')
    const listen = `require('node:net').createServer().listen(${JSON.stringify(socket)}, () => console.log('on'))`
    const dead = spawn(process.execPath, ['-e', listen], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(dead.stdout, 'data')
    dead.kill('SIGKILL')
    await once(dead, 'exit')
    assert.ok((await stat(socket)).isSocket())
    {
      await using sidecar = await start({ LISTEN_SOCKET: socket })
      await sidecar.running.policy.ready()
      assert.equal((await ask(socket)).status, 200)
    }
    const file = join(folder, 'file.sock')
    await writeFile(file, 'mine')
    await assert.rejects(start({ LISTEN_SOCKET: file }), /is no socket; it is left as it is/)
    assert.equal((await stat(file)).size, 4)
  })

  test('health of a service is requested at its address, and fails when nothing responds', async () => {
    const env = { PORT: String(service.running.port), HOST: '0.0.0.0' }
    const well = await runSluice(folder, ['health', '--ready'], env)
    assert.deepEqual([well.code, well.out], [0, `ok http://127.0.0.1:${env.PORT}/readyz: 200\n`])
    await using silent = createServer((socket) => void socket.on('error', () => undefined).resume())
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as { readonly port: number }
    const none = await runSluice(folder, ['health', '--timeout', '200'], { PORT: String(port) })
    assert.deepEqual([none.code, none.out], [1, `FAILED http://127.0.0.1:${port}/livez: no answer\n`])
  })

  test('health that cannot be asked for is wrong usage, and not a failure of the service', async () => {
    for (const words of [['sidcar'], ['--timeout', '5s'], ['--timeout', '0']]) {
      const { code, err } = await runSluice(folder, ['health', ...words], {})
      assert.equal(code, 2, err)
      assert.match(err, /^error: (?:argument 'what'|option '--timeout <ms>') is not valid\. /)
    }
    for (const [what, name] of [
      ['service', 'PORT'],
      ['sidecar', 'LISTEN_PORT']
    ] as const) {
      const { code, err } = await runSluice(folder, ['health', what], { [name]: 'abc' })
      assert.deepEqual([code, err.includes(`\n${name} must be `)], [2, true], err)
    }
  })
})
