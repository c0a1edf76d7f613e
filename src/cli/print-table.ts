import { printable } from './scan/excerpt.ts'

/**
 * Prints rows for people on standard output, a line each, in columns two blanks apart. The last column keeps its width,
 * so it is the place of what may be long. What would steer a terminal, or turn the text around, is a blank.
 */
export function printTable(given: readonly (readonly string[])[]): void {
  const rows = given.map((row) => row.map(printable))
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  for (const row of rows) {
    const cells = row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
    process.stdout.write(`${cells.join('  ')}\n`)
  }
}
