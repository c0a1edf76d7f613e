/** The command `sluice` as tests start it. */
import { join } from 'node:path'

/** The folder into which `npm test` has packed the package, once for all tests; undefined where one file runs by itself. */
export const packedFolder = process.env['TEST_SLUICE_PACKAGE']

/**
 * What operators run is the command of the package, and it starts in half the time of the sources, which many hundred
 * starts feel. A single file of tests, run by itself, starts the sources.
 */
export const sluiceCommand = join(
  packedFolder === undefined ? join(import.meta.dirname, '..', '..') : join(packedFolder, 'package'),
  'bin',
  'sluice.mjs'
)
