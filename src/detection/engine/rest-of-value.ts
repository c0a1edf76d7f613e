/**
 * Extends findings to the rest of a secret that was cut: a key wrapped at a column, or written as two strings. A
 * partial mask is worse than none, since it looks complete. A finding is therefore extended from piece to piece in both
 * directions.
 * - This runs on findings only, so texts without any cost nothing, and each piece is read once.
 */
import type { Finding } from '../findings.ts'
import { isGeneric } from './overlap.ts'
import type { Pace } from './pace.ts'
import { continuationAt, pieceBefore, pieceSet, type Continuation } from '../normalise/continuations.ts'
import {
  blankSet,
  charSet,
  codeAt,
  consistsOf,
  countOf,
  digitSet,
  dotSet,
  hexSet,
  inSet,
  letterSet,
  lowerSet,
  padSet,
  quoteSet,
  runEnd,
  runStart,
  upperSet,
  uuidSet
} from '../text/chars.ts'
import { rarity } from '../values/rarity.ts'

const pieceUnitsMax = 4096
const piecesMax = 400
/** Nobody wraps shorter lines, unless all of the line is a piece of the key. */
const lineUnitsMin = 40
/** A value with a form of its own may well be complete at the end of a line shorter than this. */
const surelyWrappedUnits = 60
const restUnitsMin = 4
/** How much of the end of a piece is judged. Its prefix says nothing. */
const tailUnitsMax = 24
const wholeUnitsMin = 8
const generatedBits = 7
const cutBits = 5.8
/** Extra bits per character (rarity) for a short piece, which may be a name or version, and for one without a digit. */
const shortBits = 1
const shortUnits = 16
/** If one of these follows, a run is not a piece of a value. */
const noEndSet = charSet(':=([@{$')

/**
 * Extends the findings of secrets to the start and end of their values.
 * @param findings disjoint and sorted, as {@link overlapsInSteps} returns them
 */
export function* withRests(text: string, findings: Finding[], pace: Pace): Generator<void, Finding[], void> {
  const out: Finding[] = []
  let isChanged = false
  let before = 0
  let next = 0
  for (let i = 0; i < findings.length; i++) {
    const finding = findings[i] as Finding
    // The next finding that matters; a weak one may be a piece.
    for (next = Math.max(next, i + 1); next < findings.length && isWeak(findings[next] as Finding); next++)
      if (pace.spend(1)) yield
    const limit = findings[next]?.start ?? text.length
    const led = isLed(finding) ? lead(text, finding, before, limit) : withUser(text, finding, before)
    if (pace.spend(led === undefined ? unitsPerLook : unitsPerLook + reachOf(finding, led))) yield
    if (led === undefined) {
      isChanged = true
      continue
    }
    if (led !== finding) {
      isChanged = true
      dropFrom(out, led.start)
    }
    if (led.start < before) continue
    out.push(led)
    if (!isWeak(finding)) before = led.end
  }
  return isChanged ? out : findings
}
/** The cost of a look at one finding. */
const unitsPerLook = 256

function isWeak({ confidence }: Finding): boolean {
  return confidence === 'weak'
}

/** By how much a finding was extended. */
function reachOf(finding: Finding, led: Finding): number {
  return finding.start - led.start + led.end - finding.end
}

/** Drops weak findings that turned out to be pieces of what begins at `start`. */
function dropFrom(findings: Finding[], start: number): void {
  while ((findings.at(-1)?.end ?? 0) > start) findings.pop()
}

function isLed({ group, confidence, tier }: Finding): boolean {
  return group === 'secret' && confidence !== 'weak' && tier !== 'low' && tier !== 'none'
}

/** What looks like a mail address may be the end of a password in a URL behind a line break: `https://ops:...` */
function withUser(text: string, finding: Finding, from: number): Finding {
  if (finding.kind !== 'email_address') return finding
  const end = pieceBefore(text, finding.start)
  if (end === undefined) return finding
  const first = runStart(text, end, userSet, tailUnitsMax * 4)
  // Only what stands beside it is searched: in a text of a million addresses, each would look through all before it.
  const scheme = first + text.slice(first, end + 3).lastIndexOf('://')
  if (scheme < first) return finding
  const start = Math.max(scheme + 3, text.lastIndexOf(':', end - 1) + 1)
  return start < Math.max(from, scheme + 3) || start >= end ? finding : { ...finding, start }
}
const userSet = charSet('A-Z', 'a-z', '0-9', '+/_-.~:%!$&*')

/**
 * The most that is added to a value that only its surroundings give away. What reaches further is a file in base64, and
 * what stands within it is there by chance.
 */
const restUnitsMax = 4096

/**
 * Extends one finding in both directions.
 * @param from no piece begins before it
 * @param limit none ends behind it
 * @returns undefined if it stands by chance within something longer than any secret
 */
function lead(text: string, finding: Finding, from: number, limit: number): Finding | undefined {
  // A value with a form of its own begins where the form says.
  const isPlaced = isGeneric(finding) || finding.kind === 'shown_secret'
  const start = isPlaced ? startOfPieces(text, finding.start, finding.end, from) : finding.start
  if (finding.start - start > restUnitsMax) return undefined
  const lineMin = isGeneric(finding) ? lineUnitsMin : surelyWrappedUnits
  const end = Math.max(footerEnd(text, finding), endOfPieces(text, finding.start, finding.end, limit, lineMin))
  return start === finding.start && end === finding.end ? finding : { ...finding, start, end }
}

/** Past the footer of a private key whose finding ended early; -1 if another block begins before it. */
function footerEnd(text: string, { start, end }: Finding): number {
  if (!text.startsWith('-----BEGIN ', start)) return -1
  const footer = dashesAt(text, end, armourUnitsMax)
  if (footer < 0 || !text.startsWith('END ', footer + dashUnits)) return -1
  const close = dashesAt(text, footer + dashUnits, footerUnitsMax)
  const to = close + dashUnits
  return close < 0 || codeAt(text, to) === dashCode || text.startsWith('BEGIN ', to) ? -1 : to
}

/** Where five dashes stand within `unitsMax` units; -1 if nowhere. */
function dashesAt(text: string, from: number, unitsMax: number): number {
  const limit = Math.min(text.length, from + unitsMax)
  for (let i = from; i < limit; i++) if (text.charCodeAt(i) === dashCode && text.startsWith('-----', i)) return i
  return -1
}
const dashCode = 45
const dashUnits = 5
const armourUnitsMax = 8192
const footerUnitsMax = 60

function endOfPieces(text: string, start: number, end: number, limit: number, lineMin: number): number {
  // Punctuation at the end of a line may have been taken for the end of a sentence, or for part of the value.
  const far = runEnd(text, end, signSet, 2)
  for (let cut = end; cut > start && cut >= end - signsMax; cut--) {
    for (const from of cut === end && far > end ? [end, far] : [cut]) {
      const led = endFrom(text, start, from, limit, lineMin)
      if (led > from) return Math.max(end, led)
    }
    if (inSet(pieceSet, codeAt(text, cut - 1))) break
  }
  return end
}
/** The most characters that end a piece, a quote or continuation mark, and may have been taken for part of a password. */
const signsMax = 3

function endFrom(text: string, start: number, end: number, limit: number, lineMin: number): number {
  let at = end
  let width = 0
  let pieceUnits = end - start
  let valueUnits = pieceUnits
  let isEven = true
  for (let piece = 0; piece < piecesMax; piece++) {
    // Part of a token may end with its line.
    const joint =
      continuationAt(text, at) ?? (inSet(dotSet, codeAt(text, at)) ? continuationAt(text, at + 1) : undefined)
    if (joint === undefined) return at
    const rest = restAt(text, joint, limit, piece > 0, valueUnits)
    if (rest < 0) return at
    if (joint.isBare) {
      const { units } = joint
      if (piece === 0 && !isWrapped(text, start, at, joint, lineMin)) return at
      // A word below a key, such as `x86_64-linux-gnu`: a host, a branch, a processor.
      if (piece === 0 && !hasSameCases(text, Math.max(start, at - tailUnitsMax), at, joint.to, rest)) return at
      if (rest - joint.line > units + 1) return at
      // All lines but the last are as long as the first, or all pieces if a name precedes the first.
      if (piece > 0 && Math.abs(units - width) > 1 && !isEven) return at
      width = units
    }
    isEven = Math.abs(rest - joint.to - pieceUnits) <= 1
    pieceUnits = rest - joint.to
    valueUnits += pieceUnits
    // The continuation mark of mail looks like the padding of a key.
    at = joint.isMarked && text.charCodeAt(rest - 1) === 61 && text.charCodeAt(joint.mark) === 61 ? rest - 1 : rest
  }
  return at
}

/**
 * Whether a short last piece has a capital if the one before has several: of eight letters of a key, one in a hundred
 * has none.
 */
function hasSameCases(text: string, start: number, end: number, from: number, to: number): boolean {
  if (to - from < wholeUnitsMin || to - from > wordUnitsMax) return true
  return countOf(text, start, end, upperSet) < capitalsMin || countOf(text, from, to, upperSet) > 0
}
const wordUnitsMax = 18
const capitalsMin = 4

/** Whether the value runs to the end of a long line, or fills a short one except for a name and an operator. */
function isWrapped(text: string, start: number, end: number, { units }: Continuation, lineMin: number): boolean {
  const tail = Math.max(start, end - tailUnitsMax)
  if (end - tail < wholeUnitsMin) return false
  if (lineMin !== lineUnitsMin) return units >= lineMin
  return looksGenerated(text, tail, end, true) && (units >= lineMin || end - start >= units / 2)
}

/**
 * The end of the piece at a joint; -1 if what stands there is not one.
 * @param before units of the value before the joint
 */
function restAt(
  text: string,
  { to, isBare, units: lineUnits }: Continuation,
  limit: number,
  isLater: boolean,
  before: number
): number {
  let end = runEnd(text, to, pieceSet, Math.min(pieceUnitsMax, limit - to))
  if (inSet(dotSet, codeAt(text, end - 1)) && !inSet(letterSet, codeAt(text, end))) end--
  const units = end - to
  const padded = runEnd(text, end, padSet, 2)
  const whole = padded > end ? pastChecksum(text, padded, isLater) : end
  // A short piece needs no digit if something else says that it is the last of several.
  const isLast =
    units < wholeUnitsMin &&
    ((padded > end && endsPadded(text, to, end, padded)) || (isLater && mixesCase(text, to, end)))
  const unitsMin = isBare && !isLater ? wholeUnitsMin : restUnitsMin
  if (!isLast && (units < unitsMin || !looksGenerated(text, to, end, !isBare || isLater))) return -1
  if (units < restUnitsMin || isName(text, end, whole)) return -1
  const isWide = isLater || (lineUnits >= surelyWrappedUnits && mixesCase(text, to, end))
  if (isBare && whole === end + 1 && isEmptySetting(text, to, end, isWide && (before + whole - to) % 4 === 0)) return -1
  return whole > limit ? end : whole
}

/** Whether what follows a run makes it a name, a call or an address: `key2 = `, `"key2": `, `f1(`, `ops1@`. */
function isName(text: string, end: number, whole: number): boolean {
  if (inSet(noEndSet, codeAt(text, whole))) return true
  // base64 padding stands at its end.
  if (whole > end && inSet(pieceSet, codeAt(text, whole))) return true
  const from = inSet(quoteSet, codeAt(text, whole)) ? whole + 1 : whole
  return inSet(assigningSet, codeAt(text, runEnd(text, from, blankSet, blanksMax)))
}
const assigningSet = charSet(':=(')
const blanksMax = 24

/**
 * Whether what looks like a last piece and its padding is a setting without a value: `Domain=`, `db_host=`, `userId=`.
 * @param isWhole whether it makes base64 in wide lines complete
 */
function isEmptySetting(text: string, start: number, end: number, isWhole: boolean): boolean {
  return !isWhole && consistsOf(text, start, end, settingSet)
}
const settingSet = charSet('A-Z', 'a-z', '_-.')

/** Whether the equals signs behind a short piece are base64 padding, and not an assignment. */
function endsPadded(text: string, start: number, end: number, padded: number): boolean {
  const next = codeAt(text, padded)
  return countOf(text, start, end, lowerSet) > 0 && next !== 32 && !inSet(pieceSet, next)
}

/** Past the hexadecimal checksum behind the equals sign of a key, if there is one. */
function pastChecksum(text: string, from: number, isLater: boolean): number {
  const end = runEnd(text, from, pieceSet, checksumUnits + 1)
  // Its own end may be on the next line.
  const isWhole = end - from === checksumUnits || (isLater && end - from < checksumUnits)
  return isWhole && runEnd(text, from, hexSet, checksumUnits) === end ? end : from
}
const checksumUnits = 8

const signSet = charSet('./+_-')

/** With the dollar sign, which begins the parts of a hash. */
const firstPieceSet = charSet('A-Z', 'a-z', '0-9', '+/_-.~$')

function startOfPieces(text: string, start: number, end: number, from: number): number {
  let at = start
  for (let piece = 0; piece < piecesMax; piece++) {
    const before = pieceBefore(text, at)
    if (before === undefined || before <= from) return at
    const joint = continuationAt(text, before) as Continuation
    const first = Math.max(from, runStart(text, before, firstPieceSet, pieceUnitsMax))
    if (before - first < wholeUnitsMin || !looksGenerated(text, first, before, !joint.isBare)) return at
    if (joint.isBare) {
      if (joint.units < lineUnitsMin && before - first < joint.units / 2) return at
      const last = runEnd(text, at, pieceSet, Math.min(pieceUnitsMax, end - at))
      if (last - joint.line > joint.units + 1) return at
    }
    at = first
  }
  return at
}

/**
 * Whether `[start, end)` looks like part of a generated value.
 * @param isCut whether something besides the place says that it is a piece
 */
function looksGenerated(text: string, start: number, end: number, isCut: boolean): boolean {
  const digits = countOf(text, start, end, digitSet)
  const letters = countOf(text, start, end, letterSet)
  if (letters === 0) return false
  const units = end - start
  const isShort = units < shortUnits
  // Keys of services may end in letters that name a region: `...bf9ef5-us1`.
  if (runEnd(text, start, hexSet, units) - start >= hexUnitsMin) return digits > 1 && letters > 1
  if (countOf(text, start, end, uuidSet) === units) return digits > 1 && letters > 1 && units >= uuidUnitsMin
  // Versions and hosts have dots.
  if (isShort && !isCut && countOf(text, start, end, dotSet) > 0) return false
  if (digits === 0 && (units < wholeUnitsMin || countOf(text, start, end, lowerSet) === letters)) return false
  const bits = isCut ? cutBits : generatedBits
  return rarity(text, start, end) >= (isShort || digits === 0 ? bits + shortBits : bits)
}

/** Whether capitals stand among lower-case letters, and not only before them. */
function mixesCase(text: string, start: number, end: number): boolean {
  const capitals = countOf(text, start + 1, end, upperSet)
  return capitals > 0 && countOf(text, start, end, lowerSet) > 0
}
/** A date has a few letters and digits with dashes as well. */
const uuidUnitsMin = 8
const hexUnitsMin = 12
