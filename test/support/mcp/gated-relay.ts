/** A proxy as it is shipped: its gate follows the policy of a service, which also runs in this process. */
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { pino } from 'pino'
import { loadMcpProxyConfig } from '../../../src/config/mcp-proxy.ts'
import type { McpProxyWords } from '../../../src/config/mcp-servers.ts'
import { openGate, type RunningGate } from '../../../src/sensor/mcp-proxy/gate.ts'
import { startMcpProxy } from '../../../src/sensor/mcp-proxy/start.ts'
import { openPolicyApi, type Draft, type PolicyApi } from '../policy-api.ts'
import { makeDataDir, startTestService, type TestService } from '../start-service.ts'
import { lineClientOf, type LineClient } from './line-client.ts'

export interface GatedRelay extends AsyncDisposable {
  readonly urls: readonly string[]
  /** Address of the first server. */
  readonly url: string
  /** The client on stdio, unless the arguments say to listen. */
  readonly client: LineClient
  readonly service: TestService
  readonly gate: RunningGate
  readonly policy: PolicyApi
}

interface GatedSettings {
  /** Published before the proxy starts; without it the policy of a new workspace applies. */
  readonly draft?: Draft
  readonly env?: Readonly<Record<string, string>>
}

export async function startGatedRelay(
  words: McpProxyWords,
  { draft, env = {} }: GatedSettings = {}
): Promise<GatedRelay> {
  await using undo = new AsyncDisposableStack()
  const dataDir = await makeDataDir()
  undo.defer(() => rm(dataDir, { recursive: true, force: true }))
  const service = undo.use(await startTestService())
  const policy = await openPolicyApi(service)
  if (draft) await policy.publish(draft)
  const variables = {
    PATH: process.env['PATH'],
    SERVICE_INGRESS_TARGET: service.url,
    SERVICE_WORKSPACE_TOKEN: service.token,
    SERVICE_DATA_DIR: dataDir,
    SERVICE_DRAIN_TIMEOUT_MS: '1000',
    ...env
  }
  const loaded = loadMcpProxyConfig(variables, words, { cwd: process.cwd() })
  assert.ok(loaded.ok, JSON.stringify(loaded))
  const log = pino({ level: 'silent' })
  const gate = await openGate(loaded.config, { log })
  const input = new PassThrough()
  const output = new PassThrough()
  const proxy = await startMcpProxy(loaded.config, { gate, log, env: variables, stdio: { input, output } })
  undo.defer(async () => {
    input.end()
    await proxy.close()
  })
  await gate.policy.ready()
  const all = undo.move()
  return {
    urls: proxy.urls,
    url: proxy.urls[0] ?? '',
    client: lineClientOf(input, output),
    service,
    gate,
    policy,
    [Symbol.asyncDispose]: () => all.disposeAsync()
  }
}
