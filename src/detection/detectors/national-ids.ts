/**
 * National identifiers of all regions. They are high and strong only beside a word that names them; digits alone never
 * block.
 */
import type { Detector } from '../detector.ts'
import { africaMideastIdDetectors } from './national-ids-africa-mideast.ts'
import { americasIdDetectors } from './national-ids-americas.ts'
import { canadaIdDetectors } from './national-ids-canada.ts'
import { asiaPacificIdDetectors } from './national-ids-asia-pacific.ts'
import { eastEuropeIdDetectors } from './national-ids-europe-east.ts'
import { letteredIdDetectors } from './national-ids-lettered.ts'
import { northEuropeIdDetectors } from './national-ids-europe-north.ts'
import { westEuropeIdDetectors } from './national-ids-europe-west.ts'
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
