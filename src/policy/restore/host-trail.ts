/**
 * Whether a text goes on behind a placeholder as the rest of a host: `EMAIL_….example.com`. A value put back there is a
 * label of a name that somebody else's name server is asked for, as soon as a program makes a link of it.
 */

/** A dot in all forms that a browser, Markdown or a JSON reader takes for one. */
const dot = /^(?:[.。．｡]|\\+\.|\\+u(?:002e|3002|ff0e|ff61)|&(?:#0*46(?!\d);?|#x0*2e(?![\da-f]);?|period;))/i
const dotBeginning = /^(?:\\+(?:u[0-9a-f]{0,3})?|&#?[0-9a-z]{0,9})$/i
const label = /^[\p{L}\p{N}_-]/u
const escapedUnit = /^\\+u([0-9a-f]{4})/i
const escapeBeginning = /^\\+(?:u[0-9a-f]{0,3})?$/i
/** No dot and no first unit of a label is written longer than this together, but for padding that nobody reads as such. */
const lookAheadUnits = 20

/**
 * @param at where the placeholder ends
 * @returns `unknown` where the text ends too early to tell
 */
export function goesOnAsHost(text: string, at: number): boolean | 'unknown' {
  const ahead = text.slice(at, at + lookAheadUnits)
  const found = dot.exec(ahead)
  if (found === null) return ahead.length < lookAheadUnits && dotBeginning.test(ahead) ? 'unknown' : false
  const rest = ahead.slice(found[0].length)
  if (rest === '' || escapeBeginning.test(rest)) return ahead.length < lookAheadUnits ? 'unknown' : true
  const escaped = escapedUnit.exec(rest)
  return label.test(escaped === null ? rest : String.fromCharCode(Number.parseInt(escaped[1] as string, 16)))
}
