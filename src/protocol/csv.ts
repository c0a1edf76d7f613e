/** CSV as RFC 4180 has it, safe to open in a spreadsheet. */

/**
 * One record with its line end. A text that a spreadsheet would take for a formula gets an apostrophe in front
 * (https://owasp.org/www-community/attacks/CSV_Injection); numbers stay numbers.
 * @param cells null and undefined are empty
 */
export function csvRecord(cells: readonly (string | number | boolean | null | undefined)[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

function cell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  const text = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
