/**
 * Patterns written by a policy's author: RE2 syntax, so that no text makes a search super-linear. RE2 itself allows a
 * compiled pattern more than a million instructions, to which a thousand characters and one repeat come, so the size is
 * checked before anything is compiled.
 */
import { RE2JS, RE2JSException } from 're2js'
import { policyBounds } from './bounds.ts'

/** Why a pattern is refused, as a clause: "it is longer than ...". Quotes nothing of the pattern. */
export class PatternError extends Error {
  override readonly name = 'PatternError'
}

/** How much of a text a pattern matches: all, a part, or nothing. */
type PatternMatch = 'whole' | 'part' | 'none'

/** `(?i)` and the like: the repeat behind it is one of what stands before it. */
const flags = /\(\?[A-Za-z-]*\)/y

/**
 * Measure of the program that a pattern compiles to, which has at most twice as many instructions: its characters,
 * multiplied by the repeats around them. Reads any text once; a malformed pattern has a weight too.
 */
export function patternWeight(pattern: string): number {
  const outer: number[] = []
  let sum = 0
  let last = 0
  for (let i = 0; i < pattern.length; i++) {
    const code = pattern[i]
    flags.lastIndex = i
    if (code === '(' && flags.test(pattern)) i = flags.lastIndex - 1
    else if (code === '(') {
      outer.push(sum)
      sum = 0
      last = 0
    } else if (code === ')') {
      last = sum + 2
      sum = (outer.pop() ?? 0) + last
    } else if (code === '{' && repeatsAt(pattern, i) > 0) {
      const times = repeatsAt(pattern, i)
      sum += last * (times - 1)
      last *= times
      i = pattern.indexOf('}', i)
    } else if (pattern.startsWith('\\Q', i)) {
      const units = endOf('\\E', pattern, i + 2) - (i + 2)
      sum += units
      if (units > 0) last = 1
      i += units + 3
    } else {
      if (code === '\\') i = escapeEnd(pattern, i)
      else if (code === '[') i = classEnd(pattern, i)
      last = code === '*' || code === '+' || code === '?' ? last + 1 : 1
      sum++
    }
  }
  return outer.reduce((all, one) => all + one, sum)
}

/** The larger number of a `{n}`, `{n,}` or `{n,m}` at `at`, or 0 if there is none. */
function repeatsAt(pattern: string, at: number): number {
  let times = 0
  let number = 0
  for (let i = at + 1; i < Math.min(pattern.length, at + 12); i++) {
    const code = pattern.charCodeAt(i)
    if (code >= 48 && code <= 57) number = number * 10 + code - 48
    else if (code === 44) [times, number] = [number, 0]
    else return code === 125 ? Math.max(times, number, 1) : 0
  }
  return 0
}

/** Where `sign` is next, or the end of the pattern. */
function endOf(sign: string, pattern: string, from: number): number {
  const at = pattern.indexOf(sign, from)
  return at < 0 ? pattern.length : at
}

/** The last character of an escape: `\d`, `\x{2028}`, `\p{Greek}`. */
const escapeEnd = (pattern: string, at: number): number =>
  'xpP'.includes(pattern.charAt(at + 1)) && pattern[at + 2] === '{' ? endOf('}', pattern, at) : at + 1

/** The last character of a class, in which a first `]`, escapes and `[:alpha:]` end nothing. */
function classEnd(pattern: string, at: number): number {
  let i = at + (pattern[at + 1] === '^' ? 2 : 1)
  if (pattern[i] === ']') i++
  for (; i < pattern.length && pattern[i] !== ']'; i++) {
    if (pattern[i] === '\\') i++
    else if (pattern.startsWith('[:', i) && pattern.includes(':]', i)) i = pattern.indexOf(':]', i) + 1
  }
  return i
}

/** The library's message without the part of the pattern that it quotes in backquotes at its end. */
export function withoutQuotes(message: string): string {
  const quote = message.indexOf('`')
  return quote < 0 ? message : message.slice(0, quote).trimEnd().replace(/:$/, '')
}

/** @throws PatternError for a pattern over the limits */
export function checkPatternSize(pattern: string): void {
  const { patternUnitsMax, patternWeightMax } = policyBounds
  if (pattern === '' || pattern.length > patternUnitsMax)
    throw new PatternError(`it is empty or longer than ${patternUnitsMax} characters`)
  if (patternWeight(pattern) > patternWeightMax)
    throw new PatternError(`its repeats make it larger than ${patternWeightMax} steps`)
}

/**
 * Compiles an argument pattern.
 * @throws PatternError if it is not an RE2 pattern or over the limits
 */
export function compileArgumentPattern(pattern: string): (text: string) => PatternMatch {
  checkPatternSize(pattern)
  let re: RE2JS
  try {
    re = RE2JS.compile(pattern)
  } catch (cause) {
    throw new PatternError(cause instanceof RE2JSException ? withoutQuotes(cause.message) : 'it cannot be compiled')
  }
  return (text) => {
    const match = re.testExact(text) ? 'whole' : re.test(text) ? 'part' : 'none'
    // The library's pool keeps machines that hold the text.
    re.re2().reset()
    return match
  }
}
