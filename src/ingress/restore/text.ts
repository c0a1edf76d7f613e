/** Puts values back into the texts of an answer: which of them, and how they are written there. */
import type { AnswerText } from '../../dialects/answer/answer.ts'
import type { TextEdit } from '../../dialects/json/splice.ts'
import { goesOnAsHost } from '../../policy/restore/host-trail.ts'
import { isPartOfWord, type PlaceholderMatch, type RestoreTable } from '../../policy/restore/restore.ts'
import { UrlTrail } from '../../policy/restore/url-trail.ts'

/** What one answer is restored with. */
export interface RestorePlan {
  readonly table: RestoreTable
  /** Whether the arguments of a tool of this name are restored. */
  mayRestoreTool(name: string): boolean
  /** Whether the text of the answer is JSON, as requests for structured outputs want it. */
  readonly isJson?: boolean
}

/** What came of it: values put back, and placeholders that stayed. */
export interface RestoreCounts {
  restored: number
  left: number
}

/**
 * What a text is: words, JSON that is to be read, or words that turn out to be JSON. The client of those reads a value out of
 * them, but sends them again as words, and a scan would not find an escaped value there.
 */
export type TextForm = AnswerText['form'] | 'verbatim'

/** The form of a text of an answer, or of what it is a piece of. */
export const formOf = ({ form, tool }: AnswerText, { isJson = false }: RestorePlan): TextForm =>
  isJson && form === 'plain' && tool === undefined ? 'verbatim' : form

/** How a value is written inside a text: as it is, or as the inside of a JSON string. */
function writtenValue(value: string, form: TextForm): string {
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
  form: TextForm,
  counts: RestoreCounts
): string | undefined {
  const isBroken = form === 'verbatim' && value !== undefined && writtenValue(value, 'json') !== value
  if (
    value === undefined ||
    isBroken ||
    trail.isInside ||
    isPartOfWord(text, start, end) ||
    goesOnAsHost(text, end) === true
  ) {
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
  form: TextForm,
  table: RestoreTable,
  counts: RestoreCounts
): TextEdit[] {
  const trail = new UrlTrail(form === 'json' ? form : 'plain')
  let followed = 0
  return table.matches(text).flatMap((match) => {
    trail.advance(text, followed, match.start)
    followed = match.start
    const replacement = restoredValue(text, match, trail, form, counts)
    return replacement === undefined ? [] : [{ node, start: match.start, end: match.end, replacement }]
  })
}
