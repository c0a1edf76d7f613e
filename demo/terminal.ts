/**
 * Text for a terminal: wrapped, highlighted and in columns. Plain text if the output is not a terminal, or NO_COLOR is
 * set.
 */
import { styleText } from 'node:util'

/** The part of a stream that is needed; a test passes its own. */
export interface Output {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

/** A text and its highlighted ranges, in UTF-16 code units and half-open. */
export interface Marked {
  readonly text: string
  readonly marks: readonly (readonly [start: number, end: number])[]
}

export interface Terminal {
  /** Number of columns. */
  readonly width: number
  paint(style: Style, text: string): string
  /** Prints lines unchanged. */
  print(...lines: string[]): void
  /** Writes text that is not complete yet. */
  write(text: string): void
}

const plainWidth = 100
const widthMin = 40
const widthMax = 140

export function createTerminal(output: Output & NodeJS.WritableStream, env: NodeJS.ProcessEnv): Terminal {
  const colored = output.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  const width = output.isTTY === true ? (output.columns ?? plainWidth) : plainWidth
  return {
    width: Math.min(Math.max(width, widthMin), widthMax),
    paint: (style, text) => (colored && text !== '' ? styleText(style, text, { validateStream: false }) : text),
    print: (...lines) => void output.write(lines.map((line) => `${line}\n`).join('')),
    write: (text) => void output.write(text)
  }
}

/**
 * Breaks a text into lines of at most `width` code units, at spaces if there are any, and at its own line breaks.
 * @returns the half-open range of each line; the space or line break between two lines belongs to neither
 */
export function wrap(text: string, width: number): [start: number, end: number][] {
  const lines: [number, number][] = []
  let start = 0
  for (const paragraph of text.split('\n')) {
    const end = start + paragraph.length
    let from = start
    while (end - from > width) {
      const space = text.lastIndexOf(' ', from + width)
      const breaksAtSpace = space > from
      const to = breaksAtSpace ? space : from + width
      lines.push([from, to])
      from = breaksAtSpace ? to + 1 : to
    }
    lines.push([from, end])
    start = end + 1
  }
  return lines
}

/** The lines of a highlighted text, each padded with spaces to `width` columns. */
function markedLines(terminal: Terminal, style: Style, marked: Marked, width: number): string[] {
  return wrap(marked.text, width).map(([start, end]) => {
    let line = ''
    let at = start
    for (const [markStart, markEnd] of marked.marks) {
      const from = Math.max(markStart, at)
      const to = Math.min(markEnd, end)
      if (from >= to) continue
      line += marked.text.slice(at, from) + terminal.paint(style, marked.text.slice(from, to))
      at = to
    }
    return line + marked.text.slice(at, end) + ' '.repeat(width - (end - start))
  })
}

/** Two texts side by side; what is highlighted on the left must not leave, and on the right is what replaced it. */
export function sideBySide(terminal: Terminal, left: Marked, right: Marked): string[] {
  const leftWidth = Math.floor((terminal.width - 5) / 2)
  const rightWidth = terminal.width - 5 - leftWidth
  const leftLines = markedLines(terminal, 'red', left, leftWidth)
  const rightLines = markedLines(terminal, 'green', right, rightWidth)
  const bar = terminal.paint('dim', '│')
  return Array.from({ length: Math.max(leftLines.length, rightLines.length) }, (_, i) => {
    return `  ${leftLines[i] ?? ' '.repeat(leftWidth)} ${bar} ${rightLines[i] ?? ''}`.trimEnd()
  })
}

/** Rows with aligned columns; the first row is the heading. */
export function table(terminal: Terminal, rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row, i) => {
    const line = row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
    return `  ${i === 0 ? terminal.paint('dim', line) : line}`
  })
}
