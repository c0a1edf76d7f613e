/** A log that cannot be written, or whose reader stalls, prevents no process from starting, serving and stopping. */
import assert from 'node:assert/strict'
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { constants } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { bareEnvironment } from '../support/bare-environment.ts'
import { sluiceCommand } from '../support/command.ts'
import { userBody } from '../support/dialects.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { call } from '../support/http.ts'
import { testToken } from '../support/mcp/test-token.ts'
import { runSluice } from '../support/run-sluice.ts'

/** Their log lines together exceed the buffer of a pipe. */
const calls = 300

describe('the log', () => {
  let folder: string
  before(async () => void (folder = await mkdtemp(join(tmpdir(), 'sluice-log-'))))
  after(() => rm(folder, { recursive: true, force: true }))

  async function serve(stdout: number, stderr: number | 'ignore') {
    const port = await freePort()
    const dataDir = await mkdtemp(join(folder, 'data-'))
    const env = {
      ...bareEnvironment(),
      HOST: '127.0.0.1',
      PORT: String(port),
      SERVICE_DATA_DIR: dataDir
    }
    const child = spawn(process.execPath, [sluiceCommand, 'serve'], { env, stdio: ['ignore', stdout, stderr] })
    const url = `http://127.0.0.1:${port}`
    await eventually('the service', async () => {
      assert.equal(child.exitCode, null, 'it ended')
      return (await call(`${url}/readyz`, { method: 'GET' }).catch(() => undefined))?.status === 200 ? true : undefined
    })
    return { child, url, dataDir }
  }

  async function stop(child: ChildProcess): Promise<unknown[]> {
    const closed = once(child, 'close')
    child.kill('SIGTERM')
    return await closed
  }

  test('that cannot be written: the service starts, serves and stops', async () => {
    const path = join(folder, 'log')
    await writeFile(path, '')
    // Each write fails, as on a full disk, unlike on a pipe that nobody reads.
    await using unwritable = await open(path, 'r')
    const { child, url } = await serve(unwritable.fd, unwritable.fd)
    try {
      assert.equal((await call(`${url}/livez`, { method: 'GET' })).status, 200)
      assert.deepEqual(await stop(child), [0, null])
    } finally {
      child.kill('SIGKILL')
    }
  })

  test('whose reader stalls: the service continues to serve, and stops when signalled', async () => {
    const path = join(folder, 'pipe')
    execFileSync('mkfifo', [path])
    await using unread = await open(path, constants.O_RDWR)
    const { child, url, dataDir } = await serve(unread.fd, 'ignore')
    try {
      const created = await runSluice(dataDir, ['token', 'create', '--label', 'test', '--json'])
      const { token } = JSON.parse(created.out) as { token: string }
      const headers = { 'content-type': 'application/json', 'x-service-workspace-token': token }
      const body = userBody('chat-completions', 'Hello.')
      const statuses = new Set<number>()
      for (let i = 0; i < calls; i++)
        statuses.add((await call(`${url}/api/ingress/v1/chat/completions`, { headers, body })).status)
      assert.deepEqual([...statuses], [503])
      assert.deepEqual(await stop(child), [null, 'SIGTERM'])
    } finally {
      child.kill('SIGKILL')
    }
  })

  test('of the MCP proxy that its client does not read: the proxy still ends with its standard input', async () => {
    const path = join(folder, 'errors')
    execFileSync('mkfifo', [path])
    await using unread = await open(path, constants.O_RDWR)
    const env = {
      ...bareEnvironment(),
      SERVICE_DATA_DIR: join(folder, 'proxy'),
      SERVICE_INGRESS_TARGET: 'http://127.0.0.1:9',
      SERVICE_WORKSPACE_TOKEN: testToken,
      SERVICE_LOG_LEVEL: 'trace'
    }
    await unread.write(Buffer.alloc(65_536))
    const args = [sluiceCommand, 'mcp-proxy', '--url', 'http://127.0.0.1:9/mcp']
    const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'ignore', unread.fd] })
    try {
      child.stdin?.end()
      assert.deepEqual(await once(child, 'close'), [null, 'SIGTERM'])
    } finally {
      child.kill('SIGKILL')
    }
  })
})
