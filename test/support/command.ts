/** The command `sluice` as tests start it. */
import { join } from 'node:path'

/**
 * `npm test` names the command of a package that it has built: that is what operators run, and it starts in half the time
 * of the sources, which many hundred starts feel. A single file of tests, run by itself, starts the sources.
 */
export const sluiceCommand =
  process.env['TEST_SLUICE_COMMAND'] ?? join(import.meta.dirname, '..', '..', 'bin', 'sluice.mjs')
