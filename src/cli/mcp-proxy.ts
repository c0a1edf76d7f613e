/**
 * `sluice mcp-proxy`: enforces the workspace's tool policy in front of MCP servers; `--dry-run` shows what it would do.
 */
import type { Command } from 'commander'
import { formatFaults } from '../config/config.ts'
import { describeVariables } from '../config/describe-variables.ts'
import { mcpProxyVariables } from '../config/mcp-proxy-variables.ts'
import { loadMcpProxyConfig, type McpProxyConfig } from '../config/mcp-proxy.ts'
import { startMcpProxy } from '../sensor/mcp-proxy/start.ts'
import { openLog } from '../telemetry/log.ts'
import { loadTelemetry } from '../telemetry/otel/load.ts'
import { dieWithoutWords, endBy, keepDebuggerShut, outliveLostWords, stopSignal } from './process-end.ts'
import { UsageError } from './usage-error.ts'

interface Options {
  readonly listen?: string
  readonly url?: string
  readonly header?: readonly string[]
  readonly config?: string
  readonly server?: string
  readonly dryRun?: boolean
  readonly json?: boolean
}

const examples = `
Examples:

  sluice mcp-proxy -- npx -y some-server --its-arguments
  sluice mcp-proxy --url https://mcp.example/mcp --header 'Authorization: Bearer \${MCP_TOKEN}'
  sluice mcp-proxy --listen 8790 --config mcp.json
  sluice mcp-proxy --dry-run -- npx -y some-server`

export function registerMcpProxy(program: Command, exit: (status: number) => void): void {
  program
    .command('mcp-proxy')
    .description(
      'Enforces the tool policy in front of MCP servers: filters tools, decides on calls, masks arguments and results.'
    )
    .argument('[command...]', 'the MCP server to start, after --')
    .option('--listen <port>', 'serves clients over HTTP on this port instead of standard input and output')
    .option('--url <url>', 'an MCP server on streamable HTTP')
    .option('--header <header>', '"Name: value", sent to --url; repeatable', collect)
    .option('--config <file>', 'reads the servers from an mcp.json')
    .option('--server <name>', 'only this server of --config')
    .option('--dry-run', 'lists the tools of the server and what the policy does to each, and exits')
    .option('--json', 'prints the result of --dry-run as JSON')
    .addHelpText('after', () => `${examples}\n\nEnvironment variables:\n\n${describeVariables(mcpProxyVariables)}`)
    .action(async (command: readonly string[], options: Options) => {
      if (options.json === true && options.dryRun !== true)
        throw new UsageError('--json can only be used with --dry-run.')
      const config = readConfiguration(command, options)
      if (options.dryRun === true) exit(await printDryRun(config, options.json === true))
      else await run(config)
    })
}

const collect = (value: string, former: readonly string[] = []): readonly string[] => [...former, value]

function readConfiguration(command: readonly string[], { header, ...options }: Options): McpProxyConfig {
  const words = { command, ...(header && { headers: header }), ...options }
  const result = loadMcpProxyConfig(process.env, words, { cwd: process.cwd() })
  if (result.ok) return result.config
  throw new UsageError(`the configuration is not valid\n${formatFaults(result.faults)}`)
}

async function run(config: McpProxyConfig): Promise<void> {
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

/** @returns the exit status */
async function printDryRun(config: McpProxyConfig, asJson: boolean): Promise<number> {
  const { dryRun, dryRunTable, NoPolicyError } = await import('../sensor/mcp-proxy/dry-run.ts')
  const log = openLog(config.logLevel, 'stderr')
  try {
    const tried = await dryRun(config, { log: log.logger, env: process.env })
    process.stdout.write(`${asJson ? JSON.stringify(tried) : dryRunTable(tried)}\n`)
    return tried.servers.every(({ problem }) => problem === undefined) ? 0 : 1
  } catch (error) {
    if (!(error instanceof NoPolicyError)) throw error
    process.stderr.write(`${error.message}\n`)
    return 1
  } finally {
    await log.flush()
  }
}
