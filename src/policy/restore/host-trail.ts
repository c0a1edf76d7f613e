/**
 * Whether a text continues after a placeholder as the rest of a host name: `EMAIL_….example.com`. A value restored
 * there would become a label of a domain name, which is sent to someone else's name server as soon as a program makes
 * it a link.
 */

/** A dot, in all forms that a browser, Markdown or a JSON parser treats as one. */
const dot = /^(?:[.。．｡]|\\+\.|\\+u(?:002e|3002|ff0e|ff61)|&(?:#0*46(?!\d);?|#x0*2e(?![\da-f]);?|period;))/i
const dotBeginning = /^(?:\\+(?:u[0-9a-f]{0,3})?|&#?[0-9a-z]{0,9})$/i
const label = /^[\p{L}\p{N}_-]/u
const escapedUnit = /^\\+u([0-9a-f]{4})/i
const escapeBeginning = /^\\+(?:u[0-9a-f]{0,3})?$/i
/**
 * The rest of the label of a host name that a value would begin, as in `PHONE_…-x.example`. Longer labels are not valid
 * (RFC 1035, 2.3.4).
 */
const restOfLabel = /^(?:\\*-[\p{L}\p{N}_-]{0,62})?/u
/**
 * A dot and the first character of a label are never written longer than this, except with padding that no reader
 * accepts.
 */
const lookAheadUnits = 20
const labelUnitsMax = 128

/**
 * @param at where the placeholder ends
 * @returns `unknown` if the text ends too early to tell
 */
export function goesOnAsHost(text: string, at: number): boolean | 'unknown' {
  const rest = restOfLabel.exec(text.slice(at, at + labelUnitsMax))?.[0] ?? ''
  if (rest !== '' && at + rest.length === text.length) return 'unknown'
  return goesOnWithDot(text, at + rest.length)
}

function goesOnWithDot(text: string, at: number): boolean | 'unknown' {
  const ahead = text.slice(at, at + lookAheadUnits)
  const found = dot.exec(ahead)
  if (found === null) return ahead.length < lookAheadUnits && dotBeginning.test(ahead) ? 'unknown' : false
  const rest = ahead.slice(found[0].length)
  if (rest === '' || escapeBeginning.test(rest)) return ahead.length < lookAheadUnits ? 'unknown' : true
  const escaped = escapedUnit.exec(rest)
  return label.test(escaped === null ? rest : String.fromCharCode(Number.parseInt(escaped[1] as string, 16)))
}
