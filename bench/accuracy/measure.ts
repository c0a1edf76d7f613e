/** Measures how many of the values in the frames the scanner masks or blocks with the standard profile. */
import { createScanner } from '../../src/detection/scanner.ts'
import { compileProfile } from '../../src/policy/redaction/decide.ts'
import { standardProfile } from '../../src/policy/redaction/profile.ts'
import { looseText } from '../../src/policy/redaction/text-place.ts'
import { fillFrame, quietFamily, type Family, type FilledFrame } from './frames.ts'

/** How often each frame is filled: as often as the sort with the most shapes has shapes. */
export const variantsOfFrame = 8

export interface FamilyAccuracy {
  readonly name: string
  readonly frames: number
  /** Values that were planted, and how many of them are masked whole, in part, and not at all. */
  readonly values: number
  readonly whole: number
  readonly part: number
  readonly lost: number
  /** Findings acted on where there is no value. */
  readonly elsewhere: number
  /** The frames in which a value is lost or masked in part, and how many of their values. */
  readonly weak: readonly { readonly frame: string; readonly missed: number; readonly of: number }[]
  /** Texts with a finding where there is no value. */
  readonly alarms: readonly { readonly text: string; readonly kind: string }[]
}

type Acting = (text: string) => { readonly kind: string; readonly start: number; readonly end: number }[]

/** The scanner's findings that the standard profile acts on. */
function standardActing(): Acting {
  const scanner = createScanner()
  const profile = compileProfile(standardProfile, { blockHighRisk: true })
  return (text) => scanner.scan(text).filter((finding) => profile.decide(finding, looseText) !== 'allow')
}

/**
 * Fills all frames and scans them.
 * @param seed another seed gives other values of the same shapes
 */
export function measureFamilies(families: readonly Family[], seed = 1): FamilyAccuracy[] {
  const acting = standardActing()
  return families.map((family) => measureFamily(family, acting, seed))
}

function measureFamily({ name, frames }: Family, acting: Acting, seed: number): FamilyAccuracy {
  const counts = { values: 0, whole: 0, part: 0, lost: 0, elsewhere: 0 }
  const weak: { frame: string; missed: number; of: number }[] = []
  const alarms: { text: string; kind: string }[] = []
  frames.forEach((frame, number) => {
    let missed = 0
    let of = 0
    for (let variant = 0; variant < variantsOfFrame; variant++) {
      const filled = fillFrame(frame, variant, seed * 1_000_003 + number * variantsOfFrame + variant)
      const found = acting(filled.text)
      const values = quietFamily(name) ? [] : filled.values
      for (const value of values) {
        const covered = coverage(value, found)
        counts[covered === 1 ? 'whole' : covered === 0 ? 'lost' : 'part']++
        if (covered < 1) missed++
        of++
      }
      for (const finding of found) {
        if (values.some(({ start, end }) => finding.start < end && finding.end > start)) continue
        counts.elsewhere++
        alarms.push({ text: filled.text, kind: finding.kind })
      }
    }
    counts.values += of
    if (missed > 0) weak.push({ frame, missed, of })
  })
  return { name, frames: frames.length, ...counts, weak, alarms }
}

/** The share of a value that findings cover, from 0 to 1. Findings never overlap. */
function coverage({ start, end }: FilledFrame['values'][number], found: ReturnType<Acting>): number {
  const units = found.reduce((sum, one) => sum + Math.max(0, Math.min(end, one.end) - Math.max(start, one.start)), 0)
  return units / (end - start)
}
