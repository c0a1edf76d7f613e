/**
 * National identifiers of all regions. They are high and strong only beside a word that names them; digits alone never
 * block.
 */
import type { Detector } from '../../detector.ts'
import { africaMideastIdDetectors } from './africa-mideast.ts'
import { americasIdDetectors } from './americas.ts'
import { canadaIdDetectors } from './canada.ts'
import { asiaIdDetectors } from './asia.ts'
import { eastEuropeIdDetectors } from './europe-east.ts'
import { germanIdDetectors } from './germany.ts'
import { letteredIdDetectors } from './lettered-ids.ts'
import { northEuropeIdDetectors } from './europe-north.ts'
import { oceaniaIdDetectors } from './oceania.ts'
import { westEuropeIdDetectors } from './europe-west.ts'
import { taxIdDetectors } from './tax-ids.ts'
import { unitedStatesIdDetectors } from './united-states.ts'

export const nationalIdDetectors: readonly Detector[] = [
  ...unitedStatesIdDetectors,
  ...americasIdDetectors,
  ...canadaIdDetectors,
  ...westEuropeIdDetectors,
  ...germanIdDetectors,
  ...letteredIdDetectors,
  ...northEuropeIdDetectors,
  ...eastEuropeIdDetectors,
  ...asiaIdDetectors,
  ...oceaniaIdDetectors,
  ...africaMideastIdDetectors,
  ...taxIdDetectors
]
