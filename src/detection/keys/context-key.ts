/**
 * Keys without a prefix of their own, known by a vendor's name before them: `DATADOG_API_KEY=...`,
 * `"datadogApiKey": "..."`, `twilio token ...`. The names are the only anchors, so a text that names no vendor costs
 * nothing, however many vendors share one shape of key.
 */
import { wordGuard, type ValueUnits } from '../anchor-guard.ts'
import {
  anyBase64Set,
  base64Set,
  type CharSet,
  codeAt,
  countOf,
  digitSet,
  hexSet,
  inSet,
  leftClear,
  letterSet,
  lowerSet,
  padSet,
  rightClear,
  runEnd,
  runStart,
  standsAt,
  upperSet,
  wordSet
} from '../text/chars.ts'
import { isWholeWord } from '../text/whole-word.ts'
import { anyText, type Detector, type Match, type TextContext } from '../detector.ts'
import type { Confidence, Tier } from '../findings.ts'
import { anchorsOf, matchForms, type KeyForm } from './fixed-key.ts'
import { looksGenerated } from './generated.ts'
import { NextOf } from '../text/next-of.ts'
import { WordList } from '../text/word-list.ts'
import { keyWordList, keyWords, leadUnitsMax, valueStart } from './context-value.ts'
import { longestRun } from '../validators/digits.ts'

/** One written form of a key, with the names that identify its vendor. */
export interface ContextForm {
  /**
   * In lower case. They match in any case, as a whole word or as part of a camelCase, snake_case or kebab-case name.
   */
  readonly names: readonly string[]
  /** The alphabet of the value. It should not contain `=`, which precedes values; see `padding`. */
  readonly set: CharSet
  /** The least and the most code units of the value, without padding. */
  readonly min: number
  readonly max: number
  /** The most `=` that may follow the value as its padding. */
  readonly padding?: number
  /**
   * Judges the value. Default: `medium` if {@link looksGenerated}, otherwise no match. A judge replaces that test, so it
   * must not accept every text.
   */
  judge?(value: string): Confidence | undefined
  /** The name alone is enough. Without it, a word such as key, token or secret must stand nearby as well. */
  readonly bare?: true
  readonly tier?: Tier
}

type Parts = Pick<Detector, 'id' | 'label' | 'title' | 'hits' | 'misses' | 'source'> & {
  /** Default `high`. */
  readonly tier?: Tier
}

/** First letters of the words that may be glued to a name (`herokuapikey`), and the `s` of a plural. */
const tailLetters = `s${keyWords.map((word) => word.charAt(0)).join('')}`
/** Words between name and value that say that the value is something else. */
const otherWords = new WordList([
  'sha',
  'md5',
  'commit',
  'digest',
  'checksum',
  'hash',
  'integrity',
  'etag',
  'revision',
  'fingerprint',
  'accessor',
  'public'
])
const dummyWords = new WordList([
  'xxxx',
  'example',
  'sample',
  'placeholder',
  'changeme',
  'your',
  'dummy',
  'redacted',
  'insert'
])

/** One character this often in a row was typed to fill a gap. */
const filledMin = 5

/** The detector of a secret that only a name identifies. */
export function contextKeyDetector(parts: Parts, ...forms: readonly ContextForm[]): Detector {
  return { ...keyOrContextDetector(parts, [], forms), contextOnly: true }
}

/** The detector of a secret that has forms with a prefix as well as forms that only a name identifies. */
export function keyOrContextDetector(
  parts: Parts,
  keyForms: readonly KeyForm[],
  contextForms: readonly ContextForm[]
): Detector {
  const byForm = matchForms(keyForms)
  const byName = matchContextForms(contextForms)
  return {
    tier: 'high',
    ...parts,
    group: 'secret',
    lengthMin: Math.min(
      ...keyForms.map((form) => form.prefix.length + form.min),
      ...contextForms.map((form) => form.min + Math.min(...form.names.map((name) => name.length)))
    ),
    anchors: [...anchorsOf(keyForms), ...contextAnchors(contextForms)],
    match: (text, at, context) => byForm(text, at) ?? byName(text, at, context)
  }
}

export function contextAnchors(forms: readonly ContextForm[]): Detector['anchors'] {
  const beforeValue = unitsOfAll(forms)
  return [...new Set(forms.flatMap((form) => form.names))].map((literal) => ({
    literal,
    fold: true,
    guard: wordGuard(literal, tailLetters, beforeValue, literal.length > hashUnitsMax)
  }))
}

/** How long a run of base64 letters all values of some forms contain, for the anchor guard to look for one. */
function unitsOfAll(forms: readonly ContextForm[]): ValueUnits | undefined {
  if (!forms.every(({ set }) => set.every((bit, code) => bit === 0 || anyBase64Set[code] === 1))) return undefined
  const min = Math.min(...forms.map((form) => form.min))
  return min >= 32 ? 32 : min >= 16 ? 16 : undefined
}

/** A context form with what is computed from it once. */
interface NamedForm extends ContextForm {
  /** The alphabet of the value and that of names, together. */
  readonly wide: CharSet
  /** Finds the end of a run of value letters, without reading a run again for each of many names within it. */
  readonly rest: NextOf
}

/** A matcher that is called at a name. Given the number of the text, it reuses what it read for earlier names. */
export function matchContextForms(
  forms: readonly ContextForm[]
): (text: string, at: number, context?: TextContext) => Match | undefined {
  const named = forms.map((form): NamedForm => ({
    ...form,
    wide: form.set.map((bit, code) => bit | (wordSet[code] as number)),
    rest: new NextOf(form.set, 'notIn')
  }))
  return (text, at, { textNumber } = anyText) => {
    for (let i = 0; i < named.length; i++) {
      const form = named[i] as NamedForm
      const nameEnd = ownNameEnd(text, at, form.names)
      if (nameEnd < 0) continue
      const match = judged(text, at, nameEnd, form, textNumber)
      if (match !== undefined) return match
    }
    return undefined
  }
}

/** The end of the first of `names` that stands at `at` as a word of its own; -1 if none does. */
function ownNameEnd(text: string, at: number, names: readonly string[]): number {
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string
    if (standsAt(text, at, name) && isOwnWord(text, at, at + name.length)) return at + name.length
  }
  return -1
}

function judged(text: string, at: number, nameEnd: number, form: NamedForm, textNumber: number): Match | undefined {
  const start = valueStart(text, nameEnd, form, textNumber)
  if (start < 0) return undefined
  const bodyEnd = form.rest.at(text, start, Math.min(text.length, start + form.max + 1), textNumber)
  if (bodyEnd - start < form.min || bodyEnd - start > form.max || !rightClear(text, bodyEnd, form.wide))
    return undefined
  if (isPartOfBase64(text, start, bodyEnd)) return undefined
  const end = form.padding === undefined ? bodyEnd : runEnd(text, bodyEnd, padSet, form.padding)
  // `...nn=a3h0...`: what would be left of a longer value.
  if (end > bodyEnd && inSet(form.wide, codeAt(text, end))) return undefined
  const value = text.slice(start, end)
  // The rest of a URL, from the last label of its host on.
  if (text.charCodeAt(start - 1) === 46 && value.includes('/')) return undefined
  if (dummyWords.standsIn(text, start, end) || longestRun(value, 0) >= filledMin) return undefined
  const confidence = form.judge === undefined ? (looksGenerated(value) ? 'medium' : undefined) : form.judge(value)
  if (confidence === undefined) return undefined
  const lead = Math.max(0, at - leadUnitsMax)
  if (form.bare !== true && !keyWordList.standsIn(text, lead, start) && !saysPat(text, lead, start)) return undefined
  if (otherWords.standsIn(text, nameEnd, start)) return undefined
  return { start, end, confidence, byContext: true, ...(form.tier && { tier: form.tier }) }
}

/**
 * Whether a plus sign or slash joins `[start, end)` to more base64, so that it is a part of a longer value. Ordinary words
 * there are those of a path, or a user: `/v1/...`, `.../files`, `ops/...`. A part in one case, as hexadecimal digits are,
 * is no chance.
 */
function isPartOfBase64(text: string, start: number, end: number): boolean {
  if (countOf(text, start, end, upperSet) === 0 || countOf(text, start, end, lowerSet) === 0) return false
  const before = isJoint(text, start - 1) ? runStart(text, start - 1, base64Set, besideUnitsMax) : start
  const behind = isJoint(text, end) ? runEnd(text, end + 1, base64Set, besideUnitsMax) : end
  return looksCut(text.slice(before, start - 1)) || looksCut(text.slice(end + 1, behind))
}

/** A few letters look generated by chance: `v1`, `x`. */
const looksCut = (beside: string): boolean => beside.length >= besideUnitsMin && looksGenerated(beside)

function isJoint(text: string, at: number): boolean {
  const code = codeAt(text, at)
  return code === 43 || code === 47
}
/** How much beside a value is looked at. */
const besideUnitsMin = 4
const besideUnitsMax = 24

/** Whether the text has the segment `pat`, for personal access token: `GITLAB_PAT` does, `path` does not. */
function saysPat(text: string, start: number, end: number): boolean {
  const around = text.slice(start, end).toLowerCase()
  const at = around.indexOf('pat')
  return at >= 0 && !inSet(letterSet, around.charCodeAt(at + 3))
}

/** So few letters behind a digit are part of a hash rather than a name. */
const hashUnitsMax = 4

/** Whether `[start, end)` is a whole word, or one to which `key`, `token` and the like are glued (`herokuapikey`). */
function isOwnWord(text: string, start: number, end: number): boolean {
  const before = codeAt(text, start - 1)
  if (inSet(digitSet, before) && end - start <= hashUnitsMax) return false
  if (isWholeWord(text, start, end)) return true
  const isFirst =
    leftClear(text, start, letterSet) || (inSet(lowerSet, before) && inSet(upperSet, text.charCodeAt(start)))
  if (!isFirst) return false
  if (!inSet(letterSet, codeAt(text, end))) return true
  return keyWordList.beginsAt(text, end, end + 6)
}

const uuidDashes = [8, 13, 18, 23]

/** A judge for values that are UUIDs. Use it with the alphabet `uuidSet` and `min` and `max` of 36. */
export function uuidJudge(value: string): Confidence | undefined {
  return value.length === 36 &&
    uuidDashes.every((at) => value[at] === '-') &&
    countOf(value, 0, 36, hexSet) === 32 &&
    countOf(value, 0, 36, digitSet) < 32
    ? 'medium'
    : undefined
}

const nameJoints = ['', '_', '-', ' ']
/** With the dot that joins the names of settings: `spring.ai.azure.openai.api-key`. */
export const settingJoints = [...nameJoints, '.']

/** The spellings of a name of several words: `azureopenai`, `azure_openai`, `azure-openai`, `azure openai`. */
export function spellings(name: string, joints: readonly string[] = nameJoints): string[] {
  return joints.map((joint) => name.split(' ').join(joint))
}
