/** The meaning of the MCP proxy's command line and environment, and their faults. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { mintToken } from '../protocol/token-format.ts'
import { listVariables } from './describe-variables.ts'
import { loadMcpProxyConfig, type McpProxyConfig } from './mcp-proxy.ts'
import { mcpProxyVariables } from './mcp-proxy-variables.ts'
import type { McpProxyWords } from './mcp-servers.ts'

const { token } = mintToken((count) => Uint8Array.from({ length: count }, (_, index) => index * 3))
const least = { SERVICE_INGRESS_TARGET: 'https://sluice.example', SERVICE_WORKSPACE_TOKEN: token }
const command: McpProxyWords = { command: ['npx', 'server'] }

function load(words: McpProxyWords, env: Record<string, string> = {}) {
  return loadMcpProxyConfig({ ...least, ...env }, words, { cwd: '/home/anyone' })
}

function good(words: McpProxyWords, env: Record<string, string> = {}): McpProxyConfig {
  const result = load(words, env)
  assert.ok(result.ok, JSON.stringify(result))
  return result.config
}

function faultsOf(words: McpProxyWords, env: Record<string, string> = {}): string[] {
  const result = load(words, env)
  assert.ok(!result.ok)
  return result.faults.map(({ name }) => name)
}

/** Provides the path of an `mcp.json` for the duration of a callback. */
function withFile<T>(content: unknown, act: (path: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-mcp-'))
  try {
    const path = join(folder, 'mcp.json')
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
    return act(path)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('one server, by command or by URL', () => {
  assert.deepEqual(good(command).servers, [{ command: ['npx', 'server'] }])
  assert.equal(good(command).listen, undefined)
  const { servers, listen } = good({ url: 'https://mcp.example/mcp?x=1', headers: ['X-Key:  a b '], listen: '8790' })
  assert.deepEqual(servers, [{ url: 'https://mcp.example/mcp?x=1', headers: { 'x-key': 'a b' } }])
  assert.deepEqual(listen, { hosts: ['127.0.0.1', '::1'], port: 8790, knownHosts: [] })
})

test('invalid arguments, or arguments that exclude each other, are refused', () => {
  assert.deepEqual(faultsOf({}), ['mcp-proxy'])
  assert.deepEqual(faultsOf({ ...command, url: 'https://mcp.example' }), ['mcp-proxy'])
  assert.deepEqual(faultsOf({ ...command, headers: ['a: b'] }), ['--header'])
  assert.deepEqual(faultsOf({ ...command, server: 'x' }), ['--server'])
  assert.deepEqual(faultsOf({ ...command, listen: '70000' }), ['--listen'])
  assert.deepEqual(faultsOf({ url: 'ftp://mcp.example' }), ['--url'])
  assert.deepEqual(faultsOf({ command: ['https://mcp.example'] }), ['-- command'])
  assert.deepEqual(faultsOf({ url: 'https://user:word@mcp.example' }), ['--url'])
  assert.deepEqual(faultsOf({ url: 'https://mcp.example', headers: ['no colon'] }), ['--header'])
  assert.deepEqual(faultsOf({ url: 'https://mcp.example', headers: ['Host: other'] }), ['--header'])
  assert.deepEqual(faultsOf({ url: 'https://mcp.example', headers: ['A: ${GONE}'] }), ['--header'])
  assert.deepEqual(faultsOf({ config: 'no/such/file' }), ['--config'])
})

test('a service and a token are required, whatever else is given', () => {
  const env = { SERVICE_INGRESS_TARGET: '', SERVICE_WORKSPACE_TOKEN: `${token}x` }
  assert.deepEqual(faultsOf(command, env), ['SERVICE_INGRESS_TARGET', 'SERVICE_WORKSPACE_TOKEN'])
  const result = load(command, env)
  assert.ok(!JSON.stringify(result).includes(token))
})

test('an mcp.json has its servers and variables read, and its faults reported by name', () => {
  const files = { command: 'npx', args: ['-y', '${PACKAGE:-server}'], env: { KEY: '${SECRET}' }, cwd: 'here' }
  const web = { type: 'http', url: 'https://${HOST_NAME}/mcp', headers: { Authorization: 'Bearer ${env:SECRET}' } }
  const env = { SECRET: 'a-secret', HOST_NAME: 'mcp.example' }
  withFile({ mcpServers: { files, web }, inputs: [] }, (config) => {
    const { servers } = good({ config, listen: '0' }, env)
    assert.deepEqual(servers, [
      { name: 'files', command: ['npx', '-y', 'server'], env: { KEY: 'a-secret' }, cwd: '/home/anyone/here' },
      { name: 'web', url: 'https://mcp.example/mcp', headers: { authorization: 'Bearer a-secret' } }
    ])
    assert.deepEqual(faultsOf({ config }, env), ['--config'])
    assert.equal(good({ config, server: 'web' }, env).servers.length, 1)
    assert.deepEqual(faultsOf({ config, server: 'other' }, env), ['--server'])
    assert.deepEqual(faultsOf({ config, server: 'files' }), ['--config mcpServers.files.env.KEY'])
  })
  withFile({ servers: { one: files } }, (config) => assert.equal(good({ config }, env).servers.length, 1))
  const bad: [content: unknown, fault: string][] = [
    ['{', '--config'],
    [{}, '--config'],
    [{ mcpServers: { 'a/b': files } }, '--config mcpServers.(a name)'],
    [{ mcpServers: { a: { ...files, url: 'https://x.example' } } }, '--config mcpServers.a'],
    [{ mcpServers: { a: { command: 5 } } }, '--config mcpServers.a.command'],
    [{ mcpServers: { a: { url: 'nowhere' } } }, '--config mcpServers.a.url']
  ]
  for (const [content, fault] of bad)
    withFile(content, (config) => assert.deepEqual(faultsOf({ config }, env), [fault]))
})

test('the sandbox may be unset, known, unknown or configured, and the mock overrides all', () => {
  const labelOf = (env: Record<string, string>) => good(command, env).downstreamServer
  const warningsOf = (env: Record<string, string>) => good(command, env).warnings
  assert.equal(labelOf({}), 'unknown')
  assert.deepEqual(warningsOf({}), [])
  for (const name of ['e2b', 'daytona', 'modal', 'docker', 'runloop'])
    assert.equal(labelOf({ SERVICE_DOWNSTREAM_SERVER: name }), name)
  const other = { SERVICE_DOWNSTREAM_SERVER: 'own-box' }
  assert.equal(labelOf(other), 'unknown')
  assert.match(warningsOf(other).join(), /SERVICE_DOWNSTREAM_SERVER/)
  assert.ok(!warningsOf(other).join().includes('own-box'))
  assert.equal(labelOf({ ...other, SERVICE_EXTRA_SANDBOXES: 'own-box' }), 'own-box')
  assert.deepEqual(warningsOf({ ...other, SERVICE_EXTRA_SANDBOXES: 'own-box' }), [])
  const both = good({}, { SERVICE_MCP_PROXY_MOCK: '1', SERVICE_DOWNSTREAM_SERVER: 'e2b' })
  assert.deepEqual([both.downstreamServer, both.servers], ['mock', [{ name: 'mock', isMock: true }]])
  for (const value of ['true', '0', '01', 'yes', ' 1'])
    assert.equal(labelOf({ SERVICE_MCP_PROXY_MOCK: value, SERVICE_DOWNSTREAM_SERVER: 'e2b' }), 'e2b')
  assert.match(good(command, { SERVICE_MCP_PROXY_MOCK: '1' }).warnings.join(), /replaces the configured one/)
  assert.match(warningsOf({ SERVICE_MCP_PROXY_MOCK: 'true' }).join(), /^SERVICE_MCP_PROXY_MOCK is not 1/)
  assert.deepEqual(warningsOf({ SERVICE_MCP_PROXY_MOCK: '0' }), [])
})

test('the guide lists every variable with its default', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/mcp-proxy.md'), 'utf8')
  for (const { name, default: value } of listVariables(mcpProxyVariables)) {
    const row = guide.split('\n').find((line) => line.startsWith(`| \`${name}\``))
    assert.ok(row?.includes(value === '' ? '|' : `\`${value}\``), name)
  }
})
