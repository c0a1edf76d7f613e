/**
 * The arguments of a call as a person is shown them who is asked for consent: on one line, and no longer than anybody
 * reads. Long strings are shortened first: the path behind the content of a file matters more than all of the content.
 */

const unitsMax = 1500
/** Shown of each string, with its quotes, if the whole is too long. */
const stringUnitsMax = 200
const constantText = /^-$/

/** @param args JSON, or nothing */
export function shownArguments(args: string): string {
  const line = printable(args)
  // The engine keeps the last text that a pattern matched, and nothing of a call may outlive it.
  constantText.test('-')
  return line.length <= unitsMax ? line : shortened(line)
}

/** Without characters that could hide, reorder or forge lines of a question. */
export const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')

function shortened(json: string): string {
  let shown = ''
  let at = 0
  while (at < json.length && shown.length <= unitsMax) {
    const found = json.indexOf('"', at)
    const quote = found < 0 ? json.length : found
    const end = endOfString(json, quote)
    shown += json.slice(at, quote) + shortString(json.slice(quote, end))
    at = end
  }
  const hidden = Math.max(0, shown.length - unitsMax) + json.length - at
  return hidden > 0 ? `${shown.slice(0, unitsMax).toWellFormed()}… (${hidden} more characters are not shown)` : shown
}

function shortString(literal: string): string {
  const hidden = literal.length - stringUnitsMax
  return hidden > 0 ? `${literal.slice(0, stringUnitsMax - 1).toWellFormed()}… (${hidden} more)"` : literal
}

/** The position after the string that begins at `start`. */
function endOfString(json: string, start: number): number {
  for (let from = start + 1; ;) {
    const quote = json.indexOf('"', from)
    if (quote < 0) return json.length
    let slashes = 0
    while (json.charAt(quote - 1 - slashes) === '\\') slashes++
    if (slashes % 2 === 0) return quote + 1
    from = quote + 1
  }
}
