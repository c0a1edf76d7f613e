/** An API key is replaced in its file while the service runs. */
import assert from 'node:assert/strict'
import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pino } from 'pino'
import { loadConfig } from '../../src/config/config.ts'
import { startService } from '../../src/service/start.ts'
import { userBody } from '../support/dialects.ts'
import { eventually } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { createToken, testEnvironment } from '../support/start-service.ts'
import { startStubUpstream } from '../support/stub-upstream.ts'
import { answers } from '../support/upstream-behaviours.ts'

test('a new key in the file is used without a restart, and one that cannot be used is not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-keys-'))
  await using undo = new AsyncDisposableStack()
  undo.defer(() => rm(folder, { recursive: true, force: true }))
  const stub = undo.use(await startStubUpstream(answers()))
  const keyFile = join(folder, 'key')
  /** As a mounted Kubernetes secret changes: a symbolic link is swapped. */
  const install = async (key: string, version: string): Promise<void> => {
    await writeFile(join(folder, version), key)
    await symlink(version, join(folder, 'next'))
    await rename(join(folder, 'next'), keyFile)
  }
  await install('first-key\n', 'one')
  const env = { UPSTREAM_CHAT_API_KEY: undefined, UPSTREAM_CHAT_API_KEY_FILE: keyFile }
  const loaded = loadConfig(testEnvironment(folder, { upstream: stub, env }), { cwd: process.cwd() })
  assert.ok(loaded.ok, JSON.stringify(loaded))
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) })
  const running = await startService(loaded.config, { log })
  undo.defer(() => running.close())
  const { token } = await createToken(running)
  const headers = { 'content-type': 'application/json', 'x-service-workspace-token': token }
  const keyUsed = async (): Promise<string> => {
    const url = `${running.url}/api/ingress/v1/chat/completions`
    const { status } = await call(url, { headers, body: userBody('chat-completions', 'Hello.') })
    assert.equal(status, 200)
    return String(stub.received.at(-1)?.headers['authorization'])
  }
  const logged = (text: string) => eventually(text, () => lines.some((line) => line.includes(text)) || undefined)

  assert.equal(await keyUsed(), 'Bearer first-key')
  await install('a key\nof two lines', 'bad')
  await logged('the new API key cannot be used')
  assert.equal(await keyUsed(), 'Bearer first-key')
  await install('second-key', 'two')
  await logged('the API key was read again')
  assert.equal(await keyUsed(), 'Bearer second-key')
  assert.doesNotMatch(lines.join(''), /of two lines|first-key|second-key/)
})
