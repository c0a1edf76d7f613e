/** JSON as one line, for streams and files that are read line by line. */

/** Characters at which some programs end a line, though JSON and server-sent events do not. */
const lineEnds = /[\u007f-\u009f\u2028\u2029]/g

/**
 * A value as JSON on one line, whoever reads it. Python's `str.splitlines`, by which many programs and some clients of event streams
 * read, ends lines at U+0085, U+2028 and U+2029 too: a name with one of these would take its record apart, and the reader would
 * skip both halves.
 * @throws TypeError for what JSON cannot hold
 */
export function jsonLine(value: object): string {
  return JSON.stringify(value).replaceAll(
    lineEnds,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  )
}
