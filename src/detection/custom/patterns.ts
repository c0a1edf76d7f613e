/**
 * Patterns that an operator writes, in RE2 syntax, so that no pattern and no text can make a search super-linear. A
 * search runs only around a literal that every match must contain, which the anchor search finds along with all other
 * anchors. A pattern without such a literal is searched for in the whole text.
 */
import { RE2JS, RE2JSException } from 're2js'
import { constantSet, lowerSet, snakeSet, upperSet } from '../text/chars.ts'
import type { Group, Kind, Tier } from '../findings.ts'
import { MatchSearch, type Found } from './match-search.ts'
import { PatternProgram } from './pattern-program.ts'

export interface CustomPattern {
  /** `[a-z][a-z0-9_]*`, and not the id of a built-in kind. */
  readonly id: string
  /** Default: the id in upper case. */
  readonly label?: string
  readonly title?: string
  readonly pattern: string
  readonly group: Group
  readonly tier: Tier
  /**
   * Texts in which the pattern must match, and texts in which it must not. A pattern that fails its own tests is
   * refused.
   */
  readonly tests?: { readonly match?: readonly string[]; readonly noMatch?: readonly string[] }
}

/** Thrown for a pattern that cannot be used. The message names the pattern and the rule, and quotes no test. */
export class CustomPatternError extends Error {
  readonly patternId: string
  readonly rule: string

  constructor(patternId: string, rule: string) {
    super(`The custom pattern "${patternId}" is refused: ${rule}.`)
    this.name = 'CustomPatternError'
    this.patternId = patternId
    this.rule = rule
  }
}

/** How far from its literal a match may reach, in code units. Also the longest match of a pattern without a literal. */
export const reachUnits = 512
const patternUnitsMax = 2000
const literalUnitsMin = 2

export interface CompiledPattern {
  readonly kind: Kind
  /** Every match contains one of these, in any case. Empty if no literal is required. */
  readonly literals: readonly string[]
  /**
   * Reports the matches in `[from, to)`. A match that touches `from` or `to` is left out unless the text ends there,
   * since more text might change it.
   * @returns the work beyond reading the window, in code units of ordinary text
   */
  eachMatch(text: string, from: number, to: number, found: Found): number
}

/**
 * Compiles a pattern and runs its own tests.
 * @throws CustomPatternError
 */
export function compileCustomPattern(custom: CustomPattern): CompiledPattern {
  const { id, pattern, group, tier } = custom
  if (!isId(id)) throw new CustomPatternError(id, 'its id is not made of small letters, digits and underscores')
  const label = custom.label ?? id.toUpperCase()
  if (!isLabel(label)) throw new CustomPatternError(id, 'its label is not made of capitals, digits and underscores')
  const re = compileRe2(pattern, (rule) => new CustomPatternError(id, rule))
  const search = new MatchSearch(new PatternProgram(re))
  const compiled: CompiledPattern = {
    kind: Object.freeze({ id, label, title: custom.title ?? `custom pattern ${id}`, group, tier }),
    literals: requiredLiterals(pattern, re),
    eachMatch: (text, from, to, found) => searchAll(search, text, from, to, found)
  }
  custom.tests?.match?.forEach((text, index) => {
    if (!finds(compiled, text)) throw new CustomPatternError(id, `tests.match[${index}] does not match`)
  })
  custom.tests?.noMatch?.forEach((text, index) => {
    if (finds(compiled, text)) throw new CustomPatternError(id, `tests.noMatch[${index}] matches`)
  })
  return compiled
}

function finds(compiled: CompiledPattern, text: string): boolean {
  let count = 0
  compiled.eachMatch(text, 0, text.length, () => count++)
  return count > 0
}

/**
 * Compiles RE2 source of at most 2000 code units that does not match the empty text.
 * @throws the error that `refuse` makes of the violated rule
 */
export function compileRe2(pattern: string, refuse: (rule: string) => Error): RE2JS {
  if (pattern === '' || pattern.length > patternUnitsMax)
    throw refuse(`its pattern is empty or longer than ${patternUnitsMax} characters`)
  let re: RE2JS
  try {
    re = RE2JS.compile(pattern)
  } catch (cause) {
    throw refuse(cause instanceof RE2JSException ? cause.message : 'its pattern cannot be compiled')
  }
  if (re.test('')) throw refuse('it matches the empty text')
  return re
}

/** Reports the matches in a window that more text would not change. */
function searchAll(search: MatchSearch, text: string, from: number, to: number, found: Found): number {
  return search.eachMatch(text, from, to, (start, end) => {
    if ((start > from || from === 0) && (end < to || to === text.length)) found(start, end)
  })
}

/** The part of the library's prefilter analysis that is used: which literals every match contains. */
interface Prefilter {
  readonly type: number
  readonly subs: readonly Prefilter[]
  readonly str: string
}
const exact = 1
const and = 2

function requiredLiterals(pattern: string, re: RE2JS): readonly string[] {
  // The analysis ignores case-insensitive literals. Here literals match in any case anyway, so it analyses the pattern
  // without the flag.
  const folded = pattern.startsWith('(?i)') && pattern.length > 4
  const analysed = folded ? RE2JS.compile(pattern.slice(4)) : re
  return mostSelective(analysed.re2().prefilter as Prefilter | null) ?? []
}

/** Of the alternative sets of literals, the one whose shortest literal is longest: it is the most selective. */
function mostSelective(filter: Prefilter | null): readonly string[] | undefined {
  if (filter === null) return undefined
  if (filter.type === exact) return isUsable(filter.str) ? [filter.str] : undefined
  const sets = filter.subs.map(mostSelective)
  if (filter.type === and) {
    const usable = sets.filter((set) => set !== undefined)
    return usable.sort((a, b) => shortestUnits(b) - shortestUnits(a))[0]
  }
  return sets.every((set) => set !== undefined) ? [...new Set(sets.flat())] : undefined
}

function shortestUnits(literals: readonly string[]): number {
  return Math.min(...literals.map((one) => one.length))
}

/** Whether a literal can be an anchor: ASCII only, since the anchor search folds no other letters. */
function isUsable(literal: string): boolean {
  if (literal.length < literalUnitsMin) return false
  for (let i = 0; i < literal.length; i++) if (literal.charCodeAt(i) > 127) return false
  return true
}

export function isId(id: string): boolean {
  return consistsOf(id, snakeSet, lowerSet)
}

function isLabel(label: string): boolean {
  return consistsOf(label, constantSet, upperSet)
}

function consistsOf(name: string, set: Uint8Array, first: Uint8Array): boolean {
  if (name.length === 0 || name.length > 64 || first[name.charCodeAt(0)] !== 1) return false
  for (let i = 0; i < name.length; i++) if (set[name.charCodeAt(i)] !== 1) return false
  return true
}
