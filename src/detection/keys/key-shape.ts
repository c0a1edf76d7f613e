/**
 * Keys made of several parts: a prefix, runs of fixed or bounded length, and literal separators between them. For a
 * prefix and one run, `fixed-key.ts` is enough.
 */
import type { Guard } from '../anchor-guard.ts'
import {
  base62Set,
  base64Set,
  codeAt,
  inSet,
  isLineStart,
  leftClear,
  rightClear,
  runEnd,
  runStart,
  wordSet,
  type CharSet
} from '../text/chars.ts'
import { contextAnchors, matchContextForms, type ContextForm } from './context-key.ts'
import { anyText, type Detector, type Match, type TextContext } from '../detector.ts'
import type { Confidence, Tier } from '../findings.ts'
import { byHead, guarded, headAt } from './fixed-key.ts'
import { filler } from '../sample-text.ts'
import { NextOf } from '../text/next-of.ts'

/** A run of `min` to `max` characters of a set (`max` defaults to `min`), or a literal. */
export type KeyPart = string | readonly [set: CharSet, min: number, max?: number]

/** One written form of a key in parts. */
export interface ShapedForm {
  /** The literal that the key begins with, which is its anchor. */
  readonly prefix: string
  readonly parts: readonly KeyPart[]
  /** What may not stand before the key. Default: word characters. */
  readonly left?: CharSet
  /** Judges the whole key, `[start, end)`. Default: `strong`; undefined is no match. */
  judge?(text: string, start: number, end: number): Confidence | undefined
  readonly tier?: Tier
}

type Proof = Pick<Detector, 'id' | 'label' | 'title' | 'source'> & {
  readonly tier?: Tier
  /** Hits beside those that are generated from the forms. */
  hits?(): readonly string[]
  misses(): readonly string[]
}

/** The detector of a secret that its forms identify. One hit is generated from each form. */
export function shapedDetector(proof: Proof, forms: readonly ShapedForm[]): Detector {
  return {
    tier: 'high',
    ...proof,
    group: 'secret',
    lengthMin: Math.min(...forms.map(lengthMinOf)),
    anchors: forms.map((form) => ({ literal: form.prefix, guard: guardOf(form) })),
    match: matchShapes(forms),
    hits: () => [...forms.map((form) => sampleOf(form)), ...(proof.hits?.() ?? [])]
  }
}

/** The detector of a secret that has forms with a prefix as well as forms that only a vendor's name identifies. */
export function shapedOrNamedDetector(
  proof: Proof & { hits(): readonly string[] },
  forms: readonly ShapedForm[],
  names: readonly ContextForm[]
): Detector {
  const byShape = matchShapes(forms)
  const byName = matchContextForms(names)
  const shaped = shapedDetector(proof, forms)
  return {
    ...shaped,
    lengthMin: Math.min(
      shaped.lengthMin ?? Infinity,
      ...names.map((form) => form.min + Math.min(...form.names.map((name) => name.length)))
    ),
    anchors: [...shaped.anchors, ...contextAnchors(names)],
    match: (text, at, context) => byShape(text, at, context) ?? byName(text, at, context)
  }
}

function guardOf({ left = wordSet, parts }: ShapedForm): Guard {
  const [first] = parts
  if (first === undefined || typeof first === 'string') return { notBefore: left }
  return { notBefore: left, behind: first[0], behindUnits: first[1] }
}

function lengthMinOf(form: ShapedForm): number {
  return form.parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : part[1]), form.prefix.length)
}

/** A matcher for keys that begin at their anchor. Given the number of the text, it reads long runs once. */
export function matchShapes(
  forms: readonly ShapedForm[]
): (text: string, at: number, context?: TextContext) => Match | undefined {
  const table = byHead(forms)
  return (text, at, { textNumber } = anyText) => {
    const alike = table.get(headAt(text, at))
    if (alike === undefined) return undefined
    for (const form of alike) {
      const match = matchShape(form, text, at, textNumber)
      if (match !== undefined) return match
    }
    return undefined
  }
}

function matchShape(form: ShapedForm, text: string, at: number, textNumber: number): Match | undefined {
  if (!text.startsWith(form.prefix, at) || !leftClear(text, at, form.left ?? wordSet)) return undefined
  const end = partsEnd(text, at + form.prefix.length, form.parts, textNumber)
  if (end < 0 || isDigestValue(text, at)) return undefined
  const confidence = form.judge === undefined ? 'strong' : form.judge(text, at, end)
  if (confidence === undefined) return undefined
  return guarded(text, { start: at, end, confidence, ...(form.tier && { tier: form.tier }) })
}

/** Whether the value is the digest of a file in base64url, which may begin like any key: `sha256=glc_...`, `h1:...`. */
function isDigestValue(text: string, at: number): boolean {
  const sign = text.charCodeAt(at - 1)
  if (sign !== 61 && sign !== 45 && sign !== 58) return false
  const name = text.slice(Math.max(0, at - 7), at - 1).toLowerCase()
  return name.endsWith('h1') || digestNames.some((one) => name.endsWith(one))
}
const digestNames = ['sha1', 'sha256', 'sha384', 'sha512']

/**
 * Where a value made of these parts ends; -1 if it is not one.
 * @param textNumber identifies the text, so that a long run in which many prefixes stand is read once; 0 for none
 */
export function partsEnd(text: string, from: number, parts: readonly KeyPart[], textNumber = 0): number {
  let at = from
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as KeyPart
    if (typeof part === 'string') {
      if (!text.startsWith(part, at)) return -1
      at += part.length
      continue
    }
    const [set, min, max = min] = part
    // A part before the last may be followed by more of its own set, if the next separator begins with one.
    const unitsMax = i < parts.length - 1 && max === min ? max : max + 1
    const end =
      unitsMax > longRunUnits
        ? endOfRun(set).at(text, at, Math.min(text.length, at + unitsMax), textNumber)
        : runEnd(text, at, set, unitsMax)
    const to = i === parts.length - 1 ? withoutFullStop(text, at + min, end, set) : end
    if (to - at < min || to - at > max) return -1
    at = to
  }
  return rightClear(text, at, wordSet) ? at : -1
}

/** Drops the full stop of a sentence behind a value that may contain dots. */
function withoutFullStop(text: string, endMin: number, end: number, set: CharSet): number {
  return end > endMin && text.charCodeAt(end - 1) === 46 && !inSet(set, codeAt(text, end)) ? end - 1 : end
}

/** Longer runs may have many prefixes in them. */
const longRunUnits = 128
const runEnds = new Map<CharSet, NextOf>()

/** Finds the ends of runs of a set, and remembers the last one. */
function endOfRun(set: CharSet): NextOf {
  const known = runEnds.get(set)
  if (known !== undefined) return known
  const made = new NextOf(set, 'notIn')
  runEnds.set(set, made)
  return made
}

/** A made-up key of this form, the same for the same seed. */
export function sampleOf(form: ShapedForm, seed = 7): string {
  let out = form.prefix
  for (const part of form.parts)
    out += typeof part === 'string' ? part : filler(part[1], lettersOf(part[0]), seed + out.length)
  return out
}

/** The letters and digits of a set. */
function lettersOf(set: CharSet): string {
  let out = ''
  for (let code = 48; code < 123; code++) if (set[code] === 1 && base62Set[code] === 1) out += String.fromCharCode(code)
  return out
}

/** The parts of a UUID: 8-4-4-4-12 characters of `set`. */
export function uuidParts(set: CharSet): readonly KeyPart[] {
  return [[set, 8], '-', [set, 4], '-', [set, 4], '-', [set, 4], '-', [set, 12]]
}

/** Whether a value has upper case, lower case and digits; names in code rarely have all three. */
export function isMixed(text: string, start: number, end: number): boolean {
  let kinds = 0
  for (let i = start; i < end && kinds < 7; i++) {
    const code = text.charCodeAt(i)
    kinds |= code >= 48 && code <= 57 ? 1 : code >= 65 && code <= 90 ? 2 : code >= 97 && code <= 122 ? 4 : 0
  }
  return kinds === 7
}

const blobUnits = 48

/**
 * Whether base64 stands right before the key, 48 units of it or a `+`, so that the key is only part of a longer value.
 * The `+` that begins a line is that of a changed line in a diff.
 */
export function isInsideBase64(text: string, start: number): boolean {
  if (text.charCodeAt(start - 1) === 43) return !isLineStart(text, start - 1)
  const end = start - breakUnits(text, start)
  return end - runStart(text, end, base64Set, blobUnits) === blobUnits
}

/** The length of a line break before `start`, as markup writes it within an attribute: `&#10;`. */
function breakUnits(text: string, start: number): number {
  return lineBreaks.find((one) => text.startsWith(one, start - one.length))?.length ?? 0
}
const lineBreaks = ['&#10;', '&#xA;', '&#xa;']

/** Whether a value has both a digit and a letter. What follows a prefix in an ordinary word or name does not. */
export function hasDigitAndLetter(text: string, start: number, end: number): boolean {
  let kinds = 0
  for (let i = start; i < end && kinds < 3; i++) {
    const code = text.charCodeAt(i)
    kinds |= code >= 48 && code <= 57 ? 1 : (code >= 65 && code <= 90) || (code >= 97 && code <= 122) ? 2 : 0
  }
  return kinds === 3
}

/** A judge for forms whose prefix also begins ordinary words: a random key has a digit and a letter. */
export const withDigit = (text: string, start: number, end: number): Confidence | undefined =>
  hasDigitAndLetter(text, start, end) ? 'strong' : undefined

/** A judge for values without a form, beside the name of their service. */
export const digitAndLetterJudge = (value: string): Confidence | undefined =>
  hasDigitAndLetter(value, 0, value.length) ? 'medium' : undefined
