/** CSV as RFC 4180 has it, safe to open in a spreadsheet. */

/**
 * Where a formula may begin: at the front of a cell, and behind what some spreadsheets split cells and rows at, whatever
 * the quotes around it: where the comma is the decimal mark, they split at the semicolon. Full-width signs count as well.
 */
const formulaStart = /^(?=[=+\-@＝＋－＠\t\r\n])|(?<=[;\t\r\n])(?=[=+\-@＝＋－＠])/g

/**
 * One record with its line end. What a spreadsheet would take for a formula gets an apostrophe in front
 * (https://owasp.org/www-community/attacks/CSV_Injection); numbers stay numbers.
 * @param cells null and undefined are empty
 */
export function csvRecord(cells: readonly (string | number | boolean | null | undefined)[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

function cell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  const text = value.replace(formulaStart, "'")
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
