/** The command line: `sluice serve`, `sluice token`, `sluice audit`. One file a command. */
import { Command, CommanderError } from 'commander'
import { registerAudit } from './audit.ts'
import { registerServe } from './serve.ts'
import { registerToken } from './token.ts'
import { UsageError } from './usage-error.ts'
import { version } from './version.ts'

/**
 * Runs a command line.
 * @param argv what stands after the program's name
 * @returns the exit status: 0 done, 1 failed, 2 the words or the configuration are at fault
 */
export async function main(argv: readonly string[]): Promise<number> {
  const program = new Command('sluice')
    .description('Masks secrets and personal data in what AI agents send to model APIs.')
    .version(version())
    .exitOverride()
    .showHelpAfterError('(add --help for the words that this command takes)')
  registerServe(program)
  registerToken(program)
  registerAudit(program)
  try {
    await program.parseAsync(argv, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    process.stderr.write(`sluice: ${error instanceof Error ? error.message : 'failed'}\n`)
    return error instanceof UsageError ? 2 : 1
  }
}
