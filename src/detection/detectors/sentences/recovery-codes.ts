/** Recovery codes: they replace a second factor, or unlock a disk. */
import { NameIndex } from '../../text/name-index.ts'
import { chained, contextMatch, type Detector, type Match, type MatchContext } from '../../detector.ts'
import { filler } from '../../sample-text.ts'
import {
  base62Set,
  charSet,
  codeAt,
  consistsOf,
  countOf,
  digitSet,
  hexSet,
  inSet,
  labelSet,
  letterSet,
  lowerSet,
  runEnd,
  runStart,
  upperSet
} from '../../text/chars.ts'
import { isYyyymmdd } from '../../validators/digits.ts'
import { isDummyValue } from '../../values/generic-value.ts'
import { rarity } from '../../values/rarity.ts'
import { isSeries } from './access-code-numbers.ts'

const spareAnchors = ['recovery', 'backup', 'scratch', 'emergency', 'rescue']
  .flatMap((name) => [' ', '_', '-', ''].map((joint) => `${name}${joint}code`))
  .concat('bitlocker', 'recovery key', 'recovery password')
const spareIndex = new NameIndex(spareAnchors.map((name) => [name, true]))
const spareReachUnits = 160
const betweenUnitsMax = 24
/** A code without a digit has more letters than this. */
const lettersMin = 8
const codesMax = 32
/** Bits per character that a code has in the rarity model, and two hyphenated words have not. */
const spareBits = 6

/** The codes of the list that was read last, which stands behind other names as well if several precede it. */
const latest = { textNumber: 0, codes: [] as readonly Match[] }

/** A stretch of a text in which no code begins: other names before it need not read it again. */
const without = { textNumber: 0, from: 0, to: 0 }

/** Notes that no code begins in `[from, to)`. */
function noteWithout(textNumber: number, from: number, to: number): void {
  const goesOn = textNumber === without.textNumber && from >= without.from && from <= without.to
  if (!goesOn) without.from = from
  without.to = goesOn ? Math.max(without.to, to) : to
  without.textNumber = textNumber
}

function isReported(code: Match): boolean {
  return latest.codes.some(({ start, end }) => start === code.start && end === code.end)
}

/** The codes of a list behind its name, one per line or in a row: `Recovery codes: 4f9ak-x82kd, ...`. */
function spareCodes(text: string, at: number, { textNumber }: MatchContext): Match | undefined {
  const name = spareIndex.at(text, at)
  if (name === undefined) return undefined
  const found: Match[] = []
  const from = at + name[0].length
  const isKnown = textNumber === without.textNumber && from >= without.from && from < without.to
  let limit = Math.min(text.length, from + spareReachUnits)
  let spareAt = -1
  let i = isKnown ? without.to : from
  while (i < limit && found.length < codesMax) {
    if (!inSet(base62Set, text.charCodeAt(i))) {
      i++
      continue
    }
    const end = spareEnd(text, i)
    const isSpareToo = found.length === 0 && isSpare(text, i, end)
    if (isSpareToo && spareAt < 0) spareAt = i
    if (isSpareToo ? isFirst(text, from, i, end) : found.length > 0 && isAlike(text, found[0] as Match, i, end)) {
      found.push(contextMatch(i, end))
      limit = Math.min(text.length, end + betweenUnitsMax)
    }
    i = end
  }
  noteWithout(textNumber, from, spareAt < 0 ? i : spareAt)
  const fresh =
    latest.textNumber === textNumber && latest.codes.length > 0 ? found.filter((code) => !isReported(code)) : found
  if (found.length > 0) {
    latest.textNumber = textNumber
    latest.codes = found
  }
  return chained(fresh)
}

/** Past the word at `at`; two groups of four digits with a blank between them are one word. */
function spareEnd(text: string, at: number): number {
  const end = runEnd(text, at, labelSet, 64)
  const isFour = end - at === 4 && codeAt(text, end) === 32 && runEnd(text, at, digitSet, 4) === end
  return isFour && runEnd(text, end + 1, digitSet, 5) === end + 5 ? end + 5 : end
}

/** Whether digits alone are announced as a code: a sentence about codes contains dates and ticket numbers as well. */
function isFirst(text: string, from: number, start: number, end: number): boolean {
  if (end - start > shortSpareUnits || countOf(text, start, end, letterSet) > 0) return true
  const to = runStart(text, start, spareGapSet, start - from)
  const before = text.slice(from, to)
  // Behind the name itself, at the start of a line, or behind punctuation or a verb.
  return !isDay(text, start, end) && (to === from || text.slice(to, start).includes('\n') || announces(before))
}

/** The most digits of a code that does not unlock a disk. */
const shortSpareUnits = 16
/** Blanks, quotes and list numbers. */
const spareGapSet = charSet('0-9', ' \t\r\n"\'`*[({.)-')
const spareLeads = [':', '=', ' is', ' are', ' was', ' were']
const announces = (words: string): boolean => spareLeads.some((lead) => words.endsWith(lead))

/** Whether it is a date of these years: `20261101`. */
function isDay(text: string, start: number, end: number): boolean {
  return (
    end - start === 8 &&
    (text.startsWith('20', start) || text.startsWith('19', start)) &&
    isYyyymmdd(text.slice(start, end))
  )
}

/**
 * Whether it is a code: hyphenated groups of four to six letters and digits, or eight to sixteen of them, and not
 * words.
 */
function isSpare(text: string, start: number, end: number): boolean {
  const digits = countOf(text, start, end, digitSet)
  if (digits === 0 || inSet(joinedSet, codeAt(text, start - 1)) || inSet(joinedSet, codeAt(text, end))) return false
  const groups = text.slice(start, end).replace(' ', '-').split('-')
  if (groups.length === 1 ? end - start < 8 || end - start > 16 : !isGrouped(groups)) return false
  // A BitLocker recovery key has eight groups of six digits.
  const isDisk = groups.length === 8 && end - start === 55
  if (digits === end - start - groups.length + 1) return isDisk || (end - start < 10 && !isSeries(text, start, end))
  const isOneCase = countOf(text, start, end, upperSet) === 0 || countOf(text, start, end, lowerSet) === 0
  if (digits < 2 && groups.length === 1) return false
  if (!isOneCase || isDummyValue(text, start, end)) return false
  // Fewer hexadecimal digits are a commit.
  if (consistsOf(text, start, end, hexSet)) return end - start === hexUnits
  return rarity(text, start, end) >= spareBits
}
const hexUnits = 16
const joinedSet = charSet('A-Z', 'a-z', '0-9', '_./=@-')

function isGrouped(groups: readonly string[]): boolean {
  const units = (groups[0] as string).length
  return units > 3 && units < 7 && groups.length < 9 && groups.every((group) => group.length === units)
}

/** Whether it is written like the first one: as long, with its dash at the same place. */
function isAlike(text: string, first: Match, start: number, end: number): boolean {
  if (end - start !== first.end - first.start) return false
  for (let i = 0; i < end - start; i++) {
    const joint = inSet(base62Set, codeAt(text, first.start + i))
    if (joint !== inSet(base62Set, codeAt(text, start + i))) return false
  }
  return countOf(text, start, end, digitSet) > 0 || countOf(text, start, end, letterSet) > lettersMin
}

const code = ['482', '913'].join('')
const spare = (seed: number): string => {
  const [first, second] = [seed, seed + 1].map((one) => filler(4, 'abcdefghjkmnpqrstvwxyz', one))
  return `${first}7-4${second}`
}

export const recoveryCode: Detector = {
  id: 'recovery_code',
  label: 'RECOVERY_CODE',
  title: 'recovery code of a second factor',
  group: 'secret',
  tier: 'medium',
  lengthMin: 16,
  anchors: spareAnchors.map((literal) => ({ literal, fold: true as const })),
  match: spareCodes,
  hits: () => [
    `My recovery codes, in case I lose my phone: ${spare(3)}, ${spare(9)} and ${spare(21)}`,
    `Backup codes\n  1. ${spare(3)}\n  2. ${spare(9)}\n`,
    `"recovery_codes": ["${spare(3)}", "${spare(9)}"]`,
    `Save these backup codes:\n4827 1639\n5920 3746\n`,
    `Your emergency scratch codes are:\n  ${code}47\n  ${code.slice(1)}481\n`,
    `recovery code: ${filler(16, '0123456789abcdef')}`,
    `bitlocker recovery: ${[3, 5, 7, 9, 11, 13, 15, 17].map((seed) => filler(6, '0123456789', seed)).join('-')}`
  ],
  misses: () => [
    'Recovery codes are sha256-hashed, two-factor by default',
    'the backup code was moved on 2026-11-23 to multi-part1 uploads',
    `The backup code path was rewritten in build ${code}47 and nobody noticed`,
    'Recovery codes are broken since release 20261101',
    'Recovery codes: 20261101',
    `BitLocker was enabled for asset ${code}47`,
    `emergency code freeze, tickets ${code}47 and ${code}52 stay open`,
    'backup code: see backup-2026-11.tar.gz',
    'recovery_code = new_code()',
    'Recovery codes: xxxxx-xxxxx',
    'emergency code in src/emergency4827.ts',
    'Recovery codes have 10 characters'
  ],
  source: 'The codes of GitHub, Google, Microsoft and GitLab, and of google-authenticator(1).'
}
