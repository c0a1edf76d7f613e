/**
 * Globs over names: `*` stands for any run of characters, also none; every other character for itself. A match walks
 * the name once for each piece between stars, so time is linear in the name for a fixed number of stars.
 */
import { z } from 'zod'
import { policyBounds } from './bounds.ts'

const { globUnitsMax, globStarsMax } = policyBounds

/** A glob as it stands in a document. */
export const globSchema = z
  .string()
  .min(1)
  .max(globUnitsMax)
  .refine((glob) => glob.split('*').length - 1 <= globStarsMax, `must have at most ${globStarsMax} stars`)
  .meta({ id: 'Glob', description: 'A name in which `*` matches any run of characters.' })

export interface Glob {
  readonly source: string
  /** The name that it means, where it has no star. */
  readonly literal: string | undefined
  /** What stands between the stars, without empty pieces. */
  readonly pieces: readonly string[]
  matches(name: string): boolean
}

/** @param source as a document has it; case counts */
export function compileGlob(source: string): Glob {
  const parts = source.split('*')
  const pieces = parts.filter((part) => part !== '')
  if (parts.length === 1) return { source, literal: source, pieces, matches: (name) => name === source }
  const prefix = parts[0] as string
  const suffix = parts.at(-1) as string
  const middle = parts.slice(1, -1).filter((part) => part !== '')
  return {
    source,
    literal: undefined,
    pieces,
    matches(name) {
      if (name.length < prefix.length + suffix.length || !name.startsWith(prefix) || !name.endsWith(suffix))
        return false
      let at = prefix.length
      const end = name.length - suffix.length
      for (const piece of middle) {
        at = name.indexOf(piece, at)
        if (at < 0 || at + piece.length > end) return false
        at += piece.length
      }
      return true
    }
  }
}

/**
 * Whether every name that `narrow` matches is matched by `wide`. A star of `narrow` is read as a character that only a
 * star matches, which is right for all globs but those that differ in more than their spelling.
 */
export function covers(wide: Glob, narrow: Glob): boolean {
  return wide.literal === undefined ? wide.matches(narrow.source) : wide.source === narrow.source
}
