/** All that a change must pass: the checks, then every test. Paths and options given are handed to the test runner. */
import { availableParallelism } from 'node:os'
import { check } from './check.ts'
import { runNode } from './run.ts'

const given = process.argv.slice(2)
const hasPaths = given.some((argument) => !argument.startsWith('-'))
const everyTest = ['src', 'test', 'demo', 'bench', 'dashboard/src'].map((folder) => `${folder}/**/*.test.ts`)

const failed = hasPaths ? [] : await check()
// Tests wait for sockets, disks and browsers as much as for the processor, so that one more than there are cores has room.
const concurrency = availableParallelism() + 1
// For what never ends. It is far from what any test takes, so that no verdict hangs on the speed of a machine.
const timeoutMs = 300_000
// A test that timed out leaves open what it had opened, and its file would wait for that without end. The runner names it.
const interruptAfterMs = 30 * 60_000
const { code } = await runNode(
  [
    '--test',
    '--test-reporter=spec',
    `--test-concurrency=${concurrency}`,
    `--test-timeout=${timeoutMs}`,
    ...given,
    ...(hasPaths ? [] : everyTest)
  ],
  { shown: true, interruptAfterMs }
)
if (failed.length > 0) console.error(`Failed before the tests: ${failed.join(', ')}; see the top.`)
process.exitCode = failed.length > 0 ? 1 : code
