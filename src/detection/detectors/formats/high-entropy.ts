/** Words that look random and have no name next to them. */
import { countOf, digitSet, hexSet, lowerSet, upperSet } from '../../text/chars.ts'
import type { Detector } from '../../detector.ts'
import { isPublicBlob } from '../../values/non-secret-formats.ts'
import { isDummyValue } from '../../values/generic-value.ts'
import { rarity } from '../../values/rarity.ts'
import { filler } from '../../sample-text.ts'

const unitsMin = 24
const unitsMax = 40
const bitsMin = 8.5

/** Weak on purpose: without a name, an id, a hash and a key look alike. The kind exists to be counted. */
const rareWord: Detector = {
  id: 'generic_high_entropy',
  label: 'RANDOM_VALUE',
  title: 'random value',
  group: 'secret',
  tier: 'low',
  lengthMin: unitsMin,
  anchors: [{ word: Array.from({ length: unitsMax - unitsMin + 1 }, (_, i) => unitsMin + i), mixed: true }],
  match(text, start, { wordEnd: end }) {
    if (countOf(text, start, end, hexSet) === end - start || isPublicBlob(text, start, end)) return undefined
    const mixed = countOf(text, start, end, upperSet) > 2 && countOf(text, start, end, lowerSet) > 2
    if (!mixed || countOf(text, start, end, digitSet) < 3 || rarity(text, start, end) < bitsMin) return undefined
    return isDummyValue(text, start, end) ? undefined : { start, end, confidence: 'weak' }
  },
  hits: () => [filler(12) + '937' + filler(17)],
  misses: () => [
    filler(40, '0123456789abcdef'),
    'getElementById123AndClassName456',
    'AAAAAAAAAAAAAAAAAAAAAAAA1234',
    '01ARZ3NDEKTSV4RRFFQ69G5FAV'
  ],
  source: 'The rarity table; measured against program text and made-up tokens.'
}

export const rareWordDetectors: readonly Detector[] = [rareWord]
