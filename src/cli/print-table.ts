import { printable } from './scan/excerpt.ts'

/**
 * Prints rows for people on standard output, one line each, in columns two blanks apart. The last column is not padded,
 * so it is the place for long text. Characters that could steer a terminal, or reverse the text, become blanks.
 */
export function printTable(given: readonly (readonly string[])[]): void {
  const rows = given.map((row) => row.map(printable))
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  for (const row of rows) {
    const cells = row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
    process.stdout.write(`${cells.join('  ')}\n`)
  }
}
