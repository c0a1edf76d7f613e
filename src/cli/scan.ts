/** `sluice scan`: finds secrets and personal data in files, in what is staged for a commit, or in lines of JSON. */
import { Option, type Command } from 'commander'
import { tiers, type Scanner, type Tier } from '../detection/findings.ts'
import { createScanner } from '../detection/scanner.ts'
import { filterLines } from './scan/jsonl.ts'
import { createOutput, ReaderGone, type Output } from './scan/output.ts'
import { createProgress } from './scan/progress.ts'
import { createJudge, type Reporter, type Summary } from './scan/report.ts'
import { humanReporter, jsonReporter } from './scan/reporters.ts'
import { sarifReporter } from './scan/sarif.ts'
import { scanSources } from './scan/scan-sources.ts'
import { staged } from './scan/staged.ts'
import { walk } from './scan/walk.ts'
import { UsageError } from './usage-error.ts'

interface ScanOptions {
  readonly json?: boolean
  readonly sarif?: boolean
  readonly jsonl?: boolean
  readonly staged?: boolean
  readonly minTier?: Tier
  readonly exitZero?: boolean
  readonly progress: boolean
}

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
    .action(async (files: string[], options: ScanOptions) => exit(await scan(files, options)))
}

async function scan(files: readonly string[], options: ScanOptions): Promise<number> {
  const output = createOutput(process.stdout)
  try {
    return options.jsonl ? await filter(files, options, output) : await scanFiles(files, options, output)
  } catch (error) {
    if (error instanceof ReaderGone) return 0
    throw error
  }
}

const complain = (sentence: string): void => {
  process.stderr.write(`sluice scan: ${sentence}\n`)
}

async function filter(files: readonly string[], options: ScanOptions, output: Output): Promise<number> {
  if (files.length > 0) throw new UsageError('--jsonl reads standard input and takes no files')
  const scanner = createScanner()
  const judge = createJudge(options.minTier)
  const bad = await filterLines({ scanner, judge, input: process.stdin, output, complain })
  return bad > 0 ? 2 : 0
}

async function scanFiles(files: readonly string[], options: ScanOptions, output: Output): Promise<number> {
  const scanner = createScanner()
  const cwd = process.cwd()
  const words = files.length > 0 || options.staged ? files : ['.']
  const summary = await scanSources(options.staged ? staged(words, cwd) : walk(words, cwd), {
    scanner,
    judge: createJudge(options.minTier ?? 'medium'),
    reporter: reporterOf(options, scanner, output),
    progress: createProgress(options.progress),
    complain
  })
  if (!options.json && !options.sarif) {
    process.stderr.write(`${described(summary)}\n${summary.findings > 0 ? `${falseAlarm}\n` : ''}`)
  }
  if (summary.failed > 0) return 2
  return summary.findings > 0 && !options.exitZero ? 1 : 0
}

/** Whoever is held up by a finding, before a commit for example, must not have to look for the way out. */
const falseAlarm =
  'A false alarm? Put a comment with sluice:allow on the line, or name the file in .sluiceignore; see docs/scan.md.'

function reporterOf(options: ScanOptions, scanner: Scanner, output: Output): Reporter {
  if (options.sarif) return sarifReporter(output, scanner.kinds)
  return options.json ? jsonReporter(output) : humanReporter(output, process.stdout)
}

/** One sentence that summarises the scan. */
function described({ files, units, findings, allowed, binary, failed }: Summary): string {
  const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`
  const parts = [`${counted(findings, 'finding')} in ${counted(files, 'file')} (${(units / 1e6).toFixed(1)} MB)`]
  if (allowed > 0) parts.push(`${allowed} allowed by comments`)
  if (binary > 0) parts.push(`${counted(binary, 'binary file')} left out`)
  if (failed > 0) parts.push(`${failed} could not be read`)
  return parts.join(', ')
}
