/**
 * fast-check with the same choices in every run, so that a test passes today because of the code and not by luck. What it
 * found once is written down as a test of its own. `TEST_SEED=random` looks for more; any number there repeats a run.
 */
import fc from 'fast-check'

const wish = process.env['TEST_SEED'] ?? '20261122'
if (wish !== 'random') fc.configureGlobal({ seed: Number(wish) })

export default fc
