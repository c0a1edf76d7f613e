/** How sure an identity number is, and how much it matters, by what names it. */
import type { Match } from '../detector.ts'
import type { Tier } from '../findings.ts'
import { WordList } from '../text/word-list.ts'
import { isMadeUp } from './chance-matches.ts'
import type { IdForm } from './id-forms.ts'

/** What is known of a value besides its place. */
interface IdValue {
  /** How it is written. */
  readonly way: IdForm
  /** The tier of its kind. */
  readonly tier: Tier
  readonly isNamed: boolean
}

/**
 * The match of a value. Without a name it is masked at most. With one it has the tier of its kind, unless the value is
 * a specimen.
 */
export function rated(text: string, start: number, end: number, value: IdValue): Match {
  const { way, tier, isNamed } = value
  const lowered = tier === 'high' ? 'medium' : tier
  if (!isNamed) return { start, end, confidence: 'medium', tier: lowered }
  return way.proof === 'none' || way.proof === 'ambiguous' || isMadeUp(text, start, end) || isShown(text, start)
    ? { start, end, confidence: 'medium', tier: lowered, byContext: true }
    : { start, end, confidence: 'strong', byContext: true }
}

const showingWords = new WordList(['valid', 'example', 'sample', 'dummy', 'fake', 'e.g.'])
const showingUnits = 40

/**
 * Whether a word shortly before says that the value is a specimen or an example of a valid one. Such a value is masked
 * at most.
 */
function isShown(text: string, start: number): boolean {
  return showingWords.standsIn(text, Math.max(0, start - showingUnits), start)
}
