/** The kinds that traffic is scanned for, by the service and by its sensors alike. */
import { withoutLoneNumbers } from '../numbers/lone-numbers.ts'
import { builtInDetectors } from './index.ts'

/** All built-in kinds, without lone numbers: in traffic those are sizes and dates rather than personal numbers. */
export const trafficDetectors = withoutLoneNumbers(builtInDetectors)
