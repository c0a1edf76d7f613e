/** The kinds that traffic is scanned for, by the service and by its sensors alike. */
import { withoutLoneNumbers } from '../numbers/lone-numbers.ts'
import { builtInDetectors } from './index.ts'

/** All built-in kinds; a number that stands alone in traffic is a size or a date, and not somebody's. */
export const trafficDetectors = withoutLoneNumbers(builtInDetectors)
