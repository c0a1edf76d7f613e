/** Puts values back into the texts of an answer: which of them, and how they are written there. */
import type { TextEdit } from '../dialects/splice.ts'
import { goesOnAsHost } from '../policy/restore/host-trail.ts'
import { isPartOfWord, type PlaceholderMatch, type RestoreTable } from '../policy/restore/restore.ts'
import { UrlTrail } from '../policy/restore/url-trail.ts'

/** What one answer is restored with. */
export interface RestorePlan {
  readonly table: RestoreTable
  /** Whether the arguments of a tool of this name are restored. */
  mayRestoreTool(name: string): boolean
}

/** What came of it: values put back, and placeholders that stayed. */
export interface RestoreCounts {
  restored: number
  left: number
}

/** How a value is written inside a text: as it is, or as the inside of a JSON string. */
export function writtenValue(value: string, form: 'plain' | 'json'): string {
  return form === 'json' ? JSON.stringify(value).slice(1, -1) : value
}

/**
 * What takes the place of a match, or undefined where the placeholder stays.
 * @param text what stands before the match, as far as it is known, the match, and as much behind it as {@link isSettled} asks for
 * @param trail has followed the text up to the match
 */
export function restoredValue(
  text: string,
  { start, end, value }: PlaceholderMatch,
  trail: Pick<UrlTrail, 'isInside'>,
  form: 'plain' | 'json',
  counts: RestoreCounts
): string | undefined {
  if (value === undefined || trail.isInside || isPartOfWord(text, start, end) || goesOnAsHost(text, end) === true) {
    counts.left++
    return undefined
  }
  counts.restored++
  return writtenValue(value, form)
}

/** Whether enough of a text is there to tell what a placeholder that ends at `end` belongs to. */
export function isSettled(text: string, end: number): boolean {
  return end < text.length && goesOnAsHost(text, end) !== 'unknown'
}

/** The edits of a text that is there as a whole. */
export function wholeTextEdits(
  node: number,
  text: string,
  form: 'plain' | 'json',
  table: RestoreTable,
  counts: RestoreCounts
): TextEdit[] {
  const trail = new UrlTrail(form)
  let followed = 0
  return table.matches(text).flatMap((match) => {
    trail.advance(text, followed, match.start)
    followed = match.start
    const replacement = restoredValue(text, match, trail, form, counts)
    return replacement === undefined ? [] : [{ node, start: match.start, end: match.end, replacement }]
  })
}
