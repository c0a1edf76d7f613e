/**
 * Conditions on the arguments of a tool call, in three-valued logic: what cannot be judged (an argument that is missing
 * or of another type, a path that depends on where it is read) is neither met nor unmet. Such a condition counts as met
 * in a rule that denies or asks, and as unmet in one that allows.
 */
import { compileGlob } from '../glob.ts'
import { compilePointer } from '../json-pointer.ts'
import { isWithin } from './path-within.ts'
import { compileArgumentPattern } from '../pattern.ts'
import { allOf, anyOf, judge, maybe, negate, no, yes, type Judgement } from './three-valued.ts'
import type { Condition, Scalar } from './condition.ts'
import { hostOf } from './url-host.ts'

/** Judges the arguments of a call. */
type ArgumentTest = (toolArguments: unknown) => Judgement
type ValueTest = (value: unknown) => Judgement

/**
 * Compiles conditions that must all hold.
 * @throws PatternError for a pattern that is not RE2
 */
export function compileConditions(conditions: readonly Condition[]): ArgumentTest {
  return allOf(conditions.map(compileCondition))
}

function compileCondition(condition: Condition): ArgumentTest {
  if (condition.all) return allOf(condition.all.map(compileCondition))
  if (condition.any) return anyOf(condition.any.map(compileCondition))
  if (condition.not) return negate(compileCondition(condition.not))
  const at = compilePointer(condition.argument ?? '')
  const { exists } = condition
  const all = compileTests(condition).map(ofEach)
  if (exists !== undefined) all.push((value) => judge((value !== undefined) === exists))
  const test = allOf(all)
  return (toolArguments) => test(at(toolArguments))
}

function compileTests(condition: Condition): ValueTest[] {
  const { equals, matches, pathWithin, urlHost, lessThan, greaterThan, atMost, atLeast } = condition
  return [
    ...(equals === undefined ? [] : [isOneOf([equals])]),
    ...(condition.in === undefined ? [] : [isOneOf(condition.in)]),
    ...(matches === undefined ? [] : [matchesPattern(matches)]),
    ...(pathWithin === undefined ? [] : [isPathWithin([pathWithin].flat())]),
    ...(urlHost === undefined ? [] : [hasHost([urlHost].flat())]),
    ...(lessThan === undefined ? [] : [isNumber((value) => value < lessThan)]),
    ...(greaterThan === undefined ? [] : [isNumber((value) => value > greaterThan)]),
    ...(atMost === undefined ? [] : [isNumber((value) => value <= atMost)]),
    ...(atLeast === undefined ? [] : [isNumber((value) => value >= atLeast)])
  ]
}

/** Longer lists and texts are not judged: a call waits for its decision. */
const itemsMax = 1000
const unitsMax = 65_536

/** Tests a value, or each item of a list. An empty list, or items with different results, cannot be judged. */
function ofEach(test: ValueTest): ValueTest {
  return (value) => {
    if (!Array.isArray(value)) return value === undefined ? maybe : test(value)
    if (value.length === 0 || value.length > itemsMax) return maybe
    const first = test(value[0])
    for (let i = 1; i < value.length; i++) if (test(value[i]) !== first) return maybe
    return first
  }
}

function isOneOf(expected: readonly Scalar[]): ValueTest {
  const values = new Set<unknown>(expected)
  const types = new Set(expected.map(typeOf))
  return (value) => {
    if (hasLostDigits(value)) return maybe
    if (values.has(value)) return yes
    return types.has(typeOf(value)) ? no : maybe
  }
}

const typeOf = (value: unknown): string => (value === null ? 'null' : typeof value)

/**
 * Above 2^53, several numbers have the same representation: which one was sent, and which one the document means, is
 * unknown.
 */
const hasLostDigits = (value: unknown): boolean => Number.isInteger(value) && !Number.isSafeInteger(value)

function isNumber(test: (value: number) => boolean): ValueTest {
  return (value) => (typeof value === 'number' && !Number.isNaN(value) ? judge(test(value)) : maybe)
}

function ofText(test: (text: string) => Judgement): ValueTest {
  return (value) => (typeof value === 'string' && value.length <= unitsMax ? test(value) : maybe)
}

function matchesPattern(pattern: string): ValueTest {
  const matchOf = compileArgumentPattern(pattern)
  const judgements = { whole: yes, part: maybe, none: no } as const
  return ofText((text) => judgements[matchOf(text)])
}

function isPathWithin(folders: readonly string[]): ValueTest {
  const within = anyOf(folders.map((folder) => isWithin(folder)))
  return ofText(within)
}

function hasHost(hostGlobs: readonly string[]): ValueTest {
  const globs = hostGlobs.map((glob) => compileGlob(glob.toLowerCase()))
  return ofText((text) => {
    const { host, isSure } = hostOf(text)
    if (host === undefined) return maybe
    const isMet = globs.some((glob) => glob.matches(host))
    return isSure ? judge(isMet) : maybe
  })
}
