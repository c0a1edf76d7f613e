/** Runs the MCP proxy until its client is gone, or shows what the policy would do. */
import { formatFaults } from '../config/config.ts'
import { loadMcpProxyConfig, type McpProxyConfig } from '../config/mcp-proxy.ts'
import { startMcpProxy } from '../sensor/mcp-proxy/start.ts'
import { openLog } from '../telemetry/log.ts'
import { loadTelemetry } from '../telemetry/otel/load.ts'
import { dieWithoutWords, endBy, keepDebuggerShut, outliveLostWords, stopSignal } from './process-end.ts'
import { UsageError } from './usage-error.ts'

/** The options of the command line. */
export interface ProxyOptions {
  readonly listen?: string
  readonly url?: string
  readonly header?: readonly string[]
  readonly config?: string
  readonly server?: string
  readonly dryRun?: boolean
  readonly json?: boolean
}

function readConfiguration(command: readonly string[], { header, ...options }: ProxyOptions): McpProxyConfig {
  const words = { command, ...(header && { headers: header }), ...options }
  const result = loadMcpProxyConfig(process.env, words, { cwd: process.cwd() })
  if (result.ok) return result.config
  throw new UsageError(`the configuration is not valid\n${formatFaults(result.faults)}`)
}

/** Serves until the client is gone or a stop signal comes, and then ends the process. */
export async function run(command: readonly string[], words: ProxyOptions): Promise<void> {
  const config = readConfiguration(command, words)
  // Loaded here, so that wrong usage can be reported without loading the policy engine.
  const { openGate } = await import('../sensor/mcp-proxy/gate.ts')
  const log = openLog(config.logLevel, 'stderr')
  const options = { serviceName: 'sluice-mcp-proxy', vocabularies: config.vocabularies, log: log.logger }
  const telemetry = await loadTelemetry(process.env, options)
  const gate = await openGate(config, { log: log.logger, telemetry })
  const stdio = { input: process.stdin, output: process.stdout }
  const proxy = await startMcpProxy(config, { gate, log: log.logger, env: process.env, stdio })
  dieWithoutWords()
  for (const url of proxy.urls) process.stderr.write(`Sluice MCP proxy: ${url}\n`)
  keepDebuggerShut()
  outliveLostWords()
  const stopped = stopSignal()
  await Promise.race([proxy.clientGone, stopped])
  // A client that does not want to wait for open requests sends a signal.
  const closed = proxy.close()
  await Promise.race([closed, proxy.urls.length > 0 ? closed : impatient(stopped)])
  // Calls whose servers still take their time are reported as far as they went.
  await gate.close()
  await telemetry?.close()
  if (!(await log.flush())) endBy('SIGTERM', false)
  // Standard input may still be open: nobody reads it any more.
  process.exit(0)
}

/** Resolves some time after a stop signal. Remaining servers then end with the process. */
async function impatient(stopped: Promise<unknown>): Promise<void> {
  await stopped
  await new Promise((resolve) => setTimeout(resolve, impatienceMs))
}

/** Clients send SIGKILL two seconds after SIGTERM. */
const impatienceMs = 1500

/** `sluice mcp-proxy --dry-run`. @returns the exit status */
export async function printDryRun(command: readonly string[], words: ProxyOptions): Promise<number> {
  const config = readConfiguration(command, words)
  const { dryRun, dryRunTable, NoPolicyError } = await import('../sensor/mcp-proxy/dry-run.ts')
  const log = openLog(config.logLevel, 'stderr')
  try {
    const tried = await dryRun(config, { log: log.logger, env: process.env })
    process.stdout.write(`${words.json === true ? JSON.stringify(tried) : dryRunTable(tried)}\n`)
    return tried.servers.every(({ problem }) => problem === undefined) ? 0 : 1
  } catch (error) {
    if (!(error instanceof NoPolicyError)) throw error
    process.stderr.write(`${error.message}\n`)
    return 1
  } finally {
    await log.flush()
  }
}
