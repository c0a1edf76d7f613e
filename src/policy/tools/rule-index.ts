/**
 * Finds the rules that may match a name without testing each of them. A rule is indexed by what is rarest in its globs:
 * a whole name, three consecutive characters that every match must contain, or nothing.
 */
import type { Glob } from '../glob.ts'

/** The names that a rule is for: one of the servers and one of the tools. */
export interface RuleNames {
  readonly servers: readonly Glob[]
  readonly tools: readonly Glob[]
}

interface RuleIndex {
  /**
   * Calls `visit` with the index of every rule that may match, possibly more than once, and with some that do not
   * match. Allocates nothing.
   */
  candidates(server: string, tool: string, visit: (rule: number) => void): void
}

const slots = 4096
const gramUnits = 3

const slotOf = (text: string, at: number): number =>
  ((text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) * 31 + text.charCodeAt(at + 2)) & (slots - 1)

/** Rules by whole names. */
type Literals = Map<string, number[]>

function addTo(literals: Literals, name: string, rule: number): void {
  const known = literals.get(name)
  if (known === undefined) literals.set(name, [rule])
  else known.push(rule)
}

function visitAll(rules: readonly number[] | undefined, visit: (rule: number) => void): void {
  if (rules !== undefined) for (const rule of rules) visit(rule)
}

/** A table of rules by names: literal ones by the whole name, the others by a slot for three characters. */
class NameIndex {
  readonly #literal: Literals = new Map()
  readonly #grams: (number[] | undefined)[] = Array.from({ length: slots })
  readonly #counts: Uint32Array

  /** @param counts how often each slot occurs in all globs */
  constructor(counts: Uint32Array) {
    this.#counts = counts
  }

  /** @returns false if a glob has nothing to be indexed by; then nothing is added */
  add(globs: readonly Glob[], rule: number): boolean {
    const keys = globs.map((glob) => glob.literal ?? this.#rarest(glob))
    if (keys.some((key) => key === undefined)) return false
    for (const key of keys) {
      if (typeof key === 'number') (this.#grams[key] ??= []).push(rule)
      else addTo(this.#literal, key as string, rule)
    }
    return true
  }

  #rarest(glob: Glob): number | undefined {
    let rarest: number | undefined
    eachGram(glob, (slot) => {
      if (rarest === undefined || this.#counts[slot]! < this.#counts[rarest]!) rarest = slot
    })
    return rarest
  }

  visit(name: string, visit: (rule: number) => void): void {
    visitAll(this.#literal.get(name), visit)
    for (let at = 0; at <= name.length - gramUnits; at++) visitAll(this.#grams[slotOf(name, at)], visit)
  }
}

function eachGram({ pieces }: Glob, take: (slot: number) => void): void {
  for (const piece of pieces) for (let at = 0; at <= piece.length - gramUnits; at++) take(slotOf(piece, at))
}

function countGrams(globs: Iterable<Glob>): Uint32Array {
  const counts = new Uint32Array(slots)
  for (const glob of globs) if (glob.literal === undefined) eachGram(glob, (slot) => counts[slot]!++)
  return counts
}

/** @returns an index that identifies the rules by their positions in the list */
export function indexRules(rules: readonly RuleNames[]): RuleIndex {
  const byTool = new NameIndex(countGrams(rules.flatMap(({ tools }) => tools)))
  const byServer = new NameIndex(countGrams(rules.flatMap(({ servers }) => servers)))
  /** Rules with one server and literal tools: many servers may have tools of the same name. */
  const pairs = new Map<string, Literals>()
  const everywhere: number[] = []
  rules.forEach(({ servers, tools }, rule) => {
    const server = servers.length === 1 ? servers[0]?.literal : undefined
    const names = tools.flatMap(({ literal }) => literal ?? [])
    if (server !== undefined && names.length === tools.length) {
      const pair: Literals = pairs.get(server) ?? new Map()
      pairs.set(server, pair)
      for (const name of names) addTo(pair, name, rule)
    } else if (!byTool.add(tools, rule) && !byServer.add(servers, rule)) everywhere.push(rule)
  })
  return {
    candidates(server, tool, visit) {
      visitAll(pairs.get(server)?.get(tool), visit)
      byTool.visit(tool, visit)
      byServer.visit(server, visit)
      for (const rule of everywhere) visit(rule)
    }
  }
}
