/**
 * `sluice mcp-proxy` as an agent starts it: a process on stdio with a folder of its own, before and after the service
 * goes away.
 */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { bareEnvironment } from '../support/bare-environment.ts'
import { sluiceCommand } from '../support/command.ts'
import { storedEvents } from '../support/events.ts'
import { eventually } from '../support/eventually.ts'
import { policyApi } from '../support/policy-api.ts'
import { runSluice } from '../support/run-sluice.ts'
import { startTestService, type TestService } from '../support/start-service.ts'

const root = join(import.meta.dirname, '../..')
const fixture = [process.execPath, join(root, 'test/support/mcp/fixture-stdio.ts')]
const unruly = [process.execPath, join(root, 'test/support/mcp/unruly-server.ts')]

const folder = await mkdtemp(join(tmpdir(), 'sluice-mcp-cli-'))
after(() => rm(folder, { recursive: true, force: true }))

const settingsOf = ({ url, token }: Pick<TestService, 'url' | 'token'>) => ({
  SERVICE_INGRESS_TARGET: url,
  SERVICE_WORKSPACE_TOKEN: token
})

async function startAgent(env: Readonly<Record<string, string>>, dataDir: string, server = fixture) {
  const client = new Client({ name: 'agent', version: '1' }, { capabilities: { elicitation: {} } })
  client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'accept', content: {} }))
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [sluiceCommand, 'mcp-proxy', '--', ...server],
    env: { ...bareEnvironment(), SERVICE_DATA_DIR: dataDir, ...env },
    stderr: 'ignore'
  })
  await client.connect(transport)
  return {
    client,
    pid: transport.pid ?? assert.fail(),
    echo: async (text: string) =>
      (await client.callTool({ name: 'echo', arguments: { text } })) as {
        readonly isError?: boolean
        readonly content: readonly { readonly text: string }[]
      },
    [Symbol.asyncDispose]: () => client.close()
  }
}

async function publish(service: TestService, mcpToolPolicy: object): Promise<void> {
  const { token } = await service.createToken({ scopes: ['policy:write'] })
  await policyApi({ url: service.url, token }).publish({ mcpToolPolicy: { version: 1, ...mcpToolPolicy } })
}

describe('the command', () => {
  it('proxies from its first message on, and enforces the last known policy while the service is away', async () => {
    const dataDir = join(folder, 'away')
    await using running = new AsyncDisposableStack()
    const service = running.use(await startTestService())
    const settings = { ...settingsOf(service), SERVICE_MCP_PROXY_MOCK: '', SERVICE_DOWNSTREAM_SERVER: 'e2b' }
    await publish(service, {
      rules: [
        { id: 'no-tests', effect: 'deny', tool: 'test_*' },
        { id: 'ask-json', effect: 'ask', tool: 'json_*' }
      ]
    })
    {
      await using agent = await startAgent(settings, dataDir)
      const { tools } = await agent.client.listTools()
      assert.ok(tools.some(({ name }) => name === 'echo') && !tools.some(({ name }) => name.startsWith('test_')))
      assert.equal((await agent.echo('hello')).content[0]?.text, 'hello')
      // The call was confirmed, allowed and made: checking its arguments is up to the server.
      const asked = await agent.client.callTool({ name: 'json_schema_2020_12_tool', arguments: {} })
      assert.match(JSON.stringify(asked), /Input validation error/)
    }
    const events = await eventually('the events', async () => {
      const events = await storedEvents(service, { kind: 'tool_call_enforcement' })
      return events.length > 2 ? events : undefined
    })
    const told = events.map(({ sensorMetadata }) => sensorMetadata['reasonCode'])
    assert.deepEqual(new Set(told), new Set(['ask_pending', 'ask_approved', 'default']))
    const event = events.find(({ sensorMetadata }) => sensorMetadata['mcpToolName'] === 'echo')
    assert.deepEqual(
      ['mcpToolName', 'action', 'downstreamServer', 'platform'].map((name) => event?.sensorMetadata[name]),
      ['echo', 'allow', 'e2b', 'mcp-proxy']
    )
    await running.disposeAsync()
    await using agent = await startAgent(settings, dataDir)
    assert.ok(!(await agent.client.listTools()).tools.some(({ name }) => name.startsWith('test_')))
    assert.equal((await agent.echo('hello')).isError, undefined)
    const denied = await agent.client.callTool({ name: 'test_simple_text', arguments: {} })
    assert.equal(denied['isError'], true)
  })

  it('reports a call that a signal cuts off, though its server ends neither by itself nor by a signal', async () => {
    await using service = await startTestService()
    await using agent = await startAgent(settingsOf(service), join(folder, 'cut'), unruly)
    await agent.client.callTool({ name: 'stubborn', arguments: {} })
    const cut = agent.client.callTool({ name: 'hang', arguments: {} })
    // Messages are judged in their order.
    await agent.client.callTool({ name: 'pid', arguments: {} })
    process.kill(agent.pid, 'SIGTERM')
    await assert.rejects(cut)
    await eventually('the event', async () => {
      const events = await storedEvents(service, { kind: 'tool_call_enforcement' })
      return events.some(({ sensorMetadata }) => sensorMetadata['mcpToolName'] === 'hang') || undefined
    })
  })

  it('refuses every call if it never had a policy', async () => {
    const settings = { SERVICE_INGRESS_TARGET: 'http://127.0.0.1:9', SERVICE_WORKSPACE_TOKEN: await goodToken() }
    await using agent = await startAgent(settings, join(folder, 'never'))
    const { isError, content } = await agent.echo('hello')
    assert.equal(isError, true)
    assert.match(content[0]?.text ?? '', /there is no policy to judge it by, since the service cannot be reached/)
    await assert.rejects(agent.client.listTools(), /There is no policy to judge tools by, so none is shown/)
  })
})

async function goodToken(): Promise<string> {
  await using service = await startTestService()
  return service.token
}

describe('the dry run', () => {
  it('lists the tools of a server with the effect of the policy on each, and reports nothing', async () => {
    await using service = await startTestService()
    await publish(service, {
      servers: [{ id: 'fixture', command: ['*node', '*fixture-stdio.ts'] }],
      rules: [
        { id: 'no-tests', effect: 'deny', server: 'fixture', tool: 'test_*' },
        { id: 'polite', effect: 'deny', tool: 'echo', when: [{ argument: '/text', matches: '[^]*damn[^]*' }] }
      ]
    })
    const env = settingsOf(service)
    const dataDir = join(folder, 'dry')
    const table = await runSluice(dataDir, ['mcp-proxy', '--dry-run', '--', ...fixture], env)
    assert.equal(table.code, 0, table.err)
    assert.match(
      table.out,
      /^Policy 2-[0-9a-f]{16}\n\nnode[^\n]*: server "fixture"\n {2}tool +a call leads to +in the list +because of\n/
    )
    assert.match(table.out, /\n {2}echo +allow or deny, by arguments +shown +rule polite\n/)
    assert.match(table.out, /\n {2}test_simple_text +deny +hidden +rule no-tests\n/)
    const json = await runSluice(dataDir, ['mcp-proxy', '--dry-run', '--json', '--', ...fixture], env)
    const { servers } = JSON.parse(json.out) as {
      servers: { id: string; tools: { name: string; isListed: boolean }[] }[]
    }
    assert.equal(servers[0]?.id, 'fixture')
    assert.equal(servers[0]?.tools.find(({ name }) => name === 'echo')?.isListed, true)
    const broken = await runSluice(dataDir, ['mcp-proxy', '--dry-run', '--', '/no/such/server'], env)
    assert.equal(broken.code, 1)
    assert.match(
      broken.out,
      /The MCP server could not be started: there is no such program, or no such folder to start it in \(ENOENT\)\./
    )
    const gone = await runSluice(dataDir, ['mcp-proxy', '--dry-run', '--url', 'http://127.0.0.1:1/mcp'], env)
    assert.equal(gone.code, 1)
    assert.match(gone.out, /The MCP server cannot be reached: no connection could be made\./)
    assert.deepEqual(await storedEvents(service), [])
  })

  it('says that a server stopped and what to do, and starts it once', async () => {
    await using service = await startTestService()
    const starts = join(folder, 'starts')
    const command = ['sh', '-c', `echo started >> ${starts}; read line; exit 3`]
    const args = ['mcp-proxy', '--dry-run', '--', ...command]
    const { code, out } = await runSluice(join(folder, 'crash'), args, settingsOf(service))
    assert.equal(code, 1)
    assert.match(out, /stopped with exit code 3 before it answered\. Run its command by itself to see why\.\n$/)
    assert.equal(await readFile(starts, 'utf8'), 'started\n')
  })

  it('tries the policy in force, and says so where it has only the last one known', async () => {
    const dataDir = join(folder, 'kept')
    const tryIt = (env: Record<string, string>) => runSluice(dataDir, ['mcp-proxy', '--dry-run', '--', ...fixture], env)
    let env: Record<string, string>
    {
      await using service = await startTestService()
      env = settingsOf(service)
      assert.match((await tryIt(env)).out, /^Policy 1-[0-9a-f]{16}\n/)
      await publish(service, { rules: [{ id: 'no-echo', effect: 'deny', tool: 'echo' }] })
      const { out } = await tryIt(env)
      assert.match(out, /^Policy 2-[0-9a-f]{16}\n/)
      assert.match(out, /\n {2}echo +deny +hidden +rule no-echo\n/)
    }
    const { out } = await tryIt(env)
    assert.match(out, /^Policy 2-[0-9a-f]{16}, the last one known here: the service cannot be reached\n/)
    assert.match(out, /\n {2}echo +deny /)
  })

  it('says why there is no policy', async () => {
    await using service = await startTestService()
    const { token } = await service.createToken({ scopes: ['events:write'] })
    const env = settingsOf({ url: service.url, token })
    const { code, err } = await runSluice(join(folder, 'none'), ['mcp-proxy', '--dry-run', '--', ...fixture], env)
    assert.equal(code, 1)
    assert.match(err, /There is no policy to try: the token of the proxy lacks the scope policy:read\./)
  })
})
