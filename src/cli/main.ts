/** The command line. One file per command. */
import { Command, CommanderError } from 'commander'
import { keepEnvironmentOutOfReports, outliveLostReader } from './process-end.ts'
import { UsageError } from './usage-error.ts'
import { version } from '../config/version.ts'
import { withoutValues } from './wrong-words.ts'

type Register = (program: Command, exit: (status: number) => void) => void

/** Each command is loaded when it is used: a commit hook that scans need not wait for a web server to load. */
const commands: Readonly<Record<string, () => Promise<Register>>> = {
  serve: async () => (await import('./serve.ts')).registerServe,
  token: async () => (await import('./token.ts')).registerToken,
  admin: async () => (await import('./admin.ts')).registerAdmin,
  audit: async () => (await import('./audit.ts')).registerAudit,
  events: async () => (await import('./events.ts')).registerEvents,
  policy: async () => (await import('./policy.ts')).registerPolicy,
  backup: async () => (await import('./backup.ts')).registerBackup,
  sidecar: async () => (await import('./sidecar.ts')).registerSidecar,
  health: async () => (await import('./health.ts')).registerHealth,
  'mcp-proxy': async () => (await import('./mcp-proxy.ts')).registerMcpProxy,
  scan: async () => (await import('./scan.ts')).registerScan
}

/**
 * Runs a command line.
 * @param argv the arguments after the program's name
 * @returns the exit status: 0 done, 1 failed (or, for a scan, something was found), 2 wrong usage or configuration
 */
export async function main(argv: readonly string[]): Promise<number> {
  const program = new Command('sluice')
    .description('Masks secrets and personal data in what AI agents send to model APIs.')
    .version(version())
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(withoutValues(text)) })
    .showHelpAfterError('(add --help for the arguments and options of this command)')
  let status = 0
  keepEnvironmentOutOfReports()
  if (!ownOutput.has(argv[0] ?? '')) outliveLostReader()
  try {
    for (const register of await Promise.all(wanted(argv[0]).map((load) => load()))) {
      register(program, (asked) => {
        status = asked
      })
    }
    await program.parseAsync(argv, { from: 'user' })
    return status
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    process.stderr.write(`sluice: ${error instanceof Error ? error.message : 'failed'}\n`)
    return error instanceof UsageError ? 2 : 1
  }
}

/** Commands that decide by themselves what becomes of their output. */
const ownOutput: ReadonlySet<string> = new Set(['serve', 'sidecar', 'mcp-proxy', 'scan'])

const versionFlags = ['-V', '--version']

/** The command named by the first argument, or all of them, for help and suggestions. The version needs none. */
function wanted(word: string | undefined): (() => Promise<Register>)[] {
  if (word !== undefined && versionFlags.includes(word)) return []
  const named = word !== undefined && Object.hasOwn(commands, word) ? commands[word] : undefined
  return named ? [named] : Object.values(commands)
}
