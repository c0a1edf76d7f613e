/** Reads the arguments of a call in program text of any language, without recognising the language. */
import { charSet, closeBracketSet, codeAt, digitSet, inSet, openBracketSet, quoteSet, runEnd } from '../text/chars.ts'

const unitsMax = 240
const argumentsMax = 6
const nameUnitsMax = 64

type ArgumentSort = 'text' | 'number' | 'other'

/** Prefixes of string literals: `b"..."`, `@"..."`, `f'...'`. */
const prefixSet = charSet('bBrRuUfFL@$')
const nameSet = charSet('A-Z', 'a-z', '0-9', '_.$:->&*!@')

/** The arguments of one call. A single object serves all readings. */
export class Call {
  count = 0
  readonly #starts = new Int32Array(argumentsMax)
  readonly #sorts: ArgumentSort[] = []

  /** Where argument `i` starts. */
  start(i: number): number {
    return this.#starts[i] as number
  }

  sort(i: number): ArgumentSort {
    return this.#sorts[i] as ArgumentSort
  }

  /**
   * Reads the arguments from `from` on, at most six in 240 units: literals, numbers, names and bracketed groups,
   * perhaps with an empty call behind them. Reading ends behind an argument of another sort.
   */
  read(text: string, from: number): void {
    const limit = Math.min(text.length, from + unitsMax)
    this.count = 0
    let i = from
    while (this.count < argumentsMax) {
      i = skipBlank(text, i, limit)
      if (text.startsWith(label, i)) i += label.length
      if (i >= limit) return
      const inner = wrappedStart(text, i)
      const start = inner < 0 ? i : inner
      const mark =
        inSet(prefixSet, text.charCodeAt(start)) && inSet(quoteSet, codeAt(text, start + 1)) ? start + 1 : start
      const code = text.charCodeAt(mark)
      const isText = inSet(quoteSet, code)
      this.#starts[this.count] = start
      this.#sorts[this.count] = isText ? 'text' : inSet(digitSet, code) ? 'number' : 'other'
      this.count++
      if (inner >= 0) i = groupEnd(text, inner - 1, limit)
      else if (isText) i = textEnd(text, mark, limit)
      else i = inSet(openBracketSet, code) ? groupEnd(text, i, limit) : expressionEnd(text, i, limit)
      if (i < 0) return
      i = skipBlank(text, memberEnd(text, i), limit)
      if (codeAt(text, i) !== 44) return
      i++
    }
  }
}

/** The label that Capybara writes before what a field is filled with. */
const label = 'with: '

/** Calls that convert a literal to what their library expects. */
const wrappers = ['Some(', 'Buffer.from(', 'bytes.fromhex(', '[]byte(', 'Text(', 'Value(', 'unhexlify(', 'hex2bin(']

const wrapperHeadSet = charSet(...wrappers.map((wrapper) => wrapper.charAt(0)))

/** Where the literal within such a call at `at` begins; -1 if there is none. */
function wrappedStart(text: string, at: number): number {
  if (!inSet(wrapperHeadSet, codeAt(text, at))) return -1
  for (const wrapper of wrappers)
    if (text.startsWith(wrapper, at)) {
      const start = at + wrapper.length
      return inSet(quoteSet, codeAt(text, start)) ? start : -1
    }
  return -1
}

/** Past the closing quote; -1 if there is none. */
function textEnd(text: string, from: number, limit: number): number {
  const quote = text.charCodeAt(from)
  for (let i = from + 1; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code === quote) return i + 1
    if (code === 92) i++
    if (code === 10) return -1
  }
  return -1
}

/** Past the closing bracket; -1 if there is none. */
function groupEnd(text: string, from: number, limit: number): number {
  let depth = 0
  for (let i = from; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (inSet(quoteSet, code)) {
      const end = textEnd(text, i, limit)
      if (end < 0) return -1
      i = end - 1
    } else if (inSet(openBracketSet, code)) depth++
    else if (inSet(closeBracketSet, code) && --depth === 0) return i + 1
  }
  return -1
}

/** The most units of the arguments of a nested call. */
const callUnitsMax = 64

/** Past a name, and the arguments if it is a call: `ENV.fetch("SID")`; -1 if they do not end. */
function expressionEnd(text: string, from: number, limit: number): number {
  const end = runEnd(text, from, nameSet, nameUnitsMax)
  return codeAt(text, end) === 40 && end > from ? groupEnd(text, end, Math.min(limit, end + callUnitsMax)) : end
}

/** Past `.getBytes()`, `.encode()` and `()`. */
function memberEnd(text: string, from: number): number {
  const end = codeAt(text, from) === 46 ? runEnd(text, from, nameSet, nameUnitsMax) : from
  return codeAt(text, end) === 40 && codeAt(text, end + 1) === 41 ? end + 2 : end
}

function skipBlank(text: string, from: number, limit: number): number {
  let i = from
  while (i < limit && text.charCodeAt(i) <= 32) i++
  return i
}
