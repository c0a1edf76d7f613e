/** Values that only their name gives away: `dob: 1985-03-12`, `"cvv": "123"`. */
import { belowName, ColumnValues, endsLine, remarkEnd, tailEnd } from './column-values.ts'
import { wordGuard } from '../anchor-guard.ts'
import { closesField, isOfOther } from '../text/closed-field.ts'
import { behindMarkup, endsInMarkup } from './markup-values.ts'
import {
  charSet,
  codeAt,
  inSet,
  letterSet,
  lowerSet,
  nameJointSet,
  nameSet,
  plainBlankSet,
  runEnd,
  standsAt,
  stringQuoteSet,
  upperSet,
  wordSet
} from '../text/chars.ts'
import { spellingsOf } from '../text/plain-letters.ts'
import { leaderEnd } from '../text/leaders.ts'
import { closesRemark, opensRemark, saidBefore, SpelledNames } from '../text/spelled-names.ts'
import { Verdicts } from '../text/verdicts.ts'
import type { WordSet } from '../text/word-set.ts'
import type { Detector, Match, MatchContext } from '../detector.ts'
import type { Confidence, Group, Tier } from '../findings.ts'

interface NamedValue extends Pick<Detector, 'id' | 'label' | 'title' | 'hits' | 'misses' | 'source'> {
  readonly group: Group
  readonly tier: Tier
  readonly confidence?: Confidence
  /** Names before the value, in lower case. A blank also stands for `_`, `-` and nothing; accents may be missing. */
  readonly names: readonly string[]
  /** Whether a longer identifier that begins with the name, as `CVC_DATATYPE_VALID`, names something else. */
  readonly endsName?: true
  /** Words directly behind the name that change its meaning, in lower case. */
  readonly others?: WordSet
  /** Whether the value belongs to the word at a place between name and value instead. */
  isOfOther?(text: string, at: number): boolean
  /** The end of the value that starts at a place, or -1. It reads a bounded stretch. */
  read(text: string, at: number): number
}

/** How long a value before its name may be. */
const beforeUnitsMax = 28
/** How far behind its name a value may start, in code units. */
const gapUnitsMax = 28

/** Whether a place is within a word, or within parts joined by a dash, dot or slash. */
function isInside(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  if (inSet(wordSet, before)) return true
  return (before === 45 || before === 46 || before === 47) && inSet(wordSet, text.charCodeAt(at - 2))
}

/** Words that may continue a name without changing its meaning. */
const neutralTails = ['code', 'number', 'num', 'no', 'nr', 'value', 'val', 'field', 'input', 'text']

/** Whether the identifier whose name ends at `at` continues with words of another meaning. */
function goesOn(text: string, at: number): boolean {
  // The name ends with its operator.
  if (!inSet(nameSet, codeAt(text, at - 1)) && codeAt(text, at - 1) < 128) return false
  const end = runEnd(text, at, nameSet, gapUnitsMax)
  if (end === at || (end === at + 1 && text.charCodeAt(at) === 115)) return false
  const tail = text.slice(inSet(nameJointSet, text.charCodeAt(at)) ? at + 1 : at, end).toLowerCase()
  return !neutralTails.includes(tail)
}

const commentSet = charSet('/*')

/** Whether one of some words stands behind a blank. */
function goesOnWith(words: WordSet, text: string, at: number): boolean {
  return (
    inSet(plainBlankSet, text.charCodeAt(at)) &&
    words.stands(text, at + 1, runEnd(text, at + 1, letterSet, words.unitsMax + 1))
  )
}

const happy = 'happy '

/** Whether it is a wish with its time: `Happy Birthday,2012-12-12T17:57:13Z`. */
function isWish(text: string, at: number): boolean {
  return standsAt(text, at - happy.length, happy)
}

/** The separators with which keys and headings join the words of a name. */
const joints = [' ', '_', '-', '']

/** The detector of a value that stands shortly behind its name on the same line. */
export function namedValue(parts: NamedValue): Detector {
  const plainNames = [...new Set(parts.names.flatMap(spellingsOf))]
  const names = plainNames.flatMap((name) =>
    name.includes(' ') ? joints.map((joint) => name.replaceAll(' ', joint)) : [name]
  )
  const reader = new NamedValueReader(parts, names)
  return {
    ...parts,
    lengthMin: 4,
    anchors: names.map((literal) => ({ literal, fold: true, guard: wordGuard(literal, 's') })),
    match: (text, at, context) => reader.match(text, at, context)
  }
}

/** Reads the values of one sort behind, below and before their names. */
class NamedValueReader {
  readonly #parts: NamedValue
  readonly #names: SpelledNames
  readonly #columns: ColumnValues
  /** Where values end, by where they begin: several names stand near each of them. */
  readonly #ends: Verdicts<number>
  /** The name that was read last: several anchors may begin at one place, of which the longest is read. */
  readonly #seen = { textNumber: 0, at: -1 }

  constructor(parts: NamedValue, names: readonly string[]) {
    this.#parts = parts
    this.#names = new SpelledNames(names)
    this.#columns = new ColumnValues((text, at) => this.#nameEndAt(text, at))
    this.#ends = new Verdicts((text, at) => parts.read(text, at))
  }

  match(text: string, at: number, context: MatchContext): Match | undefined {
    const { textNumber } = context
    if (textNumber === this.#seen.textNumber && at === this.#seen.at) return undefined
    this.#seen.textNumber = textNumber
    this.#seen.at = at
    const from = this.#nameEndAt(text, at)
    if (from < 0) return undefined
    return this.#columns.find(
      text,
      context,
      at,
      from,
      // A reader that continues past a comma is in the next cell.
      (start, end) => (this.#parts.read(text, start) >= end ? this.#found(start, end) : undefined),
      () =>
        this.#inMarkup(text, from, textNumber) ??
        this.#behind(text, from, textNumber) ??
        this.#before(text, at, from, textNumber)
    )
  }

  #found(start: number, end: number): Match {
    return { start, end, confidence: this.#parts.confidence ?? 'strong', byContext: true }
  }

  /** The end of a name at `at` that may be followed by a value; -1 if there is none. */
  #nameEndAt(text: string, at: number): number {
    if (inSet(lowerSet, text.charCodeAt(at - 1)) && !inSet(upperSet, text.charCodeAt(at))) return -1
    const { others, endsName } = this.#parts
    const end = this.#names.endAt(text, at)
    if (end < 0) return -1
    if (others !== undefined && (goesOnWith(others, text, end) || isWish(text, at))) return -1
    return endsName === true && goesOn(text, end) ? -1 : end
  }

  /** A value in markup behind its name. */
  #inMarkup(text: string, from: number, textNumber: number): Match | undefined {
    const start = behindMarkup(text, from, textNumber)
    const end = start < 0 ? -1 : this.#parts.read(text, start)
    return end > start && endsInMarkup(text, end) ? this.#found(start, end) : undefined
  }

  /** A value shortly behind its name on the same line, or on the one below. */
  #behind(text: string, from: number, textNumber: number): Match | undefined {
    let limit = Math.min(text.length, from + gapUnitsMax)
    // A name may end with its operator: `tin=`.
    const wordEnd = inSet(wordSet, codeAt(text, from - 1)) || codeAt(text, from - 1) > 127 ? from : from - 1
    for (let i = from; i < limit; i++) {
      const code = text.charCodeAt(i)
      const led = inSet(wordSet, code) ? i : leaderEnd(text, i)
      if (led > i) {
        limit = Math.min(text.length, limit + led - i)
        i = led - 1
        continue
      }
      // Behind the name stands an enumeration value, or a comment.
      if (code === 47 && inSet(commentSet, text.charCodeAt(i + 1))) return undefined
      if (code === 10) return this.#below(text, from)
      // The next query parameter has a name of its own: `cvv=[FILTERED]&exp=0916`.
      if (code === 38 && text.charCodeAt(runEnd(text, i + 1, wordSet, gapUnitsMax)) === 61) return undefined
      if (inSet(wordSet, code)) {
        if (isInside(text, i)) continue
        if (this.#parts.isOfOther?.(text, i) === true) return undefined
        const end = this.#ends.of(text, i, i, textNumber)
        if (end > i && isOfOther(text, from, i)) return undefined
        if (end > i && !inSet(wordSet, text.charCodeAt(end)) && !closesField(text, wordEnd, i))
          return this.#found(i, end)
      } else if (code <= 32 || code > 127) continue
      // What follows the next name is found from there. A name may begin with a bracket.
      const next = this.#nameEndAt(text, i)
      if (next >= 0) limit = Math.min(limit, next)
    }
    return undefined
  }

  /** A value that fills the line below its name. */
  #below(text: string, from: number): Match | undefined {
    const start = belowName(text, remarkEnd(text, tailEnd(text, from)))
    const end = start < 0 ? -1 : this.#parts.read(text, start)
    return end > start && endsLine(text, end) ? this.#found(start, end) : undefined
  }

  /** A value that a sentence names with the name in `[at, from)`: `12/03/1985 (DOB)`, `... is my date of birth`. */
  #before(text: string, at: number, from: number, textNumber: number): Match | undefined {
    const said = saidBefore(text, at)
    if (said < 0) return undefined
    // In `3 May 1990 (born in Ulm)` the bracket says something else.
    if (opensRemark(text, said) && !closesRemark(text, tailEnd(text, from))) return undefined
    const to = inSet(stringQuoteSet, text.charCodeAt(said - 1)) ? said - 1 : said
    for (let start = Math.max(0, to - beforeUnitsMax); start < to; start++) {
      if (!inSet(wordSet, text.charCodeAt(start)) || isInside(text, start)) continue
      if (this.#ends.of(text, start, start, textNumber) === to) return this.#found(start, to)
    }
    return undefined
  }
}
