/**
 * National identifiers of all regions. They are high and strong only beside a word that names them; digits alone never
 * block.
 */
import type { Detector } from '../../detector.ts'
import { africaMideastIdDetectors } from './africa-mideast.ts'
import { americasIdDetectors } from './americas.ts'
import { canadaIdDetectors } from './canada.ts'
import { asiaPacificIdDetectors } from './asia-pacific.ts'
import { eastEuropeIdDetectors } from './europe-east.ts'
import { letteredIdDetectors } from './lettered-ids.ts'
import { northEuropeIdDetectors } from './europe-north.ts'
import { westEuropeIdDetectors } from './europe-west.ts'
import { taxIdDetectors } from './tax-ids.ts'

export const nationalIdDetectors: readonly Detector[] = [
  ...americasIdDetectors,
  ...canadaIdDetectors,
  ...westEuropeIdDetectors,
  ...letteredIdDetectors,
  ...northEuropeIdDetectors,
  ...eastEuropeIdDetectors,
  ...asiaPacificIdDetectors,
  ...africaMideastIdDetectors,
  ...taxIdDetectors
]
