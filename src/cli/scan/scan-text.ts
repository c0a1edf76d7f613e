/** Scans one source piece by piece, and locates its findings. */
import type { Finding, Scanner } from '../../detection/findings.ts'
import { excerptOf } from './excerpt.ts'
import { Lines } from './lines.ts'
import type { Piece, TextKind } from './read-text.ts'
import type { Judge, LocatedFinding } from './report.ts'

/** Code units scanned between two checks of the clock. */
const unitsPerStep = 1_048_576

interface TextScan {
  readonly scanner: Scanner
  readonly judge: Judge
  /** The path under which findings are reported. */
  readonly file: string
  /** Whether a line is to be reported; undefined if all are. */
  readonly isWanted?: ((line: string) => boolean) | undefined
  /** Called now and then with how much more was scanned; 0 while a piece is in progress. */
  readonly onUnits?: ((units: number) => void) | undefined
}

interface ScannedText {
  readonly kind: TextKind
  readonly findings: LocatedFinding[]
  /** Findings allowed by a comment on their line. */
  readonly allowed: number
}

/** Scans all pieces with one memory: a value revealed by its context is recognised later in the file. */
export async function scanText(pieces: AsyncGenerator<Piece, TextKind, void>, scan: TextScan): Promise<ScannedText> {
  const memory = scan.scanner.createMemory()
  const findings: LocatedFinding[] = []
  let allowed = 0
  let reportedTo = 0
  for (;;) {
    const { done, value } = await pieces.next()
    if (done) return { kind: value, findings, allowed }
    const run = scan.scanner.begin(value.text, memory)
    while (!run.step(unitsPerStep)) scan.onUnits?.(0)
    scan.onUnits?.(value.text.length - value.freshFrom)
    const located = locate(value, run.findings(), reportedTo, scan)
    for (const finding of located.findings) findings.push(finding)
    allowed += located.allowed
    reportedTo = Math.max(reportedTo, located.findings.at(-1)?.end ?? 0)
  }
}

function locate(piece: Piece, found: readonly Finding[], reportedTo: number, scan: TextScan) {
  const { text, offset } = piece
  const firstLine = new Lines(text, piece.line)
  const lastLine = new Lines(text, piece.line)
  const labelOf = (kind: string): string => scan.scanner.kinds.get(kind)?.label ?? kind
  const before = (line: Lines): number => (line.number === piece.line ? piece.column : 0)
  const areWanted = wantedLines(text, scan.isWanted)
  const findings: LocatedFinding[] = []
  let allowed = 0
  found.forEach((finding, index) => {
    const { start, end } = finding
    if (end <= piece.freshFrom || offset + start < reportedTo || !scan.judge.isReported(finding)) return
    firstLine.moveTo(start)
    lastLine.moveTo(end - 1)
    if (!areWanted(firstLine.start, lastLine.end)) return
    if (firstLine.allows || lastLine.allows) {
      allowed++
      return
    }
    findings.push({
      ...finding,
      start: offset + start,
      end: offset + end,
      file: scan.file,
      title: scan.scanner.kinds.get(finding.kind)?.title ?? finding.kind,
      action: scan.judge.action(finding),
      line: firstLine.number,
      column: start - firstLine.start + 1 + before(firstLine),
      endLine: lastLine.number,
      endColumn: end - lastLine.start + 1 + before(lastLine),
      excerpt: excerptOf(text, found, index, firstLine, labelOf)
    })
  })
  return { findings, allowed }
}

/**
 * Whether one of the lines in `[start, end)` is to be reported. The latest answer is kept: a line of many megabytes may
 * have a hundred thousand findings.
 */
function wantedLines(text: string, isWanted: TextScan['isWanted']): (start: number, end: number) => boolean {
  if (isWanted === undefined) return () => true
  let last = { start: -1, end: -1, answer: false }
  return (start, end) => {
    if (start !== last.start || end !== last.end)
      last = { start, end, answer: text.slice(start, end).split('\n').some(isWanted) }
    return last.answer
  }
}
