/** `sluice sidecar`: runs the ingress beside an agent until it is told to stop; `--check` tests its configuration. */
import type { Command } from 'commander'
import { describeVariables } from '../config/describe-variables.ts'
import { sidecarVariables } from '../config/sidecar-variables.ts'
import { startLightly } from './give-back-memory.ts'

export function registerSidecar(program: Command, exit: (status: number) => void): void {
  program
    .command('sidecar')
    .description("Runs the ingress on the agent's host: masks locally and forwards to the service.")
    .option('--check', 'reports what it would do and whether that would work, and exits with 0 (yes) or 1 (no)')
    .addHelpText('after', () => `\nEnvironment variables:\n\n${describeVariables(sidecarVariables)}`)
    .action(async ({ check }: { readonly check?: boolean }) => {
      startLightly()
      const { printCheck, run } = await import('./run-sidecar.ts')
      if (check === true) exit(await printCheck())
      else await run()
    })
}
