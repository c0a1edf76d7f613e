/** CSV according to RFC 4180, safe to open in a spreadsheet. */

/**
 * Where a formula may begin: at the start of a cell, and after characters at which some spreadsheets split cells and
 * rows despite quotes; in locales with a decimal comma, that is the semicolon. Full-width signs count as well.
 */
const formulaStart = /^(?=[=+\-@＝＋－＠\t\r\n])|(?<=[;\t\r\n])(?=[=+\-@＝＋－＠])/g

/**
 * One record with its line end. What a spreadsheet would take for a formula is prefixed with an apostrophe
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
