/** The escapes of JSON strings, read one character at a time. */

const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** Whether an escape, from its backslash on, has come to its end. */
export const isWholeEscape = (escape: string): boolean => escape.length >= (escape[1] === 'u' ? 6 : 2)

/** What a whole escape stands for; NUL for digits that are none. */
export function unescaped(escape: string): string {
  const kind = escape.charAt(1)
  if (kind === 'u') return String.fromCharCode(Number.parseInt(escape.slice(2), 16) || 0)
  return controls[kind] ?? kind
}
