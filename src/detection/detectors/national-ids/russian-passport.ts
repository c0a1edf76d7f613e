/** Russian passports as documents write them, with a word between series and number: `серия 45 08 № 318462`. */
import type { Detector, Match, MatchContext } from '../../detector.ts'
import { charSet, codeAt, digitSet, inSet, runEnd, runStart, wordSet } from '../../text/chars.ts'

/** What stands before the number. In lower case. */
const signs = ['№', 'номер', 'ном.']
const gapSet = charSet(' ,;:.')
const gapUnitsMax = 3
const numberUnits = 6
const blank = 32
const seriesName = 'сери'
const seriesReach = 16

/** Adds this way of writing to the detector of the number. */
export function withSeries(detector: Detector): Detector {
  return {
    ...detector,
    anchors: [...detector.anchors, ...signs.map((literal) => ({ literal, fold: true }) as const)],
    match: (text, at, context) =>
      context.by === 'literal' ? numberBehindSeries(text, at, context) : detector.match(text, at, context),
    hits: () => [
      ...detector.hits(),
      'паспорт серия 45 08 ' + 'номер 318462, выдан',
      'паспорт серии 4508 ' + '№ 318462',
      'Паспорт: 45 08 № ' + '318462'
    ],
    misses: () => [...detector.misses(), 'дело 4508 № ' + '318462', 'серия 4508 № 31846', 'серия 45 082 № ' + '318462']
  }
}

function numberBehindSeries(text: string, at: number, context: MatchContext): Match | undefined {
  const start = seriesStart(text, runStart(text, at, gapSet, gapUnitsMax))
  const sign = signs.find((one) => text.slice(at, at + one.length).toLowerCase() === one)
  if (start < 0 || sign === undefined) return undefined
  const from = runEnd(text, at + sign.length, gapSet, gapUnitsMax)
  const end = runEnd(text, from, digitSet, numberUnits + 1)
  if (end !== from + numberUnits || inSet(wordSet, codeAt(text, end))) return undefined
  const before = text.slice(Math.max(0, start - seriesReach), start).toLowerCase()
  if (!before.includes(seriesName) && !context.near(start)) return undefined
  return { start, end, confidence: 'medium', byContext: true }
}

/** Where four digits begin that end at `end`, with or without a blank in the middle; -1 if none do. */
function seriesStart(text: string, end: number): number {
  const second = runStart(text, end, digitSet, 5)
  const isPair = second === end - 2 && codeAt(text, second - 1) === blank
  const start = isPair ? runStart(text, second - 1, digitSet, 3) : second
  if (isPair ? start !== second - 3 : start !== end - 4) return -1
  return start > 0 && inSet(wordSet, codeAt(text, start - 1)) ? -1 : start
}
