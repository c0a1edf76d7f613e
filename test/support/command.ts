/** Which `sluice` command tests start. */
import { join } from 'node:path'

/**
 * The folder into which `npm test` has packed the package, once for all tests; undefined if a test file runs on its
 * own.
 */
export const packedFolder = process.env['TEST_SLUICE_PACKAGE']

/**
 * Operators run the packed command, and it starts in half the time of the sources, which matters with many hundred
 * starts. A single test file that runs on its own starts the sources.
 */
export const sluiceCommand = join(
  packedFolder === undefined ? join(import.meta.dirname, '..', '..') : join(packedFolder, 'package'),
  'bin',
  'sluice.mjs'
)
