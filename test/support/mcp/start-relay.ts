/** A proxy in this process that allows everything, so that a test sees only the relay's own behaviour. */
import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { pino } from 'pino'
import { loadMcpProxyConfig } from '../../../src/config/mcp-proxy.ts'
import type { McpProxyWords } from '../../../src/config/mcp-servers.ts'
import type { Gate } from '../../../src/sensor/mcp-proxy/gate-contract.ts'
import { startMcpProxy } from '../../../src/sensor/mcp-proxy/start.ts'
import { allowAll } from './allow-all.ts'
import { lineClientOf, type LineClient } from './line-client.ts'
import { testToken } from './test-token.ts'

interface TestRelay extends AsyncDisposable {
  readonly urls: readonly string[]
  /** Address of the first server. */
  readonly url: string
  /** The client on stdio, unless the arguments say to listen. */
  readonly client: LineClient
  /** Lines of the log. */
  readonly log: readonly string[]
}

interface RelaySettings {
  readonly env?: Readonly<Record<string, string>>
  readonly gate?: Gate
}

export async function startTestRelay(
  words: McpProxyWords,
  { env = {}, gate = allowAll }: RelaySettings = {}
): Promise<TestRelay> {
  const variables = {
    PATH: process.env['PATH'],
    SERVICE_INGRESS_TARGET: 'http://127.0.0.1:9',
    SERVICE_WORKSPACE_TOKEN: testToken,
    SERVICE_DRAIN_TIMEOUT_MS: '1000',
    ...env
  }
  const loaded = loadMcpProxyConfig(variables, words, { cwd: process.cwd() })
  assert.ok(loaded.ok, JSON.stringify(loaded))
  const log: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line) => void log.push(line) })
  const input = new PassThrough()
  const output = new PassThrough()
  const proxy = await startMcpProxy(loaded.config, { gate, log: logger, env: variables, stdio: { input, output } })
  const client = lineClientOf(input, output)
  return {
    urls: proxy.urls,
    url: proxy.urls[0] ?? '',
    client,
    log,
    async [Symbol.asyncDispose]() {
      input.end()
      await proxy.close()
    }
  }
}

/** A relay to a program of this folder, for a client on stdio after the handshake. */
export async function startPiped(command: readonly string[], settings: RelaySettings = {}): Promise<TestRelay> {
  const relay = await startTestRelay({ command }, settings)
  await relay.client.shakeHands()
  return relay
}
