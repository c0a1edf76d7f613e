/** Where a URL begins in a word of lower case, as the most generous of its readers sees it. */

const schemes = ['http', 'https', 'ws', 'wss', 'ftp', 'javascript', 'vbscript']
const slashes = '/\\'

/** What a browser, Markdown or a redirect reads in place of an escape. Those of white space are passed over. */
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

/** The word with the escape at its end, if there is one, in the form that it stands for. */
export function decodedEnd(word: string): string {
  const escape = percentEscapes[word.slice(-3)]
  if (escape !== undefined) return word.slice(0, -3) + escape
  if (!word.endsWith(';')) return word
  const start = word.lastIndexOf('&')
  if (start < 0 || word.length - start > entityLengthMax) return word
  const unit = entityUnit(word.slice(start + 1, -1))
  return unit === undefined ? word : word.slice(0, start) + unit
}

function entityUnit(name: string): string | undefined {
  if (!name.startsWith('#')) return Object.hasOwn(entities, name) ? entities[name] : undefined
  const code = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
  if (!(code > 0 && code <= 0x10_ff_ff)) return undefined
  return code <= 0x20 ? '' : String.fromCodePoint(code).toLowerCase()
}

/** Whether a URL has begun with the last character of the word. */
export function opensUrl(word: string): boolean {
  const last = word.at(-1) ?? ''
  if (slashes.includes(last)) return slashes.includes(word.at(-2) ?? ' ')
  if (last === ':') return schemes.some((scheme) => endsWithName(word, `${scheme}:`))
  return last === '.' && endsWithName(word, 'www.')
}

/** Whether `name` ends the word and no letter or digit stands before it. */
function endsWithName(word: string, name: string): boolean {
  return word.endsWith(name) && !isAlphanumeric(word.charCodeAt(word.length - name.length - 1))
}

/** Letters of lower case, digits, and everything beyond ASCII, of which a host can consist as well. */
const isHostUnit = (unit: number): boolean => isAlphanumeric(unit) || unit > 0x7f
const isAlphanumeric = (unit: number): boolean => (unit >= 0x61 && unit <= 0x7a) || isDigit(unit)
const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39
/** `.`, and the three that a browser reads as one. */
const dots = '.\u3002\uFF0E\uFF61'

/**
 * Whether a word is a host without a scheme, which command lines and chat programs take for a URL once a path or a query
 * follows.
 */
export function isBareHost(word: string): boolean {
  let start = word.lastIndexOf('@') + 1
  while (start < word.length && !isHostUnit(word.charCodeAt(start))) start++
  const end = portStart(word)
  let labels = 0
  for (let at = start, labelStart = start; at <= end; at++) {
    if (at < end && !dots.includes(word.charAt(at))) {
      if (!isHostUnit(word.charCodeAt(at)) && !'-_'.includes(word.charAt(at))) return false
      continue
    }
    if (at === labelStart) return false
    labels++
    labelStart = at + 1
  }
  return labels > 1
}

/** Where `:8080` at the end of a word begins; the word's length where it has no port. */
function portStart(word: string): number {
  let at = word.length
  while (at > 0 && isDigit(word.charCodeAt(at - 1))) at--
  return at < word.length && word.charAt(at - 1) === ':' ? at - 1 : word.length
}
