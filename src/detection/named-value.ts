/** Values that only their name gives away: `dob: 1985-03-12`, `"cvv": "123"`. */
import { inSet, lowerSet, upperSet, wordSet } from './chars.ts'
import { isWholeWord } from './context-words.ts'
import type { Detector, Match } from './detector.ts'
import type { Confidence, Group, Tier } from './findings.ts'

export interface NamedValue extends Pick<Detector, 'id' | 'label' | 'title' | 'hits' | 'misses' | 'source'> {
  readonly group: Group
  readonly tier: Tier
  readonly confidence?: Confidence
  /** Words before the value, lower case. A blank also stands for `_`, `-` and nothing. */
  readonly names: readonly string[]
  /** The end of the value that starts at a place, or -1. It looks at a bounded stretch. */
  read(text: string, at: number): number
}

/** How far behind its name a value may start. */
const gapUnitsMax = 28

/** Whether a place is in the midst of a word, or of parts that a dash, dot or slash joins. */
function isInside(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  if (inSet(wordSet, before)) return true
  return (before === 45 || before === 46 || before === 47) && inSet(wordSet, text.charCodeAt(at - 2))
}

/** What stands between the words of a name: keys and headings spell it in all these ways. */
const joints = [' ', '_', '-', '']

/** The detector of a value that stands shortly behind its name, on the same line. */
export function namedValue(parts: NamedValue): Detector {
  const names = parts.names.flatMap((name) =>
    name.includes(' ') ? joints.map((joint) => name.replaceAll(' ', joint)) : [name]
  )
  const longest = Math.max(...names.map((name) => name.length))
  const confidence = parts.confidence ?? 'strong'
  return {
    ...parts,
    lengthMin: 4,
    anchors: names.map((literal) => ({ literal, fold: true })),
    match(text, at): Match | undefined {
      if (inSet(lowerSet, text.charCodeAt(at - 1)) && !inSet(upperSet, text.charCodeAt(at))) return undefined
      const head = text.slice(at, at + longest).toLowerCase()
      const name = names.find((one) => head.startsWith(one))
      if (name === undefined || !isWholeWord(text, at, at + name.length)) return undefined
      const from = at + name.length
      for (let i = from; i < from + gapUnitsMax && i < text.length; i++) {
        const code = text.charCodeAt(i)
        if (code === 10) return undefined
        if (!inSet(wordSet, code) || isInside(text, i)) continue
        const end = parts.read(text, i)
        if (end > i && !inSet(wordSet, text.charCodeAt(end))) return { start: i, end, confidence, byContext: true }
      }
      return undefined
    }
  }
}
