/** Canada's social insurance number, whose abbreviation is a word in other languages. */
import type { Detector } from '../../detector.ts'
import { isWholeWord } from '../../text/whole-word.ts'
import { isPattern } from '../../numbers/chance-matches.ts'
import { idNumber } from '../../numbers/id-number.ts'
import { caSin } from '../../validators/americas.ts'

const sin = idNumber({
  id: 'ca_sin',
  label: 'CA_SIN',
  title: 'Canadian social insurance number',
  // Numbers are written in threes everywhere, and one in ten of them passes the check.
  ways: [{ forms: ['999-999-999', '999 999 999', '999999999'], check: caSin, proof: 'loose' }],
  // Bare `sin` is a function in mathematics and a preposition in Spanish, so the words must read as a name.
  words: [
    'sin:',
    'sin>',
    'sin =',
    'sin\\\\',
    'sin=',
    'sin"',
    "sin'",
    'sin;',
    'sin |',
    'sin nr',
    'n.a.s.',
    'sin number',
    'sin no',
    'sin is',
    'sin #',
    'social insurance',
    'soc. ins',
    'assurance sociale',
    'nas:',
    'nas ',
    'my sin',
    's.i.n'
  ],
  valid: ['985-65~2-163'],
  invalid: ['130 692~ 545', '046 454~ 286'],
  source: 'Employment and Social Development Canada: Luhn; first digit neither 0 nor 8.'
})

/** `SIN 130 692 544`: in capitals right before three groups, it is neither, and none of the names that are listened for. */
const insurance: Detector = {
  ...sin,
  anchors: sin.anchors.map((anchor) => ('shapes' in anchor ? { shapes: anchor.shapes } : anchor)),
  match(text, at, context) {
    const found = sin.match(text, at, context)
    if (found !== undefined || context.by !== 'number' || context.number.groups !== 3) return found
    if (!text.startsWith('SIN ', at - 4) || !isWholeWord(text, at - 4, at - 1)) return undefined
    const value = context.number.compact()
    return caSin(value) && !isPattern(value, 3)
      ? { start: at, end: context.number.end, confidence: 'strong', byContext: true }
      : undefined
  },
  hits: () => [...sin.hits(), `SIN ${['985', '652', '163'].join(' ')}`],
  misses: () => [...sin.misses(), `sin ${['985', '652', '163'].join(' ')}`, `ASIN ${['985', '652', '163'].join(' ')}`]
}

export const canadaIdDetectors: readonly Detector[] = [insurance]
