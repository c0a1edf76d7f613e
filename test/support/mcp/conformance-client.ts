/**
 * The client of the conformance scenarios, on the reference SDK. Its last argument is the server's address. With
 * `--proxied` before it, the client connects through an MCP proxy of its own that enforces the policy of a new
 * workspace, which masks.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { startGatedRelay } from './gated-relay.ts'
import { loggingIn, TestLogin } from './login.ts'

const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? ''
const isModern = process.env['MCP_CONFORMANCE_PROTOCOL_VERSION'] === '2026-07-28'
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as {
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: Record<string, unknown> }[]
  readonly client_id?: string
  readonly client_secret?: string
}
const isLogin = scenario.startsWith('auth/')
const info = { name: 'conformance-client', version: '1.0.0' }
const address = process.argv.at(-1) ?? ''

/**
 * Some scenarios' servers implement tools but not discovery; for these the client is given what discovery would return.
 */
const withoutDiscovery = [
  'sep-2322-client-request-state',
  'http-standard-headers',
  'http-custom-headers',
  'http-invalid-tool-headers'
]
const discovered = {
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: {}, resources: {}, prompts: {} },
  resultType: 'complete',
  ttlMs: 0,
  cacheScope: 'private'
}
const toldFetch: typeof fetch = async (input, init) => {
  const message = typeof init?.body === 'string' ? (JSON.parse(init.body) as { method?: string; id?: unknown }) : {}
  if (message.method !== 'server/discover') return fetch(input, init)
  return Response.json({ jsonrpc: '2.0', id: message.id, result: discovered })
}

const calls: Readonly<
  Record<string, readonly { readonly name: string; readonly arguments: Record<string, unknown> }[]>
> = {
  tools_call: [{ name: 'add_numbers', arguments: { a: 5, b: 3 } }],
  'elicitation-sep1034-client-defaults': [{ name: 'test_client_elicitation_defaults', arguments: {} }],
  'sse-retry': [{ name: 'test_reconnection', arguments: {} }],
  'sep-2322-client-request-state': ['echo_state', 'no_state', 'unrelated', 'no_result_type'].map((name) => ({
    name: `test_mrtr_${name}`,
    arguments: {}
  }))
}

async function run(url: string): Promise<void> {
  const isTold = withoutDiscovery.includes(scenario)
  const asksForm = scenario === 'elicitation-sep1034-client-defaults'
  const client = new Client(info, {
    capabilities: asksForm ? { elicitation: { form: { applyDefaults: true } } } : { elicitation: {} },
    ...((isModern || isTold) && { versionNegotiation: { mode: 'auto' as const } })
  })
  client.setRequestHandler('elicitation/create', async () => ({
    action: 'accept' as const,
    content: asksForm ? {} : { confirmed: true }
  }))
  const registered =
    context.client_id === undefined
      ? undefined
      : { client_id: context.client_id, client_secret: context.client_secret ?? '' }
  const login = new TestLogin('https://conformance-test.local/client-metadata.json', registered)
  const options = isTold ? { fetch: toldFetch } : isLogin ? { fetch: loggingIn(login, url) } : {}
  await client.connect(new StreamableHTTPClientTransport(new URL(url), options))
  if (isLogin) {
    await client.listTools()
    await client.callTool({ name: 'test-tool', arguments: {} })
    return client.close()
  }
  if (scenario !== 'request-metadata' && scenario !== 'sep-2322-client-request-state') await useLists(client)
  for (const call of context.toolCalls ?? calls[scenario] ?? [])
    // In some scenarios the client itself must refuse a call.
    await client.callTool({ name: call.name, arguments: call.arguments }).catch(() => undefined)
  await client.close()
}

async function useLists(client: Client): Promise<void> {
  const { tools } = await client.listTools()
  if (scenario === 'http-invalid-tool-headers')
    for (const { name } of tools) await client.callTool({ name, arguments: { region: 'eu' } }).catch(() => undefined)
  const focal = tools.find(({ name }) => name === 'json_schema_2020_12_tool')
  if (focal) await client.callTool({ name: 'json_schema_echo', arguments: { schema: focal.inputSchema } })
  if (scenario !== 'http-standard-headers') return
  for (const { name } of tools.slice(0, 1)) await client.callTool({ name, arguments: {} })
  const { resources } = await client.listResources()
  for (const { uri } of resources.slice(0, 1)) await client.readResource({ uri })
  const { prompts } = await client.listPrompts()
  for (const { name } of prompts.slice(0, 1)) await client.getPrompt({ name, arguments: {} })
}

if (process.argv.includes('--proxied')) {
  await using relay = await startGatedRelay({ url: address, listen: '0' })
  await run(relay.url)
} else await run(address)
process.exit(0)
