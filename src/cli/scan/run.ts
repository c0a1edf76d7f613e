/** Runs `sluice scan`: over files, over what is staged, or over lines of JSON. */
import type { Scanner, Tier } from '../../detection/findings.ts'
import { createScanner } from '../../detection/scanner.ts'
import { filterLines } from './jsonl.ts'
import { createOutput, ReaderGone, type Output } from './output.ts'
import { createProgress } from './progress.ts'
import { createJudge, type Reporter, type Summary } from './report.ts'
import { humanReporter, jsonReporter } from './reporters.ts'
import { sarifReporter } from './sarif.ts'
import { scanSources } from './scan-sources.ts'
import { staged } from './staged.ts'
import { walk } from './walk.ts'
import { UsageError } from '../usage-error.ts'

/** The options of the command line. */
export interface ScanOptions {
  readonly json?: boolean
  readonly sarif?: boolean
  readonly jsonl?: boolean
  readonly staged?: boolean
  readonly minTier?: Tier
  readonly exitZero?: boolean
  readonly progress: boolean
}

/** @returns the exit status */
export async function scan(files: readonly string[], options: ScanOptions): Promise<number> {
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
