/**
 * Secrets that the service knows by value, above all its own credentials, found in every encoding in which a program is
 * likely to write them.
 */
import { base64Alphabet } from '../text/base64-text.ts'
import { base64Set, base64UrlSet } from '../text/chars.ts'
import { knownCredentialKind } from './added-kinds.ts'
import { isId } from './patterns.ts'
import type { Detector, Match } from '../detector.ts'

export interface KnownValue {
  /** The kind of a finding. Default: `known_credential`. */
  readonly kind?: string
  readonly value: string
}

/** Shorter values occur in ordinary text by chance. */
const knownUnitsMin = 8
/** Length of the part of an encoded form that the anchor search looks for. The matcher compares the rest. */
const anchorUnitsMax = 24

/**
 * The detectors of known values, one per kind. Values of fewer than 8 code units are ignored.
 * @throws RangeError for a kind that is not an id
 */
export function knownValueDetectors(known: readonly KnownValue[]): Detector[] {
  const byKind = new Map<string, Form[]>()
  for (const { kind = knownCredentialKind.id, value } of known) {
    if (!isId(kind))
      throw new RangeError('The kind of a known value is not made of small letters, digits and underscores.')
    if (value.length < knownUnitsMin) continue
    const forms = byKind.get(kind) ?? []
    byKind.set(kind, forms)
    forms.push(...formsOf(value))
  }
  return [...byKind].map(([kind, forms]) => detectorOf(kind, forms))
}

/** Adds the kind that is found by value to other kinds. */
export function withValues(detectors: readonly Detector[], values: readonly string[]): readonly Detector[] {
  return [...detectors, ...knownValueDetectors(values.map((value) => ({ value })))]
}

interface Form {
  readonly text: string
  /** Whether the form is base64, so that the letters next to it may hold bits of the value as well. */
  readonly encoded: boolean
}

function detectorOf(kind: string, forms: readonly Form[]): Detector {
  const byAnchor = new Map<string, Form[]>()
  for (const form of forms) {
    const anchor = form.text.slice(0, anchorUnitsMax)
    const known = byAnchor.get(anchor) ?? []
    if (!known.some((one) => one.text === form.text)) byAnchor.set(anchor, [...known, form])
  }
  const anchors = [...byAnchor.keys()]
  const heads = new Map<number, Map<string, Form[]>>()
  for (const [anchor, list] of byAnchor) {
    const byText = heads.get(anchor.length) ?? new Map<string, Form[]>()
    heads.set(anchor.length, byText.set(anchor, list))
  }
  return {
    ...knownCredentialKind,
    id: kind,
    label: kind.toUpperCase(),
    anchors: anchors.map((literal) => ({ literal })),
    match(text, at) {
      let longest: Form | undefined
      for (const [length, byText] of heads) {
        for (const form of byText.get(text.slice(at, at + length)) ?? [])
          if (form.text.length > (longest?.text.length ?? 0) && text.startsWith(form.text, at)) longest = form
      }
      return longest === undefined ? undefined : place(text, at, longest)
    },
    // An allow pattern is compared with the hits of a detector, and whoever publishes patterns could spell out a value
    // by what is refused.
    hits: () => [],
    misses: () => [],
    source: 'The configuration of the program that scans.'
  }
}

function place(text: string, at: number, form: Form): Match {
  let start = at
  let end = at + form.text.length
  if (form.encoded) {
    if (isBase64(text.charCodeAt(start - 1))) start--
    if (isBase64(text.charCodeAt(end))) end++
  }
  return { start, end, confidence: 'certain' }
}

function isBase64(code: number): boolean {
  return base64Set[code] === 1 || base64UrlSet[code] === 1
}

/**
 * All encodings of a value: plain, in a JSON string, in a URL, and in base64 at each of the three offsets within a
 * group of bytes.
 */
function formsOf(value: string): Form[] {
  const json = JSON.stringify(value).slice(1, -1)
  const url = encodeURIComponent(value)
  const plain = new Set([value, json, json.replaceAll('/', '\\/'), url, lowerEscapes(url), strictUrl(value)])
  const bytes = utf8(value)
  const encoded = new Set<string>()
  for (const shift of [0, 1, 2]) {
    const core = base64Core(bytes, shift)
    encoded.add(core).add(core.replaceAll('+', '-').replaceAll('/', '_'))
  }
  return [
    ...[...plain].map((text) => ({ text, encoded: false })),
    ...[...encoded].map((text) => ({ text, encoded: true }))
  ]
}

/** The same URL with lower-case escapes: `%2f` for `%2F`. */
function lowerEscapes(url: string): string {
  let out = ''
  for (let i = 0; i < url.length; i++) {
    if (url.charCodeAt(i) !== 37) out += url.charAt(i)
    else {
      out += url.slice(i, i + 3).toLowerCase()
      i += 2
    }
  }
  return out
}

/** URL encoding that escapes every character except the unreserved ones of RFC 3986. */
function strictUrl(value: string): string {
  let out = encodeURIComponent(value)
  for (const one of "!'()*") out = out.replaceAll(one, '%' + one.charCodeAt(0).toString(16).toUpperCase())
  return out
}

function utf8(value: string): number[] {
  const escaped = encodeURIComponent(value)
  const bytes: number[] = []
  for (let i = 0; i < escaped.length; i++) {
    if (escaped.charCodeAt(i) !== 37) bytes.push(escaped.charCodeAt(i))
    else {
      bytes.push(Number.parseInt(escaped.slice(i + 1, i + 3), 16))
      i += 2
    }
  }
  return bytes
}

/** The base64 letters that depend on `bytes` alone if `shift` other bytes precede them in their group of three. */
function base64Core(bytes: readonly number[], shift: number): string {
  const first = Math.ceil((shift * 8) / 6)
  const last = Math.floor(((shift + bytes.length) * 8) / 6)
  const bit = (index: number): number => {
    const byte = bytes[(index >> 3) - shift] ?? 0
    return (byte >> (7 - (index & 7))) & 1
  }
  let out = ''
  for (let letter = first; letter < last; letter++) {
    let value = 0
    for (let i = letter * 6; i < letter * 6 + 6; i++) value = value * 2 + bit(i)
    out += base64Alphabet.charAt(value)
  }
  return out
}
