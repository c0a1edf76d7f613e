/** An API key is replaced in its file while the service runs. */
import assert from 'node:assert/strict'
import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pino } from 'pino'
import { loadConfig } from '../../src/config/config.ts'
import { filler } from '../../src/detection/sample-text.ts'
import { startService } from '../../src/service/start.ts'
import { TokenRequestError } from '../../src/service/tokens/tokens.ts'
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
  const [first, second] = [filler(24, undefined, 21), filler(24, undefined, 22)]
  await install(`${first}\n`, 'one')
  const env = { UPSTREAM_CHAT_API_KEY: undefined, UPSTREAM_CHAT_API_KEY_FILE: keyFile }
  const loaded = loadConfig(testEnvironment(folder, { upstream: stub, env }), { cwd: process.cwd() })
  assert.ok(loaded.ok, JSON.stringify(loaded))
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) })
  const running = await startService(loaded.config, { log })
  undo.defer(() => running.close())
  const { token } = await createToken(running)
  const headers = { 'content-type': 'application/json', 'x-service-workspace-token': token }
  const statusOf = async (text: string): Promise<number> => {
    const url = `${running.url}/api/ingress/v1/chat/completions`
    return (await call(url, { headers, body: userBody('chat-completions', text) })).status
  }
  const keyUsed = async (): Promise<string> => {
    assert.equal(await statusOf('Hello.'), 200)
    return String(stub.received.at(-1)?.headers['authorization'])
  }
  const logged = (text: string) => eventually(text, () => lines.some((line) => line.includes(text)) || undefined)

  assert.equal(await keyUsed(), `Bearer ${first}`)
  await install('a key\nof two lines', 'bad')
  await logged('the new API key cannot be used')
  assert.equal(await keyUsed(), `Bearer ${first}`)
  assert.equal(await statusOf(`The next one is ${second}, I think.`), 200)
  await install(second, 'two')
  await logged('the API key was read again')
  assert.equal(await keyUsed(), `Bearer ${second}`)
  for (const key of [first, second]) assert.equal(await statusOf(`It printed ${key} and ended.`), 403)
  await assert.rejects(createToken(running, { label: `for ${second}` }), TokenRequestError)
  const event = {
    kind: 'tool_call_enforcement',
    action: 'block',
    mcpToolName: `read ${second}`,
    downstreamServer: 'e2b'
  }
  const sent = await call(`${running.url}/api/events`, { headers, body: JSON.stringify(event) })
  assert.equal(sent.status, 202, sent.text)
  const auditor = await createToken(running, { scopes: ['audit:read'] })
  const rows = await call(`${running.url}/api/events?kind=tool_call_enforcement`, {
    method: 'GET',
    headers: { 'x-service-workspace-token': auditor.token }
  })
  assert.ok(rows.text.includes('read KNOWN_CREDENTIAL') && !rows.text.includes(second), rows.text)
  for (const text of ['of two lines', first, second]) assert.ok(!lines.join('').includes(text))
})
