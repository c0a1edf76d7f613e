/**
 * Globs over names: `*` matches any run of characters, including none; every other character matches itself. A match
 * walks the name once per piece between stars, so time is linear in the name for a fixed number of stars.
 */
import { z } from 'zod'
import { policyBounds } from './bounds.ts'

const { globUnitsMax, globStarsMax } = policyBounds

/** A glob as written in a document. */
export const globSchema = z
  .string()
  .min(1)
  .max(globUnitsMax)
  .refine((glob) => glob.split('*').length - 1 <= globStarsMax, `must have at most ${globStarsMax} stars`)
  .meta({ id: 'Glob', description: 'A name in which `*` matches any run of characters.' })

export interface Glob {
  readonly source: string
  /** The only name that it matches, if it has no star. */
  readonly literal: string | undefined
  /** The pieces between the stars, without empty ones. */
  readonly pieces: readonly string[]
  matches(name: string): boolean
}

/** @param source as written in a document; case-sensitive */
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
 * Whether `wide` matches every name that `narrow` matches. A star in `narrow` is treated as a character that only a
 * star matches, which is correct for all globs that differ in more than their spelling.
 */
export function covers(wide: Glob, narrow: Glob): boolean {
  return wide.literal === undefined ? wide.matches(narrow.source) : wide.source === narrow.source
}
