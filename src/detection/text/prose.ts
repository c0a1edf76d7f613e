/** Tells whether a place is in text that people wrote, and not in code, a log or a table. */
import { charSet, consistsOf, countOf, inSet, runEnd, runStart, wordEndIn } from './chars.ts'

const unitsBefore = 160
const unitsBehind = 120
/** The fewest words around a place, and how many there must be for each token that is not one. */
const wordsMin = 4
const wordsForOther = 3
/** Characters of program text, and the most of them in the given units on either side. */
const programSet = charSet('{}=;|\\"$')
const programUnits = 100
const programMax = 5
const trimSet = charSet('.,;:!?()[]<>"\'`*_-')
const numberSet = charSet('0-9', ':.,/-')
const insideSet = charSet('A-Z', 'a-z', "'-")
const latinFrom = 0xc0
/** First code unit of scripts that may have no blanks between words, and how many of their letters count as a word. */
const foreignFrom = 0x370
const foreignUnits = 3

/** Characters of names and statements, and the most of them, or of camelCase names, near a word of a sentence. */
const nearSet = charSet('{}=;|\\$_')
const nearUnits = 32
const nearMax = 2

/**
 * Whether a word at `at` can belong to a sentence, judged by its immediate surroundings. This rejects most words of
 * program text at little cost.
 */
export function mayBeProse(text: string, at: number): boolean {
  const to = Math.min(text.length, at + nearUnits)
  let signs = 0
  let last = 0
  for (let i = Math.max(0, at - nearUnits); i < to; i++) {
    const code = text.charCodeAt(i)
    if (inSet(nearSet, code) || (code > 64 && code < 91 && last > 96 && last < 123)) if (++signs > nearMax) return false
    last = code
  }
  return true
}

/** Whether most of what surrounds `[start, end)` is words. */
export function isProse(text: string, start: number, end: number): boolean {
  const near = Math.max(0, start - programUnits)
  if (countOf(text, near, Math.min(text.length, end + programUnits), programSet) > programMax) return false
  const to = Math.min(text.length, end + unitsBehind)
  let words = 0
  let others = 0
  for (let at = Math.max(0, start - unitsBefore); at < to;) {
    const stop = wordEndIn(text, at, to)
    // A lone symbol separates words, or draws a line.
    if (stop > at + 1 && (at > start || stop < end)) {
      const points = wordsIn(text, at, stop)
      if (points < 0) others++
      else words += points
    }
    at = stop + 1
  }
  return words >= wordsMin && words >= wordsForOther * others
}

/** 1 for a word of letters, more for several; 0 for numbers, times and symbols; less for anything that is not a word. */
function wordsIn(text: string, from: number, to: number): number {
  const start = runEnd(text, from, trimSet, to - from)
  const end = runStart(text, to, trimSet, to - start)
  if (consistsOf(text, start, end, numberSet)) return 0
  let foreign = 0
  let isWord = true
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i)
    if (code >= foreignFrom) foreign++
    else if (!inSet(insideSet, code) && code < latinFrom) isWord = false
  }
  if (foreign > 0) return Math.max(1, foreign / foreignUnits)
  return isWord ? 1 : -1
}
