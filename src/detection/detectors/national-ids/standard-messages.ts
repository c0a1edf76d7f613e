/**
 * Numbers that a standard names by a code or a place in the message: patients in HL7 version 2 (`PID|1||536...^^^SSA^SS`)
 * and parties of payments in ISO 20022 (`<Id>850...</Id><SchmeNm><Cd>NIDN</Cd>`).
 */
import type { Detector, Match } from '../../detector.ts'
import {
  charSet,
  codeAt,
  countOf,
  digitSet,
  inSet,
  lineBreakSet,
  runEnd,
  runStart,
  spaceSet,
  wordSet
} from '../../text/chars.ts'
import { isFlat } from '../../validators/digits.ts'

const segment = 'PID|'
const segmentUnitsMax = 512
/** HL7 table 0203: codes of identifiers that a state, an insurance or a tax office gives. Those of nations begin with NN. */
const hl7Types = ['SS', 'NI', 'PPN', 'DL', 'TAX', 'PRC', 'HC', 'JHN', 'MC', 'MA', 'CZ']
/** The fields of the segment with lists of identifiers, and those with one of a known sort (HL7 2.5.1, chapter 3.4.2). */
const listFields = [2, 3, 4]
const ownFields = [19, 20]
const typeComponent = 4

/** ISO 20022, ExternalPersonIdentification1Code. */
const schemeCodes = ['ARNU', 'CCPT', 'DRLC', 'NIDN', 'SOSE', 'TXID']
const schemeReach = 160
const spacesMax = 40

const valueSet = charSet('A-Z', 'a-z', '0-9', ' -./')
const valueUnitsMax = 24
const signsMin = 6
const digitsMin = 4

/** Adds these messages to the detector of numbers that only their name gives away. */
export function withMessages(detector: Detector): Detector {
  return {
    ...detector,
    anchors: [...detector.anchors, { literal: segment }, ...schemeCodes.map((code) => ({ literal: `>${code}<` }))],
    match(text, at, context) {
      if (codeAt(text, at) === 62) return beforeScheme(text, at)
      return text.startsWith(segment, at) ? inSegment(text, at) : detector.match(text, at, context)
    },
    hits: () => [
      ...detector.hits(),
      'PID|1||77120^^^H^MR~536228' + '726^^^USSSA^SS||KELLER^INES||19770210|F',
      'PID|1||||KÉLLER^INÈS|||||||||||||' + '|536228726|D12345' + '62^CA',
      'PID|1||||KELLER^RAPID|||||||||||||' + '|536228726|D12345' + '62^CA',
      '<PrvtId><Othr><Id>85031' + '228717</Id><SchmeNm><Cd>NIDN</Cd></SchmeNm></Othr></PrvtId>',
      '<ns2:Id>XY49' + '31572</ns2:Id>\n  <ns2:SchmeNm>\n    <ns2:Cd>CCPT</ns2:Cd>'
    ],
    misses: () => [
      ...detector.misses(),
      'PID|1||77120044^^^H^MR||KELLER^INES||19770210|F',
      'RAPID|1||536228' + '726^^^USSSA^SS',
      'PID|1||536228\n726^^^USSSA^SS',
      '<Id>85031' + '228717</Id><SchmeNm><Cd>CUST</Cd></SchmeNm>',
      '<Id></Id><SchmeNm><Cd>NIDN</Cd></SchmeNm>'
    ]
  }
}

/** The identifiers of the patient in the segment at `at`, as a chain. */
function inSegment(text: string, at: number): Match | undefined {
  if (!opensSegment(text, at)) return undefined
  const line = text.slice(at, segmentEnd(text, at))
  let found: Match | undefined
  let from = at
  const places: [start: number, end: number][] = []
  line.split('|').forEach((field, index) => {
    if (listFields.includes(index)) places.push(...identifiersIn(field, from))
    if (ownFields.includes(index)) places.push([from, from + endOf(field, '^')])
    from += field.length + 1
  })
  for (const [start, end] of places.toReversed())
    if (isNumber(text, start, end))
      found = { start, end, confidence: 'medium', byContext: true, ...(found && { next: found }) }
  return found
}

/** Whether a segment begins at `at`, and no field ends in its name: `KELLER^RAPID|`. */
function opensSegment(text: string, at: number): boolean {
  return text.startsWith(segment, at) && !inSet(wordSet, codeAt(text, at - 1))
}

/** Where the line ends, or another segment begins: each unit belongs to one. */
function segmentEnd(text: string, at: number): number {
  const limit = Math.min(text.length, at + segmentUnitsMax)
  let end = at + segment.length
  while (end < limit && !inSet(lineBreakSet, text.charCodeAt(end)) && !opensSegment(text, end)) end++
  return Math.min(end, text.length)
}

/** Where the identifiers with a code of interest are in a field that begins at `from`. */
function identifiersIn(field: string, from: number): [start: number, end: number][] {
  const found: [number, number][] = []
  let at = from
  for (const repetition of field.split('~')) {
    const type = repetition.split('^')[typeComponent] ?? ''
    if (hl7Types.includes(type) || type.startsWith('NN')) found.push([at, at + endOf(repetition, '^')])
    at += repetition.length + 1
  }
  return found
}

function endOf(field: string, separator: string): number {
  const end = field.indexOf(separator)
  return end < 0 ? field.length : end
}

/** The number in the element `Id` before the scheme whose code stands behind `at`. */
function beforeScheme(text: string, at: number): Match | undefined {
  const limit = Math.max(0, at - schemeReach)
  const before = text.slice(limit, at)
  const close = before.lastIndexOf('Id>')
  const end = before.lastIndexOf('<', close)
  if (close < 0 || before.charAt(end + 1) !== '/') return undefined
  const start = before.lastIndexOf('Id>', end) + 'Id>'.length
  if (start < 'Id>'.length) return undefined
  const from = runEnd(text, limit + start, spaceSet, spacesMax)
  const to = runStart(text, limit + end, spaceSet, spacesMax)
  return isNumber(text, from, to) ? { start: from, end: to, confidence: 'medium', byContext: true } : undefined
}

/** Whether `[start, end)` may be an identifier: letters and digits, at least four of them digits and not all the same. */
function isNumber(text: string, start: number, end: number): boolean {
  if (end - start < signsMin || runEnd(text, start, valueSet, valueUnitsMax) !== end) return false
  return countOf(text, start, end, digitSet) >= digitsMin && !isFlat(text.slice(start, end))
}
