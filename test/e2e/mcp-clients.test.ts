/** Real clients (SDK v1 and v2, both revisions) through the proxy to real servers, on stdio and on HTTP. */
import assert from 'node:assert/strict'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client'
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { startFixtureHttp } from '../support/mcp/fixture-http.ts'
import { fixture } from '../support/mcp/line-client.ts'
import { startTestRelay } from '../support/mcp/start-relay.ts'

const resolve = createRequire(import.meta.url).resolve
const bin = (name: string): string => join(resolve(`${name}/package.json`), '..', 'dist', 'index.js')
const everything = [process.execPath, bin('@modelcontextprotocol/server-everything'), 'stdio']
const fixtureStdio = [process.execPath, fixture('fixture-stdio')]

/** What the tests need of a client, whichever SDK it is. */
interface AnyClient {
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>
  close(): Promise<void>
}

const info = { name: 'test', version: '1' }
const capabilities = { elicitation: {}, sampling: {}, roots: {} }

async function v1(transport: HttpV1 | StdioV1): Promise<AnyClient> {
  const client = new ClientV1(info, { capabilities })
  await client.connect(transport)
  return client
}

async function v2(mode: 'legacy' | 'auto', transport: HttpV2 | StdioV2): Promise<AnyClient> {
  const client = new ClientV2(info, { capabilities, versionNegotiation: { mode } })
  client.setRequestHandler('elicitation/create', async () => ({
    action: 'accept',
    content: { name: 'Ada', response: 'yes' }
  }))
  await client.connect(transport)
  assert.equal(client.getNegotiatedProtocolVersion(), mode === 'auto' ? '2026-07-28' : '2025-11-25')
  return client
}

const onHttp: Readonly<Record<string, (url: URL) => Promise<AnyClient>>> = {
  'SDK v1': (url) => v1(new HttpV1(url)),
  'SDK v2, 2025-11-25': (url) => v2('legacy', new HttpV2(url)),
  'SDK v2, 2026-07-28': (url) => v2('auto', new HttpV2(url))
}

const onPipes: Readonly<Record<string, (command: string, args: string[]) => Promise<AnyClient>>> = {
  'SDK v1': (command, args) => v1(new StdioV1({ command, args })),
  'SDK v2, 2025-11-25': (command, args) => v2('legacy', new StdioV2({ command, args })),
  'SDK v2, 2026-07-28': (command, args) => v2('auto', new StdioV2({ command, args }))
}

async function tryTools(client: AnyClient): Promise<void> {
  const { tools } = await client.listTools()
  assert.ok(tools.some(({ name }) => name === 'echo'))
  const echoed = await client.callTool({ name: 'echo', arguments: { text: 'grüße' } })
  assert.match(JSON.stringify(echoed), /grüße/)
  await client.close()
}

describe('on HTTP', () => {
  for (const [name, connect] of Object.entries(onHttp)) {
    it(`${name}: to a server on HTTP and to one on stdio`, async () => {
      await using server = await startFixtureHttp()
      await using forward = await startTestRelay({ url: server.url, listen: '0' })
      await tryTools(await connect(new URL(forward.url)))
      await using bridge = await startTestRelay({ command: fixtureStdio, listen: '0' })
      await tryTools(await connect(new URL(bridge.url)))
    })
  }

  it('a request of the server during a call is answered, in the way of each revision', async () => {
    await using server = await startFixtureHttp()
    await using relay = await startTestRelay({ url: server.url, listen: '0' })
    const legacy = await v2('legacy', new HttpV2(new URL(relay.url)))
    const asked = await legacy.callTool({ name: 'test_elicitation', arguments: { message: 'Really?' } })
    assert.match(JSON.stringify(asked), /accept/)
    await legacy.close()
    const modern = await v2('auto', new HttpV2(new URL(relay.url)))
    const named = await modern.callTool({ name: 'test_input_required_result_elicitation', arguments: {} })
    assert.match(JSON.stringify(named), /Hello, Ada!/)
    await modern.close()
  })

  it('a server of the older revision is recognised through the bridge', async () => {
    await using relay = await startTestRelay({ command: everything, listen: '0' })
    const client = new ClientV2(info, { capabilities, versionNegotiation: { mode: 'auto' } })
    await client.connect(new HttpV2(new URL(relay.url)))
    assert.equal(client.getNegotiatedProtocolVersion(), '2025-11-25')
    const result = await client.callTool({ name: 'get-sum', arguments: { a: 2, b: 3 } })
    assert.match(JSON.stringify(result), /5/)
    await client.close()
  })
})

describe('on stdio', () => {
  for (const [name, connect] of Object.entries(onPipes)) {
    it(`${name}: to a server on stdio and to one on HTTP`, async () => {
      const program = fixture('relay-process')
      await tryTools(await connect(process.execPath, [program, '--', ...fixtureStdio]))
      await using server = await startFixtureHttp()
      await tryTools(await connect(process.execPath, [program, '--url', server.url]))
    })
  }

  it('the file system server reads and lists through the proxy', async () => {
    await using stack = new AsyncDisposableStack()
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'sluice-mcp-')))
    stack.defer(() => rm(folder, { recursive: true, force: true }))
    await writeFile(join(folder, 'note.txt'), 'a note')
    const files = [process.execPath, bin('@modelcontextprotocol/server-filesystem'), folder]
    const client = new ClientV1(info, { capabilities })
    await client.connect(new StdioV1({ command: process.execPath, args: [fixture('relay-process'), '--', ...files] }))
    stack.defer(() => client.close())
    const read = await client.callTool({ name: 'read_text_file', arguments: { path: join(folder, 'note.txt') } })
    assert.match(JSON.stringify(read.content), /a note/)
    const refused = await client.callTool({ name: 'read_text_file', arguments: { path: '/etc/hostname' } })
    assert.equal(refused.isError, true)
  })
})
