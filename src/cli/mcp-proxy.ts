/**
 * `sluice mcp-proxy`: enforces the workspace's tool policy in front of MCP servers; `--dry-run` shows what it would do.
 */
import type { Command } from 'commander'
import { describeVariables } from '../config/describe-variables.ts'
import { mcpProxyVariables } from '../config/mcp-proxy-variables.ts'
import { UsageError } from './usage-error.ts'
import type { ProxyOptions } from './run-mcp-proxy.ts'

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
    .action(async (command: readonly string[], options: ProxyOptions) => {
      if (options.json === true && options.dryRun !== true)
        throw new UsageError('--json can only be used with --dry-run.')
      const { printDryRun, run } = await import('./run-mcp-proxy.ts')
      if (options.dryRun === true) exit(await printDryRun(command, options))
      else await run(command, options)
    })
}

const collect = (value: string, former: readonly string[] = []): readonly string[] => [...former, value]
