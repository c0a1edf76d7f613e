/** `sluice serve`: runs the service until it is told to stop. */
import type { Command } from 'commander'
import { describeVariables } from '../config/describe-variables.ts'

export function registerServe(program: Command, exit: (status: number) => void): void {
  program
    .command('serve')
    .description('Runs the service. Environment variables configure it.')
    .showHelpAfterError('(settings are environment variables, such as PORT; add --help for all of them)')
    .option('--check', 'reports whether a start with these variables would work, and exits with 0 (yes) or 1 (no)')
    .addHelpText('after', () => `\nEnvironment variables:\n\n${describeVariables()}`)
    .action(async ({ check }: { readonly check?: boolean }) => {
      // Loaded here, so that help need not wait for the service.
      const { printCheck, serve } = await import('./run-service.ts')
      if (check === true) exit(await printCheck())
      else await serve()
    })
}
