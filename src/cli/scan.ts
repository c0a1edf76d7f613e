/** `sluice scan`: finds secrets and personal data in files, in what is staged for a commit, or in lines of JSON. */
import { Option, type Command } from 'commander'
import { tiers } from '../detection/findings.ts'
import type { ScanOptions } from './scan/run.ts'

const statuses =
  '\nExit status: 0 nothing found, 1 something found, 2 wrong arguments, or something could not be read.\n'

/** @param exit receives the exit status if it is not 0 */
export function registerScan(program: Command, exit: (status: number) => void): void {
  const levels = tiers.filter((tier) => tier !== 'none')
  program
    .command('scan')
    .description('Finds secrets and personal data in files. Values are never shown.')
    .argument('[files...]', 'files and folders; - is standard input; the current folder if none is given')
    .option('--staged', 'scans the staged files, and reports only lines that the last commit does not have')
    .addOption(new Option('--json', 'writes one JSON object').conflicts(['sarif', 'jsonl']))
    .addOption(new Option('--sarif', 'writes SARIF 2.1.0').conflicts(['json', 'jsonl']))
    .addOption(
      new Option('--jsonl', 'answers each line {"id","text"} of standard input with {"id","findings"}').conflicts([
        'staged',
        'exitZero'
      ])
    )
    .addOption(
      new Option(
        '--min-tier <tier>',
        'reports kinds of this tier and above (default: medium; all with --jsonl)'
      ).choices(levels)
    )
    .option('--exit-zero', 'exits with status 0 even if something was found')
    .option('--no-progress', 'does not show progress on a terminal')
    .addHelpText('after', statuses)
    .action(async (files: string[], options: ScanOptions) => {
      const { scan } = await import('./scan/run.ts')
      exit(await scan(files, options))
    })
}
