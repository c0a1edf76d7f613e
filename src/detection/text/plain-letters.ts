/** Names as they are written where accents are a trouble. */
import { isAscii } from './chars.ts'

/** A name and how it is written as well: without accents, and as Arabic and Russian keyboards make easy. */
export function spellingsOf(name: string): string[] {
  // Most names are written in one way, and each process asks for thousands of them when it starts.
  if (isAscii(name)) return [name]
  const plain = withoutAccents(name)
  const words = plain.replaceAll('ё', 'е').split(' ').map(withoutHamza)
  const easy = easyEnds.map(([end, other]) =>
    words.map((word) => (word.endsWith(end) ? word.slice(0, -1) + other : word)).join(' ')
  )
  return [...new Set([name, plain, words.join(' '), ...easy])]
}

/** In Arabic, taa marbuta is written as haa at the end of a word, and yaa without its dots, which is usual in Egypt. */
const easyEnds: readonly (readonly [end: string, other: string])[] = [
  ['ة', 'ه'],
  ['ي', 'ى']
]

/** A word in Arabic with alef alone for the letters that consist of alef and a sign. */
function withoutHamza(word: string): string {
  return word.replaceAll('أ', 'ا').replaceAll('إ', 'ا').replaceAll('آ', 'ا')
}

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
