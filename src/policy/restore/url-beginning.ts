/** Where a URL begins in a lower-case word, by the most lenient of its readers. */

const schemes = ['http', 'https', 'ws', 'wss', 'ftp', 'javascript', 'vbscript']
const slashes = '/\\'
/** Schemes of databases, caches and queues: programs connect to them, and no browser or viewer follows them. */
const connectionSchemes = new Set(
  ['postgres', 'postgresql', 'mysql', 'mariadb', 'mongodb', 'mongodb+srv', 'redis', 'rediss', 'amqp', 'amqps'].map(
    (scheme) => `${scheme}://`
  )
)

/** What a browser, Markdown or a redirect decodes an escape to. Those of white space are dropped. */
const percentEscapes: Readonly<Record<string, string>> = { '%2f': '/', '%5c': '\\', '%3a': ':', '%25': '%' }
const entities: Readonly<Record<string, string>> = {
  sol: '/',
  bsol: '\\',
  colon: ':',
  period: '.',
  quest: '?',
  num: '#',
  percnt: '%',
  commat: '@',
  amp: '&',
  tab: '',
  newline: ''
}
const entityLengthMax = 12

/** The word with an escape at its end, if any, decoded. */
export function decodedEnd(word: string): string {
  const escape = percentEscapes[word.slice(-3)]
  if (escape !== undefined) return word.slice(0, -3) + escape
  if (!word.endsWith(';')) return word
  const start = word.lastIndexOf('&')
  if (start < 0 || word.length - start > entityLengthMax) return word
  const unit = entityUnit(word.slice(start + 1, -1))
  return unit === undefined ? word : word.slice(0, start) + unit
}

/** `&#x10ffff` is longer than any escape in a style sheet. Leading zeros of a number are left out of the word. */
const openEscapeLengthMax = 10
const cssDigitsMax = 6
/** Characters that Markdown unescapes and that reveal a scheme or a host; slashes reveal one with the backslash too. */
const escapable = '.:@?#-_'

/** Where an escape without an explicit end begins: `&#47`, `\2f`, or a lone backslash; -1 if there is none. */
export function openEscapeAt(word: string): number {
  const last = word.charCodeAt(word.length - 1)
  if (last !== 0x5c && last !== 0x26 && last !== 0x23 && !isHexUnit(last) && last !== 0x78) return -1
  const first = Math.max(0, word.length - openEscapeLengthMax)
  for (let at = word.length - 1; at >= first; at--) {
    const unit = word.charCodeAt(at)
    if (unit === 0x5c) return word.length - at - 1 <= cssDigitsMax && isHex(word, at + 1) ? at : -1
    if (unit === 0x26) return isNumberBegun(word, at + 1) ? at : -1
    if (!isAlphanumeric(unit) && unit !== 0x23) return -1
  }
  return -1
}

/** Whether a zero is a leading zero of an entity's number, of which there may be any number. */
export const isLeadingZero = (word: string, unit: string): boolean =>
  unit === '0' && (word.endsWith('&#0') || word.endsWith('&#x0'))

/** The word before `unit`, with an escape at its end decoded. */
export function decodedBefore(word: string, unit: string): string {
  const at = openEscapeAt(word)
  if (at < 0) return word
  const rest = word.slice(at + 1)
  const meant = word.charAt(at) === '\\' ? unitAfterBackslash(rest, unit) : unitOfNumber(rest, unit)
  return meant === undefined ? word : word.slice(0, at) + meant
}

/**
 * The decoded character of a backslash escape in Markdown (CommonMark 0.31, 2.4) or a style sheet (CSS Syntax 3,
 * 4.3.7).
 */
function unitAfterBackslash(digits: string, next: string): string | undefined {
  if (digits === '') return escapable.includes(next) ? '' : undefined
  if (digits.length < cssDigitsMax && isHex(next, 0)) return undefined
  const code = Number.parseInt(digits, 16)
  // URL parsers remove these.
  if (code === 0x09 || code === 0x0a || code === 0x0d) return ''
  return code > 0x20 && code <= 0x10_ff_ff ? String.fromCodePoint(code).toLowerCase() : undefined
}

/** HTML ends the number of an entity even without a semicolon. */
function unitOfNumber(begun: string, next: string): string | undefined {
  const isHexadecimal = begun[1] === 'x'
  const isOver = begun.length > (isHexadecimal ? 2 : 1)
  const goesOn = next === ';' || (isHexadecimal ? isHex(next, 0) : isDigit(next.charCodeAt(0)))
  return isOver && !goesOn ? entityUnit(begun) : undefined
}

/** Whether a text continues as the number of an entity: ``, `#`, `#4`, `#x`, `#x2`. */
function isNumberBegun(text: string, from: number): boolean {
  if (from === text.length) return true
  if (text.charAt(from) !== '#') return false
  if (text.charAt(from + 1) === 'x') return isHex(text, from + 2)
  for (let at = from + 1; at < text.length; at++) if (!isDigit(text.charCodeAt(at))) return false
  return true
}

/** Whether a lower-case text is hexadecimal from `from` to its end. */
function isHex(text: string, from: number): boolean {
  for (let at = from; at < text.length; at++) if (!isHexUnit(text.charCodeAt(at))) return false
  return true
}

const isHexUnit = (unit: number): boolean => isDigit(unit) || (unit >= 0x61 && unit <= 0x66)

function entityUnit(name: string): string | undefined {
  if (!name.startsWith('#')) return Object.hasOwn(entities, name) ? entities[name] : undefined
  const code = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
  if (!(code > 0 && code <= 0x10_ff_ff)) return undefined
  return code <= 0x20 ? '' : String.fromCodePoint(code).toLowerCase()
}

/** Whether a URL has begun with the last character of the word. */
export function opensUrl(word: string): boolean {
  const last = word.at(-1) ?? ''
  if (last !== '' && '/?#'.includes(last) && isBareHost(word.slice(0, -1))) return true
  if (slashes.includes(last)) return slashes.includes(word.at(-2) ?? ' ')
  if (last === ':') return schemes.some((scheme) => endsWithName(word, `${scheme}:`))
  return last === '.' && endsWithName(word, 'www.')
}

/** Whether a word that opens a URL can only be the beginning of a connection string. */
export const opensConnection = (word: string): boolean => connectionSchemes.has(word)

/** Whether the word ends with `name`, not preceded by a letter or digit. */
function endsWithName(word: string, name: string): boolean {
  return word.endsWith(name) && !isAlphanumeric(word.charCodeAt(word.length - name.length - 1))
}

/** Lower-case letters, digits, and everything outside ASCII, which host names may contain as well. */
const isHostUnit = (unit: number): boolean => isAlphanumeric(unit) || unit > 0x7f
const isAlphanumeric = (unit: number): boolean => (unit >= 0x61 && unit <= 0x7a) || isDigit(unit)
const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39
/** `.`, and the three characters that a browser reads as one. */
const dots = '.\u3002\uFF0E\uFF61'

/**
 * Whether a word is a host without a scheme, which terminals and chat programs turn into a URL once a path or a query
 * follows.
 */
function isBareHost(word: string): boolean {
  const end = portStart(word)
  let tail = end
  while (tail > 0 && isHostPart(word, tail - 1)) tail--
  let start = tail
  while (start < end && !isHostUnit(word.charCodeAt(start))) start++
  // Checked first, so that a word of punctuation is not read again for each character.
  if (start === end) return false
  for (let at = tail - 1; at >= 0 && word.charAt(at) !== '@'; at--) if (isHostUnit(word.charCodeAt(at))) return false
  let labels = 0
  for (let at = start, labelStart = start; at <= end; at++) {
    if (at < end && !dots.includes(word.charAt(at))) continue
    if (at === labelStart) return false
    labels++
    labelStart = at + 1
  }
  return labels > 1
}

const isHostPart = (word: string, at: number): boolean =>
  isHostUnit(word.charCodeAt(at)) || '-_'.includes(word.charAt(at)) || dots.includes(word.charAt(at))

/** Where a `:8080` at the end of a word begins; the word's length if it has no port. */
function portStart(word: string): number {
  let at = word.length
  while (at > 0 && isDigit(word.charCodeAt(at - 1))) at--
  return at < word.length && word.charAt(at - 1) === ':' ? at - 1 : word.length
}
