/**
 * Raw strings and other quotations without plain quotes: `r#"..."#` (Rust), `R"(...)"` (C++), `#"..."#` (Swift),
 * `[[...]]` (Lua), `q{...}` (Perl), `%q(...)` (Ruby), `{...}` behind `set` (Tcl), `[...]` around a value in logs, and
 * documents of one line (`<<EOT` in Terraform, Ruby, Perl, `<<<EOT` in PHP).
 *
 * Source of facts: the references of these languages; "Quote and Quote-like Operators" of perlop; the Tcl manual,
 * "Tcl", rule 6.
 */
import { allBut, blankSet, charSet, codeAt, inSet, lineBreakSet, runEnd, wordSet } from '../text/chars.ts'

/** First characters of such quotations. */
export const rawTextSet = charSet('rbR#[q%{<')

const textUnitsMax = 256
const hashesMax = 4
const delimiterUnitsMax = 16
const hashSet = charSet('#')
const equalsSet = charSet('=')
/** Characters that may follow the closing delimiter. */
const behindSet = charSet(' \t\r\n;,)}]|"\'`\\')

/** Where the content begins whose opening delimiter stands at `at`; -1 if there is none. */
export function rawTextStart(text: string, at: number): number {
  switch (text.charCodeAt(at)) {
    case 82: // R
      return codeAt(text, at + 1) === 34 ? behind(text, runEnd(text, at + 2, wordSet, delimiterUnitsMax), 40) : -1
    case 98: // b
      return codeAt(text, at + 1) === 114 ? behindHashes(text, at + 2) : -1
    case 114: // r
      return behindHashes(text, at + 1)
    case 35: // #
      return behindHashes(text, at)
    case 91: // [
      return listed(text, runEnd(text, at + 1, equalsSet, hashesMax), at)
    case 113: // q
      return delimited(text, codeAt(text, at + 1) === 113 ? at + 2 : at + 1)
    case 37: // %
      return delimited(text, (codeAt(text, at + 1) | 32) === 113 ? at + 2 : at + 1)
    case 123: // {
      return at + 1
    case 60: // <
      return documentStart(text, at)
    default:
      return -1
  }
}

/** Whether a string between quotes and number signs opens there: `r#"`. */
export function opensHashed(text: string, at: number): boolean {
  const code = codeAt(text, at)
  return (code === 114 || code === 98 || code === 35) && rawTextStart(text, at) >= 0
}

function behindHashes(text: string, at: number): number {
  const end = runEnd(text, at, hashSet, hashesMax)
  return end > at ? behind(text, end, 34) : -1
}

function behind(text: string, at: number, sign: number): number {
  return codeAt(text, at) === sign ? at + 1 : -1
}

/** Where the content begins behind Lua's brackets, or the bracket around a value in logs. */
function listed(text: string, second: number, at: number): number {
  return second === at + 1 && codeAt(text, second) !== 91 ? second : behind(text, second, 91)
}

/** Where the first line of a document begins behind its opening word: `<<EOT`, `<<-'EOT'`, `<<~EOS`, `<<<"EOT"`. */
function documentStart(text: string, at: number): number {
  if (codeAt(text, at + 1) !== 60) return -1
  const word = runEnd(text, at + 2, documentSignSet, 2)
  const end = runEnd(text, word, wordSet, delimiterUnitsMax)
  const line = runEnd(text, end, documentEndSet, 3)
  return end - word > 1 && codeAt(text, line - 1) === 10 ? runEnd(text, line, blankSet, textUnitsMax) : -1
}
const documentSignSet = charSet('<-~\'"')
const documentEndSet = charSet('\'";\r\n')

/** Where the only line of a document ends, before the line of its closing word; -1 if there are more lines. */
function documentEnd(text: string, at: number, start: number): number {
  const word = runEnd(text, at + 2, documentSignSet, 2)
  const name = text.slice(word, runEnd(text, word, wordSet, delimiterUnitsMax))
  const end = runEnd(text, start, lineSet, textUnitsMax)
  const closing = runEnd(text, runEnd(text, end, lineBreakSet, 2), blankSet, textUnitsMax)
  return end < closing && text.startsWith(name, closing) && behindEnds(text, closing + name.length) ? end : -1
}
const lineSet = allBut('\r\n')

function delimited(text: string, at: number): number {
  return closers.has(text.charAt(at)) ? at + 1 : -1
}

/** The closing delimiter for each opening one. */
const closers = new Map([
  ['{', '}'],
  ['(', ')'],
  ['[', ']'],
  ['<', '>'],
  ['|', '|'],
  ['!', '!'],
  ['/', '/']
])

/**
 * Where the content ends, on the same line; -1 if it does not, or if something follows with which a value would
 * continue.
 * @param at the opening delimiter
 * @param start the first character of the content
 */
export function rawTextEnd(text: string, at: number, start: number): number {
  if (codeAt(text, at) === 60) return documentEnd(text, at, start)
  const close = closing(text, at, start)
  if (close === ']') return bracketEnd(text, start)
  const limit = Math.min(text.length, start + textUnitsMax)
  for (let i = start; i < limit; i++) {
    const code = text.charCodeAt(i)
    if (code === 10 || code === 13) return -1
    if (text.startsWith(close, i)) return behindEnds(text, i + close.length) ? i : -1
  }
  return -1
}

/** Where a single word in brackets ends. Several words are a list, and a nested bracket belongs to an expression. */
function bracketEnd(text: string, start: number): number {
  const end = runEnd(text, start, bareSet, textUnitsMax)
  return codeAt(text, end) === 93 && behindEnds(text, end + 1) ? end : -1
}
const bareSet = allBut(' \t\r\n[](){}<>"\'`,;\\')

function closing(text: string, at: number, start: number): string {
  const open = text.slice(at, start)
  if (open.startsWith('R')) return `)${open.slice(2, -1)}"`
  if (open.endsWith('"')) return open.slice(open.indexOf('#')).split('').toReversed().join('')
  if (open.startsWith('[')) return open.replaceAll('[', ']')
  return closers.get(open.charAt(open.length - 1)) ?? '\n'
}

function behindEnds(text: string, at: number): boolean {
  return at >= text.length || inSet(behindSet, text.charCodeAt(at))
}
