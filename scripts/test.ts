/** All that a change must pass: the checks, then every test. Paths and options given are handed to the test runner. */
import { globSync } from 'node:fs'
import { cp, mkdir, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { check } from './check.ts'
import { root, runNode } from './run.ts'

const given = process.argv.slice(2)
const hasPaths = given.some((argument) => !argument.startsWith('-'))
const everyTest = ['src', 'test', 'demo', 'bench', 'dashboard/src'].map((folder) => `${folder}/**/*.test.ts`)

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

// Tests wait for sockets, disks and browsers as much as for the processor, so that one more than there are cores has room.
const concurrency = availableParallelism() + 1
// For what never ends. It is far from what any test takes, so that no verdict hangs on the speed of a machine.
const timeoutMs = 300_000
// A test that timed out leaves open what it had opened, and its file would wait for that without end. The runner names it.
const interruptAfterMs = 30 * 60_000

const [failed, command] = hasPaths ? [[]] : await prepare()
const { code } = await runNode(
  [
    '--test',
    '--test-reporter=spec',
    `--test-concurrency=${concurrency}`,
    `--test-timeout=${timeoutMs}`,
    ...given,
    ...(hasPaths ? [] : inOrder())
  ],
  { shown: true, interruptAfterMs, ...(command !== undefined && { env: { TEST_SLUICE_COMMAND: command } }) }
)
if (failed.length > 0) console.error(`Failed before the tests: ${failed.join(', ')}; see the top.`)
process.exitCode = failed.length > 0 ? 1 : code

/** The runner goes by the alphabet, in which the absolute path of a file stands before all relative ones. */
function inOrder(): string[] {
  const first = new Set(longest)
  const all = globSync(everyTest, { cwd: root })
  return [...longest.map((path) => join(root, path)), ...all.filter((path) => !first.has(path))]
}

/** Checks, and puts a package together. @returns titles of what failed, and the command of the package */
async function prepare(): Promise<[failed: string[], command?: string]> {
  const [failures, packed] = await Promise.all([check(), pack()])
  return packed === undefined ? [[...failures, 'the package']] : [failures, packed]
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
