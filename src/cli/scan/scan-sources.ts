/** Scans sources one after another and passes findings to a reporter. */
import type { Scanner } from '../../detection/findings.ts'
import { printable } from './excerpt.ts'
import type { Progress } from './progress.ts'
import { readText } from './read-text.ts'
import type { Judge, Reporter, Summary } from './report.ts'
import { scanText } from './scan-text.ts'
import type { Source, Unreadable } from './walk.ts'

interface SourcesScan {
  readonly scanner: Scanner
  readonly judge: Judge
  readonly reporter: Reporter
  readonly progress: Progress
  /** Receives a sentence about a source that cannot be read. */
  complain(sentence: string): void
}

/** Scans all of `sources`; what cannot be read is reported, counted and skipped. */
export async function scanSources(
  sources: AsyncIterable<Source | Unreadable>,
  { scanner, judge, reporter, progress, complain }: SourcesScan
): Promise<Summary> {
  const summary: Summary = { files: 0, units: 0, findings: 0, allowed: 0, binary: 0, failed: 0 }
  const onUnits = (units: number): void => {
    summary.units += units
    progress.units(units)
  }
  const fail = (name: string, error: unknown): void => {
    summary.failed++
    progress.clear()
    complain(`${printable(name)}: ${reasonOf(error, name)}`)
  }
  for await (const source of sources) {
    if ('error' in source) {
      fail(source.name, source.error)
      continue
    }
    progress.file(source.name)
    let scanned
    try {
      const pieces = readText(source.bytes())
      scanned = await scanText(pieces, { scanner, judge, file: source.name, isWanted: source.isWanted, onUnits })
    } catch (error) {
      if (!isOfFiles(error)) throw error
      fail(source.name, error)
      continue
    }
    summary[scanned.kind === 'binary' ? 'binary' : 'files']++
    summary.allowed += scanned.allowed
    summary.findings += scanned.findings.length
    if (scanned.findings.length === 0) continue
    progress.clear()
    await reporter.file(scanned.findings)
  }
  progress.clear()
  await reporter.end(summary)
  return summary
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EPERM: 'it may not be read',
  ELOOP: 'its links go round in a circle'
}

/** Whether an error comes from the file system. */
function isOfFiles(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}

function reasonOf(error: unknown, name: string): string {
  const code = isOfFiles(error) ? error.code : undefined
  if (code === 'ENOENT' && name.includes('\uFFFD')) {
    return 'there is no such file; where its name is not UTF-8, npm and npx garble it: name its folder'
  }
  return code === undefined ? 'it cannot be read' : (reasons[code] ?? `it cannot be read (${code})`)
}
