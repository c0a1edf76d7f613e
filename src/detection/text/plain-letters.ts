/** Names as they are written where accents are a trouble. */
import { isAscii } from './chars.ts'

/**
 * A name as keys, headings and people in a hurry write it, without the accents of its Latin or Greek letters. A short one
 * would be another word: `dic`, `ico`. Greek capitals have no accents at all.
 */
export function withoutAccents(name: string): string {
  if (name.length < plainUnitsMin || isAscii(name)) return name
  let plain = ''
  for (const letter of name) {
    const [base = letter] = letter.normalize('NFD')
    const code = base.codePointAt(0) as number
    plain += code < latinEnd || (code >= greekStart && code < greekEnd) ? (strokes[base] ?? base) : letter
  }
  return plain
}
const plainUnitsMin = 6
const latinEnd = 0x250
const greekStart = 0x370
const greekEnd = 0x400
/** Letters that consist of no letter and an accent. */
const strokes: Record<string, string> = { ł: 'l', đ: 'd', ø: 'o', ı: 'i' }
