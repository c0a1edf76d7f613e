/**
 * The MCP proxy in a process of its own with a gate that allows everything. It takes the same arguments as `sluice
 * mcp-proxy` and prints its addresses to standard error.
 */
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { formatFaults } from '../../../src/config/config.ts'
import { loadMcpProxyConfig } from '../../../src/config/mcp-proxy.ts'
import { startMcpProxy } from '../../../src/sensor/mcp-proxy/start.ts'
import { testToken } from './test-token.ts'
import { allowAll } from './allow-all.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    listen: { type: 'string' },
    url: { type: 'string' },
    config: { type: 'string' },
    server: { type: 'string' },
    header: { type: 'string', multiple: true }
  }
})
const { header, ...words } = values
const env = { SERVICE_INGRESS_TARGET: 'http://127.0.0.1:9', SERVICE_WORKSPACE_TOKEN: testToken, ...process.env }
const loaded = loadMcpProxyConfig(
  env,
  { ...words, command: positionals, ...(header && { headers: header }) },
  { cwd: process.cwd() }
)
if (!loaded.ok) throw new Error(formatFaults(loaded.faults))
const log = pino({ level: loaded.config.logLevel }, pino.destination(2))
const stdio = { input: process.stdin, output: process.stdout }
const proxy = await startMcpProxy(loaded.config, { gate: allowAll, log, env, stdio })
for (const url of proxy.urls) process.stderr.write(`listening ${url}\n`)
const stop = (): void => void proxy.close().then(() => process.exit(0))
process.once('SIGTERM', stop)
void proxy.clientGone.then(stop)
