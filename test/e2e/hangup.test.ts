/**
 * Signals: SIGHUP from a closed terminal or a log rotation shuts down as cleanly as SIGTERM; SIGUSR1 has no effect;
 * Ctrl-C may come twice.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { bareEnvironment } from '../support/bare-environment.ts'
import { sluiceCommand } from '../support/command.ts'
import { eventually } from '../support/eventually.ts'
import { makeDataDir } from '../support/start-service.ts'

test('SIGHUP stops the service after everything is written', async () => {
  const dataDir = await makeDataDir()
  const child = spawn(process.execPath, [sluiceCommand, 'serve'], {
    env: { ...bareEnvironment(), HOST: '127.0.0.1', PORT: '0', SERVICE_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'ignore']
  })
  const closed = once(child, 'close')
  const messages: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { msg } = JSON.parse(line) as { msg: string }
    messages.push(msg)
    if (msg === 'listening') child.kill('SIGHUP')
  })
  try {
    assert.deepEqual(await closed, [null, 'SIGHUP'])
    assert.ok(messages.includes('listening'), messages.join('\n'))
    // Only an orderly shutdown does this: it checkpoints the database's write-ahead log.
    const files = await readdir(dataDir)
    assert.deepEqual([files.includes('sluice.db'), files.filter((file) => /-(?:wal|shm)$/.test(file))], [true, []])
  } finally {
    child.kill('SIGKILL')
    await rm(dataDir, { recursive: true, force: true })
  }
})

test('no signal opens the debugger', async () => {
  const dataDir = await makeDataDir()
  const child = spawn(process.execPath, [sluiceCommand, 'serve'], {
    env: { ...bareEnvironment(), HOST: '127.0.0.1', PORT: '0', SERVICE_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const closed = once(child, 'close')
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (complaints += text))
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { msg, url } = JSON.parse(line) as { readonly msg: string; readonly url?: string }
    if (msg !== 'listening') return
    child.kill('SIGUSR1')
    // The runtime's own handler would open the debugger before the process responds again.
    void fetch(`${url}/livez`).then(({ status }) => child.kill(status === 200 ? 'SIGTERM' : 'SIGKILL'))
  })
  try {
    assert.deepEqual(await closed, [0, null])
    assert.match(complaints, /Sluice is listening/)
    assert.doesNotMatch(complaints, /Debugger listening/)
  } finally {
    child.kill('SIGKILL')
    await rm(dataDir, { recursive: true, force: true })
  }
})

test('a signal that a launcher sends a second time aborts no call', async () => {
  const dataDir = await makeDataDir()
  const arrived = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  const upstream = createServer((req, res) => {
    req.resume()
    arrived.resolve()
    void answer.promise.then(() => res.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
  })
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
  const child = spawn(process.execPath, [sluiceCommand, 'serve'], {
    env: {
      ...bareEnvironment(),
      HOST: '127.0.0.1',
      PORT: '0',
      SERVICE_DATA_DIR: dataDir,
      // The call ends when the test says so, however busy the machine is.
      SERVICE_DRAIN_TIMEOUT_MS: '600000',
      UPSTREAM_CHAT_API_BASE: base
    },
    stdio: ['ignore', 'pipe', 'ignore']
  })
  const closed = once(child, 'close')
  try {
    const url = await new Promise<string>((resolve) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const { msg, url: at } = JSON.parse(line) as { readonly msg: string; readonly url: string }
        if (msg === 'listening') resolve(at)
      })
    })
    const headers = { 'content-type': 'application/json', 'x-service-workspace-token': await tokenIn(dataDir) }
    const body = '{"model":"m","messages":[]}'
    // While it drains, the service closes idle connections, possibly one that is just about to be used.
    const statusOf = async (path: string) => (await fetch(`${url}${path}`).catch(() => undefined))?.status
    const call = fetch(`${url}/api/ingress/v1/chat/completions`, { method: 'POST', headers, body })
    await arrived.promise
    child.kill('SIGINT')
    await eventually('the drain', async () => (await statusOf('/readyz')) === 503 || undefined)
    child.kill('SIGINT')
    await eventually('a sign of life', async () => (await statusOf('/livez')) === 200 || undefined)
    answer.resolve()
    assert.equal((await call).status, 200)
    assert.deepEqual(await closed, [0, null])
  } finally {
    child.kill('SIGKILL')
    upstream.close()
    await rm(dataDir, { recursive: true, force: true })
  }
})

/** The first start writes its token to a file if no terminal can show it. */
async function tokenIn(dataDir: string): Promise<string> {
  const file = await eventually('the token', async () =>
    (await readdir(dataDir)).find((name) => name.startsWith('token-'))
  )
  return (await readFile(join(dataDir, file), 'utf8')).trim()
}
