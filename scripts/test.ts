/** All that a change must pass: the checks, and every test. Paths and options given are handed to the test runner. */
import { globSync } from 'node:fs'
import { cp, mkdir, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { check, tell } from './check.ts'
import { root, runNode, type Outcome } from './run.ts'

const given = process.argv.slice(2)
const hasPaths = given.some((argument) => !argument.startsWith('-'))
const everyTest = ['src', 'test', 'demo', 'bench', 'scripts', 'dashboard/src'].map((folder) => `${folder}/**/*.test.ts`)

/**
 * Files that take long. They come first, since the last of a run has the machine to itself; those that mostly wait stand
 * beside those that compute.
 */
const longest = [
  'test/e2e/policy-faults.test.ts',
  'test/e2e/sidecar-faults.test.ts',
  'test/e2e/events-kills.test.ts',
  'test/e2e/events-otlp.test.ts',
  'test/e2e/instances.test.ts',
  'test/e2e/policy-stream.test.ts',
  'test/e2e/mcp-conformance.test.ts',
  'test/e2e/package.test.ts',
  'src/store/postgres/postgres.test.ts',
  'test/dashboard/first-run.test.ts',
  'test/dashboard/interruptions.test.ts',
  'test/dashboard/managing.test.ts',
  'test/dashboard/pages.test.ts',
  'test/deploy.test.ts',
  'test/package.test.ts'
]

/** Rooms of which the linter says that nothing in them outlives a call: their tests share one process. */
const pureRooms = ['detection', 'dialects', 'policy', 'protocol'].map((room) => `src/${room}/**/*.test.ts`)

// Tests wait for sockets, disks and browsers as much as for the processor, so that one more than there are cores has room.
const concurrency = availableParallelism() + 1
// For what never ends. It is far from what any test takes, so that no verdict hangs on the speed of a machine.
const timeoutMs = 300_000
// A test that timed out leaves open what it had opened, and its file would wait for that without end. The runner names it.
const interruptAfterMs = 30 * 60_000

process.exitCode = hasPaths ? (await runTests([`--test-concurrency=${concurrency}`])).code : await runEverything()

/** Checks, and runs all tests beside that: most of them wait for long. @returns the exit code */
async function runEverything(): Promise<number> {
  const checking = check()
  const command = await pack()
  const env = command === undefined ? {} : { TEST_SLUICE_COMMAND: command }
  const pure = new Set(globSync(pureRooms, { cwd: root }))
  const first = new Set(longest)
  const others = globSync(everyTest, { cwd: root }).filter((path) => !first.has(path) && !pure.has(path))
  // The runner goes by the alphabet, in which the absolute path of a file stands before all relative ones.
  const files = [...longest.map((path) => join(root, path)), ...others]
  const [ofPure, ofOthers, faults] = await Promise.all([
    runTests(['--test-isolation=none', ...pure], { shown: false, env }),
    runTests([`--test-concurrency=${concurrency}`, ...files], { env }),
    checking
  ])
  console.log(`\nThe rooms that are pure, in one process:\n${ofPure.output}`)
  tell(faults)
  const failed = faults.map(({ title }) => title)
  if (command === undefined) failed.push('the package')
  if (ofPure.code !== 0) failed.push('tests of the rooms that are pure')
  if (ofOthers.code !== 0) failed.push('tests')
  if (failed.length > 0) console.error(`Failed: ${failed.join(', ')}; see above.`)
  return failed.length > 0 ? 1 : 0
}

function runTests(
  args: readonly string[],
  { shown = true, env = {} }: { readonly shown?: boolean; readonly env?: Readonly<Record<string, string>> } = {}
): Promise<Outcome> {
  return runNode(['--test', '--test-reporter=spec', `--test-timeout=${timeoutMs}`, ...given, ...args], {
    shown,
    interruptAfterMs,
    env
  })
}

/** @returns the command that tests start as operators do; undefined where the package could not be built */
async function pack(): Promise<string | undefined> {
  const folder = join(root, 'node_modules', '.cache', 'package')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const part of ['bin', 'package.json']) await cp(join(root, part), join(folder, part), { recursive: true })
  const built = await runNode([join(root, 'scripts/build.ts'), '--without-types', '--out', join(folder, 'dist')], {
    shown: false
  })
  if (built.code === 0) return join(folder, 'bin', 'sluice.mjs')
  console.error(`the package:\n${built.output.trimEnd()}\n`)
  return undefined
}
